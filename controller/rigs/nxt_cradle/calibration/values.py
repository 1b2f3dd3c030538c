"""What is known of one owner's rig: angles, powers, and seconds per primitive."""

from collections.abc import Iterator
from functools import cache
from typing import Annotated, Final, Literal, TypeAlias

import msgspec
from msgspec import Meta

from controller.motion.primitives import Primitive, Spin, Tilt, TurnLayer
from controller.rigs.nxt_cradle.calibration.geometry import Geometry

# Angles are degrees of the motor, powers percent of what the battery gives.
_Power: TypeAlias = Annotated[int, Meta(ge=20, le=100)]
_Price: TypeAlias = Annotated[float, Meta(ge=0.05, le=60)]
_Saving: TypeAlias = Annotated[float, Meta(ge=-5, le=5)]


class _Section(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A part of the file; its keys and ranges are those of the class."""


class Pace(_Section, frozen=True):
    """How a motor moves smoothly: top speed, and how it speeds up and slows down."""

    speed_deg_s: Annotated[float, Meta(ge=20, le=800)]
    acceleration_deg_s2: Annotated[float, Meta(ge=300, le=19_000)]


class Cradle(_Section, frozen=True):
    """Motor A."""

    quarter_deg: Annotated[float, Meta(ge=45, le=3000)]
    slack_deg: Annotated[float, Meta(ge=0, le=90)]
    power: _Power


class Arm(_Section, frozen=True):
    """Motor B; 0 is closed round the cube, negative away from it."""

    away_deg: Annotated[float, Meta(ge=-180, le=0)]
    closed_deg: Annotated[float, Meta(ge=-20, le=20)]
    power: _Power
    press_power: Annotated[int, Meta(ge=10, le=100)]


class Pusher(_Section, frozen=True):
    """Motor C; 0 is home, positive towards the cube."""

    home_deg: Annotated[float, Meta(ge=-20, le=20)]
    touch_deg: Annotated[float, Meta(ge=10, le=720)]
    power: _Power


class Tilting(_Section, frozen=True):
    """How arm and pusher tilt the cube: slower, and later, is safer.

    The pusher stays at home until the arm has tipped the cube; the arm goes back when the pusher,
    on its way home, is at `arm_returns`.
    """

    lift: Pace
    """Of the arm, from the cube until that is tipped."""
    lower: Pace
    """Of the arm, from there and away from the cube."""
    close: Pace
    """Of the arm, from there to the cube."""
    arm_returns: Annotated[float, Meta(ge=0, le=200)]


class Saved(_Section, frozen=True):
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


class Seconds(_Section, frozen=True):
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


class Stops(_Section, frozen=True):
    """Where arm and pusher end, in degrees of their motors from home: what home is found by."""

    arm_back_deg: Annotated[float, Meta(ge=-180, le=0)]
    pusher_back_deg: Annotated[float, Meta(ge=-180, le=0)]


class Patience(_Section, frozen=True):
    """How long the driver waits, in seconds."""

    stall_s: Annotated[float, Meta(ge=0.1, le=10)]
    retry_pause_s: Annotated[float, Meta(ge=0, le=60)]
    keep_alive_s: Annotated[float, Meta(ge=5, le=240)]


class Calibration(_Section, frozen=True):
    """Everything that differs from rig to rig."""

    version: Literal[1]
    cradle: Cradle
    arm: Arm
    pusher: Pusher
    tilting: Tilting
    geometry: Geometry
    stops: Stops
    seconds: Seconds
    patience: Patience

    @property
    def powers(self) -> tuple[int, int, int]:
        """The motors' powers, in their order."""
        return self.cradle.power, self.arm.power, self.pusher.power


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
