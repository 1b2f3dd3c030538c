"""Errors of the edge-matching puzzles.

InvalidInputError
├── TileFileError     a tile file cannot be read, or its tiles do not fit the board
└── BoardFileError    a topology file cannot be read or describes no board
"""

from solvers.foundation.errors import InvalidInputError


class TileFileError(InvalidInputError):
    """A tile file cannot be read, or its tiles do not fit the board."""


class BoardFileError(InvalidInputError):
    """A topology file cannot be read or describes no board."""
