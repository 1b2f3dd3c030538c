"""What cells are in space: convex polyhedra, with the cell that is behind each of their faces.

The frame of space is right-handed, in lengths of a side: columns of a drawing run to the right (x),
rows to the front (against y), layers upwards (z).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

Number = TypeVar("Number", int, float)
Cell = tuple[int, int, int]
Point = tuple[float, float, float]
Frame = tuple[Point, Point, Point]
"""A matrix that leads from coordinates of a lattice to space: row i gives coordinate i."""

CLOSE: Final = 1e-6
"""Lengths of a side that are as good as none: solids so close only touch."""


@dataclass(frozen=True, slots=True)
class Face:
    """A side of a cell: its corners, one after another, and the cell that is behind it."""

    corners: tuple[Point, ...]
    beyond: Cell


def in_space(frame: Frame, point: Point) -> Point:
    """Return where a point of the lattice lies in space."""
    x, y, z = (sum(a * b for a, b in zip(row, point, strict=True)) for row in frame)
    return x, y, z


def middle(points: Sequence[Point]) -> Point:
    """Return the mean of some points."""
    x, y, z = (sum(each) / len(points) for each in zip(*points, strict=True))
    return x, y, z


def minus(
    a: tuple[Number, Number, Number], b: tuple[Number, Number, Number]
) -> tuple[Number, Number, Number]:
    """Return the way from `b` to `a`."""
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


def normal(corners: Sequence[Point]) -> Point:
    """Return the direction that a polygon faces: it is counter-clockwise as seen from there.

    Its length is that of the product of the first two sides.
    """
    a, b = minus(corners[1], corners[0]), minus(corners[2], corners[1])
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


def placed(frame: Frame, sides: Sequence[Face]) -> tuple[Face, ...]:
    """Return a cell's sides in space, each counter-clockwise as seen from outside."""
    inside = in_space(frame, middle([corner for side in sides for corner in side.corners]))
    faces = []
    for side in sides:
        corners = tuple(in_space(frame, corner) for corner in side.corners)
        outwards = minus(corners[0], inside)
        towards = sum(a * b for a, b in zip(normal(corners), outwards, strict=True))
        faces.append(Face(corners if towards > 0 else corners[::-1], side.beyond))
    return tuple(faces)


def prism(base: Sequence[tuple[float, float]], cell: Cell, beside: Sequence[Cell]) -> list[Face]:
    """Return the sides of a prism one layer high; `beside` says what is behind each upright one.

    The upright sides stand on the base's, the first on that from its first corner to its second.
    """
    x, y, z = cell
    low = [(u, v, float(z)) for u, v in base]
    high = [(u, v, z + 1.0) for u, v in base]
    upright = [
        Face((low[at - 1], low[at], high[at], high[at - 1]), beside[at - 1])
        for at in range(len(base))
    ]
    return [*upright, Face(tuple(low), (x, y, z - 1)), Face(tuple(high), (x, y, z + 1))]
