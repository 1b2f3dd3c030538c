"""How the cube commands are told a position and a notation."""

import sys
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from solvers.foundation.errors import InvalidInputError

if TYPE_CHECKING:
    from solvers.rubik.held_cube import HeldCube
    from solvers.rubik.notation import Notation

FaceletsArgument = Annotated[
    str | None,
    typer.Argument(
        help="54 stickers (24 of a 2x2x2 cube): faces U R F D L B, row by row, in any six "
        "letters; or moves from the solved cube. With solve also a file (- for stdin) of one cube "
        "a line."
    ),
]
ScrambleOption = Annotated[
    str | None,
    typer.Option(help="Instead of stickers: moves from the solved cube, as 'R U2 (F M)2'."),
]
MovesArgument = Annotated[str, typer.Argument(help='Moves, as "R U2 F\' Rw M [R, U]".')]


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


def read_cube(facelets: str | None, scramble: str | None, notation: "Notation") -> "HeldCube":
    """Return the cube given by one of the two, as it is held.

    Raises InvalidInputError for none or both, and for what is no cube or no move.
    """
    from solvers.rubik.held_cube import HeldCube, read_position
    from solvers.rubik.notation import read_moves

    check_one_given(facelets, scramble)
    if facelets is not None:
        return read_position(facelets, notation)
    return HeldCube.after(read_moves(scramble or "", notation))


def check_one_given(facelets: str | None, scramble: str | None) -> None:
    """Raise InvalidInputError unless one of the two is given."""
    if (facelets is None) == (scramble is None):
        raise InvalidInputError("Give either 54 stickers or --scramble with moves.")


def has_stickers(text: str, size: int) -> bool:
    """Return whether a text has the stickers of a cube of that size."""
    from solvers.rubik.held_cube import looks_like_stickers

    return looks_like_stickers(text) and len("".join(text.split())) == 6 * size * size


def many_cubes(text: str) -> Iterator[str] | None:
    """Return the lines of the file called `text`, of stdin for -, or None if it is one cube.

    Raises InvalidInputError for a file that is not there or cannot be read.
    """
    if text == "-":
        return iter(sys.stdin)
    path = Path(text)
    if _is_cube(text) or not (path.suffix or path.is_file()):
        return None
    try:
        return iter(path.read_text(encoding="utf-8").splitlines())
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is no text in UTF-8"
        raise InvalidInputError(f"{text} cannot be read as a file of cubes: {reason}.") from error


def _is_cube(text: str) -> bool:
    """Tell what can only be a cube from what may be the name of a file."""
    from solvers.rubik.held_cube import looks_like_stickers

    return len(text.split()) != 1 or looks_like_stickers(text) or "//" in text


def how_held(cube: "HeldCube") -> dict[str, str]:
    """Return what `--json` tells about the way a cube is held: its centres at U R F D L B."""
    return {"centres": cube.centres, "stickers": cube.stickers}


def counted_moves(number: int) -> str:
    """Return "1 move", "2 moves"."""
    return f"{number} move" if number == 1 else f"{number} moves"
