"""What a drive learns of its motors while it drives them.

Gears, load and battery differ from rig to rig and from hour to hour, so nothing of this is
calibrated. Moves that went quite another way than expected were disturbed, by a late brake for
example, and teach nothing.
"""

from dataclasses import dataclass

# Each move changes what is known by this share of what it shows.
LEARNING_RATE = 0.5

# How long a braked motor goes on at the speed it had, before anything is known.
FIRST_BRAKING_TIME_S = 0.05
LONGEST_BRAKING_TIME_S = 0.2
MOST_MISSED_S = 0.06

# Small steps: enough power to overcome friction, more where the motor hardly moves.
FIRST_STEP_POWER = 30
LEAST_STEP_POWER = 14
MORE_STEP_POWER = 8
LESS_STEP_POWER = 3
MOST_STEP_OVERSHOOT_DEG = 15


@dataclass(slots=True)
class BrakingHabit:
    """How one motor comes to stand, in one direction, under one load, far or near."""

    braking_time_s: float = FIRST_BRAKING_TIME_S
    speed_deg_per_s: float = 0.0

    @property
    def braking_deg(self) -> float:
        """How far the motor is expected to go on once it is braked; 0 while nothing is known."""
        return self.speed_deg_per_s * self.braking_time_s

    def learn(self, speed_deg_per_s: float, beyond_deg: float) -> None:
        """Learn from a brake at some speed that ended so far beyond the target."""
        missed_s = beyond_deg / speed_deg_per_s
        if abs(missed_s) <= MOST_MISSED_S:
            braking_time_s = self.braking_time_s + LEARNING_RATE * missed_s
            self.braking_time_s = min(max(braking_time_s, 0.0), LONGEST_BRAKING_TIME_S)
            self.speed_deg_per_s = speed_deg_per_s


@dataclass(slots=True)
class StepHabit:
    """How one motor makes small steps, in one direction, under one load."""

    power: int = FIRST_STEP_POWER
    overshoot_deg: float = 0.0

    def limit_deg(self, distance_deg: int) -> int:
        """Return the limit that ends a step of `distance_deg` in the right place."""
        return max(1, round(distance_deg - self.overshoot_deg))

    def learn(self, limit_deg: int, moved_deg: int) -> None:
        """Learn from a step that was to end at its limit."""
        beyond_deg = moved_deg - limit_deg
        if beyond_deg < 0:
            self.power = min(100, self.power + MORE_STEP_POWER)
        elif beyond_deg <= MOST_STEP_OVERSHOOT_DEG:
            self.overshoot_deg += LEARNING_RATE * (beyond_deg - self.overshoot_deg)
            if limit_deg == 1 and beyond_deg > 1:
                self.power = max(LEAST_STEP_POWER, self.power - LESS_STEP_POWER)
