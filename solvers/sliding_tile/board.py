"""Boards of any size: reading, writing, moving, and which boards can be reached from which.

A board is a row-by-row tuple of tile numbers, 0 being the blank. The two notations of the 8-puzzle
papers are read: letters a, b, c, ... with o (or any of `_.0`) for the blank, and digits 1 to 8.
Larger boards are written as numbers with separators: `1 2 3 4, 5 6 7 8, 9 10 11 12, 13 14 15 0`.

The searches work with a `Placement`, in which a tile is named by the cell where it belongs. So all
goals with the blank in the same cell are the same goal, and tables made once serve all of them.
"""

import math
import re
from dataclasses import dataclass, field

from solvers.foundation.errors import InvalidInputError, PuzzlerigError
from solvers.foundation.wording import whole_number

BLANK = 0
MOVES = {"u": (-1, 0), "d": (1, 0), "l": (0, -1), "r": (0, 1)}
"""Row and column step of the blank."""

OPPOSITE = {"u": "d", "d": "u", "l": "r", "r": "l"}
LARGEST_SIDE = 10
LARGEST_TILE = LARGEST_SIDE**2 - 1
_BLANK_LETTER = "o"
_BLANK_SIGNS = "_.0"


class InvalidBoardError(InvalidInputError):
    """A text is not a board, or two boards do not fit together."""


class UnsolvableError(PuzzlerigError):
    """No sequence of moves leads from start to goal."""


@dataclass(frozen=True)
class Board:
    """`cells` holds each number from 0 (the blank) to width * height - 1 once.

    `in_digits` if it was written in digits, though it could be written in letters.
    """

    width: int
    height: int
    cells: tuple[int, ...]
    in_digits: bool = field(default=False, compare=False)

    def __post_init__(self) -> None:
        if min(self.width, self.height) < 2 or max(self.width, self.height) > LARGEST_SIDE:
            raise InvalidBoardError(
                f"A board of {self.width} x {self.height} is not possible: "
                f"each side must have 2 to {LARGEST_SIDE} cells."
            )
        if sorted(self.cells) != list(range(self.width * self.height)):
            raise InvalidBoardError(
                f"A board of {self.width} x {self.height} must hold the tiles "
                f"1 to {self.width * self.height - 1} and the blank, each once."
            )

    @property
    def blank(self) -> int:
        """Return the cell of the blank."""
        return self.cells.index(BLANK)

    def moved(self, moves: str) -> "Board":
        """Return the board after moving the blank; letters u, d, l, r.

        Raises InvalidBoardError if a move leaves the board.
        """
        cells = list(self.cells)
        blank = self.blank
        for number, move in enumerate(moves, 1):
            target = self.target(blank, move)
            if target is None:
                raise InvalidBoardError(f"Move {number} of {moves!r}, {move!r}, is not possible.")
            cells[blank], cells[target] = cells[target], BLANK
            blank = target
        return Board(self.width, self.height, tuple(cells), self.in_digits)

    def target(self, blank: int, move: str) -> int | None:
        """Return the cell that the blank would move to, or None if there is none."""
        if move not in MOVES:
            return None
        row, column = divmod(blank, self.width)
        row, column = row + MOVES[move][0], column + MOVES[move][1]
        inside = 0 <= row < self.height and 0 <= column < self.width
        return row * self.width + column if inside else None


