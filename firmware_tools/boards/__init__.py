"""Boards as data: one TOML file each, read into typed facts."""

from typing import Final

DEFAULT_BOARD: Final = "aksen"
