"""Cards of Ubongo 3-D: a base area, a height, and some of sixteen numbered pieces."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from solvers.polycube.errors import PuzzleError
from solvers.polycube.puzzle import PackingPuzzle, Piece, Shape, Target


class Grade(StrEnum):
    """Three grades; docs/ubongo.md gives their distribution."""

    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"


FIELD, NO_FIELD = ".#"
MAX_SIDE = 12  # fields; the game's boards have five at most
MAX_HEIGHT = 12
MAX_PIECES = 16


@dataclass(frozen=True)
class Card:
    """Pieces by number, and the base area row by row: `.` is a field to build on, `#` is none."""

    pieces: tuple[int, ...]
    rows: tuple[str, ...]
    height: int = 2
    name: str = "card"

    def __post_init__(self) -> None:
        check_pieces(self.pieces)
        check_rows(self.rows)
        if not 1 <= self.height <= MAX_HEIGHT:
            raise PuzzleError(f"A card is 1 to {MAX_HEIGHT} layers high, not {self.height}.")
        cubes, room = volume(self.pieces), self.area * self.height
        if cubes != room:
            raise PuzzleError(
                f"Pieces {comma_list(self.pieces)} have {cubes} cubes, but a base area of "
                f"{self.area} fields, {self.height} layers high, takes {room}."
            )

    @property
    def area(self) -> int:
        """Number of fields of the base area."""
        return sum(row.count(FIELD) for row in self.rows)

    def puzzle(self) -> PackingPuzzle:
        """Return the card as a packing puzzle; the pieces are named by their numbers."""
        target = _target(self.rows, self.height)
        pieces = tuple(
            Piece(str(number), shapes()[number], copies, copies)
            for number, copies in Counter(self.pieces).items()
        )
        return PackingPuzzle(self.name, self.name, target, pieces)


@lru_cache(maxsize=1)
def shapes() -> dict[int, Shape]:
    """Return the sixteen pieces by their numbers."""
    # Not at the top: `--help` needs Grade alone, and no reader of files.
    from solvers.polycube.library import ubongo_pieces

    return {int(piece.name): piece.shape for piece in ubongo_pieces()}


def volume(pieces: Iterable[int]) -> int:
    """Return the total number of cubes of these pieces."""
    return sum(shapes()[number].volume for number in pieces)


def check_pieces(pieces: Iterable[int]) -> None:
    """Raise PuzzleError unless these are 1 to MAX_PIECES known piece numbers."""
    numbers = tuple(pieces)
    if not 1 <= len(numbers) <= MAX_PIECES:
        raise PuzzleError(f"A card takes 1 to {MAX_PIECES} pieces, not {len(numbers)}.")
    for number in numbers:
        if number not in shapes():
            raise PuzzleError(f"There is no piece {number}; the pieces are numbered 1 to 16.")


def check_rows(rows: Iterable[str]) -> None:
    """Raise PuzzleError unless the rows draw a base area."""
    lines = tuple(rows)
    if not 1 <= len(lines) <= MAX_SIDE:
        raise PuzzleError(f"A base area has 1 to {MAX_SIDE} rows, not {len(lines)}.")
    for number, row in enumerate(lines, start=1):
        for mark in row:
            if mark not in (FIELD, NO_FIELD):
                raise PuzzleError(
                    f"Row {number} holds {mark!r}; write '{FIELD}' for a field of the base area "
                    f"and '{NO_FIELD}' for none."
                )
        if not 1 <= len(row) <= MAX_SIDE:
            raise PuzzleError(f"Row {number} must have 1 to {MAX_SIDE} marks, not {len(row)}.")
        if len(row) != len(lines[0]):
            raise PuzzleError(
                f"Row {number} has {len(row)} marks, but row 1 has {len(lines[0])}; fill up with "
                f"'{NO_FIELD}' where nothing is built."
            )
    if not any(FIELD in row for row in lines):
        raise PuzzleError(f"The base area is empty: no row holds a field '{FIELD}'.")


def comma_list(numbers: Iterable[int]) -> str:
    """Return numbers as text, with commas."""
    return ", ".join(map(str, numbers))


@lru_cache(maxsize=256)
def _target(rows: tuple[str, ...], height: int) -> Target:
    return Target(
        frozenset(
            (x, y, z)
            for y, row in enumerate(rows)
            for x, mark in enumerate(row)
            if mark == FIELD
            for z in range(height)
        )
    )
