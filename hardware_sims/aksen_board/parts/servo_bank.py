"""What servos on digital pins 8 to 15 see: the lengths of the pulses there."""

from typing import Final

SERVOS: Final = 8
FORGOTTEN_US: Final = 60_000  # three frames without a pulse


class ServoBank:
    """Measures pulses on eight levels."""

    def __init__(self) -> None:
        self._levels = 0xFF
        self._risen_us: list[int | None] = [None] * SERVOS
        self._pulses: list[tuple[int, int]] = [(0, -FORGOTTEN_US)] * SERVOS  # length, its end

    def set_levels(self, levels: int, now_us: int) -> None:
        """Take the pins' levels from now on, pin 8 in bit 0."""
        changed = levels ^ self._levels
        for servo in range(SERVOS):
            if not changed >> servo & 1:
                continue
            risen_us = self._risen_us[servo]
            if levels >> servo & 1:
                self._risen_us[servo] = now_us
            elif risen_us is not None:
                self._pulses[servo] = (now_us - risen_us, now_us)
        self._levels = levels

    def pulses_us(self, now_us: int) -> list[int]:
        """Return the length of each pin's last pulse, 0 where none came for some frames."""
        return [length if now_us - end_us < FORGOTTEN_US else 0 for length, end_us in self._pulses]
