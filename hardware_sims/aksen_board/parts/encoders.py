"""Encoders on the chip's own pins: square waves that somebody's wheel makes."""

from dataclasses import dataclass
from typing import Final

from hardware_sims.mcs51.microcontroller import Microcontroller

PINS: Final = ((3, 2), (3, 3), (1, 4))
"""Port and bit of encoders 0, 1 and 2: INT0, INT1, INT2 (board's handbook, circuit diagram)."""

LARGEST_RATE_HZ: Final = 5000
TICKS_RATE_HZ: Final = 500


@dataclass
class Encoder:
    """A wave from `since_us` on: `rate_hz` falling edges a second, `ticks` of them or for ever.

    The first edge comes half a period after the start.
    """

    rate_hz: float
    since_us: int
    ticks: int | None = None
    _changes: int = 0

    @property
    def is_high(self) -> bool:
        """Level of the pin by now."""
        return self._changes % 2 == 0

    @property
    def due_us(self) -> int | None:
        """When the level changes next; None when it does no more."""
        if self.ticks is not None and self._changes >= 2 * self.ticks:
            return None
        return self.since_us + round((self._changes + 1) * 500_000 / self.rate_hz)

    def change(self) -> None:
        """Let the level change."""
        self._changes += 1


class Encoders:
    """All encoders; what is on an encoder's pin is None or an `Encoder`."""

    def __init__(self) -> None:
        self.on_pins: list[Encoder | None] = [None] * len(PINS)

    def turn(self, mcu: Microcontroller, now_us: int) -> int | None:
        """Give the pins their levels; return when one changes next."""
        dues = []
        for encoder, (port, bit) in zip(self.on_pins, PINS, strict=True):
            while encoder and (due_us := encoder.due_us) is not None:
                if due_us > now_us:
                    dues.append(due_us)
                    break
                encoder.change()
            mcu.set_pin(port, bit, encoder is None or encoder.is_high)
        return min(dues, default=None)
