"""One motor on its way, told by direct commands and followed by looks at its counter.

A motor runs at plain power and is braked ahead of its goal, at a moment that its model predicts.
What is missing then is made up in small steps that the firmware's own limit ends, so that a slow
link does no harm. Nothing here waits: orders are given when they are due, between looks that serve
all motors.
"""

import math
from collections import defaultdict
from typing import Final

from controller.rigs.nxt_cradle.brick.brick_link import BrickLink
from controller.rigs.nxt_cradle.drives.motor_habits import LagHabit, StepHabit
from controller.rigs.nxt_cradle.drives.motor_model import Doing, MotorModel
from controller.rigs.nxt_cradle.motors import Motor

LONGEST_STEP_DEG: Final = 25
STEP_TIME_S: Final = 0.05  # before that a motor that stands may only not have begun
REST_S: Final = 0.02
"""A motor that shows the same count for so long stands."""
SLOW_DEG_PER_S: Final = 10.0  # a braked motor that is slower, friction stops at once
LATE_S: Final = 0.03
"""The firmware lets go of a motor that is braked so much too late."""
PUSH_LIMIT_DEG: Final = 30
"""How far a pushing motor may come if what it pushes against gives way."""
LEAST_SPEED: Final = 100.0


class Follower:
    """Brings one motor to its goals. `power` is what it runs with, in percent."""

    def __init__(
        self, motor: Motor, link: BrickLink, lag: LagHabit, power: int, near_deg: int
    ) -> None:
        self.motor = motor
        self.near_deg = near_deg
        self.model = MotorModel(lag, power)
        self.count = 0
        """At the last look, which was at `seen_s`."""
        self.seen_s = 0.0
        self.moved_s = 0.0
        """Since when the count has been as it is, as far as was looked."""
        self.lowest = self.highest = 0
        """Counts that were seen since `forget_ends`."""
        self._link = link
        self._told_s = 0.0  # the last brake or step
        self._pushed_s = -math.inf
        self._began = 0  # the count where a step began
        self._limit_deg = 0  # of a step
        self._let_go_at = 0.0  # by the firmware, of a run
        self._steps: dict[tuple[int, bool], StepHabit] = defaultdict(StepHabit)

    @property
    def goal(self) -> int:
        """Where the motor was sent."""
        return self.model.goal

    @property
    def is_settled(self) -> bool:
        """Whether the motor is in want of neither looks nor orders."""
        return self.model.doing in (Doing.STANDING, Doing.PUSHING)

    def ends_within(self, deg: int) -> bool:
        """Say whether a motor that is braked comes to stand so near to where it was sent."""
        is_braking = self.model.doing is Doing.BRAKING
        return not is_braking or abs(self.goal - self.model.stops_at(self.seen_s)) <= deg

    def stands_within(self, deg: int) -> bool:
        """Say whether the motor stands so near to where it was sent."""
        return self.model.doing is Doing.STANDING and abs(self.goal - self.count) <= deg

    def is_beyond(self, count: int, way: int) -> bool:
        """Say whether the motor was seen at a count or beyond it, and since it began to push.

        Seen before, an arm may have pressed on its way past its goal, and be on its way back.
        """
        return way * (self.count - count) >= 0 and self.seen_s > self._pushed_s

    def begin(self, time_s: float, count: int) -> None:
        """Begin from a motor that stands."""
        self.model.goal = self.count = self.lowest = self.highest = count
        self.seen_s = self.moved_s = time_s
        self.model.stands(time_s, count)
        for habit in self._steps.values():
            habit.more_power = 0

    def go(self, time_s: float, goal: int) -> None:
        """Send the motor to a count; what it does already is taken into account.

        One that is on its way there is left alone: the firmware loses a count or so of a motor that
        a limit has let go, and still turns, when it gets an order.
        """
        if goal == self.goal and self.model.doing in (Doing.RUNNING, Doing.STEPPING):
            return
        self.model.learn_braking(time_s)
        self.model.goal = goal
        self.moved_s = time_s
        self._head_for_goal(time_s)

    def push(self, time_s: float, power: int) -> None:
        """Push with constant power."""
        self.model.learn_braking(time_s)
        self.moved_s = self._pushed_s = time_s
        self._link.run(self.motor, power, PUSH_LIMIT_DEG)
        self.model.stands(time_s, self.count, Doing.PUSHING)

    def forget_ends(self) -> None:
        """Begin to watch anew how far the motor goes either way."""
        self.lowest = self.highest = self.count

    def see(self, asked_s: float, answered_s: float, count: int, spare_s: float) -> None:
        """Take in a look; its answer came by `spare_s` later than it could have."""
        if count != self.count:
            self.moved_s = answered_s
        self.count, self.seen_s = count, answered_s
        self.lowest, self.highest = min(self.lowest, count), max(self.highest, count)
        self.model.see(asked_s, answered_s, count, spare_s)
        if self.model.doing is Doing.RUNNING and self._is_over(answered_s):
            self.brake(answered_s)
        if self._has_stopped(asked_s):
            self._settle(answered_s)

    def due_s(self, time_s: float) -> float:
        """Return when the motor is to be braked as far as is known; infinite if it is not."""
        if self.model.doing is not Doing.RUNNING:
            return math.inf
        due_s = time_s
        for _ in range(4):
            missing_deg = self.model.missing_deg(due_s)
            due_s = max(time_s, due_s + missing_deg / max(self.model.full_speed, LEAST_SPEED))
        return due_s

    def reaches_s(self, time_s: float, count: int) -> float:
        """Return when a motor that runs will come past a count; infinite if it is not to."""
        if self.model.doing is not Doing.RUNNING:
            return math.inf
        deg, _ = self.model.expected(time_s)
        left_deg = max(0.0, self.model.direction * (count - deg))
        return time_s + left_deg / max(self.model.full_speed, LEAST_SPEED)

    def brake(self, time_s: float) -> None:
        """Brake the motor."""
        self._link.brake(self.motor)
        self.model.brakes(time_s)
        self._told_s = time_s

    def _head_for_goal(self, time_s: float) -> None:
        missing_deg = self.goal - self.model.stops_at(time_s)
        if self.model.doing is Doing.STANDING and abs(missing_deg) <= LONGEST_STEP_DEG:
            if abs(missing_deg) > self.near_deg:
                self._step(time_s, missing_deg)
        elif abs(missing_deg) > self.near_deg:
            self._run(time_s, 1 if missing_deg > 0 else -1)
        elif self.model.doing is not Doing.BRAKING:
            self.brake(time_s)

    def _run(self, time_s: float, direction: int) -> None:
        self.model.runs(time_s, direction)
        deg, _ = self.model.expected(time_s)
        late_deg = self.model.full_speed * LATE_S
        limit_deg = direction * (self.goal - deg) - self.model.full_stop_deg() + late_deg
        limit_deg = max(1, round(limit_deg))
        self._let_go_at = deg + direction * limit_deg
        self._link.run(self.motor, direction * self.model.power, limit_deg)

    def _step(self, time_s: float, missing_deg: float) -> None:
        self.model.direction = 1 if missing_deg > 0 else -1
        habit = self._step_habit
        self._limit_deg = habit.limit_deg(round(abs(missing_deg)))
        self._link.run(self.motor, self.model.direction * habit.power_now, self._limit_deg)
        self._began, self._told_s = self.count, time_s
        self.model.stands(time_s, self.count, Doing.STEPPING)

    def _is_over(self, time_s: float) -> bool:
        """Say whether a run has to be braked by now, or the firmware has let the motor go."""
        is_let_go = self.model.direction * (self.count - self._let_go_at) >= 0
        return is_let_go or self.model.missing_deg(time_s) <= 0

    def _has_stopped(self, asked_s: float) -> bool:
        """Say whether a braked motor stands, or one that made a step.

        A count is taken after it was asked for; only that is certain.
        """
        is_braking = self.model.doing is Doing.BRAKING
        if not is_braking and self.model.doing is not Doing.STEPPING:
            return False
        at_rest_s = asked_s - max(self.moved_s, self._told_s + STEP_TIME_S - REST_S)
        return at_rest_s >= REST_S or (is_braking and abs(self.model.speed) < SLOW_DEG_PER_S)

    def _settle(self, time_s: float) -> None:
        """Learn from a motor that has come to stand; send it on if that is not where it should."""
        if self.model.doing is Doing.STEPPING:
            self._link.brake(self.motor)
            self._step_habit.learn(self._limit_deg, abs(self.count - self._began))
        self.model.learn_braking(time_s)
        self.model.stands(time_s, self.count)
        self._head_for_goal(time_s)

    @property
    def _step_habit(self) -> StepHabit:
        return self._steps[self.model.direction, self.model.is_loaded]
