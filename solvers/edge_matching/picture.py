"""Solved boards as text, in the layout the competition's paper prints, and as drawings."""

from math import atan2, cos, hypot, pi, sin, sqrt

from solvers.drawing.palette import distinct, mixed
from solvers.drawing.shapes import Drawing, Point, Polygon, Shape, Text, framed
from solvers.edge_matching.board import Board, Cell, CellKind
from solvers.edge_matching.solution import TileSolution

# Where the labels of a cell's sides are printed: thirds of a column from the middle of the cell,
# and line. A triangle's row takes two lines: "left right" over "bottom", or "top" over them.
PRINTED_AT: dict[CellKind, tuple[tuple[int, int], ...]] = {
    "up": ((-1, 0), (1, 0), (0, 1)),
    "down": ((0, 0), (1, 1), (-1, 1)),
    "square": ((0, 0), (1, 1), (0, 2), (-1, 1)),
    "hexagon": ((1, 0), (2, 1), (1, 2), (-1, 2), (-2, 1), (-1, 0)),
}
LINES: dict[CellKind, int] = {"up": 2, "down": 2, "square": 3, "hexagon": 3}
COLUMN_THIRDS: dict[CellKind, int] = {"up": 3, "down": 3, "square": 4, "hexagon": 3}
"""How far a column is from the next one in the drawing of a board."""

SIDE_MM = 30.0
HEXAGON_SIDE_MM = 20.0
PLAIN = "#6b7280"  # a side without a figure
HALF_FIGURE_RADIUS_MM = 5.5
ARC_STEPS = 24


def to_text(solution: TileSolution, board: Board) -> str:
    """Return the labels row by row, each near the side it belongs to, as the paper prints them."""
    lines_per_row = LINES[board.cells[0].kind]
    widest = max(len(str(label)) for placed in solution for label in placed.labels)
    third = (widest + 3) // 2  # labels of one line lie at least two thirds apart
    line_count = (max(cell.row for cell in board.cells) + 1) * (lines_per_row + 1) - 1
    left_most = 2 if board.sides_per_tile == 6 else 1
    lines: list[dict[int, str]] = [{} for _ in range(line_count)]
    for cell, placed in zip(board.cells, solution, strict=True):
        for label, (thirds, line) in zip(placed.labels, PRINTED_AT[cell.kind], strict=True):
            from_left = COLUMN_THIRDS[cell.kind] * cell.column + left_most + thirds
            ends_at = from_left * third + widest
            lines[cell.row * (lines_per_row + 1) + line][ends_at] = str(label)
    return "\n".join(_spread(line) for line in lines)


def _spread(labels: dict[int, str]) -> str:
    line = ""
    for ends_at in sorted(labels):
        line += labels[ends_at].rjust(ends_at - len(line))
    return line


def to_drawing(solution: TileSolution, board: Board) -> Drawing:
    """Return a picture: half figures as half discs, full colour for z, pale for -z."""
    shapes: list[Shape] = []
    labels: list[Shape] = []
    for cell, placed in zip(board.cells, solution, strict=True):
        corners = _corners_mm(cell)
        centre = _mean(corners)
        shapes.append(Polygon(corners, fill="#fbf7ee", stroke="#4a4a4a", stroke_width_mm=0.4))
        for side, label in enumerate(placed.labels):
            start, end = corners[side], corners[(side + 1) % len(corners)]
            disc, text = _half_figure(start, end, centre, label)
            shapes.append(disc)
            labels.append(text)
        number = Text((centre[0], centre[1] + 1.0), f"{placed.tile}", 2.8, "#9a9a9a", "middle")
        labels.append(number)
    return framed(shapes + labels, margin_mm=8.0)


def _half_figure(start: Point, end: Point, centre: Point, label: int) -> tuple[Polygon, Text]:
    middle = _mean((start, end))
    first = atan2(end[1] - start[1], end[0] - start[0])
    # Corners run clockwise on the page, so the inside is on the right: growing angles, y down.
    arc = tuple(
        (
            middle[0] + HALF_FIGURE_RADIUS_MM * cos(first + pi * step / ARC_STEPS),
            middle[1] + HALF_FIGURE_RADIUS_MM * sin(first + pi * step / ARC_STEPS),
        )
        for step in range(ARC_STEPS + 1)
    )
    colour = distinct(abs(label) - 1) if label else PLAIN
    fill = colour if label >= 0 else mixed(colour, "#ffffff", 0.65)
    ink = "#ffffff" if label >= 0 else mixed(colour, "#000000", 0.4)
    inward = (centre[0] - middle[0], centre[1] - middle[1])
    step_mm = 0.5 * HALF_FIGURE_RADIUS_MM / hypot(*inward)
    at = (middle[0] + inward[0] * step_mm, middle[1] + inward[1] * step_mm + 0.9)
    return (
        Polygon(arc, fill=fill, stroke=mixed(colour, "#000000", 0.3), stroke_width_mm=0.25),
        Text(at, _signed(label), 2.6, ink, "middle", bold=True),
    )


def _signed(label: int) -> str:
    return f"{label:+d}".replace("-", "\u2212") if label else "0"


def _corners_mm(cell: Cell) -> tuple[Point, ...]:
    match cell.kind:
        case "square":
            across, down = SIDE_MM, SIDE_MM
        case "hexagon":
            across, down = HEXAGON_SIDE_MM * sqrt(3) / 2, HEXAGON_SIDE_MM / 2
        case _:
            across, down = SIDE_MM / 2, SIDE_MM * sqrt(3) / 2
    return tuple((x * across, y * down) for x, y in cell.corners)


def _mean(points: tuple[Point, ...]) -> Point:
    return (
        sum(x for x, _ in points) / len(points),
        sum(y for _, y in points) / len(points),
    )
