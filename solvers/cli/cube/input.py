"""How the cube commands are told a position and a notation."""

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from solvers.foundation.errors import InvalidInputError

if TYPE_CHECKING:
    from solvers.rubik.cubies import CubieCube
    from solvers.rubik.notation import Notation

FaceletsArgument = Annotated[
    str | None,
    typer.Argument(help="54 stickers: faces U R F D L B, row by row, as letters U R F D L B."),
]
ScrambleOption = Annotated[
    str | None, typer.Option(help="Instead of stickers: moves from the solved cube, as 'R U2 F''.")
]


class NotationName(StrEnum):
    """The names of the notations on the command line."""

    STANDARD = "standard"
    GERMAN = "german"


NotationOption = Annotated[
    NotationName,
    typer.Option(help="Letters of the moves: U R F D L B, or V O H U R L, where U is down."),
]


def notation_called(name: NotationName) -> "Notation":
    """Return the notation."""
    from solvers.rubik.notation import Notation

    return Notation[name.name]


def read_cube(facelets: str | None, scramble: str | None, notation: "Notation") -> "CubieCube":
    """Return the position given by one of the two.

    Raises InvalidInputError for none or both, and for what is no cube or no move.
    """
    from solvers.rubik.cubies import SOLVED
    from solvers.rubik.facelets import parse_facelets
    from solvers.rubik.notation import parse_moves

    if (facelets is None) == (scramble is None):
        raise InvalidInputError("Give either 54 stickers or --scramble with moves.")
    if facelets is not None:
        return parse_facelets(facelets)
    return SOLVED.apply(parse_moves(scramble or "", notation))
