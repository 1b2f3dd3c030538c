"""The lattice of cubes that are cut into 24 tetrahedra each: rhombic dodecahedra are built of them.

The six planes through two opposite edges cut a cube so. Every tetrahedron has two corners in the
middle of the cube and of a face, and the ends of one of that face's edges for the others. In
BurrTools' coordinates a cube has 5 x 5 x 5 points; seen from its middle, a tetrahedron is at 2 on
the axis of its face, at 1 on that of its edge, at 0 on the third.
"""

from typing import Final

from solvers.polycube.lattice.cubes import REFLECTIONS, ROTATIONS
from solvers.polycube.lattice.faces import Cell, Face, Point
from solvers.polycube.lattice.lattice import AXES, DIAGONALS, SIDEWAYS, Lattice, Place

SIZE: Final = 5  # points along a cube's edge
HALF: Final = 2.5


def _is_tetrahedron(place: Place) -> bool:
    return sorted(abs(at % SIZE - 2) for at in place) == [0, 1, 2]


def _sides(cell: Cell) -> list[Face]:
    middle = tuple(at // SIZE * SIZE + 2 for at in cell)
    seen = [at - mid for at, mid in zip(cell, middle, strict=True)]
    across = [at // 2 if abs(at) == 2 else 0 for at in seen]  # to the face
    aside = [at if abs(at) == 1 else 0 for at in seen]  # to its edge
    along = [int(at == 0) for at in seen]  # the edge

    def plus(way: list[int], start: tuple[int, ...] = middle) -> Cell:
        x, y, z = (at + step for at, step in zip(start, way, strict=True))
        return x, y, z

    def corner(*ways: list[int]) -> Point:
        x, y, z = (at + HALF * sum(step) for at, *step in zip(middle, *ways, strict=True))
        return x, y, z

    back = [-step for step in along]
    centre, face = corner(), corner(across)
    ends = corner(across, aside, along), corner(across, aside, back)
    twice = [2 * step for step in across]
    return [
        Face((face, *ends), plus(across, cell)),
        Face((centre, *ends), plus(across, plus([2 * step for step in aside]))),
        Face((centre, face, ends[0]), plus(twice, plus(along))),
        Face((centre, face, ends[1]), plus(twice, plus(back))),
    ]


RHOMBIC_TETRAHEDRA: Final = Lattice(
    name="rhombic tetrahedra",
    cell="rhombic tetrahedron",
    cells="rhombic tetrahedra",
    rotations=ROTATIONS,
    reflections=REFLECTIONS,
    sides=_sides,
    frame=((1 / SIZE, 0, 0), (0, -1 / SIZE, 0), (0, 0, 1 / SIZE)),
    is_cell=_is_tetrahedron,
    steps=(SIZE, SIZE, SIZE),
    ways=tuple((SIZE * x, SIZE * y, SIZE * z) for x, y, z in (*AXES, *SIDEWAYS, *DIAGONALS)),
    about=-1,
    points=6,
    enlarged=3.0,
    burrtools="3",
)
