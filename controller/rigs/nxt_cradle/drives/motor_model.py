"""Where one motor should be by now, and where it will come to stand: what looks are filled up by.

Counts come late and seldom. Between them a motor that was told to run is expected to near its full
speed, and one that is braked to slow down, as it did before.
"""

import math
from collections import defaultdict
from dataclasses import replace
from enum import Enum, auto
from typing import Final

from controller.rigs.nxt_cradle.drives.motor_habits import BrakingHabit, LagHabit, SpeedHabit

RISE_S: Final = 0.05
"""In which a motor comes nearer to its full speed by two thirds."""
BELIEF_S: Final = 0.03
"""A speed over this time is believed by half: counts are whole degrees."""


class Doing(Enum):
    """What a motor was told last, or does since."""

    STANDING = auto()
    RUNNING = auto()
    BRAKING = auto()
    STEPPING = auto()
    PUSHING = auto()


class MotorModel:
    """Follows one motor. `lag` is shared by all motors of a link; `power` in percent."""

    def __init__(self, lag: LagHabit, power: int) -> None:
        self.power = power
        self.doing = Doing.STANDING
        self.direction = 1
        self.goal = 0
        self.is_loaded = False
        """Whether the motor works against another one that pushes; it has other habits then."""
        self.speed = 0.0
        """When it was last known, with its sign; degrees a second."""
        self._lag = lag
        self._known_s, self._known_deg = 0.0, 0.0
        self._began_s, self._began_deg, self._is_from_rest = 0.0, 0.0, False  # the run under way
        # When it was braked: how fast it was, where it should come to stand, who learns from that.
        self._braking_speed, self._braking_for = 0.0, 0.0
        self._learning: list[BrakingHabit] = []
        self._braking: dict[tuple[int, bool], BrakingHabit] = defaultdict(BrakingHabit)
        self._braking_there: dict[tuple[int, int, bool], BrakingHabit] = {}
        self._speeds: dict[tuple[int, int, bool], SpeedHabit] = defaultdict(SpeedHabit)

    @property
    def full_speed(self) -> float:
        """What the motor runs at the way it is told to."""
        return self._speed_habit.deg_per_s(self.power)

    def expected(self, time_s: float) -> tuple[float, float]:
        """Return where the motor should be at a time not before the last look, and how fast."""
        seconds = max(0.0, time_s - self._known_s)
        match self.doing:
            case Doing.BRAKING:
                way, speed = self._habit.after(seconds, self.speed)
            case Doing.RUNNING:
                way, speed = self._started(seconds, self.speed)
            case Doing.STEPPING:
                way, speed = self.speed * seconds, self.speed
            case Doing.STANDING | Doing.PUSHING:
                way, speed = 0.0, self.speed
        return self._known_deg + way, speed

    def stops_at(self, time_s: float) -> float:
        """Return where the motor will come to stand if it is braked then, or was before."""
        deg, speed = self.expected(time_s)
        return deg + self._habit.way_deg(speed)

    def missing_deg(self, time_s: float) -> float:
        """Return how far short of the goal that is."""
        return self.direction * (self.goal - self.stops_at(time_s))

    def full_stop_deg(self) -> float:
        """Return how far the motor goes on that is braked at full speed."""
        return self._habit.way_deg(self.full_speed)

    def stands(self, time_s: float, deg: float, doing: Doing = Doing.STANDING) -> None:
        """Note that the motor stands, or pushes or makes a step from there."""
        self.doing = doing
        self._know(time_s, deg, 0.0)

    def runs(self, time_s: float, direction: int) -> None:
        """Note that the motor was told to run."""
        deg, speed = self.expected(time_s)
        if speed * direction <= 0 or self.doing is not Doing.RUNNING:
            self._began_s, self._began_deg = time_s, deg
            self._is_from_rest = self.doing is Doing.STANDING
        self.direction = direction
        self.doing = Doing.RUNNING
        self._know(time_s, deg, speed)

    def brakes(self, time_s: float) -> None:
        """Note that the motor was braked."""
        deg, speed = self.expected(time_s)
        self._braking_speed = abs(speed) if self.doing is Doing.RUNNING else 0.0
        self._braking_for = self.stops_at(time_s)
        there = self._braking_there.setdefault(self._there, replace(self._usual_habit))
        self._learning = [self._usual_habit, there]
        self.doing = Doing.BRAKING
        self._know(time_s, deg, speed)

    def see(self, asked_s: float, answered_s: float, count: int, spare_s: float) -> None:
        """Take in a count; its answer came by `spare_s` later than it could have.

        So it may be as much older, and only what no age within that explains is a surprise.
        """
        latest_s = max(asked_s, answered_s - self._lag.seconds)
        deg, speed = self.expected(latest_s)
        earlier_deg, _ = self.expected(max(asked_s, latest_s - spare_s))
        low, high = sorted((earlier_deg, deg))
        surprise = count - min(max(count, low), high)
        speed += surprise / (max(0.0, latest_s - self._known_s) + BELIEF_S)
        if speed * self.direction < 0:
            speed = 0.0
        if self.doing is Doing.RUNNING:
            self._learn_running(latest_s - self._began_s, count, abs(speed))
        self._know(latest_s, deg + surprise, speed)

    def learn_braking(self, time_s: float) -> None:
        """Learn from a braked motor that stands, or soon will."""
        _, speed = self.expected(time_s)
        if self.doing is not Doing.BRAKING or abs(speed) > self._braking_speed / 2:
            return
        beyond_deg = self.direction * (self.stops_at(time_s) - self._braking_for)
        for habit in self._learning:
            habit.learn(self._braking_speed, beyond_deg)
        self._learning = []

    def _learn_running(self, seconds: float, count: int, speed: float) -> None:
        """Learn how old counts are from a motor sent off from rest, and later how fast it runs."""
        if self._is_from_rest and RISE_S < seconds < 5 * RISE_S:
            way, expected_speed = self._started(seconds, 0.0)
            older_deg = self.direction * (self._began_deg + way - count)
            self._lag.learn(older_deg / abs(expected_speed))
        if seconds > 3 * RISE_S and speed:
            self._speed_habit.learn(speed)

    def _know(self, time_s: float, deg: float, speed: float) -> None:
        self._known_s, self._known_deg, self.speed = time_s, deg, speed

    def _started(self, seconds: float, speed: float) -> tuple[float, float]:
        """Return how far a motor has gone on under power so much later, and its speed then."""
        full, gone = self.direction * self.full_speed, math.exp(-seconds / RISE_S)
        way = full * seconds + (speed - full) * RISE_S * (1 - gone)
        return way, full + (speed - full) * gone

    @property
    def _habit(self) -> BrakingHabit:
        """What is known of stops at the goal, or else of others like it."""
        return self._braking_there.get(self._there, self._usual_habit)

    @property
    def _there(self) -> tuple[int, int, bool]:
        return self.goal, self.direction, self.is_loaded

    @property
    def _usual_habit(self) -> BrakingHabit:
        return self._braking[self.direction, self.is_loaded]

    @property
    def _speed_habit(self) -> SpeedHabit:
        return self._speeds[self.direction, self.power, self.is_loaded]
