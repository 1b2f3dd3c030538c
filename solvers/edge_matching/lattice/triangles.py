"""Triangles, which stand on a side and on a point by turns and overlap by half a side."""

from functools import partial
from math import sqrt
from typing import Final

from solvers.edge_matching.lattice.half_figures import flat_tile
from solvers.edge_matching.lattice.lattice import (
    CellKind,
    Lattice,
    polygon_mirror,
    polygon_rotations,
    polygon_sides,
)

SIDE_MM: Final = 30.0

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
    draw=partial(flat_tile, across_mm=SIDE_MM / 2, down_mm=SIDE_MM * sqrt(3) / 2),
    lines=2,
    thirds=3,
    alternation=(
        "must hold the other kind of triangle: A and V alternate like the squares of a chess board."
    ),
)
