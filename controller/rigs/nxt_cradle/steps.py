"""The motor sequence behind each primitive (thesis 2010, chapter on the robot).

Every angle is counted from home, so a sequence that was cut off can be played again: motors that
are already where a step sends them stay there. The one thing that must not be played twice is a
completed tilt; `restart_step` knows.
"""

import math
from dataclasses import dataclass

from controller.motion.primitives import Primitive, Spin, Tilt
from controller.rigs.nxt_cradle.calibration.values import Calibration
from controller.rigs.nxt_cradle.motors import Motor


@dataclass(frozen=True, slots=True)
class Go:
    """Drive a motor to an angle from home and hold it there.

    `roughly` where it only has to be out of the way and a few degrees do not matter.
    """

    motor: Motor
    angle_deg: float
    roughly: bool = False


@dataclass(frozen=True, slots=True)
class Press:
    """Let the arm push against the cube until it is driven elsewhere."""


@dataclass(frozen=True, slots=True)
class GoBehind:
    """Take the cradle back behind an angle, and in any case well back from where it stands.

    A turn that was cut off may have left the layer anywhere within its play and the cube askew
    between arm and pusher. Backing off by more than the whole play frees the cube, which is pressed
    straight then; turning on by `overshoot_deg` meets the layer from a known side.
    """

    angle_deg: float
    overshoot_deg: float


@dataclass(frozen=True, slots=True)
class Straighten:
    """Make sure that the turned layer came to an angle of the cradle, and bring it there if not.

    It follows the cradle with play; the cradle may have gone too far before it came to stand.
    """

    angle_deg: float


Step = Go | Press | GoBehind | Straighten

# In the steps of a tilt: the pusher goes out, which tilts the cube.
_TILT_PUSH = 1


def restart_step(primitive: Primitive, step: int) -> int:
    """Return the step from which to play `primitive` again when `step` was not finished."""
    return step if isinstance(primitive, Tilt) and step > _TILT_PUSH else 0


def steps_of(
    primitive: Primitive,
    cradle_quarters: int,
    calibration: Calibration,
    *,
    keep_arm_open: bool = False,
    again: bool = False,
) -> tuple[Step, ...]:
    """Return the steps of `primitive`.

    `cradle_quarters` is where the cradle stands before, in quarters of motor-forward turn from
    home. With `keep_arm_open` the arm is not closed after a tilt or spin, for another follows. A
    layer turn that is played `again` may begin with its layer anywhere; it is met from behind.
    """
    arm = calibration.arm
    closing = () if keep_arm_open else (Go(Motor.ARM, arm.closed_deg, roughly=True),)
    if isinstance(primitive, Tilt):
        return (*_tilt(calibration), *closing)
    end_deg = (cradle_quarters + cradle_change(primitive)) * calibration.cradle.quarter_deg
    if isinstance(primitive, Spin):
        away = Go(Motor.ARM, arm.away_deg, roughly=True)
        return (away, Go(Motor.CRADLE, end_deg), *closing)
    # Turning on by the play and back again leaves the layer straight and the play centred.
    overshoot_deg = math.copysign(calibration.cradle.slack_deg, primitive.quarters)
    behind = (GoBehind(end_deg, overshoot_deg),) if again else ()
    return (
        Go(Motor.PUSHER, calibration.pusher.touch_deg),
        Press(),
        *behind,
        Go(Motor.CRADLE, end_deg + overshoot_deg),
        Go(Motor.CRADLE, end_deg),
        Straighten(end_deg),
        Go(Motor.ARM, arm.closed_deg, roughly=True),
        Go(Motor.PUSHER, calibration.pusher.home_deg, roughly=True),
    )


def cradle_change(primitive: Primitive) -> int:
    """Return by how many quarters of motor-forward turn `primitive` moves the cradle."""
    if isinstance(primitive, Tilt):
        return 0
    return -primitive.quarters if isinstance(primitive, Spin) else primitive.quarters


def _tilt(calibration: Calibration) -> tuple[Step, ...]:
    arm, pusher = calibration.arm, calibration.pusher
    return (
        Go(Motor.ARM, arm.tilt_deg),
        Go(Motor.PUSHER, pusher.tilt_deg),
        Go(Motor.PUSHER, pusher.home_deg, roughly=True),
        Go(Motor.ARM, arm.settle_deg, roughly=True),
    )
