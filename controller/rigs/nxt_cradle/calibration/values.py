"""What is known of one owner's rig: angles, powers, and seconds per primitive."""

from functools import cache
from importlib.resources import files
from typing import Annotated, Final, Self

from msgspec import Meta
from msgspec.structs import replace

from controller.rigs.nxt_brick.calibration import (
    BrickCalibration,
    CalibrationFiles,
    Pace,
    Power,
    Seconds,
    Section,
)
from controller.rigs.nxt_cradle.calibration.geometry import Geometry
from controller.rigs.rig import Earned
from solvers.foundation.typed_files import convert, parse_toml

# Angles are degrees of the motor.

LEAST: Final = Pace(20, 300)
MOST: Final = Pace(800, 19_000)
"""What a pace can be in a calibration."""


def faster(pace: Pace, factor: float) -> Pace:
    """Return a pace with which the same way takes `factor` times less, as far as a motor goes."""
    speed = min(MOST.speed_deg_s, pace.speed_deg_s * factor)
    acceleration = min(MOST.acceleration_deg_s2, pace.acceleration_deg_s2 * factor**2)
    return Pace(max(LEAST.speed_deg_s, speed), max(LEAST.acceleration_deg_s2, acceleration))


class Cradle(Section, frozen=True):
    """Motor A."""

    quarter_deg: Annotated[float, Meta(ge=45, le=3000)]
    slack_deg: Annotated[float, Meta(ge=0, le=90)]
    power: Power


PRESSES_AT_V: Final = 8.0
"""Of the battery for which `Arm.press_power` is given."""
LEAST_V: Final = 6.0
"""Lower readings are taken for this: a brick that is that low drives no rig."""


class Arm(Section, frozen=True):
    """Motor B; 0 is closed round the cube, negative away from it."""

    away_deg: Annotated[float, Meta(ge=-180, le=0)]
    closed_deg: Annotated[float, Meta(ge=-20, le=20)]
    power: Power
    press_power: Annotated[int, Meta(ge=10, le=100)]


class Pusher(Section, frozen=True):
    """Motor C; 0 is home, positive towards the cube."""

    home_deg: Annotated[float, Meta(ge=-20, le=20)]
    touch_deg: Annotated[float, Meta(ge=10, le=720)]
    power: Power


class Tilting(Section, frozen=True):
    """How arm and pusher tilt the cube: slower, and later, is safer.

    The pusher sets out when the arm is at `pusher_leaves`, and has not left home by the time that
    has tipped the cube; the arm goes back when the pusher, on its way home, is at `arm_returns`.
    After a turn it sets out when that is at `arm_rises`.
    """

    lift: Pace
    """Of the arm, from the cube until that is tipped."""
    lift_after_turn: Pace
    """The same after a layer turn, where the pusher has just left the cube."""
    lower: Pace
    """Of the arm, from there and away from the cube, which has to be down for a turn."""
    leave: Pace
    """Of the arm, the same where a spin or tilt follows."""
    close: Pace
    """Of the arm, from there to the cube."""
    grip: Pace
    """Of the arm, from there to a cube that is down and is to be held."""
    pusher_leaves: Annotated[float, Meta(ge=0, le=120)]
    arm_returns: Annotated[float, Meta(ge=0, le=200)]
    arm_rises: Annotated[float, Meta(ge=0, le=150)]

    def at_speeds(self, lift: float, back: float) -> "Tilting":
        """Return these paces with the arm's speed multiplied, by `back` where it moves no cube."""
        return replace(
            self,
            lift=faster(self.lift, lift),
            lift_after_turn=faster(self.lift_after_turn, lift),
            lower=faster(self.lower, back),
            leave=faster(self.leave, back),
            close=faster(self.close, back),
        )


class Tuning(Section, frozen=True):
    """What `cuberobot tune` found out on this rig; it is played instead of the values above.

    Without it, or without one of its margins, those are played.
    """

    measured: str = ""
    """When, and on which brick."""
    lift: Earned | None = None
    """Times the speeds of `tilting.lift` and `lift_after_turn`."""
    back: Earned | None = None
    """Times the speeds of `tilting.lower`, `leave` and `close`."""
    arm_returns: Earned | None = None
    """As `tilting.arm_returns`."""
    pusher_turns: Earned | None = None
    """As `geometry.pusher_rolls`."""
    pusher_leaves: Earned | None = None
    """As `tilting.pusher_leaves`."""
    manner: Earned | None = None
    """In which manner runs tilt from the start: 0 is the usual one, others are in their order.
    Runs learn it."""


class Stops(Section, frozen=True):
    """Where arm and pusher end, in degrees of their motors from home: what home is found by."""

    arm_back_deg: Annotated[float, Meta(ge=-180, le=0)]
    pusher_back_deg: Annotated[float, Meta(ge=-180, le=0)]


class Calibration(BrickCalibration, frozen=True):
    """Everything that differs from rig to rig."""

    cradle: Cradle
    arm: Arm
    pusher: Pusher
    tilting: Tilting
    geometry: Geometry
    stops: Stops
    tuning: Tuning = Tuning()

    @property
    def powers(self) -> tuple[int, int, int]:
        """The motors' powers, in their order."""
        return self.cradle.power, self.arm.power, self.pusher.power

    def at_volts(self, volts: float) -> Self:
        """Return the calibration with the press power scaled to a battery's voltage.

        The torque of a stalled motor is proportional to power times voltage, so it stays the same.
        """
        power = round(self.arm.press_power * PRESSES_AT_V / max(volts, LEAST_V))
        return replace(self, arm=replace(self.arm, press_power=min(100, power)))


FILES: Final = CalibrationFiles(
    Calibration, "controller.rigs.nxt_cradle.calibration", "cube_robot.toml"
)
"""Angles of the default are those of the thesis or assumed, its seconds what the simulator took."""


@cache
def assumed_seconds() -> Seconds:
    """Return assumed prices of motions that do not overlap, for comparing planners."""
    assumed = files(__package__) / "assumed.toml"
    tables = parse_toml(assumed.read_bytes(), "The assumed calibration")
    return convert(tables["seconds"], Seconds, "The assumed seconds")
