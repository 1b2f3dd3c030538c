"""Environment variables that name what only an owner has."""

from typing import Final

MINDCUBER_PROGRAM: Final = "PUZZLERIG_MINDCUBER_RXE"
"""Path of MindCuber's own program, compiled for the NXT 2.0 kit (.rxe)."""
