"""Six-piece burrs by Cutler's numbers of their pieces."""

from collections import Counter
from itertools import product
from typing import Final

from solvers.polycube.lattice.lattice import Cell
from solvers.polycube.puzzle import PackingPuzzle, Piece, Target
from solvers.polycube.shape import Shape

CUTS: Final[list[Cell]] = [
    *((x, 0, 1) for x in range(1, 5)),
    *((x, 1, 1) for x in range(1, 5)),
    *((x, y, 0) for y in (0, 1) for x in (2, 3)),
]
"""The cubes that may be cut from a stick of 6 x 2 x 2, in the order of Cutler's numbers: a
piece's number is 1 more than the sum of the powers of 2 of the cubes that are missing."""


def burr(*numbers: int) -> PackingPuzzle:
    """Return six sticks, two along each axis, that cross in the middle."""
    sticks: Counter[Cell] = Counter()
    for low in (1, 3):
        for x, u, v in product(range(6), (low, low + 1), (2, 3)):
            sticks.update([(x, u, v), (v, x, u), (u, v, x)])
    outside = frozenset(cell for cell, number in sticks.items() if number == 1)
    stick = frozenset(product(range(6), range(2), range(2)))
    pieces = []
    for number, copies in Counter(numbers).items():
        missing = {cell for bit, cell in enumerate(CUTS) if number - 1 >> bit & 1}
        pieces.append(Piece(str(number), Shape(stick - missing), copies, copies))
    return PackingPuzzle(
        "burr", "Burr", Target(outside, frozenset(sticks) - outside), tuple(pieces)
    )
