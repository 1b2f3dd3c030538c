"""All solutions of a card."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from solvers.polycube.puzzle import PackingSolution
from solvers.polycube.solving.placements import packing
from solvers.polycube.solving.solver import count
from solvers.polycube.ubongo.card import Card
from solvers.search.exact_cover.search import Search, Solution, growing_portions


@dataclass(frozen=True)
class Solved:
    """A card's solutions; turning a symmetric board makes further ones, and these count too."""

    card: Card
    solutions: tuple[PackingSolution, ...]
    nodes: int

    @property
    def count_up_to_symmetry(self) -> int:
        """Number of solutions that no turn of the board makes from one another."""
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
