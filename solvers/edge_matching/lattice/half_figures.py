"""Flat tiles as pictures: half figures as half discs, full colour for z, pale for -z."""

from collections.abc import Sequence
from math import atan2, cos, hypot, pi, sin
from typing import Final

from solvers.drawing.palette import distinct, mixed
from solvers.drawing.shapes import Point, Polygon, Shape, Text
from solvers.edge_matching.lattice.lattice import Corner, Labels

PLAIN: Final = "#6b7280"  # a side without a figure
HALF_FIGURE_RADIUS_MM: Final = 5.5
ARC_STEPS: Final = 24


def flat_tile(
    corners: Sequence[Corner], labels: Labels, number: int, *, across_mm: float, down_mm: float
) -> list[Shape]:
    """Return a tile; a step between corners is so far across and down."""
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
    """Return the colour of a label and of what is written on it."""
    colour = distinct(abs(label) - 1) if label else PLAIN
    if label >= 0:
        return colour, "#ffffff"
    return mixed(colour, "#ffffff", 0.65), mixed(colour, "#000000", 0.4)


def signed(label: int) -> str:
    """Return a label as it is written into a picture."""
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
    stroke = mixed(colours(abs(label))[0], "#000000", 0.3)
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