def parse_board(text: str, width: int | None = None) -> Board:
    """Read a board. Without `width` it has to be square.

    Raises InvalidBoardError with the reason.
    """
    words = [word for word in re.split(r"[\s,/;]+", text.strip()) if word]
    # One word is a board with a sign for each cell; with separators tiles can have two digits.
    if len(words) == 1:
        words = list(words[0])
    cells = tuple(_tile(word, text) for word in words)
    side = math.isqrt(len(cells)) if width is None else width
    if side < 1 or len(cells) % side or (width is None and side * side != len(cells)):
        shape = "is not square" if width is None else f"has no rows of {width} cells"
        raise InvalidBoardError(
            f"The board {text!r} {shape}: it has {len(cells)} cells. "
            "Name a board's width where it is not square."
        )
    _check_tiles(text, cells)
    return Board(side, len(cells) // side, cells, in_digits=not _has_letters(text))


def _tile(word: str, text: str) -> int:
    number = whole_number(word, LARGEST_TILE)
    if number is not None:
        return number
    if len(word) == 1 and (word in _BLANK_SIGNS or word.lower() == _BLANK_LETTER):
        return BLANK
    if len(word) == 1 and word.isascii() and word.isalpha():
        return ord(word.lower()) - ord("a") + 1
    raise InvalidBoardError(
        f"{word!r} in the board {text!r} is not a tile: use letters a to h with o for the blank, "
        "or numbers with 0 for the blank."
    )


def _check_tiles(text: str, cells: tuple[int, ...]) -> None:
    twice = sorted({tile for tile in cells if cells.count(tile) > 1})
    missing = sorted(set(range(len(cells))) - set(cells))
    if twice or missing:
        problems = [f"{_names(twice, text)} more than once"] if twice else []
        problems += [f"{_names(missing, text)} not at all"] if missing else []
        raise InvalidBoardError(
            f"The board {text!r} of {len(cells)} cells has {' and '.join(problems)}."
        )


def _names(tiles: list[int], text: str) -> str:
    """Return tiles as the text has them: letters if it has any but the blank's."""
    letters = _has_letters(text)
    names = (chr(ord("a") + tile - 1) if letters else str(tile) for tile in tiles if tile)
    return ", ".join([*names, *(["the blank"] if BLANK in tiles else [])])


def _has_letters(text: str) -> bool:
    return any(sign.isalpha() and sign.lower() != _BLANK_LETTER for sign in text)


def as_written(board: Board) -> str:
    """Return the board as it was written: `123456780` or `abcdefgho`, or rows of numbers."""
    if board.in_digits and len(board.cells) < len("1234567890"):
        return "".join(map(str, board.cells))
    return format_board(board)


def format_board(board: Board) -> str:
    """Return the board as letters if it is 3 x 3, otherwise as numbers row by row."""
    if (board.width, board.height) == (3, 3):
        return "".join(chr(ord("a") + tile - 1) if tile else _BLANK_LETTER for tile in board.cells)
    rows = range(0, len(board.cells), board.width)
    return ", ".join(" ".join(map(str, board.cells[row : row + board.width])) for row in rows)


def is_solvable(start: Board, goal: Board) -> bool:
    """Return whether moves lead from start to goal.

    Every move exchanges the blank with a tile and moves it by one cell, so the parity of the
    permutation and that of the blank's way have to agree. On boards of two or more rows and
    columns that is also enough.
    """
    # The permutation from goal to start, whose parity is that of its inversions.
    place = {tile: cell for cell, tile in enumerate(goal.cells)}
    permutation = [place[tile] for tile in start.cells]
    inversions = sum(
        earlier > later
        for index, later in enumerate(permutation)
        for earlier in permutation[:index]
    )
    (row, column), (goal_row, goal_column) = (
        divmod(board.blank, board.width) for board in (start, goal)
    )
    return (inversions + row - goal_row + column - goal_column) % 2 == 0


def usual_goal(start: Board) -> Board:
    """Return the tiles in order with the blank last, or first where only that can be reached."""
    tiles = tuple(range(1, len(start.cells)))
    last, first = (
        Board(start.width, start.height, cells, start.in_digits)
        for cells in ((*tiles, BLANK), (BLANK, *tiles))
    )
    return first if not is_solvable(start, last) and is_solvable(start, first) else last


def require_solvable(start: Board, goal: Board) -> None:
    """Raise InvalidBoardError for boards of two sizes, UnsolvableError for unconnected ones."""
    if (start.width, start.height) != (goal.width, goal.height):
        raise InvalidBoardError(
            f"Start has {start.width} x {start.height} cells, goal {goal.width} x {goal.height}: "
            "they must have the same size."
        )
    if not is_solvable(start, goal):
        raise UnsolvableError(
            f"No moves lead from {as_written(start)} to {as_written(goal)}: they differ by an "
            "odd number of exchanges. Exchanging any two tiles of one of them makes it solvable."
        )


@dataclass(frozen=True)
class Placement:
    """`tiles[cell]` is the goal cell of the tile there; the blank's is `goal_blank`."""

    width: int
    height: int
    goal_blank: int
    tiles: tuple[int, ...]

    @property
    def blank(self) -> int:
        """Return the cell of the blank."""
        return self.tiles.index(self.goal_blank)

    @property
    def cell_count(self) -> int:
        """Return the number of cells."""
        return self.width * self.height


def place(start: Board, goal: Board) -> Placement:
    """Return the task of leading `start` to `goal`, boards of the same size."""
    cell_of = {tile: cell for cell, tile in enumerate(goal.cells)}
    tiles = tuple(cell_of[tile] for tile in start.cells)
    return Placement(start.width, start.height, cell_of[BLANK], tiles)
