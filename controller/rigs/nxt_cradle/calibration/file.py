"""Calibration files: TOML, checked on reading, completed by the default rig."""

from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

import msgspec
import tomlkit
from platformdirs import user_config_path

from controller.errors import InvalidCalibrationError
from controller.rigs.nxt_cradle.calibration.values import Calibration, Seconds
from solvers.foundation.files import read_text, write_text
from solvers.foundation.typed_files import convert, load_toml, parse_toml

VERSION: Final = 1

# tomlkit, which keeps comments, takes 30 us for each byte.
LARGEST_BYTES: Final = 64 << 10

_WHAT: Final = "The calibration"


def user_calibration_path() -> Path:
    """Return where the owner's calibration is looked for."""
    return user_config_path("puzzlerig") / "cube_robot.toml"


@cache
def default_calibration() -> Calibration:
    """Return the simulated rig with the program on its brick.

    Its angles are those of the thesis or assumed, its seconds what the simulator took.
    """
    return convert(_default_tables(), Calibration, "The default calibration")


@cache
def assumed_seconds() -> Seconds:
    """Return assumed prices of motions that do not overlap, for comparing planners."""
    assumed = files(__package__) / "assumed.toml"
    tables = parse_toml(assumed.read_bytes(), "The assumed calibration")
    return convert(tables["seconds"], Seconds, "The assumed seconds")


def load_calibration(path: Path | None = None) -> Calibration:
    """Return the calibration in `path`, completed by the defaults.

    Without a path the owner's own file is read if there is one. Raises InvalidCalibrationError
    that names the file, the key and the range.
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
    return convert(tables, Calibration, f"{_WHAT} {path}", InvalidCalibrationError)


def save_seconds(path: Path, seconds: Seconds) -> None:
    """Put measured seconds into the calibration file `path`; everything else in it stays.

    Raises InvalidCalibrationError if the file is there and cannot be read, or not be written.
    """
    if path.exists():
        load_calibration(path)
    text = f"version = {VERSION}\n"
    if path.exists():
        text = read_text(path, InvalidCalibrationError, _WHAT, LARGEST_BYTES)
    document = tomlkit.parse(text)
    section = document.setdefault("seconds", tomlkit.table())
    for name, value in msgspec.to_builtins(seconds).items():
        section[name] = value
    write_text(path, tomlkit.dumps(document), error=InvalidCalibrationError)


def _default_tables() -> dict[str, Any]:
    default = files("controller.rigs.nxt_cradle.calibration") / "default.toml"
    return parse_toml(default.read_bytes(), "The default calibration")
