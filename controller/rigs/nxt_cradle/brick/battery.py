"""What voltages of the brick's battery mean."""

from typing import Final

from controller.motion.mechanism import Battery

LOW_VOLTS: Final = 7.0
"""Below this the motors do not reach their regulated speed."""


def battery_of(volts: float) -> Battery:
    """Return what a voltage means."""
    return Battery(volts, volts < LOW_VOLTS)
