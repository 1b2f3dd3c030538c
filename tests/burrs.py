"""Six-piece burrs by Cutler's numbers of their pieces."""

from collections import Counter
from itertools import product
from typing import Final

from solvers.polycube.lattice import Cell
from solvers.polycube.puzzle import PackingPuzzle, Piece, Shape, Target

CUTS: Final[list[Cell]] = [
    *((x, 0, 1) for x in range(1, 5)),
    *((x, 1, 1) for x in range(1, 5)),
    *((x, y, 0) for y in (0, 1) for x in (2, 3)),
]
"""The cubes that may be cut from a stick of 6 x 2 x 2, in the order of Cutler's numbers: a
piece's number is 1 more than the sum of the powers of 2 of the cubes that are missing."""

SOLID: Final = (
    *(1, 18, 35, 52, 86, 103, 120, 154, 188, 256, 359, 615, 792, 824, 856, 871, 888),
    *(911, 928, 943, 960, 975, 992, 1007, 1024),
)
"""The notchable pieces of solid burrs: 25 of 59, in 314 burrs (Cutler 1978; so they are found too
among all that sawing across a stick can make)."""


def burr(*numbers: int) -> PackingPuzzle:
    """Return six sticks, two along each axis, that cross in the middle."""
    outside, inside = _cells()
    pieces = [_piece(number, copies, copies) for number, copies in Counter(numbers).items()]
    return PackingPuzzle("burr", "Burr", Target(outside, inside), tuple(pieces))


def solid_burrs() -> PackingPuzzle:
    """Return six of the `SOLID` pieces, any of them as often as wanted, and no hole inside."""
    outside, inside = _cells()
    pieces = tuple(_piece(number, 0, 6) for number in SOLID)
    return PackingPuzzle("solid-burrs", "Solid burrs", Target(outside | inside), pieces)


def _cells() -> tuple[frozenset[Cell], frozenset[Cell]]:
    """Return the cells of one stick alone, and those that several would have."""
    sticks: Counter[Cell] = Counter()
    for low in (1, 3):
        for x, u, v in product(range(6), (low, low + 1), (2, 3)):
            sticks.update([(x, u, v), (v, x, u), (u, v, x)])
    outside = frozenset(cell for cell, number in sticks.items() if number == 1)
    return outside, frozenset(sticks) - outside


def _piece(number: int, least: int, most: int) -> Piece:
    stick = frozenset(product(range(6), range(2), range(2)))
    missing = {cell for bit, cell in enumerate(CUTS) if number - 1 >> bit & 1}
    return Piece(str(number), Shape(stick - missing), least, most)
