"""The rig of the thesis on an NXT brick: plays primitives as motor sequences."""

from collections.abc import Callable
from contextlib import suppress

from controller.calibration.calibration import Arm, Calibration, Cradle, Pusher
from controller.clock import Clock
from controller.drivers.brick_link import BrickLink
from controller.drivers.drive import Drive, Tolerance
from controller.drivers.mechanism import HomeAngles
from controller.drivers.rig_steps import Go, Motor, Step, cradle_change, steps_of
from controller.errors import RobotError
from controller.motion.primitives import Primitive


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
        self._kept_alive_s = -calibration.patience.keep_alive_s

    def set_home(self) -> HomeAngles:
        """Take the present pose as home and mark the brick, so that a restart shows."""
        self._drive.start()
        self._link.mark()
        self._home = {motor: self._link.tacho(motor) for motor in Motor}
        self._cradle_quarters = 0
        cradle, arm, pusher = self._home.values()
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
        on_step: Callable[[int], None] = lambda _: None,
    ) -> None:
        """Play the motor sequence of one primitive."""
        self._keep_alive()
        steps = steps_of(
            primitive, self._cradle_quarters, self._calibration, keep_arm_open=keep_arm_open
        )
        for index, step in enumerate(steps[first_step:], start=first_step):
            on_step(index)
            self._play(step)
        self._cradle_quarters += cradle_change(primitive)

    def release(self) -> None:
        """Let all three motors coast, as far as the link still allows."""
        for motor in Motor:
            with suppress(RobotError):
                self._link.coast(motor)
                self._link.tacho(motor)  # the answer shows that the command has arrived

    def _play(self, step: Step) -> None:
        if not isinstance(step, Go):
            self._drive.push(Motor.ARM, self._calibration.arm.press_power)
            return
        settings = self._settings[step.motor]
        target = self._home[step.motor] + round(step.angle_deg)
        tolerance = Tolerance(settings.short_deg, settings.beyond_deg)
        if step.roughly:
            tolerance = Tolerance(settings.rough_deg, settings.rough_deg)
        self._drive.go(step.motor, target, settings.power, tolerance)

    def _keep_alive(self) -> None:
        """Ordinary commands do not reset the brick's sleep timer (firmware source, c_ui.c)."""
        now_s = self._clock.now()
        if now_s - self._kept_alive_s >= self._calibration.patience.keep_alive_s:
            self._link.keep_alive()
            self._kept_alive_s = now_s
