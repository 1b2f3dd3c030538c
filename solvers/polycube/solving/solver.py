"""Solutions of packing puzzles: all of them, how many, or the first.

The work can be cut into any number of parts and given to any `concurrent.futures` executor; the
result does not depend on it. Parts that are finished can be kept in a `FinishedParts` store.
"""

from collections.abc import Iterator
from concurrent.futures import (
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    as_completed,
)

from solvers.polycube.errors import LostWorkerError
from solvers.polycube.puzzle import PackingPuzzle, PackingSolution
from solvers.polycube.solving.finished_parts import FinishedParts
from solvers.polycube.solving.placements import packing
from solvers.polycube.solving.problem import Count, PartResult, Problem, problem
from solvers.search.exact_cover import enumeration
from solvers.search.exact_cover.enumeration import NODES_AT_ONCE, Progress
from solvers.search.exact_cover.search import Search
from solvers.search.exact_cover.symmetry import SymmetricPart


def first(puzzle: PackingPuzzle) -> PackingSolution | None:
    """Return one solution, or None if there is none.

    This and all below raise PuzzleError before any search if the volumes cannot match.
    """
    return find_first(puzzle)[0]


def find_first(puzzle: PackingPuzzle) -> tuple[PackingSolution | None, int]:
    """Return one solution, or None if there is none, and the number of nodes visited."""
    packed = packing(puzzle)
    search = Search(packed.cover)
    while not search.finished:
        for chosen in search.advance(NODES_AT_ONCE):
            return packed.solution(chosen), search.nodes
    return None, search.nodes


def solutions(puzzle: PackingPuzzle, *, every: bool = False) -> Iterator[PackingSolution]:
    """Yield one solution of each class of images under the target's symmetries, as found.

    With `every`, yield their images as well: all ways to fill the target.
    """
    if every:
        packed = packing(puzzle)
        for chosen in enumeration.solutions(packed.cover):
            yield packed.solution(chosen)
        return
    ready = problem(puzzle)
    for part in ready.parts():
        for chosen in enumeration.solutions(ready.packed.cover, part.part):
            if len(part.left) == 1 or ready.group.representatives([chosen], part.left):
                yield ready.packed.solution(chosen)


def count(
    puzzle: PackingPuzzle,
    *,
    at_least_parts: int = 1,
    executor: Executor | None = None,
    finished: FinishedParts | None = None,
    on_progress: Progress | None = None,
) -> Count:
    """Count the solutions, in at least so many parts, in this process or by an executor.

    Parts that `finished` knows are not searched again, new ones are put there. `on_progress` gets
    the estimated share of the search that is done, from 0 to 1.
    """
    ready = problem(puzzle)
    parts = ready.parts(at_least_parts)
    counts = dict(finished.load(len(parts))) if finished else {}
    for number, result in _search_parts(
        puzzle, ready, parts, set(counts), executor, keep_solutions=False, on_progress=on_progress
    ):
        counts[number] = result.count
        if finished:
            finished.add(number, result.count)
    return ready.total(counts.values())


def find_all(
    puzzle: PackingPuzzle,
    *,
    at_least_parts: int = 1,
    executor: Executor | None = None,
    on_progress: Progress | None = None,
) -> tuple[Count, list[PackingSolution]]:
    """Return the count and one solution of each class, in an order that no executor changes."""
    ready = problem(puzzle)
    parts = ready.parts(at_least_parts)
    results: dict[int, PartResult] = dict(
        _search_parts(
            puzzle, ready, parts, set(), executor, keep_solutions=True, on_progress=on_progress
        )
    )
    in_order = [results[number] for number in range(len(parts))]
    found = [solution for result in in_order for solution in result.solutions]
    return ready.total(result.count for result in in_order), found


def search_part(puzzle: PackingPuzzle, part: SymmetricPart, keep_solutions: bool) -> PartResult:
    """Search one part; what an executor is given to do."""
    return problem(puzzle).search(part, keep_solutions=keep_solutions)


def _search_parts(
    puzzle: PackingPuzzle,
    ready: Problem,
    parts: list[SymmetricPart],
    skip: set[int],
    executor: Executor | None,
    *,
    keep_solutions: bool,
    on_progress: Progress | None,
) -> Iterator[tuple[int, PartResult]]:
    """Yield number and result of every part not skipped, as they are finished."""
    meter = _Meter(parts, skip, on_progress)
    todo = [number for number in range(len(parts)) if number not in skip]
    if executor is None:
        for number in todo:
            part = parts[number]
            within = meter.within(part)
            result = ready.search(part, keep_solutions=keep_solutions, on_progress=within)
            meter.finished(part)
            yield number, result
        return
    futures: dict[Future[PartResult], int] = {
        executor.submit(search_part, puzzle, parts[number], keep_solutions): number
        for number in todo
    }
    try:
        for future in as_completed(futures):
            number = futures[future]
            result = future.result()
            meter.finished(parts[number])
            yield number, result
    except (BrokenExecutor, CancelledError) as error:
        raise LostWorkerError(
            "A worker ended before its work did; it may have been killed or run out of memory."
        ) from error
    finally:
        for future in futures:
            future.cancel()


class _Meter:
    """Turns finished parts, and progress within one, into the share of the whole search."""

    def __init__(
        self, parts: list[SymmetricPart], skip: set[int], on_progress: Progress | None
    ) -> None:
        self._report = on_progress
        self._all = sum(part.part.share for part in parts)
        self._done = sum(parts[number].part.share for number in skip)

    def within(self, part: SymmetricPart) -> Progress | None:
        if self._report is None:
            return None
        return lambda share: self._tell(self._done + share * part.part.share)

    def finished(self, part: SymmetricPart) -> None:
        self._done += part.part.share
        self._tell(self._done)

    def _tell(self, share: float) -> None:
        if self._report:
            self._report(min(1.0, share / self._all))
