"""Solutions of packing puzzles: all of them, how many, or the first.

The work can be cut into any number of parts and given to any `concurrent.futures` executor, opened
for the length of the job; the result does not depend on it. Parts that are finished can be kept
in a `FinishedParts` store.
"""

from collections.abc import Iterator
from concurrent.futures import (
    BrokenExecutor,
    CancelledError,
    Future,
    as_completed,
)
from dataclasses import dataclass, replace
from functools import partial

from solvers.foundation.progress import Job, Progress, retold, run_job
from solvers.polycube.errors import LostWorkerError
from solvers.polycube.puzzle import PackingPuzzle, PackingSolution
from solvers.polycube.solving.colouring import why_impossible
from solvers.polycube.solving.finished_parts import FinishedParts
from solvers.polycube.solving.placements import packing
from solvers.polycube.solving.problem import Count, PartResult, problem
from solvers.search.exact_cover import enumeration
from solvers.search.exact_cover.restarts import finding_one
from solvers.search.exact_cover.symmetry import SymmetricPart
from solvers.search.executors import Workers


@dataclass(frozen=True)
class AllSolutions:
    """The count, and one solution of each class."""

    count: Count
    solutions: tuple[PackingSolution, ...]


def first(puzzle: PackingPuzzle) -> PackingSolution | None:
    """Return one solution, or None if there is none.

    This and all below raise PuzzleError before any search if the volumes cannot match.
    """
    return find_first(puzzle)[0]


def find_first(puzzle: PackingPuzzle) -> tuple[PackingSolution | None, int]:
    """Return one solution, or None if there is none, and the number of nodes visited."""
    return run_job(finding_first(puzzle))


def finding_first(puzzle: PackingPuzzle) -> Job[Progress, tuple[PackingSolution | None, int]]:
    """Do the same as a job, the events of which tell the nodes visited so far."""
    if why_impossible(puzzle) is not None:
        return None, 0
    packed = packing(puzzle)
    found = yield from finding_one(packed.cover)
    solution = None if found.solution is None else packed.solution(found.solution)
    return solution, found.nodes


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
        yield from ready.solutions(part)


def count(puzzle: PackingPuzzle, *, at_least_parts: int = 1) -> Count:
    """Count the solutions in this process, without a word in between."""
    return run_job(counting(puzzle, at_least_parts=at_least_parts))


def counting(
    puzzle: PackingPuzzle,
    *,
    at_least_parts: int = 1,
    workers: Workers | None = None,
    finished: FinishedParts | None = None,
    only_parts: bool = False,
) -> Job[Progress, Count]:
    """Count the solutions, in at least so many parts, in this process or by workers.

    Parts that `finished` knows are not searched again, new ones are put there. The events tell
    the estimated share of the search that is done. Closing the job stops the workers. Where the
    puzzle's shape allows to count without a search, there are no parts, unless `only_parts`.
    """
    ready = problem(puzzle)
    parts = ready.parts(at_least_parts)
    counts = dict(finished.load(len(parts))) if finished else {}
    if parts and not only_parts and (counted := (yield from ready.by_frontiers())) is not None:
        return counted
    search = _PartSearch(puzzle, parts, finished=finished)
    results = yield from search.run(set(counts), workers)
    counts |= {number: result.count for number, result in results.items()}
    return ready.total(counts.values())


def finding_all(
    puzzle: PackingPuzzle,
    *,
    at_least_parts: int = 1,
    workers: Workers | None = None,
    so_far: list[PackingSolution] | None = None,
) -> Job[Progress, AllSolutions]:
    """Find one solution of each class, in an order that no workers change, and count all.

    They are put into `so_far` in this order, as they are found; it may be read after the job was
    stopped.
    """
    ready = problem(puzzle)
    parts = ready.parts(at_least_parts)
    found = [] if so_far is None else so_far
    search = _PartSearch(puzzle, parts, so_far=found)
    results = yield from search.run(set(), workers)
    return AllSolutions(ready.total(result.count for result in results.values()), tuple(found))


def search_part(puzzle: PackingPuzzle, part: SymmetricPart, keep_solutions: bool) -> PartResult:
    """Search one part; what a worker is given to do."""
    return run_job(problem(puzzle).search(part, keep_solutions=keep_solutions))


class _PartSearch:
    """Searches parts, one after the other or by workers, and adds up how much is done.

    Solutions are kept in `so_far` if that is given, in the order of the parts: those of a part that
    is done before its time wait.
    """

    def __init__(
        self,
        puzzle: PackingPuzzle,
        parts: list[SymmetricPart],
        *,
        finished: FinishedParts | None = None,
        so_far: list[PackingSolution] | None = None,
    ) -> None:
        self.puzzle = puzzle
        self.parts = parts
        self.finished = finished
        self.so_far = so_far
        self.keep_solutions = so_far is not None
        self._waiting: dict[int, tuple[PackingSolution, ...]] = {}
        self._in_order = 0
        self.results: dict[int, PartResult] = {}
        self.share_done = 0.0

    def run(self, skip: set[int], workers: Workers | None) -> Job[Progress, dict[int, PartResult]]:
        """Search every part but those to skip."""
        self.share_done = sum(self.parts[number].part.share for number in skip)
        todo = [number for number in range(len(self.parts)) if number not in skip]
        if workers is None:
            yield from self._alone(todo)
        else:
            yield from self._by_workers(todo, workers)
        return self.results

    def _alone(self, todo: list[int]) -> Job[Progress, None]:
        ready = problem(self.puzzle)
        for number in todo:
            part = self.parts[number]
            searching = ready.search(part, keep_solutions=self.keep_solutions, so_far=self.so_far)
            told = partial(self._within, part.part.share)
            self._add(number, (yield from retold(searching, told)))
            yield self._progress()

    def _within(self, share: float, part: Progress) -> Progress:
        return self._progress(part.done * share)

    def _by_workers(self, todo: list[int], workers: Workers) -> Job[Progress, None]:
        with workers() as executor:
            futures: dict[Future[PartResult], int] = {
                executor.submit(
                    search_part, self.puzzle, self.parts[number], self.keep_solutions
                ): number
                for number in todo
            }
            try:
                yield self._progress()
                for future in as_completed(futures):
                    self._take_in(futures[future], future.result().solutions)
                    self._add(futures[future], future.result())
                    yield self._progress()
            except (BrokenExecutor, CancelledError) as error:
                raise LostWorkerError(
                    "A worker ended before its work did; it may have been killed or run out of "
                    "memory."
                ) from error
            finally:
                for future in futures:
                    future.cancel()

    def _take_in(self, number: int, solutions: tuple[PackingSolution, ...]) -> None:
        self._waiting[number] = solutions
        while self.so_far is not None and self._in_order in self._waiting:
            self.so_far += self._waiting.pop(self._in_order)
            self._in_order += 1

    def _add(self, number: int, result: PartResult) -> None:
        result = replace(result, solutions=())
        self.results[number] = result
        self.share_done += self.parts[number].part.share
        if self.finished:
            self.finished.add(number, result.count)

    def _progress(self, within: float = 0.0) -> Progress:
        whole = sum(part.part.share for part in self.parts)
        return Progress("", min(whole, self.share_done + within), whole)
