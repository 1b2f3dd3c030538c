"""Hexagons that stand on a corner, two columns wide, every row shifted by one."""

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

SIDE_MM: Final = 20.0

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
    draw=partial(flat_tile, across_mm=SIDE_MM * sqrt(3) / 2, down_mm=SIDE_MM / 2),
    lines=3,
    thirds=3,
    alternation="must be blank: hexagons are two columns wide, each row shifted by one.",
)
