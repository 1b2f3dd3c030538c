"""What a choreography is made of: orders to motors, and waits for them."""

from dataclasses import dataclass
from typing import TypeAlias

from controller.rigs.nxt_cradle.motors import Motor


@dataclass(frozen=True, slots=True)
class Go:
    """Send a motor to an angle from home, to be held there."""

    motor: Motor
    angle_deg: int


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
class Square:
    """See that the layer which is turned came to an angle of the cradle, and bring it there if not.

    It lags behind the cradle by `play_deg`, which may have gone too far before it came to stand.
    """

    angle_deg: int
    play_deg: int


@dataclass(frozen=True, slots=True)
class Phase:
    """The primitive has come to a phase, from 1; what was cut off goes on accordingly."""

    number: int


@dataclass(frozen=True, slots=True)
class Done:
    """The primitive's work on the cube is done."""


Motion: TypeAlias = Go | Push | Reach | Rest | Square | Phase | Done
