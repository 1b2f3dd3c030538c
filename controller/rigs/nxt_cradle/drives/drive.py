"""What a rig needs of its motors, however the brick is told."""

from dataclasses import dataclass
from typing import Protocol

from controller.errors import MotorStalledError
from controller.rigs.nxt_cradle.motors import Motor


@dataclass(frozen=True, slots=True)
class Tolerance:
    """How far below or above its target the tacho of a motor may show when it stops, in degrees."""

    below_deg: float
    above_deg: float

    def allows(self, error_deg: float) -> bool:
        """Say whether a motor that stopped `error_deg` above its target is near enough."""
        return -self.below_deg <= error_deg <= self.above_deg


class Drive(Protocol):
    """Moves one motor at a time. Raises MotorStalledError, LinkLostError, BrickRefusedError."""

    def go(self, motor: Motor, target_tacho: int, power: int, tolerance: Tolerance) -> list[int]:
        """Drive `motor` until its tacho shows the target within the tolerance, and hold it.

        `power` is 1..100 percent of what the battery gives. Returns the tachos at which the motor
        stood on its way, the last one where it stands now: between two of them it moved one way.
        """

    def push(self, motor: Motor, power: int) -> None:
        """Let `motor` push with constant power, forwards if positive, until told otherwise."""


def stalled(motor: Motor, tacho: int, target: int, for_s: float) -> MotorStalledError:
    """Return the error of a motor that has stopped moving on its way."""
    return MotorStalledError(
        f"Motor {motor.value} ({motor.name.lower()}) has not moved for {for_s:.1f} s at {tacho} "
        f"on its way to {target} degrees. Something blocks it, or the battery is empty."
    )


def out_of_reach(motor: Motor, tacho: int, target: int) -> MotorStalledError:
    """Return the error of a motor that moves but does not come to its target."""
    return MotorStalledError(
        f"Motor {motor.value} ({motor.name.lower()}) stands at {tacho} and cannot be "
        f"brought to {target} degrees. Is something in its way?"
    )
