"""The lattice of balls packed as close as can be: the points with an even sum of coordinates.

This is the face-centred cubic lattice, in BurrTools' coordinates. Each ball touches twelve others,
a step along two axes away; in planes across (1, 1, 1) it touches six, across an axis four.
As a polyhedron it is all that is closest to its middle, a rhombic dodecahedron.
"""

from itertools import combinations, product
from typing import Final

from solvers.polycube.lattice.cubes import REFLECTIONS, ROTATIONS
from solvers.polycube.lattice.faces import Cell, Face, Point
from solvers.polycube.lattice.lattice import EVEN_WAYS, Lattice, Place

# Balls of diameter 1 that touch are a step along two axes away from each other.
STEP: Final = 0.5**0.5


def _is_ball(place: Place) -> bool:
    return sum(place) % 2 == 0


def _sides(cell: Cell) -> list[Face]:
    x, y, z = cell
    faces = []
    for first, second in combinations(range(3), 2):
        for signs in product((-1, 1), repeat=2):
            way = [0, 0, 0]
            way[first], way[second] = signs
            corners = tuple((x + a, y + b, z + c) for a, b, c in _rhombus(first, second, signs))
            faces.append(Face(corners, (x + way[0], y + way[1], z + way[2])))
    return faces


def _rhombus(first: int, second: int, signs: tuple[int, ...]) -> list[Point]:
    """Return the corners between a ball at 0, 0, 0 and that one step along two axes away."""
    corners = []
    for along_first, along_second, along_third in ((1, 0, 0), (0.5, 0.5, 0.5), (0, 1, 0)):
        at = [along_third] * 3
        at[first], at[second] = along_first * signs[0], along_second * signs[1]
        corners.append((at[0], at[1], at[2]))
    opposite = [-value for value in corners[1]]
    opposite[first], opposite[second] = corners[1][first], corners[1][second]
    return [*corners, (opposite[0], opposite[1], opposite[2])]


SPHERES: Final = Lattice(
    name="spheres",
    cell="sphere",
    cells="spheres",
    rotations=ROTATIONS,
    reflections=REFLECTIONS,
    sides=_sides,
    frame=((STEP, 0, 0), (0, -STEP, 0), (0, 0, STEP)),
    is_cell=_is_ball,
    even=True,
    ways=EVEN_WAYS,
    points=2,
    enlarged=1.2,
    balls=True,
    burrtools="2",
)
