"""One motor on its way, told by direct commands and followed by looks at its counter.

A motor runs at plain power and is braked ahead of its goal: the moment is predicted from where it
was at the last look, from how fast motors get going, and from how far this one ran on after earlier
brakes, which is learned while driving. What is missing then is made up in small steps that the
firmware's own limit ends, so that a slow link does no harm. Nothing here waits: orders are given
when they are due, between looks that serve all motors.
"""

import math
from collections import defaultdict
from dataclasses import replace
from enum import Enum, auto
from typing import Final

from controller.rigs.nxt_cradle.brick.brick_link import BrickLink
from controller.rigs.nxt_cradle.drives.motor_habits import (
    BrakingHabit,
    LagHabit,
    SpeedHabit,
    StepHabit,
)
from controller.rigs.nxt_cradle.motors import Motor

RISE_S: Final = 0.05
"""In which a motor comes nearer to its full speed by two thirds."""
BELIEF_S: Final = 0.03
"""A speed over this time is believed by half: counts are whole degrees."""
LONGEST_STEP_DEG: Final = 25
STEP_TIME_S: Final = 0.05  # before that a motor that stands may only not have begun
REST_S: Final = 0.02
"""A motor that shows the same count for so long stands."""
SLOW_DEG_PER_S: Final = 10.0  # a braked motor that is slower, friction stops at once
LATE_S: Final = 0.03
"""The firmware lets go of a motor that is braked so much too late."""
PUSH_LIMIT_DEG: Final = 30
"""How far a pushing motor may come if what it pushes against gives way."""


class _Doing(Enum):
    STANDING = auto()
    RUNNING = auto()
    BRAKING = auto()
    STEPPING = auto()
    PUSHING = auto()


