"""The brick's motors, and what a choreography is made of: orders to motors, and waits for them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Final, Protocol, TypeAlias

from controller.errors import MotorStalledError
from controller.motion.primitives import Primitive, Spin, Tilt, TurnLayer
from controller.rigs.nxt_brick.calibration import Pace


class Motor(StrEnum):
    """The three motors by what they move; the values are the brick's ports."""

    CRADLE = "A"
    ARM = "B"
    PUSHER = "C"


MOTOR_NAMES: Final[Mapping[Motor, str]] = MappingProxyType(
    {motor: motor.name.lower() for motor in Motor}
)
"""What the motors are called in sentences; another machine with the same brick has its own."""


@dataclass(frozen=True, slots=True)
class Go:
    """Send a motor to an angle from home, to be held there; as fast as it can without a pace."""

    motor: Motor
    angle_deg: int
    pace: Pace | None = None


@dataclass(frozen=True, slots=True)
class Push:
    """Let a motor push with constant power, in percent."""

    motor: Motor
    power: int


@dataclass(frozen=True, slots=True)
class Reach:
    """Wait until a motor has come up to an angle, or down to it if not `upwards`.

    From `stands_from` on, on its way up, it may also stand still, held by the cube. Direct
    commands, which look only where a motor came to stand, take that for a stall all the same.
    """

    motor: Motor
    angle_deg: int
    upwards: bool
    stands_from: int | None = None


@dataclass(frozen=True, slots=True)
class Rest:
    """Wait until a motor rests near where it was sent."""

    motor: Motor
    within_deg: int


@dataclass(frozen=True, slots=True)
class Pause:
    """Wait a while: the cube moves by its own weight."""

    milliseconds: int


@dataclass(frozen=True, slots=True)
class Square:
    """See that the layer which is turned came to an angle of the cradle, and bring it there if not.

    It lags behind the cradle by `play_deg`, which may have gone too far before it came to stand.
    """

    angle_deg: int
    play_deg: int


@dataclass(frozen=True, slots=True)
class Phase:
    """The primitive has come to a phase, from 1; after a cut the rest is completed accordingly."""

    number: int


@dataclass(frozen=True, slots=True)
class Done:
    """The primitive's work on the cube is done."""


Motion: TypeAlias = Go | Push | Reach | Rest | Pause | Square | Phase | Done


TIPPING: Final = 1
"""Phase of a tilt in which the cube is leaving the cradle or has left it."""


@dataclass(frozen=True, slots=True)
class CutOff:
    """How far a primitive came that was cut off, and where cradle and pusher stood, from home."""

    phase: int
    cradle_deg: int
    pusher_deg: int


def cradle_change(primitive: Primitive) -> int:
    """Return by how many quarters of motor-forward turn `primitive` moves the cradle."""
    if isinstance(primitive, Tilt):
        return 0
    return -primitive.quarters if isinstance(primitive, Spin) else primitive.quarters


class Choreography(Protocol):
    """What a drive asks of a machine's motions; `Choreographer` says what they mean."""

    quarter_deg: float

    def motions(
        self,
        primitive: Primitive,
        cradle_quarters: int,
        before: Primitive | None = None,
        ahead: Primitive | None = None,
        cut_off: CutOff | None = None,
        *,
        is_viewed: bool = False,
    ) -> tuple[Motion, ...]:
        """Return the motions of `primitive` between its neighbours.

        If it `is_viewed` the cube comes to rest before what is `ahead`, or before the machine goes
        home.
        """

    def is_free_after(self, primitive: Primitive) -> bool:
        """Say whether a camera can view the cube after a primitive before the machine is home."""

    def change_manner(self, cut_off: Primitive | None) -> None:
        """Move the cube in another, safer manner after what was cut off, where there is one."""

    def may_have_moved(self, primitive: Primitive, cradle_quarters: int, cut_off: CutOff) -> bool:
        """Say whether a primitive that was cut off may have left the cube other than it was."""

    def undoing(
        self, primitive: Primitive, cradle_quarters: int, cut_off: CutOff | None
    ) -> tuple[Motion, ...]:
        """Return the motions that take a primitive back."""


@dataclass(frozen=True, slots=True)
class Known:
    """Where home is by counters that were never lost, in degrees from where each motor stands.

    Where a cradle stands is None if it may have turned without its layer.
    """

    cradle_deg: float | None
    arm_deg: float
    pusher_deg: float


@dataclass(frozen=True, slots=True)
class Undoing:
    """Plays primitives backwards, by counters that show `home` there.

    `play` moves the motors and returns when they are done. The cradle stood at `cradle_quarters`
    before the primitive.
    """

    play: Callable[[Sequence[Motion]], object]
    choreographer: Choreography
    home: tuple[int, int, int]
    cradle_quarters: int

    def undo(self, primitive: Primitive, cut_off: CutOff) -> bool:
        """Return whether the cube is certainly as before `primitive`; it is straight in the cradle.

        Raises MotorStalledError if a layer is left between its quarters, and RobotError. A cube
        that was spun or tilted is squared by finding home, which follows.
        """
        quarters = self.cradle_quarters
        has_moved = self.choreographer.may_have_moved(primitive, quarters, cut_off)
        if not has_moved and not isinstance(primitive, Tilt):
            return True
        is_undone = not has_moved or not isinstance(primitive, Tilt)
        try:
            self.play(self.choreographer.undoing(primitive, quarters, cut_off))
        except MotorStalledError:
            if isinstance(primitive, TurnLayer):
                raise
            return not has_moved
        return is_undone

    def known_home(
        self, counts: tuple[int, int, int], cut_off: Primitive | None, *, is_undone: bool
    ) -> Known:
        """Return where home is by the counts of now, after what was cut off."""
        cradle, arm, pusher = (home - count for home, count in zip(self.home, counts, strict=True))
        cradle += round(self.cradle_quarters * self.choreographer.quarter_deg)
        is_cradle_known = is_undone or isinstance(cut_off, Tilt)
        return Known(cradle if is_cradle_known else None, arm, pusher)


def reverse_of(primitive: Spin | TurnLayer) -> Primitive:
    """Return the spin or layer turn that takes this one back."""
    return type(primitive)(-primitive.quarters)
