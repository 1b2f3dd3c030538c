"""Whether a choreography is safe whatever time each motor takes.

Each motor may stand anywhere between where it was last known to be and where it is sent; so may the
cube that the cradle drags along. A motion is safe if no place in these ranges lets parts meet that
should not. The contacts are those of the simulated rig, not of the choreographer's settings.
"""

import math
from dataclasses import dataclass, field
from typing import Final

from controller.motion.primitives import Primitive, Tilt
from controller.rigs.nxt_brick.motion import Done, Go, Motion, Motor, Push, Reach, Rest
from hardware_sims.rigs.cradle import mechanics as rig

MEETS_ARM_DEG: Final = -3.0
"""From here on the arm lifts the cube without having hit it."""
LEAVES_ARM_DEG: Final = 30.0
"""Before the arm has tipped the cube that far, it leans towards a pusher that has left home."""
TIPS_SOON_DEG: Final = 33.0
"""From here the arm takes some 30 ms to tip the cube, the pusher 200 from home to the cube."""
RISING_ARM_DEG: Final = 16.0
"""So far the arm may lift the cube while the pusher still is on its way home,"""
RISING_PUSHER_DEG: Final = 80.0
"""and is here at most."""
RETURNS_PUSHER_DEG: Final = 60.0
"""Until the pusher is that near home, a rolled cube needs the arm."""
OVERSHOOT_DEG: Final = 1.5
"""What a controller runs beyond a goal at most."""

QUARTER_DEG: Final = 90 * rig.GEAR_RATIO
STRAIGHT_YAW_DEG: Final = rig.SQUARED_YAW_DEG
FOLLOWING_YAW_DEG: Final = 20.0
ARM_FOLLOWS_DEG: Final = -23.0
"""Where a cube askew by 20 degrees reaches, on the way from -35 (45 degrees) to -1 (straight)."""
PUSHER_FOLLOWS_DEG: Final = 118.0
"""The same from 100 to 158."""


@dataclass
class Range:
    """Where something may be, in degrees of its motor."""

    low: float = 0.0
    high: float = 0.0

    def include(self, place: float, by: float = 0.0) -> None:
        self.low = min(self.low, place - by)
        self.high = max(self.high, place + by)

    def narrow(self, low: float, high: float) -> None:
        self.low, self.high = max(self.low, low), min(self.high, high)
        assert self.low <= self.high, "a motor is waited for where it is not sent"

    def off_quarter(self) -> float:
        """Return the most that any place in the range is off a quarter of the cradle."""
        low, high = self.low / QUARTER_DEG, self.high / QUARTER_DEG
        if math.floor(low + 0.5) != math.floor(high + 0.5):
            return QUARTER_DEG / 2
        nearest = math.floor(low + 0.5)
        return max(abs(low - nearest), abs(high - nearest)) * QUARTER_DEG


