"""Errors of packing puzzles.

InvalidInputError
├── PuzzleError           the puzzle describes something impossible
└── PuzzleFileError       the file cannot be read as a puzzle; names file and line
"""

from solvers.errors import InvalidInputError


class PuzzleError(InvalidInputError):
    """A shape, piece, target or puzzle contradicts itself."""


class PuzzleFileError(InvalidInputError):
    """A puzzle file is malformed; the message starts with file and line."""
