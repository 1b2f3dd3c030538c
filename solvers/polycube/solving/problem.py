"""A packing puzzle prepared for the search: placements, arrays, symmetries, and its parts."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, Final

from numpy.typing import NDArray

from solvers.foundation.progress import Job, Progress, run_job
from solvers.polycube.puzzle import PackingPuzzle, PackingSolution
from solvers.polycube.solving.colouring import why_impossible
from solvers.polycube.solving.placements import Packing, packing
from solvers.polycube.solving.symmetry import MirrorPairs, item_permutations, mirror_pairs
from solvers.search.exact_cover.frontier import (
    count_job,
    list_encoding,
    make_narrow_strip,
    make_strip,
    quotient,
)
from solvers.search.exact_cover.model import Encoding, encode
from solvers.search.exact_cover.search import (
    NODES_AT_ONCE,
    Search,
    as_solutions,
    growing_portions,
)
from solvers.search.exact_cover.symmetry import SymmetricPart, SymmetryGroup, split

NODES_OF_TINY_SEARCH: Final = 50_000
"""Some milliseconds: a search with fewer takes less time than cutting it into parts."""

# Solutions, one a row: ascending option numbers, padded with the number of options.
Rows = NDArray[Any]


@dataclass(frozen=True)
class Count:
    """Number of solutions of a puzzle, in all and up to the symmetry of its target.

    `nodes` is the size of the search tree, or the number of frontiers.
    """

    total: int
    up_to_symmetry: int
    nodes: int


@dataclass(frozen=True)
class PartCount:
    """Result of the search of one part.

    `found` is the number of solutions, `left` that of the symmetries left in the part. `unchanged`
    is the number of pairs of a solution and such a symmetry that leaves it unchanged.
    """

    found: int
    unchanged: int
    left: int
    nodes: int


@dataclass(frozen=True)
class Problem:
    """Everything that the search of any part of a puzzle needs."""

    packed: Packing
    encoding: Encoding
    group: SymmetryGroup
    pairs: MirrorPairs | None = None

    def parts(self, at_least: int = 1) -> list[SymmetricPart]:
        """Return at least `at_least` parts, if possible, that hold one solution of each class.

        There are none if a colouring proves that there is no solution.
        """
        if why_impossible(self.packed.puzzle) is not None:
            return []
        return split(self.encoding, self._reduced, at_least)

    @cached_property
    def _reduced(self) -> list[SymmetricPart]:
        return list(self.group.reduce())

    def if_tiny(self, parts: Iterable[SymmetricPart]) -> list[PartCount] | None:
        """Return the counts of all parts if these are tiny, otherwise None."""
        counts, left = [], NODES_OF_TINY_SEARCH
        for part in parts:
            job = self.search(part, nodes_at_once=left)
            try:
                if next(job).done < 1.0:
                    job.close()
                    return None
                counts.append(run_job(job))
            except StopIteration as nothing_to_search:
                counts.append(nothing_to_search.value)
            left -= counts[-1].nodes
            if left <= 0:
                return None
        return counts

    def search(
        self,
        part: SymmetricPart,
        *,
        keep: Callable[[Rows], object] | None = None,
        nodes_at_once: int = NODES_AT_ONCE,
    ) -> Job[Progress, PartCount]:
        """Find all solutions of a part; the events give its estimated share that is done.

        `keep` is called with the solutions as they are found, one of each class; without it they
        are only counted.
        """
        # Only the identity is left: no solution needs to be compared with images.
        asymmetric = len(part.left) == 1
        search = Search(
            self.packed.cover,
            part.part,
            keep_solutions=keep is not None or not asymmetric or self.pairs is not None,
            encoding=self.encoding,
        )
        found = unchanged = mirrored = 0
        while not search.finished:
            rows = search.advance_rows(nodes_at_once)
            if not asymmetric:
                compared = self.group.compare(rows, part)
                found += compared.found
                unchanged += compared.unchanged
                rows = compared.smallest
            if self.pairs is not None:
                classes, rows = len(rows), self.pairs.one_of_each(rows)
                mirrored += classes - len(rows)
            if keep is not None:
                keep(rows)
            yield Progress("", search.share_done, 1.0)
        if asymmetric:
            found = unchanged = search.found
        # By Burnside's lemma `unchanged` has len(part.left) pairs for each class, here for each
        # that is dropped as a mirror image.
        unchanged -= len(part.left) * mirrored
        return PartCount(found, unchanged, len(part.left), search.nodes)

    def decode(self, rows: Rows) -> Iterator[PackingSolution]:
        """Yield the solutions that rows of the search stand for."""
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
            yield from self.decode(rows)

    def by_frontiers(self) -> Job[Progress, Count | None]:
        """Count without a search; the result is None if the puzzle is not long and narrow.

        The classes are counted by Burnside's lemma from the solutions that each symmetry leaves
        unchanged.
        """
        if self.pairs is not None:
            return None
        listing = list_encoding(self.encoding)
        if listing is None:
            return None
        narrow = make_narrow_strip(listing)
        total = unchanged = visited = 0
        for number, image in enumerate(self.group.images):
            if number > 0:
                narrow = make_strip(quotient(listing, image))
            found = (yield from count_job(narrow)) if narrow else None
            if found is None:
                return None
            # The identity comes first, and leaves all solutions unchanged.
            total = found.solutions if number == 0 else total
            unchanged += found.solutions
            visited += found.visited
        return Count(total, unchanged // len(self.group), visited)

    def total(self, counts: Iterable[PartCount]) -> Count:
        """Return the sum of the counts of all parts.

        A solution found represents (all symmetries) / (those left) solutions in all; see
        `exact_cover.symmetry` for the number of classes.
        """
        symmetries = len(self.group)
        total = unchanged = nodes = 0
        for part in counts:
            represents = symmetries // part.left
            total += represents * part.found
            unchanged += represents * part.unchanged
            nodes += part.nodes
        return Count(total, unchanged // symmetries, nodes)


@lru_cache(maxsize=4)
def problem(puzzle: PackingPuzzle) -> Problem:
    """Return the prepared puzzle; the last few are cached, for a process that searches parts."""
    packed = packing(puzzle)
    encoding = encode(packed.cover)
    permutations = list(item_permutations(packed, reflections=puzzle.reflections))
    group = SymmetryGroup(packed.cover, encoding, permutations)
    return Problem(packed, encoding, group, mirror_pairs(packed, group.images))
