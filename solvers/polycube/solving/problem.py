"""A packing puzzle made ready for the search: placements, arrays, symmetries, and its parts."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from solvers.foundation.progress import Job, Progress
from solvers.polycube.puzzle import PackingPuzzle, PackingSolution
from solvers.polycube.solving.placements import Packing, packing
from solvers.polycube.solving.symmetry import item_permutations
from solvers.search.exact_cover.encoding import Encoding, encode
from solvers.search.exact_cover.enumeration import NODES_AT_ONCE
from solvers.search.exact_cover.search import Search, Solution
from solvers.search.exact_cover.split import split
from solvers.search.exact_cover.symmetry import SymmetricPart, SymmetryGroup


@dataclass(frozen=True)
class Count:
    """How many solutions a puzzle has: in all, and up to the symmetry of its target.

    `nodes` is the size of the search tree that was walked.
    """

    total: int
    up_to_symmetry: int
    nodes: int


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
class PartResult:
    """The count of one part and its solutions, one of each class; none if only counted."""

    count: PartCount
    solutions: tuple[PackingSolution, ...]


@dataclass(frozen=True)
class Problem:
    """Everything about a puzzle that the search of any of its parts needs."""

    packed: Packing
    encoding: Encoding
    group: SymmetryGroup

    def parts(self, at_least: int = 1) -> list[SymmetricPart]:
        """Return parts that hold one solution of each class, cut into at least so many."""
        reduced = list(self.group.reduce())
        return split(self.encoding, reduced, at_least)

    def search(self, part: SymmetricPart, *, keep_solutions: bool) -> Job[Progress, PartResult]:
        """Find all solutions of a part; the events tell its estimated share that is done."""
        asymmetric = len(part.left) == 1
        search = Search(
            self.packed.cover,
            part.part,
            keep_solutions=keep_solutions or not asymmetric,
            encoding=self.encoding,
        )
        unchanged = 0
        kept: list[Solution] = []
        while not search.finished:
            found = search.advance(NODES_AT_ONCE)
            if not asymmetric:
                unchanged += self.group.unchanged(found, part.left)
                found = self.group.representatives(found, part.left)
            if keep_solutions:
                kept.extend(found)
            yield Progress("", search.share_done, 1.0)
        if asymmetric:
            unchanged = search.found
        count = PartCount(search.found, unchanged, len(part.left), search.nodes)
        return PartResult(count, tuple(self.packed.solution(chosen) for chosen in kept))

    def total(self, counts: Iterable[PartCount]) -> Count:
        """Add up the counts of all parts.

        A solution found stands for (all symmetries) / (those left) solutions in all; see
        `exact_cover.symmetry` for the number of classes.
        """
        symmetries = len(self.group)
        total = unchanged = nodes = 0
        for part in counts:
            stands_for = symmetries // part.left
            total += stands_for * part.found
            unchanged += stands_for * part.unchanged
            nodes += part.nodes
        return Count(total, unchanged // symmetries, nodes)


@lru_cache(maxsize=4)
def problem(puzzle: PackingPuzzle) -> Problem:
    """Return the puzzle made ready; the last few are kept, for a process that searches parts."""
    packed = packing(puzzle)
    encoding = encode(packed.cover)
    permutations = list(item_permutations(packed, reflections=puzzle.reflections))
    return Problem(packed, encoding, SymmetryGroup(packed.cover, encoding, permutations))
