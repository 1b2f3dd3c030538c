"""The rig of the thesis on an NXT brick: plays primitives as motor sequences."""

import math
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, Final

import msgspec

from controller.errors import InvalidJournalError, MotorStalledError, RobotError, StoppedError
from controller.motion.mechanism import State
from controller.motion.primitives import Primitive
from controller.rigs.nxt_cradle.brick.brick_link import BrickLink
from controller.rigs.nxt_cradle.brick.keep_awake import KeepAwake
from controller.rigs.nxt_cradle.calibration.values import (
    Arm,
    Calibration,
    Cradle,
    Pusher,
    leaves_arm_open,
)
from controller.rigs.nxt_cradle.drives.drive import Drive, Tolerance
from controller.rigs.nxt_cradle.homing import Homing
from controller.rigs.nxt_cradle.motors import Motor
from controller.rigs.nxt_cradle.steps import (
    Go,
    GoBehind,
    Press,
    Step,
    Straighten,
    cradle_change,
    restart_step,
    steps_of,
)
from solvers.foundation.clock import Clock
from solvers.foundation.typed_files import convert

STRAIGHTENING_TRIES = 6
BACKING_OFF = 4  # times the slack, more than the whole play and what the cube can stand askew
BRAKING_TIME_S = 0.2  # stops every motor of the rig from full speed


class NxtState(msgspec.Struct, forbid_unknown_fields=True):
    """What has to be known to go on: kept in the journal.

    `home` is what the tacho counters of cradle, arm and pusher show at home, in degrees;
    `cradle_quarters` where the cradle stands, in quarters of motor-forward turn from there;
    `step` the step of a primitive that is under way.
    """

    home: tuple[int, int, int] = (0, 0, 0)
    cradle_quarters: int = 0
    step: int | None = None


class NxtMechanism:
    """Three motors of a brick that somebody else has connected to."""

    drive_name: Final = "direct"

    def __init__(
        self,
        link: BrickLink,
        drive: Drive,
        keep_awake: KeepAwake,
        clock: Clock,
        calibration: Calibration,
        homing: Homing,
    ) -> None:
        self.seconds_taken = 0.0
        """By the last primitive."""
        self._link = link
        self._drive = drive
        self._keep_awake = keep_awake
        self._clock = clock
        self._calibration = calibration
        self._homing = homing
        self._settings: dict[Motor, Cradle | Arm | Pusher] = {
            Motor.CRADLE: calibration.cradle,
            Motor.ARM: calibration.arm,
            Motor.PUSHER: calibration.pusher,
        }
        self._state = NxtState()
        self._layer_deg = 0.0  # of the cradle's motor, from home; good while a layer is turned

    @property
    def state(self) -> State:
        """The state as JSON."""
        plain: dict[str, Any] = msgspec.to_builtins(self._state)
        return plain

    def battery_volts(self) -> float:
        """Return the battery voltage. Raises RobotError."""
        return self._link.battery_volts()

    def set_home(self) -> None:
        """Find home: cradle straight, arm closed, pusher back.

        The brick is marked, so that a restart shows.
        """
        away = self._homing.home_from_here()
        self._link.mark()
        cradle, arm, pusher = (
            self._link.tacho(motor) + deg for motor, deg in zip(Motor, away, strict=True)
        )
        self._state = NxtState(home=(cradle, arm, pusher))

    def restore(self, state: State) -> bool:
        """Take up an earlier run if the brick's counters still count from the same place."""
        where = "The state in the journal"
        self._state = convert(dict(state), NxtState, where, InvalidJournalError)
        return self._link.is_marked()

    def perform(
        self,
        primitive: Primitive,
        *,
        before: Primitive | None = None,  # noqa: ARG002 - where the arm stands, its motor knows
        ahead: Sequence[Primitive] = (),
        on_state: Callable[[State], object] = lambda _: None,
    ) -> None:
        """Play the motor sequence of one primitive, or what is missing of it."""
        began_s = self._clock.now()
        self._keep_awake.if_due()
        state = self._state
        following = ahead[0] if ahead else None
        steps = steps_of(
            primitive,
            state.cradle_quarters,
            self._calibration,
            keep_arm_open=leaves_arm_open(primitive) and leaves_arm_open(following),
            again=state.step is not None,
        )
        first = 0 if state.step is None else restart_step(primitive, state.step)
        for index, step in enumerate(steps[first:], start=first):
            state.step = index
            on_state(self.state)
            self._play(step)
        state.step = None
        state.cradle_quarters += cradle_change(primitive)
        self.seconds_taken = self._clock.now() - began_s

    def straighten(self, cut_off: Primitive | None) -> bool:
        """Find home as the rig stands; what was cut off leaves the cube uncertain."""
        self.set_home()
        return cut_off is None

    def release(self) -> None:
        """Brake all three motors and then let them coast, as far as the link still allows."""
        with suppress(RobotError):
            for motor in Motor:
                self._link.brake(motor)
                self._link.tacho(motor)  # the answer shows that the command has arrived
            with suppress(StoppedError):  # told to stop while stopping
                self._clock.sleep(BRAKING_TIME_S)
            for motor in Motor:
                self._link.coast(motor)
                self._link.tacho(motor)

    def _home_of(self, motor: Motor) -> int:
        return self._state.home[list(Motor).index(motor)]

    def _play(self, step: Step) -> None:
        match step:
            case Press():
                self._drive.push(Motor.ARM, self._calibration.arm.press_power)
                # Held by arm and pusher, the layer lies straight in the middle of its play.
                quarter_deg = self._calibration.cradle.quarter_deg
                self._layer_deg = self._state.cradle_quarters * quarter_deg
            case Go():
                self._go(step)
            case GoBehind():
                self._go_behind(step)
            case Straighten():
                self._straighten_layer(step.angle_deg)

    def _go(self, step: Go) -> None:
        home = self._home_of(step.motor)
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
        here_deg = self._link.tacho(Motor.CRADLE) - self._home_of(Motor.CRADLE)
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
