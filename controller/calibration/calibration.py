"""What is known of one owner's rig: angles, powers, and seconds per primitive."""

from dataclasses import dataclass, field
from typing import Any

from controller.motion.cost_model import CostModel


def _within(low: float, high: float) -> Any:
    return field(metadata={"range": (low, high)})


@dataclass(frozen=True, slots=True)
class Cradle:
    """Motor A. Angles in motor degrees, power in percent."""

    quarter_deg: float = _within(45, 3000)
    slack_deg: float = _within(0, 90)
    power: int = _within(20, 100)
    short_deg: float = _within(1, 20)
    beyond_deg: float = _within(1, 20)
    rough_deg: float = _within(1, 20)


@dataclass(frozen=True, slots=True)
class Arm:
    """Motor B; 0 is closed round the cube, negative away from it."""

    away_deg: float = _within(-180, 0)
    closed_deg: float = _within(-20, 20)
    tilt_deg: float = _within(0, 180)
    settle_deg: float = _within(-180, 0)
    power: int = _within(20, 100)
    press_power: int = _within(10, 100)
    short_deg: float = _within(1, 20)
    beyond_deg: float = _within(1, 20)
    rough_deg: float = _within(1, 20)


@dataclass(frozen=True, slots=True)
class Pusher:
    """Motor C; 0 is home, positive towards the cube."""

    home_deg: float = _within(-20, 20)
    touch_deg: float = _within(10, 720)
    tilt_deg: float = _within(10, 720)
    power: int = _within(20, 100)
    short_deg: float = _within(1, 20)
    beyond_deg: float = _within(1, 20)
    rough_deg: float = _within(1, 20)


@dataclass(frozen=True, slots=True)
class Seconds:
    """Mean seconds per primitive; spins and turns by one, two and three quarters."""

    tilt: float = _within(0.05, 60)
    spin: tuple[float, float, float] = _within(0.05, 60)
    turn: tuple[float, float, float] = _within(0.05, 60)
    open_arm_saving: float = _within(0, 5)


@dataclass(frozen=True, slots=True)
class Patience:
    """How long the driver waits, in seconds."""

    stall_s: float = _within(0.1, 10)
    retry_pause_s: float = _within(0, 60)
    keep_alive_s: float = _within(5, 240)


@dataclass(frozen=True, slots=True)
class Calibration:
    """Everything that differs from rig to rig."""

    cradle: Cradle
    arm: Arm
    pusher: Pusher
    seconds: Seconds
    patience: Patience

    @property
    def costs(self) -> CostModel:
        """The prices that the planner minimises."""
        seconds = self.seconds
        return CostModel(seconds.tilt, seconds.spin, seconds.turn, seconds.open_arm_saving)
