"""The lattice of regular tetrahedra and octahedra, the latter in eighths.

Four of a cube's corners, no two beside each other, are those of a tetrahedron; what is left at the
other four are eighths of octahedra, and of cubes side by side these meet. In BurrTools' coordinates
a cube has 3 x 3 x 3 points: the tetrahedron is in the middle, an eighth at its corner. Cubes
alternate like the squares of a chess board, so that a move is by an even number of them.
"""

from itertools import product
from math import prod
from typing import Final

from solvers.polycube.lattice.cubes import REFLECTIONS, ROTATIONS
from solvers.polycube.lattice.faces import Cell, Face, Point
from solvers.polycube.lattice.lattice import EVEN_WAYS, Lattice, Place

SIZE: Final = 3  # points along a cube's edge
HALF: Final = 1.5
# The edges of tetrahedra are diagonals of the cubes' faces.
STEP: Final = 0.5**0.5 / SIZE


def _from_middle(place: Place) -> tuple[Place, Place, int]:
    """Return the middle of a cube, a place seen from there, and on which corners eighths are.

    They are where the signs, multiplied, make the last number.
    """
    x, y, z = (at // SIZE for at in place)
    middle = x * SIZE + 1, y * SIZE + 1, z * SIZE + 1
    seen = place[0] - middle[0], place[1] - middle[1], place[2] - middle[2]
    return middle, seen, -1 if (x + y + z) % 2 else 1


def _is_tetrahedron(cell: Cell) -> bool:
    return all(at % SIZE == 1 for at in cell)


def _is_cell(place: Place) -> bool:
    _, seen, eighths = _from_middle(place)
    return seen == (0, 0, 0) or prod(seen) == eighths


def _sides(cell: Cell) -> list[Face]:
    (x, y, z), seen, eighths = _from_middle(cell)

    def corners(corner: Place) -> tuple[Point, ...]:
        """Return those beside a corner of the cube."""
        a, b, c = (HALF * sign for sign in corner)
        return (x - a, y + b, z + c), (x + a, y - b, z + c), (x + a, y + b, z - c)

    if seen == (0, 0, 0):
        signs = product((-1, 1), (-1, 1), (-1, 1))
        return [
            Face(corners(each), (x + each[0], y + each[1], z + each[2]))
            for each in signs
            if prod(each) == eighths
        ]
    a, b, c = seen
    across_x, across_y, across_z = beside = corners(seen)
    own = x + HALF * a, y + HALF * b, z + HALF * c
    return [
        Face(beside, (x, y, z)),
        Face((own, across_y, across_z), (x + 2 * a, y + b, z + c)),
        Face((own, across_x, across_z), (x + a, y + 2 * b, z + c)),
        Face((own, across_x, across_y), (x + a, y + b, z + 2 * c)),
    ]


TETRAHEDRA: Final = Lattice(
    name="tetrahedra and octahedra",
    cell="tetrahedron or eighth of an octahedron",
    cells="tetrahedra and eighths of octahedra",
    rotations=ROTATIONS,
    reflections=REFLECTIONS,
    sides=_sides,
    frame=((STEP, 0, 0), (0, -STEP, 0), (0, 0, STEP)),
    is_cell=_is_cell,
    steps=(SIZE, SIZE, SIZE),
    even=True,
    ways=tuple((SIZE * x, SIZE * y, SIZE * z) for x, y, z in EVEN_WAYS),
    about=-1,
    points=6,
    enlarged=2.0,
    colourings=(("dark where they are tetrahedra", _is_tetrahedron),),
    burrtools="4",
)
