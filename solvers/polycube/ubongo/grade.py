"""The grades of difficulty, by name."""

from enum import StrEnum


class Grade(StrEnum):
    """Three grades; docs/ubongo.md gives their shares among the game's own cards."""

    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"
