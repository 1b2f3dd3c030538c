"""Positions motors over direct commands alone: nothing has to be installed on the brick.

nxt-python's own `Motor.turn` overshoots by tens of degrees, since it looks every tenth of a second
and stops where it happens to look; and the firmware's speed regulation wakes up a tenth of a second
late. Here a motor runs at plain power and is braked ahead of its target: the moment is predicted
from the speed seen so far, from how long the brick takes to answer, and from how far this motor
ran on after earlier brakes, which is learned while driving. The firmware's own tacho limit lets go
of the motor at the same place, for the case that the brake comes late or never. What is missing
then is made up in small steps that only that limit ends, so that a slow link does no harm.
"""

import math
from collections import defaultdict
from dataclasses import dataclass

from controller.rigs.nxt_cradle.brick.brick_link import BrickLink
from controller.rigs.nxt_cradle.drives.drive import Tolerance, out_of_reach, stalled
from controller.rigs.nxt_cradle.drives.motor_habits import BrakingHabit, StepHabit
from controller.rigs.nxt_cradle.motors import Motor
from solvers.foundation.clock import Clock

# While a motor is far from its target it is looked at this often; nearer, as often as the link can.
LOOK_INTERVAL_S = 0.05
# Speeds are taken over at least this time, since the tacho counts whole degrees.
SPEED_INTERVAL_S = 0.008
STEPS = 16
LONGEST_STEP_DEG = 25
SHORT_DEG = 50  # a motor that goes less does not reach its full speed
STEP_TIME_S = 0.05  # before that a motor that stands may only not have begun
# Two equal looks this far apart mean that the motor stands.
SETTLE_INTERVAL_S = 0.02
SETTLE_LOOKS = 25
# A motor that still creeps may have shown the same count twice, and the firmware loses a count of
# a motor that has been let go and moves when its next order comes. Friction ends that in 10 ms.
CREEPING_S = 0.012
# For the same reason the brake has to come before the limit, which on a slow link is set later: by
# what the motor goes while one look and the brake are on their way.
SLOW_LINK_S = 0.02
DEG_PER_S_AND_POWER = 10.0
# A motor counts as stalled only after so many looks, however late the computer makes them.
STALL_LOOKS = 5


@dataclass(slots=True)
class _Look:
    """One look at a motor: when the brick answered, and what its tacho showed."""

    time_s: float
    tacho: int
    round_trip_s: float


@dataclass(frozen=True, slots=True)
class _Way:
    """Where a motor runs from and to, and after how many degrees the firmware lets it go."""

    began: int
    target: int
    direction: int
    limit_deg: int

    def remaining_deg(self, look: _Look) -> int:
        return self.direction * (self.target - look.tacho)

    def is_over(self, look: _Look) -> bool:
        let_go = self.direction * (look.tacho - self.began) >= self.limit_deg
        return let_go or self.remaining_deg(look) <= 0


class DirectDrive:
    """A closed loop of its own over run, look and brake."""

    def __init__(self, link: BrickLink, clock: Clock, stall_s: float) -> None:
        self._link = link
        self._clock = clock
        self._stall_s = stall_s
        self._braking: dict[tuple[Motor, int, bool, bool], BrakingHabit]
        self._braking = defaultdict(BrakingHabit)
        self._steps: dict[tuple[Motor, int, bool], StepHabit] = defaultdict(StepHabit)
        self._pushing: Motor | None = None

    def push(self, motor: Motor, power: int) -> None:
        """Push with constant power."""
        self._link.run(motor, power)
        self._pushing = motor
        self._look(motor)

    def go(self, motor: Motor, target_tacho: int, power: int, tolerance: Tolerance) -> list[int]:
        """Run there, brake ahead of the target, make up the rest in small steps."""
        look = self._look(motor)
        tacho = look.tacho
        if abs(target_tacho - tacho) > LONGEST_STEP_DEG:
            tacho = self._run_and_brake(motor, look, target_tacho, power)
        stood_at = [tacho]
        while not tolerance.allows(tacho - target_tacho):
            if len(stood_at) > STEPS:
                raise out_of_reach(motor, tacho, target_tacho)
            tacho = self._small_step(motor, tacho, target_tacho)
            stood_at.append(tacho)
        self._link.hold(motor)
        if motor is self._pushing:
            self._pushing = None
        return stood_at

    def _run_and_brake(self, motor: Motor, start: _Look, target: int, power: int) -> int:
        """Run towards `target`, brake in time, and return where the motor came to stand."""
        began = start.tacho
        direction = 1 if target > began else -1
        distance = abs(target - began)
        habit = self._braking[motor, direction, distance < SHORT_DEG, self._pushing is None]
        late_deg = DEG_PER_S_AND_POWER * power * start.round_trip_s
        limit_deg = distance - habit.braking_deg
        if start.round_trip_s > SLOW_LINK_S:
            limit_deg += 2 * late_deg
        way = _Way(began, target, direction, max(1, round(limit_deg)))
        self._link.run(motor, direction * power, way.limit_deg)
        speed_deg_per_s = self._run_until_brake_is_due(motor, way, habit.braking_time_s)
        self._link.brake(motor)
        tacho = self._settled(motor)
        if speed_deg_per_s > 0:
            habit.learn(speed_deg_per_s, direction * (tacho - target))
        return tacho

    def _run_until_brake_is_due(self, motor: Motor, way: _Way, braking_time_s: float) -> float:
        """Watch a running motor until it has to be braked, and return its speed then."""
        look = reference = moved = self._look(motor)
        speed_deg_per_s, looks_at_rest = 0.0, 0
        while True:
            # A look is half a round trip old, and the brake takes another half to arrive.
            brake_in_s = math.inf
            if speed_deg_per_s > 0:
                brake_in_s = way.remaining_deg(look) / speed_deg_per_s
                brake_in_s -= braking_time_s + look.round_trip_s
            if brake_in_s <= look.round_trip_s or way.is_over(look):
                self._clock.sleep(brake_in_s if 0 < brake_in_s < math.inf else 0.0)
                return speed_deg_per_s
            self._clock.sleep(min(LOOK_INTERVAL_S, brake_in_s / 2))
            look = self._look(motor)
            looks_at_rest += 1
            if way.remaining_deg(look) < way.remaining_deg(moved):
                moved, looks_at_rest = look, 0
            rest_s = look.time_s - moved.time_s
            if looks_at_rest > STALL_LOOKS and rest_s > self._stall_s:
                self._link.hold(motor)
                raise stalled(motor, look.tacho, way.target, rest_s)
            seconds = look.time_s - reference.time_s
            if seconds >= SPEED_INTERVAL_S:
                travelled_deg = way.remaining_deg(reference) - way.remaining_deg(look)
                speed_deg_per_s, reference = travelled_deg / seconds, look

    def _small_step(self, motor: Motor, began: int, target: int) -> int:
        """Go a few degrees at low power up to the firmware's limit, and return the tacho."""
        direction = 1 if target > began else -1
        habit = self._steps[motor, direction, self._pushing is None]
        limit_deg = habit.limit_deg(abs(target - began))
        self._link.run(motor, direction * habit.power, limit_deg)
        self._look(motor)
        self._clock.sleep(STEP_TIME_S)
        tacho = self._settled(motor)
        self._clock.sleep(CREEPING_S)
        habit.learn(limit_deg, abs(tacho - began))
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
