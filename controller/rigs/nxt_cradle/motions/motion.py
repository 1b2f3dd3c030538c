"""What a choreography is made of: orders to motors, and waits for them."""

from dataclasses import dataclass
from typing import Final, TypeAlias

from controller.motion.primitives import Primitive, Spin, Tilt
from controller.rigs.nxt_cradle.calibration.values import Pace
from controller.rigs.nxt_cradle.motors import Motor


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
    """Wait until a motor has come up to an angle, or down to it if not `upwards`."""

    motor: Motor
    angle_deg: int
    upwards: bool


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