@dataclass
class Contacts:
    """Follows choreographies from home and raises AssertionError at the first unsafe motion."""

    play: float
    tips_deg: float = rig.ARM_TIPS_CUBE_DEG
    """Where the arm counts as having tipped the cube; earlier only if motors go as they should."""
    cradle: Range = field(default_factory=Range)
    arm: Range = field(default_factory=Range)
    pusher: Range = field(default_factory=Range)
    cube: Range = field(default_factory=Range)
    goals: dict[Motor, float] = field(default_factory=lambda: dict.fromkeys(Motor, 0.0))
    is_rolled: bool = False
    is_pressed: bool = False
    is_held: bool = False
    rolls: int = 0
    tilts: int = 0
    now: str = ""

    def follow(self, primitive: Primitive, motions: tuple[Motion, ...]) -> None:
        """Follow all motions of a primitive."""
        for motion in motions:
            self.now = f"{primitive}: {motion}"
            self._move(primitive, motion)
            self._settle()
            self._check_arm_and_pusher()
            self._check_cube()

    def _range(self, motor: Motor) -> Range:
        return {Motor.CRADLE: self.cradle, Motor.ARM: self.arm, Motor.PUSHER: self.pusher}[motor]

    def _move(self, primitive: Primitive, motion: Motion) -> None:
        match motion:
            case Push():
                assert self.pusher.low >= rig.PUSHER_TOUCHES_DEG, self.now
                self.is_pressed = True
                self.arm.include(rig.ARM_PRESS_STOP_DEG)
            case Reach() if motion.upwards:
                self._range(motion.motor).narrow(motion.angle_deg, math.inf)
            case Reach():
                self._range(motion.motor).narrow(-math.inf, motion.angle_deg)
            case Rest():
                goal = self.goals[motion.motor]
                self._range(motion.motor).narrow(goal - motion.within_deg, goal + motion.within_deg)
            case Done():
                assert self.rolls == self.tilts + isinstance(primitive, Tilt), self.now
                self.tilts = self.rolls
            case Go():
                if self.is_rolled:
                    # Nothing may come towards a cube that leans on arm and pusher.
                    limits = {Motor.ARM: rig.ARM_DROPS_CUBE_DEG, Motor.PUSHER: rig.PUSHER_HOME_DEG}
                    assert motion.angle_deg <= limits.get(motion.motor, math.inf), self.now
                    if motion.motor is Motor.ARM:
                        assert self.pusher.high <= RETURNS_PUSHER_DEG, self.now
                if motion.motor is Motor.ARM and motion.angle_deg > rig.ARM_JAM_STOP_DEG:
                    assert self.arm.low >= MEETS_ARM_DEG, self.now
                self.is_pressed &= motion.motor is not Motor.ARM
                self.goals[motion.motor] = motion.angle_deg
                self._range(motion.motor).include(motion.angle_deg, OVERSHOOT_DEG)

    def _settle(self) -> None:
        """Let the cube lie as it must now."""
        is_tipped = self.arm.low >= self.tips_deg
        if is_tipped and self.pusher.low >= rig.PUSHER_ROLLS_DEG and not self.is_rolled:
            self.is_rolled = True
            self.rolls += 1
        if self.is_rolled and self._lets_down():
            self.is_rolled = False
            self.cube = Range(self._square(), self._square())
        if self._holds() and not self.is_held:
            self.cube = Range(self._square(), self._square())
        self.is_held = self._holds()
        if not self.is_rolled:
            self._drag()

    def _drag(self) -> None:
        """Let the cradle take the cube along, or its bottom layer while the rest is held."""
        self.cube.include(max(self.cube.high, self.cradle.high - self.play))
        self.cube.include(min(self.cube.low, self.cradle.low + self.play))
        self.cube.narrow(self.cradle.low - self.play, self.cradle.high + self.play)

    def _square(self) -> float:
        middle = (self.cube.low + self.cube.high) / 2
        return round(middle / QUARTER_DEG) * QUARTER_DEG

    def _lets_down(self) -> bool:
        down = self.arm.high <= rig.ARM_DROPS_CUBE_DEG
        return down and self.pusher.high <= rig.PUSHER_HOME_DEG

    def _holds(self) -> bool:
        closed = self.is_pressed and self.arm.low >= rig.ARM_CLOSED_DEG
        return closed and self.pusher.low >= rig.PUSHER_TOUCHES_DEG

    def _check_arm_and_pusher(self) -> None:
        if self.is_rolled:
            return
        if self.arm.high > rig.ARM_JAM_STOP_DEG and self.arm.low < rig.ARM_TIPS_CUBE_DEG:
            level = rig.CRADLE_TILT_TOLERANCE_DEG * rig.GEAR_RATIO
            assert self.cradle.off_quarter() <= level, self.now
            if self.arm.high <= RISING_ARM_DEG:
                assert self.pusher.high <= RISING_PUSHER_DEG, self.now
            elif self.arm.low < LEAVES_ARM_DEG:
                assert self.pusher.high <= rig.PUSHER_HOME_DEG, self.now
        if self.arm.low < self.tips_deg:
            assert self.pusher.high <= rig.PUSHER_UPRIGHT_STOP_DEG, self.now

    def _check_cube(self) -> None:
        yaw_deg = self.cube.off_quarter() / rig.GEAR_RATIO
        if self.is_rolled:
            assert self.cradle.off_quarter() <= self.play, self.now
        elif self.is_held:
            return
        elif yaw_deg > FOLLOWING_YAW_DEG:
            assert self.arm.high <= rig.ARM_CLEAR_DEG, self.now
            assert self.pusher.high <= rig.PUSHER_CLEAR_DEG, self.now
        elif yaw_deg > STRAIGHT_YAW_DEG:
            assert self.arm.high <= ARM_FOLLOWS_DEG, self.now
            assert self.pusher.high <= PUSHER_FOLLOWS_DEG, self.now
