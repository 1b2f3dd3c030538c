"""The grades of difficulty, by name."""

from enum import StrEnum


class Grade(StrEnum):
    """Three grades; docs/ubongo.md gives their shares among cards."""

    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"
