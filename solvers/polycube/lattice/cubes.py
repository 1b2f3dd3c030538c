"""The lattice of cubes: every point is one, named by its column, row and layer."""

from functools import partial
from typing import Final

from solvers.polycube.lattice.lattice import Lattice, Matrix, Outline, Place, prism_corners

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


def _itself(place: Place) -> Place:
    return place


def _outline(place: Place) -> Outline:
    x, y, _ = place
    return (x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1)


CUBES: Final = Lattice(
    name="cubes",
    cell="cube",
    cells="cubes",
    rotations=ROTATIONS,
    reflections=REFLECTIONS,
    cell_at=_itself,
    place_of=_itself,
    outline=_outline,
    lines=True,
    burrtools="0",
    corners=partial(prism_corners, _outline),
)
