"""The AKSEN board: an SAB 80C515A with display, switches, motors and a boot loader."""

from typing import Final

DEFAULT_BOARD: Final = "aksen"
