"""Errors of packing puzzles.

InvalidInputError
├── PuzzleError           the puzzle describes something impossible
│   └── TooManyPlacementsError  its placements take more memory than a search can have
└── PuzzleFileError       the file cannot be read as a puzzle; names file and line
PuzzlerigError
└── LostWorkerError       a worker process or the cluster ended before the search
"""

from solvers.foundation.errors import InvalidInputError, PuzzlerigError


class PuzzleError(InvalidInputError):
    """A shape, piece, target or puzzle contradicts itself."""


class TooManyPlacementsError(PuzzleError):
    """The pieces have more placements than a search can hold."""


class PuzzleFileError(InvalidInputError):
    """A puzzle file is malformed; the message starts with file and line."""


class LostWorkerError(PuzzlerigError):
    """A worker is gone: killed, out of memory, or unreachable."""
