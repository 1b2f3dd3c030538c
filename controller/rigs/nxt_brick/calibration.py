"""What calibrations of machines with an NXT brick share: prices, how they are measured, files."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache, cached_property
from importlib.resources import files
from pathlib import Path
from typing import (
    Annotated,
    Any,
    Final,
    Generic,
    Literal,
    Protocol,
    TypeAlias,
    TypeVar,
    runtime_checkable,
)

import msgspec
import numpy as np
import tomlkit
from msgspec import Meta
from platformdirs import user_config_path

from controller.errors import InvalidCalibrationError
from controller.motion.mechanism import Mechanism
from controller.motion.primitives import Primitive, Spin, Tilt, TurnLayer
from solvers.foundation.files import read_text, write_text
from solvers.foundation.progress import Job, Progress
from solvers.foundation.typed_files import convert, load_toml, parse_toml

VERSION: Final = 1
"""Of calibration files."""

# tomlkit, which keeps comments, takes 30 us for each byte.
LARGEST_BYTES: Final = 64 << 10

_WHAT: Final = "The calibration"
Power: TypeAlias = Annotated[int, Meta(ge=20, le=100)]
"""Percent of what the battery gives."""
_Price: TypeAlias = Annotated[float, Meta(ge=0.05, le=60)]
_Saving: TypeAlias = Annotated[float, Meta(ge=-5, le=5)]


class Section(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A part of the file; its keys and ranges are those of the class."""


class Pace(Section, frozen=True):
    """How a motor moves smoothly: top speed, and how it speeds up and slows down."""

    speed_deg_s: Annotated[float, Meta(ge=20, le=800)]
    acceleration_deg_s2: Annotated[float, Meta(ge=300, le=19_000)]


class Saved(Section, frozen=True):
    """Seconds that a primitive takes less after a neighbour than after a pause at home.

    Motions overlap, and what neighbours have in common is not undone and done again. A spin or
    turn goes `with` another if the cradle turns on the same way, and `against` it otherwise.
    """

    tilt_after_tilt: _Saving = 0.0
    tilt_after_spin: _Saving = 0.0
    tilt_after_turn: _Saving = 0.0
    spin_after_tilt: _Saving = 0.0
    spin_with_turn: _Saving = 0.0
    spin_against_turn: _Saving = 0.0
    turn_after_tilt: _Saving = 0.0
    turn_with_spin: _Saving = 0.0
    turn_against_spin: _Saving = 0.0


class Seconds(Section, frozen=True):
    """Prices: seconds of each primitive after a pause at home, and what neighbours save.

    Spins and turns by one, two and three quarters, either way. `ending` is the way home from where
    the last turn of a plan ends.
    """

    tilt: _Price
    spin: tuple[_Price, _Price, _Price]
    turn: tuple[_Price, _Price, _Price]
    ending: Annotated[float, Meta(ge=0, le=10)] = 0.0
    saved: Saved = Saved()
    measured: str = ""
    """When, and on which brick."""
    drive: str = ""
    """With which drive; empty: unknown."""
    volts: Annotated[float, Meta(ge=0, le=12)] = 0.0
    """At which voltage of the battery; 0: unknown."""

    def price(self, primitive: Primitive, before: Primitive | None) -> float:
        """Return the seconds that `primitive` takes after `before`."""
        if isinstance(primitive, Tilt):
            seconds = self.tilt
        else:
            table = self.spin if isinstance(primitive, Spin) else self.turn
            seconds = table[abs(primitive.quarters) - 1]
        meeting = meeting_of(before, primitive)
        return seconds if meeting is None else max(0.01, seconds - getattr(self.saved, meeting))


class Patience(Section, frozen=True):
    """How long the driver waits, in seconds."""

    stall_s: Annotated[float, Meta(ge=0.1, le=10)]
    retry_pause_s: Annotated[float, Meta(ge=0, le=60)]
    keep_alive_s: Annotated[float, Meta(ge=5, le=240)]


class BrickCalibration(Section, frozen=True):
    """Everything that differs from one rig of a make to the next; each make adds its own."""

    version: Literal[1]
    seconds: Seconds
    patience: Patience


