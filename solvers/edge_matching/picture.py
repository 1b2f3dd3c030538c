"""Solved boards as text, in the layout the competition's paper prints, and as drawings."""

from solvers.drawing.shapes import Drawing, Shape, Text, framed
from solvers.edge_matching.board import Board
from solvers.edge_matching.solution import TileSolution


def to_text(solution: TileSolution, board: Board) -> str:
    """Return the labels row by row, each near the side it belongs to, as the paper prints them."""
    lattice = board.lattice
    widest = max(len(str(label)) for placed in solution for label in placed.labels)
    third = (widest + 3) // 2  # labels of one line lie at least two thirds apart
    line_count = (max(cell.row for cell in board.cells) + 1) * (lattice.lines + 1) - 1
    lines: list[dict[int, str]] = [{} for _ in range(line_count)]
    for cell, placed in zip(board.cells, solution, strict=True):
        for label, (thirds, line) in zip(placed.labels, cell.kind.printed_at, strict=True):
            ends_at = (lattice.thirds * cell.column + thirds) * third + widest
            lines[cell.row * (lattice.lines + 1) + line][ends_at] = str(label)
    return "\n".join(_spread(line) for line in lines)


def _spread(labels: dict[int, str]) -> str:
    line = ""
    for ends_at in sorted(labels):
        line += labels[ends_at].rjust(ends_at - len(line))
    return line


def to_drawing(solution: TileSolution, board: Board) -> Drawing:
    """Return a picture."""
    shapes: list[Shape] = []
    for cell, placed in zip(board.cells, solution, strict=True):
        shapes += board.lattice.draw(cell.corners, placed.labels, placed.tile)
    return framed(sorted(shapes, key=_is_text), margin_mm=8.0)


def _is_text(shape: Shape) -> bool:
    return isinstance(shape, Text)
