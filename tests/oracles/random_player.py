"""A player who fills a target at random: the pieces in any order, each anywhere it fits.

When a piece fits nowhere the board is cleared and the next try starts. Plain code that knows
neither the search nor the measure of difficulty, and draws instead of computing.
"""

import random
from collections.abc import Iterable
from itertools import permutations, product

Cell = tuple[int, int, int]
Cells = frozenset[Cell]


def turned(cells: Iterable[Cell]) -> set[Cells]:
    """Return the rotations of some cells, each as near to the origin as it goes."""
    found = set()
    for order, signs in product(permutations(range(3)), product((1, -1), repeat=3)):
        swaps = sum(order[i] > order[j] for i in range(3) for j in range(i + 1, 3))
        if (-1) ** swaps * signs[0] * signs[1] * signs[2] != 1:
            continue  # a mirror image
        image = [tuple(signs[i] * cell[order[i]] for i in range(3)) for cell in cells]
        low = [min(axis) for axis in zip(*image, strict=True)]
        found.add(frozenset((x - low[0], y - low[1], z - low[2]) for x, y, z in image))
    return found


class RandomPlayer:
    """Plays one target with its pieces; `tries` counts the starts until it was full."""

    def __init__(self, target: Cells, pieces: Iterable[Cells], seed: int) -> None:
        bit = {cell: 1 << number for number, cell in enumerate(sorted(target))}
        self._random = random.Random(seed)
        self._places: list[list[int]] = []
        for piece in pieces:
            places = set()
            for shape, (x, y, z) in product(turned(piece), sorted(target)):
                a, b, c = min(shape)  # this cell of the piece on that one of the target
                moved = {(p + x - a, q + y - b, r + z - c) for p, q, r in shape}
                if moved <= target:
                    places.add(sum(bit[cell] for cell in moved))
            self._places.append(sorted(places))

    def tries(self) -> int:
        """Play until the target is filled; return how many tries that took."""
        number = 1
        while not self._try():
            number += 1
        return number

    def _try(self) -> bool:
        taken = 0
        for places in self._random.sample(self._places, len(self._places)):
            free = [place for place in places if not place & taken]
            if not free:
                return False
            taken |= self._random.choice(free)
        return True