@cache
def meeting_of(before: Primitive | None, primitive: Primitive) -> str | None:
    """Return which field of `Saved` is for two neighbours, None if there is none."""
    match before, primitive:
        case Tilt(), Tilt():
            return "tilt_after_tilt"
        case Spin(), Tilt():
            return "tilt_after_spin"
        case TurnLayer(), Tilt():
            return "tilt_after_turn"
        case Tilt(), Spin():
            return "spin_after_tilt"
        case Tilt(), TurnLayer():
            return "turn_after_tilt"
        case TurnLayer(quarters=turned), Spin(quarters=spun):
            # The same sign is against: a positive spin turns motor A backwards.
            return "spin_against_turn" if turned * spun > 0 else "spin_with_turn"
        case Spin(quarters=spun), TurnLayer(quarters=turned):
            return "turn_against_spin" if turned * spun > 0 else "turn_with_spin"
    return None


SAME_VOLTS: Final = 0.2
"""Seconds go nearly as the inverse of the voltage: so much of it is 2 or 3 %."""


def doubts(seconds: Seconds, drive: str, volts: float) -> Iterator[str]:
    """Yield a warning for each reason why planned seconds will be wrong."""
    if seconds.drive and seconds.drive != drive:
        yield (
            f"The planned seconds were measured with the drive {seconds.drive}; with the drive "
            f"{drive} they will not come true. `cuberobot calibrate --drive {drive}` measures its "
            "own."
        )
    if volts <= 0:  # seen from bricks whose battery box has a bad contact
        yield "The brick reports a battery of 0 V, so planned seconds may be wrong."
    elif seconds.volts and abs(volts - seconds.volts) > SAME_VOLTS:
        change = seconds.volts / volts - 1
        yield (
            f"The battery gives {volts:.1f} V; the planned seconds were measured at "
            f"{seconds.volts:.1f} V, so expect about {abs(change):.0%} "
            f"{'more' if change > 0 else 'less'}."
        )


# Files

C = TypeVar("C", bound=BrickCalibration)


class CalibrationFiles(Generic[C]):
    """The calibrations of a make of rig in TOML: checked on reading, completed by its default."""

    def __init__(self, kind: type[C], package: str, name: str) -> None:
        """Take a class, the package with its `default.toml`, and the name of the owner's file."""
        self.kind = kind
        self._package = package
        self._name = name

    @property
    def user_path(self) -> Path:
        """Where the owner's calibration is looked for."""
        return user_config_path("puzzlerig") / self._name

    @cached_property
    def default(self) -> C:
        """The rig that comes with the project; its seconds are what the simulator took."""
        return convert(self._default_tables(), self.kind, "The default calibration")

    def load(self, path: Path | None = None) -> C:
        """Return the calibration in `path`, completed by the defaults.

        Without a path the owner's own file is read if there is one. Raises InvalidCalibrationError
        that names the file, the key and the range.
        """
        path = path or self.user_path
        if not path.exists() and path == self.user_path:
            return self.default
        own = load_toml(path, _WHAT, InvalidCalibrationError)
        if "version" not in own:
            raise InvalidCalibrationError(f"{_WHAT} {path} must say `version = {VERSION}`.")
        tables = self._default_tables()
        for name, table in own.items():
            default = tables.get(name)
            if isinstance(table, dict) and isinstance(default, dict):
                tables[name] = {**default, **table}
            else:
                tables[name] = table
        return convert(tables, self.kind, f"{_WHAT} {path}", InvalidCalibrationError)

    def save_seconds(self, path: Path, seconds: Seconds) -> None:
        """Put measured seconds into a file, as `save_section` does."""
        self.save_section(path, "seconds", msgspec.to_builtins(seconds))

    def save_section(
        self, path: Path, name: str, values: Mapping[str, Any], without: Collection[str] = ()
    ) -> None:
        """Put values into a section of the calibration file `path`, and take those `without` out.

        Everything else in it stays. Raises InvalidCalibrationError if the file is there and cannot
        be read, or not be written.
        """
        text = f"version = {VERSION}\n"
        if path.exists():
            self.load(path)
            text = read_text(path, InvalidCalibrationError, _WHAT, LARGEST_BYTES)
        document = tomlkit.parse(text)
        section = document.setdefault(name, tomlkit.table())
        for key, value in values.items():
            section[key] = value
        for key in without:
            section.pop(key, None)
        write_text(path, tomlkit.dumps(document), error=InvalidCalibrationError)

    def _default_tables(self) -> dict[str, Any]:
        default = files(self._package) / "default.toml"
        return parse_toml(default.read_bytes(), "The default calibration")


