"""What a drive learns of its motors while it drives them.

Gears, load and battery differ from rig to rig and from hour to hour, so nothing of this is
calibrated. Moves that went quite another way than expected were disturbed, by a late brake for
example, and teach nothing.
"""

import math
from dataclasses import dataclass

# Each move changes what is known by this share of what it shows.
LEARNING_RATE = 0.5
LAG_LEARNING_RATE = 0.1

# How long a braked motor goes on at the speed it had, before anything is known.
FIRST_BRAKING_TIME_S = 0.05
LEAST_BRAKING_TIME_S = 0.01
LONGEST_BRAKING_TIME_S = 0.2
MOST_MISSED_S = 0.06
FRICTION_SPEED = 100.0
"""Degrees a second that friction takes of a motor's speed: about 12 percent of its power."""
LEAST_SPEED = 400.0
"""A slower motor teaches no more than this one: its counts are too few."""

HELD_SHARE = 0.7
"""A motor that runs slower than this share of its speed is held, and teaches nothing: between two
looks at one that is free it changes by a tenth."""

DEG_PER_S_AND_POWER = 8.0
"""Speed for each percent of power, before anything is known."""

# Small steps: enough power to overcome friction, more where the motor hardly moves.
FIRST_STEP_POWER = 30
LEAST_STEP_POWER = 14
MORE_STEP_POWER = 8
LESS_STEP_POWER = 3
MOST_STEP_OVERSHOOT_DEG = 15


@dataclass(slots=True)
class BrakingHabit:
    """How one motor comes to stand, in one direction, under one load.

    A shorted motor slows down by its own voltage, in proportion to its speed, and by dry friction:
    v' = -(v + FRICTION_SPEED) / time.
    """

    time_s: float = FIRST_BRAKING_TIME_S

    def way_deg(self, speed_deg_per_s: float) -> float:
        """Return how far a motor goes on that is braked at this speed."""
        speed = abs(speed_deg_per_s)
        way = speed - FRICTION_SPEED * math.log1p(speed / FRICTION_SPEED)
        return math.copysign(self.time_s * way, speed_deg_per_s)

    def after(self, seconds: float, speed_deg_per_s: float) -> tuple[float, float]:
        """Return how far a motor has gone on so much later, and its speed then."""
        speed = abs(speed_deg_per_s)
        seconds = min(seconds, self.time_s * math.log1p(speed / FRICTION_SPEED))
        gone = math.exp(-seconds / self.time_s)
        way = (speed + FRICTION_SPEED) * self.time_s * (1 - gone) - FRICTION_SPEED * seconds
        left = (speed + FRICTION_SPEED) * gone - FRICTION_SPEED
        return math.copysign(way, speed_deg_per_s), math.copysign(left, speed_deg_per_s)

    def learn(self, speed_deg_per_s: float, beyond_deg: float) -> None:
        """Learn from a brake at some speed that ended so far beyond where it should.

        One that ended short may have met something; it teaches less.
        """
        speed = max(speed_deg_per_s, LEAST_SPEED)
        missed_s = beyond_deg * self.time_s / self.way_deg(speed)
        if abs(missed_s) <= MOST_MISSED_S:
            rate = LEARNING_RATE if missed_s > 0 else LEARNING_RATE / 2
            time_s = self.time_s + rate * missed_s
            self.time_s = min(max(time_s, LEAST_BRAKING_TIME_S), LONGEST_BRAKING_TIME_S)


@dataclass(slots=True)
class StepHabit:
    """How one motor makes small steps, in one direction, under one load."""

    power: int = FIRST_STEP_POWER
    overshoot_deg: float = 0.0
    more_power: int = 0
    """Added as long as the motor does not move. It may be held, which says nothing of later."""

    @property
    def power_now(self) -> int:
        """The power of the next step."""
        return min(100, self.power + self.more_power)

    def limit_deg(self, distance_deg: int) -> int:
        """Return the limit that ends a step of `distance_deg` in the right place."""
        return max(1, round(distance_deg - self.overshoot_deg))

    def learn(self, limit_deg: int, moved_deg: int) -> None:
        """Learn from a step that was to end at its limit."""
        beyond_deg = moved_deg - limit_deg
        if beyond_deg < 0:
            self.more_power += MORE_STEP_POWER
            return
        self.power = min(100, self.power + min(self.more_power, MORE_STEP_POWER))
        self.more_power = 0
        if beyond_deg <= MOST_STEP_OVERSHOOT_DEG:
            self.overshoot_deg += LEARNING_RATE * (beyond_deg - self.overshoot_deg)
            if limit_deg == 1 and beyond_deg > 1:
                self.power = max(LEAST_STEP_POWER, self.power - LESS_STEP_POWER)


@dataclass(slots=True)
class SpeedHabit:
    """How fast one motor runs at its power, in one direction, under one load."""

    known_deg_per_s: float = 0.0

    def deg_per_s(self, power: int) -> float:
        """Return the speed that is expected, in degrees a second."""
        return self.known_deg_per_s or DEG_PER_S_AND_POWER * power

    def learn(self, deg_per_s: float) -> None:
        """Learn from a look at a motor in full run."""
        known = self.known_deg_per_s or deg_per_s
        if deg_per_s >= HELD_SHARE * known:
            self.known_deg_per_s = known + LEARNING_RATE * (deg_per_s - known)


@dataclass(slots=True)
class LagHabit:
    """How old counts are when they come, of the time that a telegram and its answer take at least.

    They are read when the telegram arrives or when its answer leaves, with the turning round of a
    radio between. At first they are taken for as old as can be, which lets motors be braked early.
    """

    seconds: float = 0.0
    most_s: float = math.inf

    def see_trip(self, trip_s: float) -> None:
        """Take in how long a look took."""
        if math.isinf(self.most_s):
            self.seconds = trip_s
        self.most_s = min(self.most_s, trip_s)
        self.seconds = min(self.seconds, self.most_s)

    def learn(self, older_s: float) -> None:
        """Learn from a count that seems to be so much older."""
        seconds = self.seconds + LAG_LEARNING_RATE * older_s
        self.seconds = min(max(seconds, 0.0), self.most_s)
