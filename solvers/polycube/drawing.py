"""Drawings of cells as text: one line per row, the layers side by side, bottom layer first."""

from collections.abc import Callable, Iterable, Mapping

from solvers.polycube.errors import PuzzleError
from solvers.polycube.puzzle import MAX_TARGET_CELLS
from solvers.polycube.rotation import Cell

# No drawing is greater than the greatest target.
MAX_DRAWN_CELLS = MAX_TARGET_CELLS


class DrawingError(PuzzleError):
    """A drawing is uneven or has a wrong mark; `row` is the line of the drawing, from 0."""

    def __init__(self, row: int, message: str) -> None:
        super().__init__(message)
        self.row = row


def parse_drawing(text: str, marks: str) -> dict[Cell, str]:
    """Return the mark of every cell of a drawing whose only marks are `marks`.

    Rows are y = 0, 1, ... from the top, columns x, and the blocks of a row the layers z.
    """
    cells: dict[Cell, str] = {}
    rows = [line.split() for line in text.strip("\n").splitlines()]
    if not any(rows):
        raise DrawingError(0, "The drawing is empty.")
    if sum(len(block) for blocks in rows for block in blocks) > MAX_DRAWN_CELLS:
        raise DrawingError(0, f"The drawing has more than {MAX_DRAWN_CELLS} cells.")
    layers, width = len(rows[0]), len(rows[0][0]) if rows[0] else 0
    for y, blocks in enumerate(rows):
        if len(blocks) != layers or any(len(block) != width for block in blocks):
            raise DrawingError(y, "Every row must show the same number of equally wide layers.")
        for z, block in enumerate(blocks):
            for x, mark in enumerate(block):
                if mark not in marks:
                    allowed = " ".join(marks)
                    raise DrawingError(y, f"{mark!r} is not one of the marks {allowed}")
                cells[x, y, z] = mark
    return cells


def draw(cells: Iterable[Cell], mark_of: Callable[[Cell], str] | Mapping[Cell, str]) -> str:
    """Return the drawing of the bounding box of `cells`, with '.' between them; '' for none."""
    wanted = set(cells)
    if not wanted:
        return ""
    low = [min(cell[axis] for cell in wanted) for axis in range(3)]
    high = [max(cell[axis] for cell in wanted) for axis in range(3)]
    look = mark_of.__getitem__ if isinstance(mark_of, Mapping) else mark_of
    return "\n".join(
        " ".join(
            "".join(
                look((x, y, z)) if (x, y, z) in wanted else "." for x in range(low[0], high[0] + 1)
            )
            for z in range(low[2], high[2] + 1)
        )
        for y in range(low[1], high[1] + 1)
    )
