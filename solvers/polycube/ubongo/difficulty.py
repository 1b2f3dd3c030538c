"""How hard a card is: tries that somebody who puts pieces down at random is expected to need.

This player takes the pieces in random order, puts each into a random place where it fits, and
begins again when one fits nowhere. Only what is laid as in a solution leads to it, so that the
chance of a try is known exactly from the places that are left when some pieces of a solution lie:
with the set S laid, and k(S, i) places for piece i beside it,

    chance(S) = mean over the pieces i that are left of chance(S and i) / k(S, i)
    chance(all) = 1

Several solutions are that many ways to succeed, and so are equal pieces that swap places: their
chances add up. The expected number of tries is 1 / chance(none).
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import factorial, prod
from typing import Final

from solvers.polycube.puzzle import PackingSolution
from solvers.polycube.solving.placements import Packing, packing
from solvers.polycube.ubongo.grade import Grade
from solvers.polycube.ubongo.solve import Solved

EASY_UP_TO_TRIES: Final = 19.0
MEDIUM_UP_TO_TRIES: Final = 34.0
"""With three pieces: a third each of the cards that are made."""
MORE_PER_PIECE: Final = 9.3
"""The same limits for each piece more; so are a third each with two to eight pieces."""


@dataclass(frozen=True)
class Difficulty:
    """Expected tries of the random player, on a card with so many pieces."""

    expected_tries: float
    pieces: int

    @property
    def grade(self) -> Grade:
        """How hard it is among cards with as many pieces."""
        comparable = self.expected_tries / MORE_PER_PIECE ** (self.pieces - 3)
        if comparable <= EASY_UP_TO_TRIES:
            return Grade.EASY
        return Grade.MEDIUM if comparable <= MEDIUM_UP_TO_TRIES else Grade.HARD

    @property
    def words(self) -> str:
        """Grade and tries, as they are told."""
        return f"{self.grade.value}, {self.expected_tries:.0f} tries expected"


def difficulty(solved: Solved) -> Difficulty:
    """Measure a card from all its solutions, of which there must be one."""
    packed = packing(solved.card.puzzle())
    swaps = prod(factorial(copies) for copies in Counter(solved.card.pieces).values())
    chance = swaps * sum(_chance(packed, solution) for solution in solved.solutions)
    return Difficulty(1 / chance, len(solved.card.pieces))


def _chance(packed: Packing, solution: PackingSolution) -> float:
    """Return how likely a try ends with this solution; sets of laid pieces are bits of a number."""
    laid = [sum(1 << packed.grid.bit(cell) for cell in p.cells) for p in solution.placements]
    places = [_places(packed, placement.piece) for placement in solution.placements]
    count = len(laid)
    chances = [0.0] * (1 << count)
    chances[-1] = 1.0
    for those in range((1 << count) - 2, -1, -1):
        taken = sum(cells for piece, cells in enumerate(laid) if those >> piece & 1)
        left = [piece for piece in range(count) if not those >> piece & 1]
        chances[those] = sum(
            chances[those | 1 << piece] / sum(not word & taken for word in places[piece])
            for piece in left
        ) / len(left)
    return chances[0]


def _places(packed: Packing, piece: str) -> Sequence[int]:
    """Return the cells, as bits, of all places for a piece."""
    (kind,) = (number for number, kind in enumerate(packed.kinds) if piece in kind.names)
    return [option.cells for option in packed.options if option.kind == kind]
