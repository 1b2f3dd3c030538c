"""Solutions as text, in the layout of the competition's paper, and as drawings."""

from collections import defaultdict
from itertools import chain
from typing import Final

from solvers.drawing.shapes import Drawing, Shape, Text, bounds, shift, with_margin
from solvers.edge_matching.board import Board
from solvers.edge_matching.solution import TileSolution

LAYER_GAP_MM: Final = 12.0


def to_text(solution: TileSolution, board: Board) -> str:
    """Return the labels row by row, each near its side, as the paper prints them.

    Layers follow one another, the lowest first.
    """
    lattice = board.lattice
    widest = max(len(str(label)) for placed in solution for label in placed.labels)
    third = (widest + 3) // 2  # labels of one line are at least two thirds apart
    rows = max(cell.row for cell in board.cells) + 1
    layers = max(cell.layer for cell in board.cells) + 1
    layer_lines = rows * (lattice.lines + 1) + 1
    lines: list[dict[int, str]] = [{} for _ in range(layers * layer_lines - 2)]
    for cell, placed in zip(board.cells, solution, strict=True):
        first = cell.layer * layer_lines + cell.row * (lattice.lines + 1)
        for label, (thirds, line) in zip(placed.labels, cell.kind.printed_at, strict=True):
            ends_at = (lattice.thirds * cell.column + thirds) * third + widest
            lines[first + line][ends_at] = str(label)
    return "\n".join(_spread(line) for line in lines)


def _spread(labels: dict[int, str]) -> str:
    line = ""
    for ends_at in sorted(labels):
        line += labels[ends_at].rjust(ends_at - len(line))
    return line


def to_drawing(solution: TileSolution, board: Board) -> Drawing:
    """Return a drawing: layers below one another, the lowest at the top.

    Cubes are shown assembled above them.
    """
    layers: dict[int, list[Shape]] = defaultdict(list)
    for cell, placed in zip(board.cells, solution, strict=True):
        layers[cell.layer] += board.lattice.draw(cell.corners, placed.labels, placed.tile)
    _, top, _, bottom = bounds(chain(*layers.values()))
    distance = bottom - top + LAYER_GAP_MM
    shapes = chain(*(shift(some, 0.0, layer * distance) for layer, some in layers.items()))
    return with_margin([*sorted(shapes, key=_is_text), *_together(solution, board)], margin_mm=8.0)


def _together(solution: TileSolution, board: Board) -> list[Shape]:
    """Return the assembled tiles, above the origin; nothing for flat tiles."""
    if board.lattice.stand is None:
        return []
    cells = zip(board.cells, solution, strict=True)
    shapes = board.lattice.stand([(cell.corners, placed.labels) for cell, placed in cells])
    left, _, _, bottom = bounds(shapes)
    return shift(shapes, -left, -bottom - LAYER_GAP_MM)


def _is_text(shape: Shape) -> bool:
    return isinstance(shape, Text)