class Follower:
    """Brings one motor to its goals. `power` is what it runs with, in percent."""

    def __init__(
        self, motor: Motor, link: BrickLink, lag: LagHabit, power: int, near_deg: int
    ) -> None:
        self._lag = lag
        self.motor = motor
        self.power = power
        self.near_deg = near_deg
        self.goal = 0
        self.count = 0
        """At the last look, which was at `seen_s`."""
        self.seen_s = 0.0
        self.moved_s = 0.0
        """Since when the count has been as it is, as far as was looked."""
        self.lowest = self.highest = 0
        """Counts that were seen since `forget_ends`."""
        self.is_loaded = False
        """Whether the motor works against another one that pushes; it has other habits then."""
        self._link = link
        self._doing = _Doing.STANDING
        self._direction = 1
        self._told_s = 0.0
        self._is_from_rest = False  # the run under way
        self._began = 0  # the count where a run or step began
        self._limit_deg = 0  # of a step
        # Where it was when this was last known, and how fast.
        self._known_s, self._known_deg, self._known_speed = 0.0, 0.0, 0.0
        # When it was braked in time: how fast it was, and where it should come to stand.
        self._braking_speed, self._braking_for = 0.0, 0.0
        self._braking_habits: list[BrakingHabit] = []
        self._braking: dict[tuple[int, bool], BrakingHabit] = defaultdict(BrakingHabit)
        self._braking_there: dict[tuple[int, int, bool], BrakingHabit] = {}
        self._steps: dict[tuple[int, bool], StepHabit] = defaultdict(StepHabit)
        self._speeds: dict[tuple[int, int, bool], SpeedHabit] = defaultdict(SpeedHabit)

    @property
    def is_settled(self) -> bool:
        """Whether the motor is in want of neither looks nor orders."""
        return self._doing in (_Doing.STANDING, _Doing.PUSHING)

    def ends_within(self, deg: int) -> bool:
        """Say whether a motor that is braked comes to stand so near to where it was sent."""
        if self._doing is not _Doing.BRAKING:
            return True
        here, speed = self._expected(self.seen_s)
        return abs(self.goal - here - self._habit.way_deg(speed)) <= deg

    def stands_within(self, deg: int) -> bool:
        """Say whether the motor stands so near to where it was sent."""
        return self._doing is _Doing.STANDING and abs(self.goal - self.count) <= deg

    def begin(self, time_s: float, count: int) -> None:
        """Begin from a motor that stands."""
        self.goal = self.count = self.lowest = self.highest = count
        self.seen_s = self.moved_s = time_s
        self._doing = _Doing.STANDING
        self._know(time_s, count, 0.0)

    def go(self, time_s: float, goal: int) -> None:
        """Send the motor to a count; what it does already is taken into account."""
        self._learn_braking(time_s)
        self.goal = goal
        self.moved_s = time_s
        self._head_for_goal(time_s)

    def forget_ends(self) -> None:
        """Begin to watch anew how far the motor goes either way."""
        self.lowest = self.highest = self.count

    def push(self, time_s: float, power: int) -> None:
        """Push with constant power."""
        self._learn_braking(time_s)
        self.moved_s = time_s
        self._link.run(self.motor, power, PUSH_LIMIT_DEG)
        self._doing = _Doing.PUSHING
        self._know(time_s, self.count, 0.0)

    def see(self, asked_s: float, time_s: float, count: int, spare_s: float) -> None:
        """Take in a look; its answer came at `time_s`, by `spare_s` later than it could have.

        Whether a motor stands is decided by when it was asked for, since which the count is.
        """
        if count != self.count:
            self.moved_s = time_s
        self.count, self.seen_s = count, time_s
        self.lowest, self.highest = min(self.lowest, count), max(self.highest, count)
        latest_s = max(asked_s, time_s - self._lag.seconds)
        deg, speed = self._expected(latest_s)
        earlier_deg, _ = self._expected(max(asked_s, latest_s - spare_s))
        low, high = sorted((earlier_deg, deg))
        surprise = count - min(max(count, low), high)
        speed += surprise / (max(0.0, latest_s - self._known_s) + BELIEF_S)
        if speed * self._direction < 0:
            speed = 0.0
        self._learn_lag(latest_s)
        self._know(latest_s, deg + surprise, speed)
        self._learn_speed(time_s, speed)
        self._settle(asked_s, time_s)

    def due_s(self, time_s: float) -> float:
        """Return when the next order is due as far as is known; infinite if none is."""
        if self._doing is not _Doing.RUNNING:
            return math.inf
        due_s = time_s
        for _ in range(4):
            missing = self._missing_deg(due_s)
            due_s = max(time_s, due_s + missing / max(self._full_speed, 100.0))
        return due_s

    def reaches_s(self, time_s: float, count: int) -> float:
        """Return when a motor that runs will come past a count; infinite if it is not to."""
        if self._doing is not _Doing.RUNNING:
            return math.inf
        deg, _ = self._expected(time_s)
        return time_s + max(0.0, self._direction * (count - deg)) / max(self._full_speed, 100.0)

    def act(self, time_s: float) -> None:
        """Give the order that is due."""
        self._brake(time_s)

    # Orders

    def _head_for_goal(self, time_s: float) -> None:
        deg, speed = self._expected(time_s)
        missing = self.goal - (deg + self._habit.way_deg(speed))
        if self._doing is _Doing.STANDING and abs(missing) <= LONGEST_STEP_DEG:
            if abs(missing) > self.near_deg:
                self._step(time_s, missing)
        elif abs(missing) > self.near_deg:
            self._run(time_s, 1 if missing > 0 else -1)
        elif self._doing is not _Doing.BRAKING:
            self._brake(time_s)

    def _run(self, time_s: float, direction: int) -> None:
        deg, speed = self._expected(time_s)
        self._direction = direction
        if speed * direction <= 0 or self._doing is not _Doing.RUNNING:
            self._began, self._told_s = round(deg), time_s
            self._is_from_rest = self._doing is _Doing.STANDING
        distance = direction * (self.goal - deg)
        late_deg = self._full_speed * LATE_S
        limit_deg = distance - self._habit.way_deg(self._full_speed) + late_deg
        self._link.run(self.motor, direction * self.power, max(1, round(limit_deg)))
        self._know(time_s, deg, speed)
        self._doing = _Doing.RUNNING

    def _brake(self, time_s: float) -> None:
        deg, speed = self._expected(time_s)
        self._link.brake(self.motor)
        self._braking_speed = abs(speed) if self._doing is _Doing.RUNNING else 0.0
        self._braking_for = deg + self._habit.way_deg(speed)
        there = self._braking_there.setdefault(self._there, replace(self._usual_habit))
        self._braking_habits = [self._usual_habit, there]
        self._know(time_s, deg, speed)
        self._told_s = time_s
        self._doing = _Doing.BRAKING

    def _step(self, time_s: float, missing: float) -> None:
        self._direction = 1 if missing > 0 else -1
        habit = self._step_habit
        self._limit_deg = habit.limit_deg(round(abs(missing)))
        self._link.run(self.motor, self._direction * habit.power, self._limit_deg)
        self._began, self._told_s = self.count, time_s
        self._doing = _Doing.STEPPING

    def _settle(self, asked_s: float, time_s: float) -> None:
        """Notice a motor that has come to stand, and send it on if that is not where it should."""
        if self._doing is _Doing.RUNNING and self._missing_deg(time_s) <= 0:
            self._brake(time_s)
        if self._doing not in (_Doing.BRAKING, _Doing.STEPPING):
            return
        is_still = asked_s - max(self.moved_s, self._told_s + STEP_TIME_S - REST_S) >= REST_S
        has_stopped = self._doing is _Doing.BRAKING and abs(self._known_speed) < SLOW_DEG_PER_S
        if not is_still and not has_stopped:
            return
        if self._doing is _Doing.STEPPING:
            self._link.brake(self.motor)
            self._step_habit.learn(self._limit_deg, abs(self.count - self._began))
        else:
            self._learn_braking(time_s)
        self._doing = _Doing.STANDING
        self._know(time_s, self.count, 0.0)
        self._head_for_goal(time_s)

    # What is known

    @property
    def _habit(self) -> BrakingHabit:
        """What is known of stops at the goal, or else of others like it."""
        return self._braking_there.get(self._there, self._usual_habit)

    @property
    def _there(self) -> tuple[int, int, bool]:
        return self.goal, self._direction, self.is_loaded

    @property
    def _usual_habit(self) -> BrakingHabit:
        return self._braking[self._direction, self.is_loaded]

    @property
    def _step_habit(self) -> StepHabit:
        return self._steps[self._direction, self.is_loaded]

    @property
    def _speed_habit(self) -> SpeedHabit:
        return self._speeds[self._direction, self.power, self.is_loaded]

    @property
    def _full_speed(self) -> float:
        return self._speed_habit.deg_per_s(self.power)

    def _know(self, time_s: float, deg: float, speed: float) -> None:
        self._known_s, self._known_deg, self._known_speed = time_s, deg, speed

    def _expected(self, time_s: float) -> tuple[float, float]:
        """Return where the motor should be at a time not before the last look, and how fast."""
        seconds, speed = max(0.0, time_s - self._known_s), self._known_speed
        if self._doing is _Doing.BRAKING:
            way, speed = self._habit.after(seconds, speed)
        elif self._doing is _Doing.RUNNING:
            way, speed = self._started(seconds, speed)
        else:
            way = speed * seconds if self._doing is _Doing.STEPPING else 0.0
        return self._known_deg + way, speed

    def _started(self, seconds: float, speed: float) -> tuple[float, float]:
        """Return how far a motor has gone on under power so much later, and its speed then."""
        full, gone = self._direction * self._full_speed, math.exp(-seconds / RISE_S)
        way = full * seconds + (speed - full) * RISE_S * (1 - gone)
        return way, full + (speed - full) * gone

    def _missing_deg(self, time_s: float) -> float:
        """Return how far short of the goal the motor will come to stand if it is braked then."""
        deg, speed = self._expected(time_s)
        return self._direction * (self.goal - deg - self._habit.way_deg(speed))

    def _learn_braking(self, time_s: float) -> None:
        """Learn from a motor that stands, or soon will."""
        deg, speed = self._expected(time_s)
        if self._doing is not _Doing.BRAKING or abs(speed) > self._braking_speed / 2:
            return
        stands_at = deg + self._habit.way_deg(speed)
        for habit in self._braking_habits:
            habit.learn(self._braking_speed, self._direction * (stands_at - self._braking_for))
        self._braking_habits = []

    def _learn_lag(self, time_s: float) -> None:
        """Learn how old counts are from a motor that was sent off from rest."""
        seconds = time_s - self._told_s
        if self._doing is _Doing.RUNNING and self._is_from_rest and RISE_S < seconds < 5 * RISE_S:
            way, speed = self._started(seconds, 0.0)
            self._lag.learn(self._direction * (self._began + way - self.count) / abs(speed))

    def _learn_speed(self, time_s: float, speed: float) -> None:
        if self._doing is _Doing.RUNNING and time_s - self._told_s > 3 * RISE_S and speed:
            self._speed_habit.learn(abs(speed))
