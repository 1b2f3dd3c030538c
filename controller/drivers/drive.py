"""What a rig needs of its motors, however the brick is told."""

from typing import Protocol

from controller.drivers.rig_steps import Motor


class Drive(Protocol):
    """Moves one motor at a time. Raises MotorStalledError, LinkLostError, BrickRefusedError."""

    def start(self) -> None:
        """Make the brick ready; called once before the first move."""

    def go(self, motor: Motor, target_tacho: int, power: int, tolerance_deg: float) -> None:
        """Drive `motor` until its tacho shows the target within the tolerance, and hold it.

        `power` is 1..100, about 10 degrees a second per percent.
        """

    def push(self, motor: Motor, power: int) -> None:
        """Let `motor` push with constant power, forwards if positive, until told otherwise."""
