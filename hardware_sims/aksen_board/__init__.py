"""The AKSEN board: an SAB 80C515A with display, switches, motors and a boot loader.

Here is what the command line's options name; the rest is imported when a board is made.
"""

from enum import StrEnum
from typing import Final

DEFAULT_BOARD: Final = "aksen"


class Mode(StrEnum):
    """The position of the mode switch."""

    RED = "red"
    """Load: the boot loader listens."""
    GREEN = "green"
    """Run: the program starts, if there is a valid one."""
