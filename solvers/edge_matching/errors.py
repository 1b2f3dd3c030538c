"""Errors of the edge-matching puzzles.

PuzzlerigError
├── LostTilesError        exit 1: a worker ended before its part was searched
└── InvalidInputError
    ├── TileFileError     a tile file cannot be read, or its tiles do not fit the board
    └── BoardFileError    a topology file cannot be read or describes no board
"""

from solvers.foundation.errors import InvalidInputError, PuzzlerigError


class LostTilesError(PuzzlerigError):
    """A worker ended before its part was searched."""


class TileFileError(InvalidInputError):
    """A tile file cannot be read, or its tiles do not fit the board."""


class BoardFileError(InvalidInputError):
    """A topology file cannot be read or describes no board."""
