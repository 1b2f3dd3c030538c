"""Positions motors over direct commands alone: nothing has to be installed on the brick.

nxt-python's own `Motor.turn` overshoots by tens of degrees, since it looks every tenth of a second
and stops where it happens to look; and the firmware's speed regulation wakes up a tenth of a second
late. Here a motor runs at plain power and is braked ahead of its target: the moment is predicted
from the speed seen so far, from how long the brick takes to answer, and from how far this motor
ran on after earlier brakes, which is learned while driving. What is missing then is made up in
small steps that the firmware's own tacho limit ends, so that a slow link does no harm.
"""

import math
from collections import defaultdict
from dataclasses import dataclass

from controller.clock import Clock
from controller.drivers.brick_link import BrickLink
from controller.drivers.drive import Tolerance, out_of_reach, stalled
from controller.drivers.rig_steps import Motor

# While a motor is far from its target it is looked at this often; nearer, as often as the link can.
LOOK_INTERVAL_S = 0.05
# Speeds are taken over at least this time, since the tacho counts whole degrees.
SPEED_INTERVAL_S = 0.008
# How long a braked motor goes on at the speed it had; what later brakes show replaces it.
FIRST_BRAKING_TIME_S = 0.05
LONGEST_BRAKING_TIME_S = 0.3
# A look learns this share of what it shows.
LEARNING_RATE = 0.4
# Small steps: enough power to overcome friction, more where the motor hardly moves.
FIRST_STEP_POWER = 30
MORE_STEP_POWER = 8
STEPS = 12
LONGEST_STEP_DEG = 12
SHORT_DEG = 30  # a motor that goes less does not reach its full speed
STEP_TIME_S = 0.05  # before that a motor that stands may only not have begun
# Two equal looks this far apart mean that the motor stands.
SETTLE_INTERVAL_S = 0.02
SETTLE_LOOKS = 25
# The firmware's limit stops a motor that nobody brakes any more; this far beyond the target, so
# that it does not disturb a move that goes as planned.
FAIL_SAFE_DEG = 90


@dataclass(slots=True)
class _Look:
    """One look at a motor: when the brick answered, and what its tacho showed."""

    time_s: float
    tacho: int
    round_trip_s: float


@dataclass(slots=True)
class _Habits:
    """What has been learned of one motor in one direction, under one load, far or near."""

    braking_time_s: float = FIRST_BRAKING_TIME_S
    step_overshoot_deg: float = 0.0
    step_power: int = FIRST_STEP_POWER


class DirectDrive:
    """A closed loop of its own over run, look and brake."""

    def __init__(self, link: BrickLink, clock: Clock, stall_s: float) -> None:
        self._link = link
        self._clock = clock
        self._stall_s = stall_s
        self._habits: dict[tuple[Motor, int, bool, bool], _Habits] = defaultdict(_Habits)
        self._pushing: Motor | None = None

    def start(self) -> None:
        """Nothing to prepare: direct commands are part of every firmware."""

    def push(self, motor: Motor, power: int) -> None:
        """Push with constant power."""
        self._link.run(motor, power)
        self._pushing = motor
        self._look(motor)

    def go(self, motor: Motor, target_tacho: int, power: int, tolerance: Tolerance) -> None:
        """Run there, brake ahead of the target, make up the rest in small steps."""
        tacho = self._look(motor).tacho
        direction = 1 if target_tacho >= tacho else -1
        distance = abs(target_tacho - tacho)
        habits = self._habits[motor, direction, distance < SHORT_DEG, self._pushing is None]
        if distance > LONGEST_STEP_DEG:
            tacho = self._run_and_brake(motor, tacho, target_tacho, power, habits)
        for _ in range(STEPS):
            if tolerance.allows(direction * (tacho - target_tacho)):
                break
            tacho = self._small_step(motor, tacho, target_tacho - tacho, habits)
        else:
            raise out_of_reach(motor, tacho, target_tacho)
        self._link.hold(motor)
        if motor is self._pushing:
            self._pushing = None

    def _run_and_brake(
        self, motor: Motor, began: int, target: int, power: int, habits: _Habits
    ) -> int:
        """Run towards `target`, brake in time, and return where the motor came to stand."""
        direction = 1 if target > began else -1
        self._link.run(motor, direction * power, abs(target - began) + FAIL_SAFE_DEG)
        reference = moved = look = self._look(motor)
        speed = 0.0
        while True:
            remaining = direction * (target - look.tacho)
            # A look is half a round trip old, and the brake takes another half to arrive.
            brake_in_s = math.inf
            if speed > 0:
                brake_in_s = remaining / speed - habits.braking_time_s - look.round_trip_s
            if remaining <= 0 or brake_in_s <= look.round_trip_s:
                self._clock.sleep(max(0.0, brake_in_s) if remaining > 0 else 0.0)
                break
            self._clock.sleep(min(LOOK_INTERVAL_S, brake_in_s / 2))
            look = self._look(motor)
            if direction * (look.tacho - moved.tacho) > 0:
                moved = look
            elif look.time_s - moved.time_s > self._stall_s:
                self._link.hold(motor)
                raise stalled(motor, look.tacho, target, look.time_s - moved.time_s)
            if look.time_s - reference.time_s >= SPEED_INTERVAL_S:
                seconds = look.time_s - reference.time_s
                speed = direction * (look.tacho - reference.tacho) / seconds
                reference = look
        self._link.brake(motor)
        tacho = self._settled(motor)
        if speed > 0:
            missed_s = direction * (tacho - target) / speed
            braking_time_s = habits.braking_time_s + LEARNING_RATE * missed_s
            habits.braking_time_s = min(max(braking_time_s, 0.0), LONGEST_BRAKING_TIME_S)
        return tacho

    def _small_step(self, motor: Motor, before: int, distance: int, habits: _Habits) -> int:
        """Go `distance` degrees at low power up to the firmware's limit, and return the tacho."""
        limit = max(1, round(abs(distance) - habits.step_overshoot_deg))
        self._link.run(motor, int(math.copysign(habits.step_power, distance)), limit)
        self._look(motor)
        self._clock.sleep(STEP_TIME_S)
        tacho = self._settled(motor)
        overshoot = abs(tacho - before) - limit
        if overshoot < 0:
            habits.step_power = min(100, habits.step_power + MORE_STEP_POWER)
        else:
            habits.step_overshoot_deg += LEARNING_RATE * (overshoot - habits.step_overshoot_deg)
        return tacho

    def _settled(self, motor: Motor) -> int:
        """Wait until the motor stands and return its tacho."""
        tacho = self._look(motor).tacho
        for _ in range(SETTLE_LOOKS):
            self._clock.sleep(SETTLE_INTERVAL_S)
            before, tacho = tacho, self._look(motor).tacho
            if tacho == before:
                break
        return tacho

    def _look(self, motor: Motor) -> _Look:
        asked_s = self._clock.now()
        tacho = self._link.tacho(motor)
        answered_s = self._clock.now()
        return _Look(answered_s, tacho, answered_s - asked_s)
