"""What the board says by itself, before a program runs and while one is being flashed.

The messages in flash mode are those of the board's handbook (1.3). It mentions a short greeting and
of LEDs that blink for some seconds after power-on (1.1), but not of the text and the times: these
are made up.
"""

from typing import Final

READY_TO_FLASH: Final = ("Nutzerprogramm", "flashen")
FLASHED: Final = ("Programmierung", "beendet")
GREETING: Final = ("AKSEN-Board", "")
GREETING_US: Final = 2_000_000
BLINK_US: Final = 250_000


def blinking(elapsed_us: int) -> bool:
    """Return whether the LEDs are lit that long after the greeting's start."""
    return elapsed_us // BLINK_US % 2 == 0
