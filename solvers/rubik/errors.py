"""Errors in moves and facelets, typed or read by a camera.

InvalidInputError
├── NotationError           a word that is not a move
└── FaceletError            54 stickers that are not a cube
    ├── WrongLengthError        not 54 letters
    ├── UnknownColourError      a character that stands for no face
    ├── WrongCentreError        six centres that no cube has
    ├── ColourCountError        a colour that does not appear nine times
    ├── ImpossiblePieceError    colours that no corner or edge has together
    ├── DuplicatePieceError     the same piece in two places
    ├── TwistedCornerError      a corner turned in its place
    ├── FlippedEdgeError        an edge turned over in its place
    └── SwappedPiecesError      two pieces exchanged: odd permutation
"""

from solvers.foundation.errors import InvalidInputError


class NotationError(InvalidInputError):
    """A text contains something that is not a move; the message names it and its position."""


class FaceletError(InvalidInputError):
    """The stickers do not describe a cube that turning can solve.

    `facelets` are the indices of the stickers that the message names, if it names any.
    """

    def __init__(self, message: str, facelets: tuple[int, ...] = ()) -> None:
        super().__init__(message)
        self.facelets = facelets


class WrongLengthError(FaceletError):
    """There are not exactly 54 stickers."""


class UnknownColourError(FaceletError):
    """A sticker is of none of the six colours."""


class WrongCentreError(FaceletError):
    """The six centres cannot be where they are."""


class ColourCountError(FaceletError):
    """A colour does not appear exactly nine times."""


class ImpossiblePieceError(FaceletError):
    """The colours of one place belong to no corner or edge of a cube."""


class DuplicatePieceError(FaceletError):
    """One piece is in two places."""


class TwistedCornerError(FaceletError):
    """The corner twists do not add up to a multiple of three."""


class FlippedEdgeError(FaceletError):
    """The edge flips do not add up to an even number."""


class SwappedPiecesError(FaceletError):
    """Corners and edges are permuted with different parity."""
