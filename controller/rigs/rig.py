"""What a make of rig offers: the second seam, next to its mechanism."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final, Protocol, TypeAlias

import msgspec
from msgspec import Meta

from controller.motion.mechanism import Mechanism, OnMotors, ignore_motors
from controller.motion.primitives import CostModel, Primitive
from solvers.foundation.clock import Clock
from solvers.foundation.progress import Job, Progress

OWN_SENSOR: Final = "sensor"
"""The name of a rig's own colour sensor, where another rig has a camera."""

Prices: TypeAlias = msgspec.Struct
"""What calibration measures: a typed section of the rig's own calibration file."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing looked at; `remedy` says what to do if it is not ok, `lines` are to be copied."""

    name: str
    ok: bool
    detail: str
    remedy: str = ""
    lines: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Jogged:
    """What became of a motor that was turned by hand: its name, and degrees before and after."""

    motor: str
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class Margin:
    """How much a rig plays some motion more safely than it might have to.

    `values` go from the safest to the fastest; `start` is that of the
    calibration, which needs no trial.
    """

    name: str
    meaning: str
    values: tuple[float, ...]
    start: float

    def beyond(self, value: float, steps: int = 1) -> float | None:
        """Return the value that many steps faster, or safer if negative; None past either end."""
        index = self.values.index(value) + steps
        return self.values[index] if 0 <= index < len(self.values) else None

    def value_of(self, earned: "Mapping[str, Earned]") -> float:
        """Return the value with which the rig drives."""
        now = earned.get(self.name)
        return self.start if now is None else now.value

    def is_tight(self, earned: "Mapping[str, Earned]") -> bool:
        """Return whether it was made tighter than it was at the start."""
        return self.values.index(self.value_of(earned)) > self.values.index(self.start)


class Earned(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which value of a margin a rig has earned, and by which evidence."""

    value: float
    """With which the rig drives."""
    proven: float
    """The fastest with which no tilt of its trial went wrong."""
    tried: Annotated[int, Meta(ge=0)] = 0
    """Tilts in the trials of this margin, with whatever value."""
    failed: Annotated[int, Meta(ge=0)] = 0
    """Trials in which one went wrong, or runs since."""
    failed_at: float | None = None
    """The value with which that happened last."""
    is_done: bool = False
    """Whether no faster value is to be tried."""


def tightened(ladder: Sequence[Margin], earned: Mapping[str, Earned]) -> list[Margin]:
    """Return the margins that are tighter than at the start."""
    return [each for each in ladder if each.is_tight(earned)]


def loosened(
    ladder: Sequence[Margin], earned: Mapping[str, Earned], *, at_once: bool = False
) -> dict[str, Earned] | None:
    """Return what is left after a fault: margins that were made tighter are a step safer.

    With `at_once` they are as they were at the start. Where none was made tighter, all are a step
    safer that can be; None if none can.
    """
    safer = dict(earned)
    tight = tightened(ladder, earned)
    for margin in tight or ladder:
        now = earned.get(margin.name) or Earned(margin.start, margin.start)
        value = margin.start if tight and at_once else margin.beyond(now.value, -1)
        if value is not None:
            failed = now.failed + 1
            safer[margin.name] = msgspec.structs.replace(
                now, value=value, proven=value, failed=failed, failed_at=now.value, is_done=True
            )
    return None if safer == dict(earned) else safer


class Margins(Protocol):
    """What can be tuned of one owner's rig."""

    @property
    def ladder(self) -> Sequence[Margin]:
        """The margins in the order in which they are to be tightened."""

    @property
    def manner(self) -> Margin:
        """The one that runs make safer themselves, where the cube does not move as it should."""

    @property
    def trial(self) -> Sequence[Primitive]:
        """What a trial plays again and again: motions as they meet in a run."""

    @property
    def drive(self) -> str:
        """The drive that they are margins of."""

    @property
    def earned(self) -> Mapping[str, Earned]:
        """What was earned so far, by the margins' names."""

    def setup(self, earned: Mapping[str, Earned]) -> "Setup":
        """Return the rig with other margins."""

    def save(self, earned: Mapping[str, Earned], path: Path, measured: str = "") -> None:
        """Put what was earned, and no more, into the calibration file `path`; all else in it stays.

        `measured` says when and on which machine, empty if that has not changed.
        """


class Setup(Protocol):
    """One owner's rig, as calibrated. Everything that moves raises RobotError."""

    @property
    def costs(self) -> CostModel:
        """The prices of its primitives."""

    @property
    def retry_pause_s(self) -> float:
        """How long to wait before the one retry of a primitive."""

    @property
    def data(self) -> Mapping[str, Any]:
        """The whole calibration as JSON knows it; a journal keeps it for `Rig.setup_from`."""

    @property
    def margins(self) -> Margins | None:
        """Its margins; None if there is nothing to tune."""

    def connected(
        self, address: str, drive: str, clock: Clock, on_motors: OnMotors = ignore_motors
    ) -> AbstractContextManager[Mechanism]:
        """Connect, keep the machine awake meanwhile, and give it back."""

    def jog(
        self, address: str, motor: str, angle_deg: int, power_percent: int, clock: Clock
    ) -> Jogged:
        """Turn one motor and let it coast. Raises InvalidInputError for a motor it has not."""

    def measure(self, mechanism: Mechanism, clock: Clock, rounds: int) -> Job[Progress, Prices]:
        """Play every primitive `rounds` times; the cube ends as it started."""


class Rig(Protocol):
    """A make of rig. Input errors are InvalidInputError."""

    @property
    def drives(self) -> tuple[str, ...]:
        """The ways to drive it, the usual one first."""

    @property
    def motors(self) -> tuple[str, ...]:
        """The names of its motors, in the order of their ports, as `Setup.jog` takes them."""

    @property
    def picture(self) -> bytes | None:
        """A picture of it as SVG, whose parts move with the motors; None without one.

        A part with `data-motor` turns about (`data-x`, `data-y`): clockwise by `data-turn` degrees
        for each of that motor's, or as `data-poses` says: pairs of the motor's degrees and those of
        the part, the motor's ascending, with straight lines between. With `data-slide` it moves to
        the right instead, by that many units of the picture for each degree.
        """

    @property
    def own_eye(self) -> str | None:
        """What it sees the cube with, as `--camera` names it; None: it needs a camera."""

    def check_address(self, address: str) -> None:
        """Raise InvalidAddressError if `address` can be none of this rig's."""

    def setup(self, calibration: Path | None = None) -> Setup:
        """Return the rig as a calibration file says; the owner's own, or the default."""

    def setup_from(self, data: Mapping[str, Any], where: str) -> Setup:
        """Return the rig as `data` of an earlier setup says; `where` names it in errors."""

    def prices_file(self, calibration: Path | None) -> Path:
        """Return the file that prices are put into: `calibration`, or the owner's own."""

    def save_prices(self, prices: Prices, path: Path, measured: str) -> None:
        """Put prices and how they were measured into the calibration file `path`."""

    def examine(self, addresses: Iterable[str]) -> tuple[list[Finding], list[Finding]]:
        """Look at what this computer has for the rig, and at which machines answer."""
