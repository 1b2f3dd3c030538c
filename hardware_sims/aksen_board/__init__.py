"""The AKSEN board: a C515C with display, switches, motors and a boot loader on its serial line."""

from typing import Final

DEFAULT_BOARD: Final = "aksen"
