"""Lattices of flat tiles: triangles, squares and hexagons.

Tiles are drawn with half figures as half discs: full colour for label z, pale for -z.
"""

from collections.abc import Sequence
from functools import partial
from math import atan2, cos, hypot, pi, sin, sqrt
from typing import Final

from solvers.drawing.shapes import Point, Polygon, Shape, Text, distinct_colour, mix
from solvers.edge_matching.lattice.lattice import (
    CellKind,
    Corner,
    Labels,
    Lattice,
    polygon_mirror,
    polygon_rotations,
    polygon_sides,
)

PLAIN: Final = "#6b7280"  # a side without a figure
HALF_FIGURE_RADIUS_MM: Final = 5.5
ARC_STEPS: Final = 24


def flat_tile(
    corners: Sequence[Corner], labels: Labels, number: int, *, across_mm: float, down_mm: float
) -> list[Shape]:
    """Return the drawing of a tile; `across_mm` and `down_mm` are the units of its corners."""
    points = tuple((x * across_mm, y * down_mm) for x, y in corners)
    centre = _mean(points)
    shapes: list[Shape] = [
        Polygon(points, fill="#fbf7ee", stroke="#4a4a4a", stroke_width_mm=0.4),
    ]
    for side, label in enumerate(labels):
        shapes += _half_figure(points[side], points[(side + 1) % len(points)], centre, label)
    name = Text((centre[0], centre[1] + 1.0), f"{number}", 2.8, "#9a9a9a", "middle")
    return [*shapes, name]


def colours(label: int) -> tuple[str, str]:
    """Return the fill and text colours of a label."""
    colour = distinct_colour(abs(label) - 1) if label else PLAIN
    if label >= 0:
        return colour, "#ffffff"
    return mix(colour, "#ffffff", 0.65), mix(colour, "#000000", 0.4)


def signed(label: int) -> str:
    """Return a label as text for a drawing, with a true minus sign."""
    return f"{label:+d}".replace("-", "\u2212") if label else "0"


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
    fill, ink = colours(label)
    stroke = mix(colours(abs(label))[0], "#000000", 0.3)
    inward = (centre[0] - middle[0], centre[1] - middle[1])
    step_mm = 0.5 * HALF_FIGURE_RADIUS_MM / hypot(*inward)
    at = (middle[0] + inward[0] * step_mm, middle[1] + inward[1] * step_mm + 0.9)
    return (
        Polygon(arc, fill=fill, stroke=stroke, stroke_width_mm=0.25),
        Text(at, signed(label), 2.6, ink, "middle", bold=True),
    )


def _mean(points: Sequence[Point]) -> Point:
    xs, ys = zip(*points, strict=True)
    return sum(xs) / len(points), sum(ys) / len(points)


TRIANGLE_SIDE_MM: Final = 30.0

# Corners are half a side across and one row down; they run clockwise in the picture.
UP: Final = CellKind(  # sides: left, right, bottom
    "up", "A", corners=((0, 1), (1, 0), (2, 1)), printed_at=((0, 0), (2, 0), (1, 1))
)
DOWN: Final = CellKind(  # sides: top, right, left
    "down", "V", corners=((0, 0), (2, 0), (1, 1)), printed_at=((1, 0), (2, 1), (0, 1))
)

TRIANGLES: Final = Lattice(
    name="triangles",
    tile="triangle",
    kinds=(UP, DOWN),
    sides=polygon_sides(3),
    rotations=polygon_rotations(3),
    mirror=polygon_mirror(3),
    draw=partial(flat_tile, across_mm=TRIANGLE_SIDE_MM / 2, down_mm=TRIANGLE_SIDE_MM * sqrt(3) / 2),
    lines=2,
    thirds=3,
    alternation=(
        "must hold the other kind of triangle: A and V alternate like the squares of a chess board."
    ),
)


SQUARE_SIDE_MM: Final = 30.0

SQUARE: Final = CellKind(  # sides: top, right, bottom, left
    "square",
    "#",
    corners=((0, 0), (1, 0), (1, 1), (0, 1)),
    printed_at=((1, 0), (2, 1), (1, 2), (0, 1)),
)

SQUARES: Final = Lattice(
    name="squares",
    tile="square",
    kinds=(SQUARE,),
    sides=polygon_sides(4),
    rotations=polygon_rotations(4),
    mirror=polygon_mirror(4),
    draw=partial(flat_tile, across_mm=SQUARE_SIDE_MM, down_mm=SQUARE_SIDE_MM),
    lines=3,
    thirds=4,
)


HEXAGON_SIDE_MM: Final = 20.0

# Corners are half a tile across and half a side down; a row is three such steps below the last.
HEXAGON: Final = CellKind(  # sides: upper right, right, lower right, lower left, left, upper left
    "hexagon",
    "H",
    corners=((1, 0), (2, 1), (2, 3), (1, 4), (0, 3), (0, 1)),
    printed_at=((3, 0), (4, 1), (3, 2), (1, 2), (0, 1), (1, 0)),
    steps=(1, 3),
)

HEXAGONS: Final = Lattice(
    name="hexagons",
    tile="hexagon",
    kinds=(HEXAGON,),
    sides=polygon_sides(6),
    rotations=polygon_rotations(6),
    mirror=polygon_mirror(6),
    draw=partial(flat_tile, across_mm=HEXAGON_SIDE_MM * sqrt(3) / 2, down_mm=HEXAGON_SIDE_MM / 2),
    lines=3,
    thirds=3,
    alternation="must be blank: hexagons are two columns wide, each row shifted by one.",
)
