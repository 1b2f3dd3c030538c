"""The lattice of cubes: every point is one, named by its column, row and layer."""

from typing import Final

from solvers.polycube.lattice.faces import Cell, Face, prism
from solvers.polycube.lattice.lattice import Lattice, Matrix

# The 24 rotation matrices of the cube, the identity first: every signed permutation of the three
# axes with determinant +1. Row i gives coordinate i of the image.
ROTATIONS: tuple[Matrix, ...] = (
    ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    ((1, 0, 0), (0, -1, 0), (0, 0, -1)),
    ((-1, 0, 0), (0, 1, 0), (0, 0, -1)),
    ((-1, 0, 0), (0, -1, 0), (0, 0, 1)),
    ((0, 1, 0), (0, 0, 1), (1, 0, 0)),
    ((0, 1, 0), (0, 0, -1), (-1, 0, 0)),
    ((0, -1, 0), (0, 0, 1), (-1, 0, 0)),
    ((0, -1, 0), (0, 0, -1), (1, 0, 0)),
    ((0, 0, 1), (1, 0, 0), (0, 1, 0)),
    ((0, 0, 1), (-1, 0, 0), (0, -1, 0)),
    ((0, 0, -1), (1, 0, 0), (0, -1, 0)),
    ((0, 0, -1), (-1, 0, 0), (0, 1, 0)),
    ((1, 0, 0), (0, 0, 1), (0, -1, 0)),
    ((1, 0, 0), (0, 0, -1), (0, 1, 0)),
    ((-1, 0, 0), (0, 0, 1), (0, 1, 0)),
    ((-1, 0, 0), (0, 0, -1), (0, -1, 0)),
    ((0, 1, 0), (1, 0, 0), (0, 0, -1)),
    ((0, 1, 0), (-1, 0, 0), (0, 0, 1)),
    ((0, -1, 0), (1, 0, 0), (0, 0, 1)),
    ((0, -1, 0), (-1, 0, 0), (0, 0, -1)),
    ((0, 0, 1), (0, 1, 0), (-1, 0, 0)),
    ((0, 0, 1), (0, -1, 0), (1, 0, 0)),
    ((0, 0, -1), (0, 1, 0), (1, 0, 0)),
    ((0, 0, -1), (0, -1, 0), (-1, 0, 0)),
)

# The point reflection -R of every rotation R: together the 48 symmetries of the cube.
REFLECTIONS: tuple[Matrix, ...] = tuple(
    (
        (-a[0], -a[1], -a[2]),
        (-b[0], -b[1], -b[2]),
        (-c[0], -c[1], -c[2]),
    )
    for a, b, c in ROTATIONS
)


def _sides(cell: Cell) -> list[Face]:
    x, y, z = cell
    square = ((x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1))
    return prism(square, cell, ((x, y - 1, z), (x + 1, y, z), (x, y + 1, z), (x - 1, y, z)))


CUBES: Final = Lattice(
    name="cubes",
    cell="cube",
    cells="cubes",
    rotations=ROTATIONS,
    reflections=REFLECTIONS,
    sides=_sides,
    frame=((1, 0, 0), (0, -1, 0), (0, 0, 1)),
    layered=True,
    lines=True,
    burrtools="0",
)
