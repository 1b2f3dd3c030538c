"""Solutions of packing puzzles: all of them, how many, or one.

The work can be cut into any number of parts and given to any `concurrent.futures` executor, open
for the duration of the job; the result does not depend on it. Finished parts can be stored in
`FinishedParts`.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Final

from solvers.foundation.progress import Job, Progress, run_job, tap
from solvers.polycube.errors import PuzzleError, TooManyPlacementsError
from solvers.polycube.puzzle import PackingPuzzle, PackingSolution
from solvers.polycube.solving.colouring import why_impossible
from solvers.polycube.solving.first_fit import FirstFit
from solvers.polycube.solving.parts import FinishedParts, Found, PartSearch
from solvers.polycube.solving.placements import packing
from solvers.polycube.solving.problem import Count, problem
from solvers.search.exact_cover import frontier
from solvers.search.exact_cover import search as exact_cover
from solvers.search.exact_cover.frontier import list_encoding, make_strip
from solvers.search.exact_cover.model import ExactCoverError, encode
from solvers.search.exact_cover.search import find_one_job

if TYPE_CHECKING:
    from solvers.search.executors import Workers

LARGE_TARGET: Final = 500
NODES_OF_FIRST_FIT: Final = 1_000_000


@dataclass(frozen=True)
class AllSolutions:
    """The count, and one solution of each class."""

    count: Count
    solutions: tuple[PackingSolution, ...]


def first(puzzle: PackingPuzzle) -> PackingSolution | None:
    """Return one solution, or None if there is none.

    This and the functions below raise PuzzleError before any search if the volumes cannot match.
    """
    return find_first(puzzle)[0]


def find_first(puzzle: PackingPuzzle) -> tuple[PackingSolution | None, int]:
    """Return one solution, or None if there is none, and the number of nodes visited."""
    return run_job(find_first_job(puzzle))


def find_first_job(puzzle: PackingPuzzle) -> Job[Progress, tuple[PackingSolution | None, int]]:
    """Search for one solution; the result is it, or None, and the number of nodes visited.

    In large targets pieces are first put where they fit, for a second. Where an exact cover of all
    placements would need more memory than there is, that goes on.
    """
    puzzle.check_volume()
    fit = None
    if len(puzzle.target.cells) >= LARGE_TARGET and FirstFit.takes(puzzle):
        fit = FirstFit(puzzle)
        solution = yield from fit.search(NODES_OF_FIRST_FIT)
        if solution:
            return solution, fit.nodes
    try:
        if why_impossible(puzzle) is not None:
            return None, 0
        packed = packing(puzzle)
        found = yield from find_one_job(packed.cover)
    except (TooManyPlacementsError, ExactCoverError):
        if not FirstFit.takes(puzzle):
            raise
        fit = fit or FirstFit(puzzle)
        solution = yield from fit.search()
        return solution, fit.nodes
    solution = None if found.solution is None else packed.solution(found.solution)
    return solution, found.nodes


def draw_job(puzzle: PackingPuzzle, random: Random) -> Job[Progress, PackingSolution | None]:
    """Draw one of all solutions, each equally likely, turned ones too; None if there is none.

    Raises PuzzleError if they cannot be counted by frontiers.
    """
    puzzle.check_volume()
    if why_impossible(puzzle) is not None:
        return None
    packed = packing(puzzle)
    listing = list_encoding(encode(packed.cover))
    narrow = None if listing is None else make_strip(listing)
    chosen = None if narrow is None else (yield from frontier.draw_job(narrow, random))
    if chosen is None:
        raise PuzzleError(
            f"A random solution of {puzzle.title} cannot be drawn: its solutions cannot be counted "
            "without a search. That needs a long or narrow target and pieces with many copies."
        )
    return packed.solution(chosen) if chosen else None


def solutions(puzzle: PackingPuzzle, *, every: bool = False) -> Iterator[PackingSolution]:
    """Yield one solution of each class of images under the target's symmetries, as found.

    With `every`, yield their images as well: all ways to fill the target.
    """
    if every:
        packed = packing(puzzle)
        for chosen in exact_cover.solutions(packed.cover):
            yield packed.solution(chosen)
        return
    ready = problem(puzzle)
    for part in ready.parts():
        yield from ready.solutions(part)


def count(puzzle: PackingPuzzle, *, at_least_parts: int = 1) -> Count:
    """Count the solutions in this process, without progress events."""
    return run_job(count_job(puzzle, at_least_parts=at_least_parts))


def count_job(
    puzzle: PackingPuzzle,
    *,
    at_least_parts: int = 1,
    workers: "Workers | None" = None,
    finished: FinishedParts | None = None,
    only_parts: bool = False,
) -> Job[Progress, Count]:
    """Count the solutions in at least `at_least_parts` parts, in this process or by workers.

    Parts known to `finished` are not searched again; new ones are added. The events give the
    estimated share of the search that is done. Closing the job stops the workers. If the search is
    tiny or the puzzle can be counted without one, there are no parts, unless `only_parts`.
    """
    ready = problem(puzzle)
    if at_least_parts > 1 and not only_parts:
        tiny = ready.if_tiny(ready.parts())
        if tiny is not None:
            yield Progress("", 1.0, 1.0)
            return ready.total(tiny)
    parts = ready.parts(at_least_parts)
    counts = dict(finished.load(len(parts))) if finished else {}
    if parts and not only_parts and (counted := (yield from ready.by_frontiers())) is not None:
        return counted
    search = PartSearch(puzzle, parts, finished=finished)
    counts |= yield from search.run(set(counts), workers)
    return ready.total(counts.values())


def list_job(
    puzzle: PackingPuzzle,
    *,
    at_least_parts: int = 1,
    workers: "Workers | None" = None,
    folder: Path | None = None,
) -> Job[Progress, Count]:
    """Find one solution of each class, and count all; some of the events are `Found`.

    Solutions that workers find out of order wait, in `folder` if they share one with this process:
    then memory does not grow with the number of solutions.
    """
    ready = problem(puzzle)
    parts = ready.parts(at_least_parts)
    search = PartSearch(puzzle, parts, keep=True, folder=folder)
    counts = yield from search.run(set(), workers)
    return ready.total(counts.values())


def find_all_job(
    puzzle: PackingPuzzle, *, at_least_parts: int = 1, workers: "Workers | None" = None
) -> Job[Progress, AllSolutions]:
    """Find one solution of each class, in an order independent of the workers, and count all."""
    found: list[PackingSolution] = []

    def collect(event: Progress) -> None:
        if isinstance(event, Found):
            found.extend(event.solutions)

    job = list_job(puzzle, at_least_parts=at_least_parts, workers=workers)
    count = yield from tap(job, collect)
    return AllSolutions(count, tuple(found))
