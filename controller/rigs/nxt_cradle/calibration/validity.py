"""Says how far prices hold for the drive in use and for the battery as it is."""

from collections.abc import Iterator
from typing import Final

from controller.rigs.nxt_cradle.calibration.values import Seconds

SAME_VOLTS: Final = 0.2
"""Seconds go nearly as the inverse of the voltage: so much of it is 2 or 3 %."""


def doubts(seconds: Seconds, drive: str, volts: float) -> Iterator[str]:
    """Yield a sentence for each reason why planned seconds will not come true."""
    if seconds.drive and seconds.drive != drive:
        yield (
            f"The planned seconds were measured with the drive {seconds.drive}; with the drive "
            f"{drive} they will not come true. `cuberobot calibrate --drive {drive}` measures its "
            "own."
        )
    if seconds.volts and abs(volts - seconds.volts) > SAME_VOLTS:
        change = seconds.volts / volts - 1
        yield (
            f"The battery gives {volts:.1f} V; the planned seconds were measured at "
            f"{seconds.volts:.1f} V, so expect about {abs(change):.0%} "
            f"{'more' if change > 0 else 'less'}."
        )
