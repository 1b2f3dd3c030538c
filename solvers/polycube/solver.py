"""Solutions of packing puzzles: all of them, how many, or the first."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from solvers.polycube.placements import packing
from solvers.polycube.problem import PartCount, problem
from solvers.polycube.puzzle import PackingPuzzle, PackingSolution
from solvers.search import exact_cover
from solvers.search.exact_cover import Progress


@dataclass(frozen=True)
class Count:
    """How many solutions a puzzle has: in all, and up to the symmetry of its target.

    `nodes` is the size of the search tree that was walked.
    """

    total: int
    up_to_symmetry: int
    nodes: int


def solutions(puzzle: PackingPuzzle, *, every: bool = False) -> Iterator[PackingSolution]:
    """Yield one solution of each class of images under the target's symmetries.

    With `every`, yield their images as well: all ways to fill the target. Raises PuzzleError
    before any search if the volumes cannot match.
    """
    if every:
        packed = packing(puzzle)
        for chosen in exact_cover.solutions(packed.cover):
            yield packed.solution(chosen)
        return
    ready = problem(puzzle)
    for part in ready.parts():
        for chosen in exact_cover.solutions(ready.packed.cover, part.part):
            for solution in ready.representatives(part, [chosen]):
                yield ready.packed.solution(solution)


def count(puzzle: PackingPuzzle, *, on_progress: Progress | None = None) -> Count:
    """Count the solutions; `on_progress` gets the estimated share of the search, 0 to 1."""
    ready = problem(puzzle)
    done = 0.0
    counts = []
    for part in ready.parts():
        share = part.part.share

        def report(of_part: float, before: float = done, share: float = share) -> None:
            if on_progress:
                on_progress(before + share * of_part)

        counts.append(ready.count(part, report))
        done += share
    return total(counts, len(ready.group))


def first(puzzle: PackingPuzzle) -> PackingSolution | None:
    """Return one solution, or None if there is none."""
    packed = packing(puzzle)
    chosen = exact_cover.first(packed.cover)
    return None if chosen is None else packed.solution(chosen)


def total(counts: Iterable[PartCount], symmetries: int) -> Count:
    """Add up the counts of all parts of a puzzle with so many symmetries.

    A solution found stands for symmetries / left in all; see `exact_cover_symmetry`.
    """
    found = unchanged = nodes = 0
    for part in counts:
        stands_for = symmetries // part.left
        found += stands_for * part.found
        unchanged += stands_for * part.unchanged
        nodes += part.nodes
    return Count(found, unchanged // symmetries, nodes)