# Measuring

Run: TypeAlias = tuple[Primitive, ...]

_TILTS: Final = (Tilt(),) * 4
_LEAST_PRICE_S: Final = 0.05


def _runs() -> Iterator[Run]:
    """Yield runs from home to home in which all neighbours meet, and that leave the cube as is.

    Each meeting also occurs away from a run's end, where the way home would hide it.
    """
    yield _TILTS
    for quarters in (1, 2, 3):
        on, back = TurnLayer(quarters), TurnLayer(-quarters)
        left, right = Spin(quarters), Spin(-quarters)
        yield (on, *_TILTS, back, *_TILTS)
        yield (left, *_TILTS, right, *_TILTS)
        if quarters < 3:
            yield (on, right, back, left, on, left, back, right)
            yield (left, on, right, back)


RUNS: Final[tuple[Run, ...]] = tuple(_runs())

_MEETINGS: Final = tuple(field.name for field in msgspec.structs.fields(Saved))
_ENDINGS: Final = ("ending of tilts", "ending of spins", "ending")
_UNKNOWNS: Final = (
    "tilt",
    *(f"{kind} {quarters}" for kind in ("spin", "turn") for quarters in (1, 2, 3)),
    *_MEETINGS,
    *_ENDINGS,
)


@runtime_checkable
class TimedMechanism(Mechanism, Protocol):
    """A mechanism that says what the last primitive took, in seconds."""

    seconds_taken: float

    @property
    def drive_name(self) -> str:
        """What calibrations call its drive."""


def measure_seconds(mechanism: TimedMechanism, rounds: int) -> Job[Progress, Seconds]:
    """Play all runs `rounds` times and report the prices that explain their seconds best.

    The mechanism must have its home. Raises RobotError.
    """
    rows: list[list[int]] = []
    seconds: list[float] = []
    total = rounds * sum(map(len, RUNS))
    for run in RUNS * rounds:
        for index, primitive in enumerate(run):
            yield Progress("measuring", len(rows), total, "primitives")
            before = run[index - 1] if index else None
            ahead = run[index + 1 :]
            mechanism.perform(primitive, before=before, ahead=ahead)
            seconds.append(mechanism.seconds_taken)
            rows.append(_row(primitive, before, ahead))
    return _prices(np.linalg.lstsq(np.array(rows, float), np.array(seconds), rcond=None)[0])


def _row(primitive: Primitive, before: Primitive | None, ahead: Sequence[Primitive]) -> list[int]:
    """Return how often each of the unknowns is in the seconds of one primitive."""
    row = dict.fromkeys(_UNKNOWNS, 0)
    match primitive:
        case Tilt():
            base, ending = "tilt", _ENDINGS[0]
        case Spin():
            base, ending = f"spin {abs(primitive.quarters)}", _ENDINGS[1]
        case TurnLayer():
            base, ending = f"turn {abs(primitive.quarters)}", _ENDINGS[2]
    row[base] = 1
    meeting = meeting_of(before, primitive)
    if meeting is not None:
        row[meeting] = -1
    if not ahead:
        row[ending] = 1
    return list(row.values())


def _prices(solution: "np.typing.NDArray[np.float64]") -> Seconds:
    found = {name: round(float(value), 3) for name, value in zip(_UNKNOWNS, solution, strict=True)}
    spins, turns = (
        tuple(max(_LEAST_PRICE_S, found[f"{kind} {quarters}"]) for quarters in (1, 2, 3))
        for kind in ("spin", "turn")
    )
    return Seconds(
        tilt=max(_LEAST_PRICE_S, found["tilt"]),
        spin=(spins[0], spins[1], spins[2]),
        turn=(turns[0], turns[1], turns[2]),
        ending=max(0.0, found["ending"]),
        saved=Saved(**{name: found[name] for name in _MEETINGS}),
    )
