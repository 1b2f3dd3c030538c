"""The lattice of triangular prisms: triangles in layers, side by side and above one another.

In the frame of two sides of a triangle, 60 degrees apart and three units long, every triangle's
middle is a point (p, q) with p = q = 1 or p = q = 2 modulo 3. In a drawing, as in BurrTools' files,
triangles that stand on a side and on a point alternate like the squares of a chess board: the one
in column 0 of row 0 has its side towards the row before it. They slide along their sides and up and
down, in the order of BurrTools.
"""

from typing import Final

from solvers.polycube.lattice.faces import Face, prism
from solvers.polycube.lattice.lattice import (
    IDENTITY,
    Cell,
    Lattice,
    Matrix,
    Place,
    product,
)

# A sixth of a turn about a corner, an exchange of the two sides, and upside down.
SIXTH_TURN: Final[Matrix] = ((0, -1, 0), (1, 1, 0), (0, 0, 1))
EXCHANGE: Final[Matrix] = ((0, 1, 0), (1, 0, 0), (0, 0, 1))
UPSIDE_DOWN: Final[Matrix] = ((1, 0, 0), (0, 1, 0), (0, 0, -1))

HIGH: Final = 0.75**0.5  # a triangle, in lengths of a side


def prism_rotations() -> tuple[Matrix, ...]:
    """Return the twelve rotations of a prism with six sides, in the frame of such triangles."""
    turns = [IDENTITY]
    while len(turns) < 6:
        turns.append(product(SIXTH_TURN, turns[-1]))
    return (*turns, *(product(UPSIDE_DOWN, product(EXCHANGE, turn)) for turn in turns))


def _cell_at(place: Place) -> Cell:
    column, row, layer = place
    down = (column - row) % 2
    return 3 * ((column - row) // 2) + 1 + down, 3 * row + 1 + down, layer


def _place_of(cell: Cell) -> Place:
    p, q, layer = cell
    return 2 * (p // 3) + q // 3 + p % 3 - 1, q // 3, layer


def _stands(cell: Cell) -> bool:
    return cell[0] % 3 == 2


def _sides(cell: Cell) -> list[Face]:
    p, q, z = cell
    way = 1 if p % 3 == 1 else -1  # from the middle of a triangle to that behind its last side
    triangle = ((p - way, q - way), (p + 2 * way, q - way), (p - way, q + 2 * way))
    beside = ((p + way, q - 2 * way, z), (p + way, q + way, z), (p - 2 * way, q + way, z))
    return prism(triangle, cell, beside)


TRIANGLES: Final = Lattice(
    name="triangular prisms",
    cell="triangle",
    cells="triangles",
    rotations=prism_rotations(),
    reflections=tuple(product(UPSIDE_DOWN, rotation) for rotation in prism_rotations()),
    cell_at=_cell_at,
    place_of=_place_of,
    sides=_sides,
    frame=((1 / 3, 1 / 6, 0), (0, -HIGH / 3, 0), (0, 0, 1)),
    steps=(3, 3, 1),
    ways=((0, 0, 1), (3, 0, 0), (0, 3, 0), (-3, 3, 0)),
    points=5,
    layered=True,
    colourings=(("dark where triangles stand on a side", _stands),),
    burrtools="1",
)
