"""The mode switch; a module of its own, so that a command line need not load the board for it."""

from enum import StrEnum


class Mode(StrEnum):
    """Where the mode switch stands."""

    RED = "red"
    """Load: the boot loader listens."""
    GREEN = "green"
    """Run: the program starts, if there is a valid one."""
