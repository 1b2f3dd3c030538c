"""The rig of the thesis on an NXT brick: plays primitives as motor sequences."""

import math
from collections.abc import Callable
from contextlib import suppress

from controller.calibration.calibration import Arm, Calibration, Cradle, Pusher
from controller.drivers.brick_link import BrickLink
from controller.drivers.drive import Drive, Tolerance
from controller.drivers.mechanism import HomeAngles
from controller.drivers.rig_steps import (
    Go,
    GoBehind,
    Motor,
    Press,
    Step,
    Straighten,
    cradle_change,
    steps_of,
)
from controller.errors import MotorStalledError, RobotError
from controller.motion.primitives import Primitive
from solvers.foundation.clock import Clock

STRAIGHTENING_TRIES = 6
BACKING_OFF = 4  # times the slack, more than the whole play and what the cube can stand askew
BRAKING_TIME_S = 0.2  # stops every motor of the rig from full speed


class NxtMechanism:
    """Three motors of a brick that somebody else has connected to."""

    def __init__(
        self, link: BrickLink, drive: Drive, clock: Clock, calibration: Calibration
    ) -> None:
        self._link = link
        self._drive = drive
        self._clock = clock
        self._calibration = calibration
        self._settings: dict[Motor, Cradle | Arm | Pusher] = {
            Motor.CRADLE: calibration.cradle,
            Motor.ARM: calibration.arm,
            Motor.PUSHER: calibration.pusher,
        }
        self._home: dict[Motor, int] = dict.fromkeys(Motor, 0)
        self._cradle_quarters = 0
        self._layer_deg = 0.0  # of the cradle's motor, from home; good while a layer is turned
        self._kept_alive_s = -calibration.patience.keep_alive_s

    def set_home(self) -> HomeAngles:
        """Take the present pose as home and mark the brick, so that a restart shows."""
        self._drive.start()
        self._link.mark()
        self._home = {motor: self._link.tacho(motor) for motor in Motor}
        self._cradle_quarters = 0
        return self._home_angles()

    def recount_home(self) -> HomeAngles:
        """Call the quarter in which the cradle stands now home."""
        turned_deg = self._cradle_quarters * self._calibration.cradle.quarter_deg
        self._home[Motor.CRADLE] += round(turned_deg)
        self._cradle_quarters = 0
        return self._home_angles()

    def _home_angles(self) -> HomeAngles:
        cradle, arm, pusher = (self._home[motor] for motor in Motor)
        return cradle, arm, pusher

    def restore(self, home: HomeAngles, cradle_quarters: int) -> bool:
        """Take up an earlier run if the brick's counters still count from the same place."""
        self._home = dict(zip(Motor, home, strict=True))
        self._cradle_quarters = cradle_quarters
        if not self._link.is_marked():
            return False
        self._drive.start()
        return self._link.is_marked()

    def perform(
        self,
        primitive: Primitive,
        *,
        keep_arm_open: bool = False,
        first_step: int = 0,
        again: bool = False,
        on_step: Callable[[int], None] = lambda _: None,
    ) -> None:
        """Play the motor sequence of one primitive."""
        self._keep_alive()
        steps = steps_of(
            primitive,
            self._cradle_quarters,
            self._calibration,
            keep_arm_open=keep_arm_open,
            again=again,
        )
        for index, step in enumerate(steps[first_step:], start=first_step):
            on_step(index)
            self._play(step)
        self._cradle_quarters += cradle_change(primitive)

    def release(self) -> None:
        """Brake all three motors and then let them coast, as far as the link still allows."""
        with suppress(RobotError):
            for motor in Motor:
                self._link.brake(motor)
                self._link.tacho(motor)  # the answer shows that the command has arrived
            self._clock.sleep(BRAKING_TIME_S)
            for motor in Motor:
                self._link.coast(motor)
                self._link.tacho(motor)

    def _play(self, step: Step) -> None:
        match step:
            case Press():
                self._drive.push(Motor.ARM, self._calibration.arm.press_power)
                # Held by arm and pusher, the layer lies straight in the middle of its play.
                self._layer_deg = self._cradle_quarters * self._calibration.cradle.quarter_deg
            case Go():
                self._go(step)
            case GoBehind():
                self._go_behind(step)
            case Straighten():
                self._straighten_layer(step.angle_deg)

    def _go(self, step: Go) -> None:
        home = self._home[step.motor]
        target = home + round(step.angle_deg)
        tolerance = self._tolerance(step, target)
        power = self._settings[step.motor].power
        stood_at = self._drive.go(step.motor, target, power, tolerance)
        if step.motor is Motor.CRADLE:
            self._follow_layer([tacho - home for tacho in stood_at])

    def _tolerance(self, step: Go, target: int) -> Tolerance:
        settings = self._settings[step.motor]
        if step.roughly:
            return Tolerance(settings.rough_deg, settings.rough_deg)
        if step.motor is Motor.CRADLE and target < self._link.tacho(Motor.CRADLE):
            return Tolerance(settings.beyond_deg, settings.short_deg)
        # Arm and pusher may go on towards the cube, but not stay behind.
        return Tolerance(settings.short_deg, settings.beyond_deg)

    def _go_behind(self, step: GoBehind) -> None:
        direction = math.copysign(1, step.overshoot_deg)
        here_deg = self._link.tacho(Motor.CRADLE) - self._home[Motor.CRADLE]
        nearer_deg = min(direction * here_deg, direction * step.angle_deg)
        behind_deg = direction * nearer_deg - BACKING_OFF * step.overshoot_deg
        self._go(Go(Motor.CRADLE, behind_deg, roughly=True))

    def _follow_layer(self, cradle_stood_at_deg: list[int]) -> None:
        """Let the layer be dragged along wherever its play was used up."""
        slack_deg = self._calibration.cradle.slack_deg
        for cradle_deg in cradle_stood_at_deg:
            least, most = cradle_deg - slack_deg, cradle_deg + slack_deg
            self._layer_deg = min(max(self._layer_deg, least), most)

    def _straighten_layer(self, end_deg: float) -> None:
        cradle = self._calibration.cradle
        for _ in range(STRAIGHTENING_TRIES):
            missing_deg = end_deg - self._layer_deg
            if abs(missing_deg) <= cradle.rough_deg:
                return
            overshoot_deg = math.copysign(cradle.slack_deg, missing_deg)
            self._go(Go(Motor.CRADLE, end_deg + overshoot_deg))
            self._go(Go(Motor.CRADLE, end_deg))
        raise MotorStalledError(
            f"The bottom layer cannot be turned to its quarter: it is off by {missing_deg:.0f} "
            "degrees of motor A (cradle). Is the cube stiff, or the connection too slow?"
        )

    def _keep_alive(self) -> None:
        """Ordinary commands do not reset the brick's sleep timer (firmware source, c_ui.c)."""
        now_s = self._clock.now()
        if now_s - self._kept_alive_s >= self._calibration.patience.keep_alive_s:
            self._link.keep_alive()
            self._kept_alive_s = now_s
