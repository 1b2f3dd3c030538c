"""Solutions of a card, and its difficulty.

The measure of difficulty is the expected number of tries of a player who takes the pieces in random
order, puts each into a random place where it fits, and starts again when one fits nowhere. The
chance of a try is known exactly: with the set S of pieces placed as in a solution, and k(S, i)
places left for piece i,

    chance(S) = mean over the remaining pieces i of chance(S and i) / k(S, i)
    chance(all) = 1

Chances of several solutions add up, and so do those of equal pieces that swap places. The expected
number of tries is 1 / chance(none).
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from math import factorial, prod
from typing import Final

from solvers.polycube.puzzle import PackingSolution
from solvers.polycube.solving.placements import Packing, packing
from solvers.polycube.solving.solver import count
from solvers.polycube.ubongo.card import Card, Grade
from solvers.search.exact_cover.search import Search, Solution, growing_portions


@dataclass(frozen=True)
class Solved:
    """A card's solutions, rotated ones of a symmetric board included."""

    card: Card
    solutions: tuple[PackingSolution, ...]
    nodes: int

    @property
    def count_up_to_symmetry(self) -> int:
        """Number of solutions that rotations of the board do not map to each other."""
        if len(self.solutions) < 2:
            return len(self.solutions)
        return count(self.card.puzzle()).up_to_symmetry


def solve(card: Card, at_most: int | None = None) -> Solved:
    """Find all solutions of a card, or stop after `at_most`."""
    packed = packing(card.puzzle())
    search = Search(packed.cover)
    found = islice(_all(search), at_most)
    solutions = tuple(packed.solution(chosen) for chosen in found)
    return Solved(card, solutions, search.nodes)


def _all(search: Search) -> Iterator[Solution]:
    portions = growing_portions()
    while not search.finished:
        yield from search.advance(next(portions))


EASY_UP_TO_TRIES: Final = 19.0
# With three pieces: thirds of generated cards.
MEDIUM_UP_TO_TRIES: Final = 34.0
# Factor of these limits for each further piece; it keeps thirds with two to eight pieces.
MORE_PER_PIECE: Final = 9.3


@dataclass(frozen=True)
class Difficulty:
    """Expected tries of the random player, on a card with `pieces` pieces."""

    expected_tries: float
    pieces: int

    @property
    def grade(self) -> Grade:
        """Difficulty among cards with as many pieces."""
        comparable = self.expected_tries / MORE_PER_PIECE ** (self.pieces - 3)
        if comparable <= EASY_UP_TO_TRIES:
            return Grade.EASY
        return Grade.MEDIUM if comparable <= MEDIUM_UP_TO_TRIES else Grade.HARD

    @property
    def words(self) -> str:
        """Grade and expected tries in words."""
        return f"{self.grade.value}, {self.expected_tries:.0f} tries expected"


def difficulty(solved: Solved) -> Difficulty:
    """Return the difficulty of a card from all its solutions, of which there must be one."""
    packed = packing(solved.card.puzzle())
    # Each solution stands for all ways to distribute equal pieces over its places.
    swaps = prod(factorial(copies) for copies in Counter(solved.card.pieces).values())
    chance = swaps * sum(_chance(packed, solution) for solution in solved.solutions)
    return Difficulty(1 / chance, len(solved.card.pieces))


def _chance(packed: Packing, solution: PackingSolution) -> float:
    """Return the probability that a try ends with this solution; sets of pieces are bits."""
    placed = [sum(1 << packed.grid.bit(cell) for cell in p.cells) for p in solution.placements]
    places = [_places(packed, placement.piece) for placement in solution.placements]
    count = len(placed)
    chances = [0.0] * (1 << count)
    chances[-1] = 1.0
    # Downwards, so that the chances of all larger sets are known.
    for those in range((1 << count) - 2, -1, -1):
        taken = sum(cells for piece, cells in enumerate(placed) if those >> piece & 1)
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
