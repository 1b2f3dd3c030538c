"""What is known of one owner's MindCuber: angles, powers, pauses, seconds; its TOML file."""

from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any, Final, Literal, TypeAlias

import msgspec
import tomlkit
from msgspec import Meta
from platformdirs import user_config_path

from controller.errors import InvalidCalibrationError
from controller.rigs.nxt_cradle.calibration.file import LARGEST_BYTES
from controller.rigs.nxt_cradle.calibration.values import Patience, Seconds
from solvers.foundation.files import read_text, write_text
from solvers.foundation.typed_files import convert, load_toml, parse_toml

VERSION: Final = 1
_WHAT: Final = "The calibration"
_Power: TypeAlias = Annotated[int, Meta(ge=20, le=100)]
_Back: TypeAlias = Annotated[int, Meta(ge=0, le=400)]
_Milliseconds: TypeAlias = Annotated[int, Meta(ge=0, le=2000)]


class _Section(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A part of the file; its keys and ranges are those of the class."""


class Table(_Section, frozen=True):
    """Motor A; positive is counter-clockwise seen from above."""

    quarter_deg: Annotated[int, Meta(ge=45, le=3000)]
    play_deg: Annotated[int, Meta(ge=0, le=60)]
    """Half the play of the cube in the table."""
    held_play_deg: Annotated[int, Meta(ge=0, le=120)]
    """Half the play of the held cube: what a layer turn overshoots by, and takes back."""
    power: _Power


class SensorArm(_Section, frozen=True):
    """Motor B, in degrees back from its end stop."""

    centre_deg: _Back
    edge_deg: _Back
    corner_deg: _Back
    away_deg: _Back
    power: _Power


class TiltArm(_Section, frozen=True):
    """Motor C, in degrees back from its end stop."""

    away_deg: _Back
    """At rest: the cube can be put in and taken out."""
    release_deg: _Back
    """The whole cube may turn."""
    hold_deg: _Back
    """The two upper layers are held."""
    lower_deg: _Back
    """A cube that was tilted has come down."""
    tilt_deg: _Back
    """The cube has tipped over."""
    power: _Power


class Pauses(_Section, frozen=True):
    """How long the cube is given to come to rest, in milliseconds."""

    close_ms: _Milliseconds
    """Before a tilt, after the arm closed."""
    held_ms: _Milliseconds
    """Before a tilt, where the arm was closed already."""
    top_ms: _Milliseconds
    """While the cube falls over."""
    between_ms: _Milliseconds
    """Between two tilts."""
    turn_ms: _Milliseconds
    """Before a layer turn, from when the arm let a tilted cube down or closed."""


class MindCuberCalibration(_Section, frozen=True):
    """Everything that differs from one MindCuber to the next."""

    version: Literal[1]
    table: Table
    sensor: SensorArm
    tilt: TiltArm
    pauses: Pauses
    seconds: Seconds
    patience: Patience

    @property
    def powers(self) -> tuple[int, int, int]:
        """The motors' powers, in the order of their ports."""
        return self.table.power, self.sensor.power, self.tilt.power


def user_calibration_path() -> Path:
    """Return where the owner's calibration is looked for."""
    return user_config_path("puzzlerig") / "mindcuber.toml"


@cache
def default_calibration() -> MindCuberCalibration:
    """Return a MindCuber of the NXT 2.0 kit; its seconds are those of the simulated one."""
    return convert(_default_tables(), MindCuberCalibration, "The default calibration")


def load_calibration(path: Path | None = None) -> MindCuberCalibration:
    """Return the calibration in `path`, completed by the defaults.

    Without a path the owner's own file is read if there is one. Raises InvalidCalibrationError.
    """
    path = path or user_calibration_path()
    if not path.exists() and path == user_calibration_path():
        return default_calibration()
    own = load_toml(path, _WHAT, InvalidCalibrationError)
    if "version" not in own:
        raise InvalidCalibrationError(f"{_WHAT} {path} must say `version = {VERSION}`.")
    tables = _default_tables()
    for name, table in own.items():
        default = tables.get(name)
        if isinstance(table, dict) and isinstance(default, dict):
            tables[name] = {**default, **table}
        else:
            tables[name] = table
    return convert(tables, MindCuberCalibration, f"{_WHAT} {path}", InvalidCalibrationError)


def save_seconds(path: Path, seconds: Seconds) -> None:
    """Put measured seconds into the file `path`; everything else in it stays.

    Raises InvalidCalibrationError if the file is there and cannot be read, or not be written.
    """
    text = f"version = {VERSION}\n"
    if path.exists():
        load_calibration(path)
        text = read_text(path, InvalidCalibrationError, _WHAT, LARGEST_BYTES)
    document = tomlkit.parse(text)
    section = document.setdefault("seconds", tomlkit.table())
    for name, value in msgspec.to_builtins(seconds).items():
        section[name] = value
    write_text(path, tomlkit.dumps(document), error=InvalidCalibrationError)


def _default_tables() -> dict[str, Any]:
    default = files("controller.rigs.mindcuber") / "default.toml"
    return parse_toml(default.read_bytes(), "The default calibration")
