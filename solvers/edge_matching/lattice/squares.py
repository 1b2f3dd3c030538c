"""Squares, in rows and columns."""

from functools import partial
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
    draw=partial(flat_tile, across_mm=SIDE_MM, down_mm=SIDE_MM),
    lines=3,
    thirds=4,
)
