"""A packing puzzle made ready for the search: placements, arrays, symmetries, and its parts."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from solvers.foundation.progress import Job, Progress
from solvers.polycube.puzzle import PackingPuzzle, PackingSolution
from solvers.polycube.solving.colouring import why_impossible
from solvers.polycube.solving.found_rows import FoundRows, Rows
from solvers.polycube.solving.mirroring import MirrorPairs, mirror_pairs
from solvers.polycube.solving.placements import Packing, packing
from solvers.polycube.solving.symmetry import item_permutations
from solvers.search.exact_cover.encoding import Encoding, as_booleans, encode
from solvers.search.exact_cover.frontier import counting, quotient, strip, strip_of
from solvers.search.exact_cover.search import (
    NODES_AT_ONCE,
    Search,
    as_solutions,
    growing_portions,
)
from solvers.search.exact_cover.split import split
from solvers.search.exact_cover.symmetry import SymmetricPart, SymmetryGroup


@dataclass(frozen=True)
class Count:
    """How many solutions a puzzle has: in all, and up to the symmetry of its target.

    `nodes` is the size of the search tree that was walked, or the number of frontiers.
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
    found: FoundRows | None = None


@dataclass(frozen=True)
class Problem:
    """Everything about a puzzle that the search of any of its parts needs."""

    packed: Packing
    encoding: Encoding
    group: SymmetryGroup
    pairs: MirrorPairs | None = None

    def parts(self, at_least: int = 1) -> list[SymmetricPart]:
        """Return parts that hold one solution of each class, cut into at least so many.

        There are none where a colouring proves that there is no solution.
        """
        if why_impossible(self.packed.puzzle) is not None:
            return []
        reduced = list(self.group.reduce())
        return split(self.encoding, reduced, at_least)

    def search(
        self, part: SymmetricPart, *, keep: Callable[[Rows], object] | None = None
    ) -> Job[Progress, PartCount]:
        """Find all solutions of a part; the events tell its estimated share that is done.

        `keep` is handed the solutions as they are found, one of each class; without it they are
        only counted.
        """
        asymmetric = len(part.left) == 1
        search = Search(
            self.packed.cover,
            part.part,
            keep_solutions=keep is not None or not asymmetric or self.pairs is not None,
            encoding=self.encoding,
        )
        found = unchanged = spoken_for = 0
        while not search.finished:
            rows = search.advance_rows(NODES_AT_ONCE)
            if not asymmetric:
                compared = self.group.compare(rows, part)
                found += compared.found
                unchanged += compared.unchanged
                rows = compared.smallest
            if self.pairs is not None:
                classes, rows = len(rows), self.pairs.one_of_each(rows)
                spoken_for += classes - len(rows)
            if keep is not None:
                keep(rows)
            yield Progress("", search.share_done, 1.0)
        if asymmetric:
            found = unchanged = search.found
        # Every class adds up to the number of symmetries left.
        unchanged -= len(part.left) * spoken_for
        return PartCount(found, unchanged, len(part.left), search.nodes)

    def made_of(self, rows: Rows) -> Iterator[PackingSolution]:
        """Yield the solutions that the search has found as rows."""
        return map(self.packed.solution, as_solutions(rows, self.encoding.options))

    def solutions(self, part: SymmetricPart) -> Iterator[PackingSolution]:
        """Yield one solution of each class in a part, as found."""
        search = Search(self.packed.cover, part.part, encoding=self.encoding)
        portions = growing_portions()
        while not search.finished:
            rows = search.advance_rows(next(portions))
            if len(part.left) > 1:
                rows = self.group.compare(rows, part).smallest
            if self.pairs is not None:
                rows = self.pairs.one_of_each(rows)
            yield from self.made_of(rows)

    def by_frontiers(self) -> Job[Progress, Count | None]:
        """Count without a search; the result is None if the puzzle's shape does not suit that.

        The classes are counted by Burnside's lemma from the solutions that each symmetry leaves
        unchanged.
        """
        if self.pairs is not None:
            return None
        narrow = strip_of(self.encoding)
        rows, required = self.encoding.rows, as_booleans(self.encoding.required)
        total = unchanged = visited = 0
        for number, image in enumerate(self.group.images):
            if number > 0:
                narrow = strip(*quotient(rows, required, image))
            found = (yield from counting(narrow)) if narrow else None
            if found is None:
                return None
            total = found.solutions if number == 0 else total
            unchanged += found.solutions
            visited += found.visited
        return Count(total, unchanged // len(self.group), visited)

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
    group = SymmetryGroup(packed.cover, encoding, permutations)
    return Problem(packed, encoding, group, mirror_pairs(packed, group.images))
