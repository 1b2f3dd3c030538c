"""A packing puzzle made ready for the search: placements, arrays, symmetries, and its parts."""

from dataclasses import dataclass
from functools import lru_cache

from solvers.polycube.placements import Packing, packing
from solvers.polycube.puzzle import PackingPuzzle
from solvers.polycube.symmetry import item_permutations
from solvers.search.exact_cover import NODES_AT_ONCE, Progress
from solvers.search.exact_cover_encoding import Encoding, encode
from solvers.search.exact_cover_search import Search, Solution
from solvers.search.exact_cover_split import split
from solvers.search.exact_cover_symmetry import SymmetricPart, SymmetryGroup


@dataclass(frozen=True)
class PartCount:
    """What the search of one part found.

    `found` are solutions. `unchanged` adds up, over these, how many of the symmetries left in
    the part do not change the solution; `left` is the number of those symmetries.
    """

    found: int
    unchanged: int
    left: int
    nodes: int


@dataclass(frozen=True)
class Problem:
    """Everything about a puzzle that the search of any of its parts needs."""

    packed: Packing
    encoding: Encoding
    group: SymmetryGroup

    def parts(self, at_least: int = 1) -> list[SymmetricPart]:
        """Return parts that hold one solution of each class, cut into at least so many."""
        reduced = list(self.group.reduce())
        return split(self.encoding, reduced, at_least) if at_least > len(reduced) else reduced

    def solutions(self, part: SymmetricPart) -> list[Solution]:
        """Return the solutions of a part, one of each class."""
        found: list[Solution] = []
        search = self._search(part, keep_solutions=True)
        while not search.finished:
            found.extend(self.representatives(part, search.advance(NODES_AT_ONCE)))
        return found

    def representatives(self, part: SymmetricPart, solutions: list[Solution]) -> list[Solution]:
        """Return those solutions of a part that stand for their class."""
        if len(part.left) == 1:
            return solutions
        return [s for s in solutions if self.group.is_representative(s, part.left)]

    def count(self, part: SymmetricPart, on_progress: Progress | None = None) -> PartCount:
        """Count the solutions of a part."""
        asymmetric = len(part.left) == 1
        search = self._search(part, keep_solutions=not asymmetric)
        unchanged = 0
        while not search.finished:
            for solution in search.advance(NODES_AT_ONCE):
                unchanged += len(self.group.stabiliser(solution, part.left))
            if on_progress:
                on_progress(search.share_done)
        if asymmetric:
            unchanged = search.found
        return PartCount(search.found, unchanged, len(part.left), search.nodes)

    def _search(self, part: SymmetricPart, *, keep_solutions: bool) -> Search:
        return Search(
            self.packed.cover, part.part, keep_solutions=keep_solutions, encoding=self.encoding
        )


@lru_cache(maxsize=4)
def problem(puzzle: PackingPuzzle) -> Problem:
    """Return the puzzle made ready; the last few are kept, for a process that searches parts."""
    packed = packing(puzzle)
    encoding = encode(packed.cover)
    permutations = list(item_permutations(packed, reflections=puzzle.reflections))
    return Problem(packed, encoding, SymmetryGroup(packed.cover, encoding, permutations))
