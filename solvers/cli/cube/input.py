"""Options that the cube commands share, and the positions and notations they stand for."""

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TextIO

import click

from solvers.foundation.command_line.app import EnumChoice
from solvers.foundation.errors import InvalidInputError
from solvers.foundation.files import iter_lines
from solvers.rubik.held_cube import HeldCube, looks_like_stickers, read_position, sticker_letters
from solvers.rubik.notation import Notation, read_moves

facelets_argument = click.argument(
    "facelets",
    required=False,
    help="54 stickers (24 of a 2x2x2 cube): faces U R F D L B, row by row, in any six "
    "letters; or moves from the solved cube. With solve also a file (- for stdin) of one cube "
    "a line.",
)
scramble_option = click.option(
    "--scramble", help="Instead of stickers: moves from the solved cube, as 'R U2 (F M)2'."
)
moves_argument = click.argument("moves", help='Moves, as "R U2 F\' Rw M [R, U]".')


class NotationName(StrEnum):
    """The names of the notations on the command line."""

    STANDARD = "standard"
    GERMAN = "german"


notation_option = click.option(
    "--notation",
    type=EnumChoice(NotationName),
    default=NotationName.STANDARD.value,
    help="Letters of the moves: U R F D L B, or V O H U R L, where U is down.",
)


class Method(StrEnum):
    """The ways to solve a cube."""

    TWO_PHASE = "two-phase"
    BEGINNER = "beginner"


@dataclass(frozen=True, slots=True)
class SolveRequest:
    """The options of `puzzle cube solve`; None where one was not given."""

    facelets: str | None
    scramble: str | None
    target: str | None
    time_s: float | None
    max_moves: int | None
    optimal: bool
    method: Method
    size: int | None
    html: Path | None
    letters: Notation
    as_json: bool


def get_notation(name: NotationName) -> Notation:
    """Return the notation of that name."""
    return Notation[name.name]


def read_cube(facelets: str | None, scramble: str | None, notation: Notation) -> HeldCube:
    """Return the cube given by stickers or by moves.

    Raises InvalidInputError for none or both of them, and for what is no cube or no move.
    """
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
    return looks_like_stickers(text) and len(sticker_letters(text)) == 6 * size * size


def read_lines(text: str) -> Iterator[str] | None:
    """Return the lines of the file `text`, or of stdin for `-`; None if `text` is one cube.

    Raises InvalidInputError for a file that does not exist or cannot be read.
    """
    if text == "-":
        return iter_lines(sys.stdin, InvalidInputError, "The input")
    # A word that is neither stickers nor an existing file is taken for a file's name if it has an
    # ending, so that a mistyped name is not reported as a wrong move.
    path = Path(text)
    if _is_cube(text) or not (path.suffix or path.is_file()):
        return None
    try:
        return _lines_of(path.open(encoding="utf-8"), text)
    except (OSError, ValueError) as error:
        raise _unreadable(text, error) from error


def _lines_of(file: TextIO, name: str) -> Iterator[str]:
    """Yield a file's lines one by one: there may be millions."""
    with file:
        try:
            yield from iter_lines(file, InvalidInputError, name)
        except (OSError, ValueError) as error:
            raise _unreadable(name, error) from error


def _unreadable(name: str, error: Exception) -> InvalidInputError:
    reason = error.strerror if isinstance(error, OSError) else "it is no text in UTF-8"
    return InvalidInputError(f"{name} cannot be read as a file of cubes: {reason}.")


def _is_cube(text: str) -> bool:
    """Return whether a text can only be a cube, and not the name of a file."""
    return len(text.split()) != 1 or looks_like_stickers(text) or "//" in text


def hold_as_json(cube: HeldCube) -> dict[str, str]:
    """Return how a cube is held, as `--json` prints it: centres at U R F D L B, stickers."""
    return {"centres": cube.centres, "stickers": cube.stickers}


def counted_moves(number: int) -> str:
    """Return "1 move", "2 moves"."""
    return f"{number} move" if number == 1 else f"{number} moves"
