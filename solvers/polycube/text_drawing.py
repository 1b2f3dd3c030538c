"""Cells as text: one line per row, the layers next to each other, bottom layer first."""

import string
from collections.abc import Callable, Iterable, Mapping

from solvers.polycube.errors import PuzzleError
from solvers.polycube.lattice import Cell, Lattice
from solvers.polycube.lattices import CUBES
from solvers.polycube.puzzle import MAX_EXTENT, PackingSolution

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


def to_text(solution: PackingSolution, lattice: Lattice = CUBES) -> str:
    """Return the layers, and a legend where the letters are not the pieces' names."""
    letters = symbols(solution)
    letter_at = {
        cell: letter
        for placement, letter in zip(solution.placements, letters, strict=True)
        for cell in placement.cells
    }
    picture = draw(letter_at, letter_at, lattice)
    names = tuple(placement.piece for placement in solution.placements)
    if letters == names:
        return picture
    pairs = zip(letters, names, strict=True)
    return f"{picture}\n{', '.join(f'{letter} = {name}' for letter, name in pairs)}"
