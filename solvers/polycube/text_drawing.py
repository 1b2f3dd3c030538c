"""Cells as text: one line per row, the layers next to each other, bottom layer first."""

import string
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import zip_longest
from typing import Final

from solvers.polycube.errors import PuzzleError
from solvers.polycube.lattice import Cell, Lattice
from solvers.polycube.lattices import CUBES
from solvers.polycube.marks import FACE_NAMES, NO_SIGN, Rule, sign
from solvers.polycube.puzzle import MAX_EXTENT, PackingPuzzle, PackingSolution, marks_in_place

# No drawing is larger than the largest target.
MAX_DRAWN_CELLS = MAX_EXTENT
EMPTY = "."


class DrawingError(PuzzleError):
    """A drawing is uneven or has a wrong mark; `row` is the line of the drawing, from 0."""

    def __init__(self, row: int, message: str) -> None:
        super().__init__(message)
        self.row = row


def parse_drawing(text: str, marks: str, lattice: Lattice = CUBES) -> dict[Cell, str]:
    """Return the mark of every cell of a drawing whose only marks are `marks`.

    Rows count from the top and columns from the left; the blocks of a row are the layers.
    """
    cells: dict[Cell, str] = {}
    rows = [line.split() for line in text.strip("\n").splitlines()]
    if not any(rows):
        raise DrawingError(0, "The drawing is empty.")
    most = MAX_DRAWN_CELLS * lattice.points
    if sum(len(block) for blocks in rows for block in blocks) > most:
        raise DrawingError(0, f"The drawing has more than {most} cells.")
    layers, width = len(rows[0]), len(rows[0][0]) if rows[0] else 0
    for y, blocks in enumerate(rows):
        if len(blocks) != layers or any(len(block) != width for block in blocks):
            raise DrawingError(y, "Every row must show the same number of equally wide layers.")
        for z, block in enumerate(blocks):
            for x, mark in enumerate(block):
                if mark not in marks:
                    allowed = " ".join(marks)
                    raise DrawingError(y, f"{mark!r} is not one of the marks {allowed}")
                if lattice.is_cell((x, y, z)):
                    cells[lattice.cell_at((x, y, z))] = mark
                elif mark != EMPTY:
                    raise DrawingError(
                        y, f"There is no {lattice.cell} at column {x + 1} of layer {z + 1}."
                    )
    return cells


def draw(
    cells: Iterable[Cell],
    mark_of: Callable[[Cell], str] | Mapping[Cell, str],
    lattice: Lattice = CUBES,
) -> str:
    """Return the drawing of `cells`, with "." between them; '' for none."""
    wanted = set(cells)
    if not wanted:
        return ""
    look = mark_of.__getitem__ if isinstance(mark_of, Mapping) else mark_of
    # Translated by whole steps only, since drawings of other lattices depend on the position.
    dx, dy, dz = lattice.low(wanted)
    marks = {
        lattice.place_of((cell[0] - dx, cell[1] - dy, cell[2] - dz)): look(cell) for cell in wanted
    }
    columns, rows, layers = (range(max(place[i] for place in marks) + 1) for i in range(3))
    return "\n".join(
        " ".join("".join(marks.get((x, y, z), EMPTY) for x in columns) for z in layers)
        for y in rows
    )


SYMBOLS = string.ascii_uppercase + string.ascii_lowercase + string.digits
OUTSIDE = "."


def symbols(solution: PackingSolution) -> tuple[str, ...]:
    """Return one letter per placement: the pieces' names where these are different letters."""
    names = [placement.piece for placement in solution.placements]
    if all(len(name) == 1 and name != OUTSIDE for name in names) and len(set(names)) == len(names):
        return tuple(names)
    return tuple(SYMBOLS[index % len(SYMBOLS)] for index in range(len(names)))


def to_text(
    solution: PackingSolution, lattice: Lattice = CUBES, beside: Sequence[Sequence[str]] = ()
) -> str:
    """Return the layers, and a legend where the letters are not the pieces' names.

    `beside` are columns of text to the right of the layers; their first lines are headings.
    """
    letters = symbols(solution)
    letter_at = {
        cell: letter
        for placement, letter in zip(solution.placements, letters, strict=True)
        for cell in placement.cells
    }
    picture = draw(letter_at, letter_at, lattice)
    if beside:
        picture = _in_columns([["", *picture.splitlines()], *beside])
    names = tuple(placement.piece for placement in solution.placements)
    if letters == names:
        return picture
    pairs = zip(letters, names, strict=True)
    return f"{picture}\n{', '.join(f'{letter} = {name}' for letter, name in pairs)}"


def _in_columns(columns: Sequence[Sequence[str]]) -> str:
    widths = [max(map(len, column)) for column in columns]
    return "\n".join(
        "  ".join(f"{text:<{width}}" for text, width in zip(row, widths, strict=True)).rstrip()
        for row in zip_longest(*columns, fillvalue="")
    )


HOLE: Final = "o"
# The faces that pictures show, as one sees them from outside: for each the axis and the direction
# of its columns, then of its rows. From the right, the front is on the left.
SEEN: Final = {
    "top": ((0, 1), (1, 1)),
    "front": ((0, 1), (2, -1)),
    "right": ((1, -1), (2, -1)),
}


def faces(puzzle: PackingPuzzle, solution: PackingSolution) -> list[list[str]]:
    """Return three faces of a solution with its holes and what it shows, as columns of text."""
    kinds = [kind for kind in puzzle.marks if kind.rule in (Rule.THROUGH, Rule.SHOW)]
    if not kinds:
        return []
    marks, cells = marks_in_place(puzzle, solution), sorted(solution.owner())
    columns = []
    for kind in kinds:
        for face in SEEN:
            signs = {
                mark.cell: HOLE if kind.rule is Rule.THROUGH else sign(mark.value)
                for mark in marks
                if (mark.kind, mark.way) == (kind.name, FACE_NAMES[face])
            }
            heading = f"{kind.name}: {face}" if face == "top" else face
            columns.append([heading, *_face(cells, signs, face)])
    return columns


def _face(cells: Iterable[Cell], signs: Mapping[Cell, str], face: str) -> list[str]:
    """Return the signs that are seen from outside, row by row; `cells` are sorted."""
    (across, to), (down, step) = SEEN[face]
    # Later cells hide earlier ones, because all three faces look towards larger coordinates.
    seen = {(step * cell[down], to * cell[across]): signs.get(cell, NO_SIGN) for cell in cells}
    rows, columns = (range(min(places), max(places) + 1) for places in zip(*seen, strict=True))
    return ["".join(seen.get((row, column), NO_SIGN) for column in columns) for row in rows]
