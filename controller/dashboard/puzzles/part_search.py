"""The search of a packing puzzle part by part, as a job for a `Child`: what is done is never lost.

The jobs of `solvers.polycube.solving.solver` do the searching. Between them and their workers
stands an executor that knows the parts that are done already, and tells of each that is new.
"""

from collections.abc import Iterator, Mapping
from concurrent.futures import Executor, Future
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from typing import Any, Final

from solvers.foundation.progress import Job, Progress
from solvers.polycube.puzzle import PackingPuzzle, PackingSolution
from solvers.polycube.solving import solver
from solvers.polycube.solving.parts import FinishedParts, FoundRows, PartResult
from solvers.polycube.solving.problem import Count, PartCount, Problem, problem
from solvers.search.executors import processes
from solvers.search.parts import PARTS

MOST_KEPT: Final = 1000
"""Of the solutions, for looking at; all are counted."""


@dataclass(frozen=True, slots=True)
class Begun:
    """The search is ready: so many parts, of which these are known already."""

    parts: int
    counts: Mapping[int, PartCount]
    so_far: Count


@dataclass(frozen=True, slots=True)
class PartDone:
    """A part is searched; `so_far` counts all that are. `solutions` follow those told before.

    Solutions come in the order of the parts, so that no number of workers changes which is which:
    `ordered` parts are done without a gap from the first on, and theirs are told.
    """

    number: int
    count: PartCount
    so_far: Count
    share: float
    solutions: tuple[PackingSolution, ...] = ()
    ordered: int = 0


@dataclass(frozen=True, slots=True)
class Known:
    """What an earlier search has found, which need not be searched again.

    Counts that were kept on disk are read from `finished` instead.
    """

    counts: Mapping[int, PartCount] = field(default_factory=dict)
    ordered: int = 0
    solutions: int = 0
    finished: FinishedParts | None = None


def first_solution(puzzle: PackingPuzzle) -> tuple[PackingSolution | None, int]:
    """Return one solution or None, and the nodes that were visited."""
    return solver.find_first(puzzle)


def finding_one(puzzle: PackingPuzzle) -> Job[Progress, tuple[PackingSolution | None, int]]:
    """Do the same as a job, which is ended with its process alone."""
    yield Progress("looking for a solution", 0, None)
    return (yield from solver.find_first_job(puzzle))


def searching(
    puzzle: PackingPuzzle, workers: int, known: Known, *, keep_solutions: bool
) -> Job[Begun | PartDone, Count]:
    """Count the solutions in `workers` processes, and tell of the first ones if they are wanted."""
    ready = problem(puzzle)
    parts = len(ready.parts(PARTS))
    counts = dict(known.counts if known.finished is None else known.finished.load(parts))
    told = _Told(ready, known, counts, parts, keep_solutions=keep_solutions)
    yield Begun(parts, counts, ready.total(counts.values()))

    @contextmanager
    def opened() -> Iterator[Executor]:
        with processes(workers) as executor:
            told.executor = executor
            yield told

    search = solver.find_all_job if keep_solutions else partial(solver.count_job, only_parts=True)
    counts = dict(counts)
    with closing(search(puzzle, at_least_parts=PARTS, workers=opened)) as job:
        event: Progress | None = Progress("", 0, None)
        while event is not None:
            event = next(job, None)
            share = 1.0 if event is None else event.share or 0.0
            for number, result in told.new_ones():
                counts[number] = result.count
                if len(counts) == parts:
                    share = 1.0  # a part may be done before the event that counts it
                so_far = ready.total(counts.values())
                news = told.in_order(number, result)
                yield PartDone(number, result.count, so_far, share, *news)
    return ready.total(counts.values())


class _Told(Executor):
    """Gives parts to an executor, but for those that are known, and tells which are done."""

    executor: Executor

    def __init__(
        self,
        ready: Problem,
        known: Known,
        counts: Mapping[int, PartCount],
        parts: int,
        *,
        keep_solutions: bool,
    ) -> None:
        self._ready = ready
        self._known = counts
        self._submitted = 0
        self._waiting: dict[int, Future[PartResult]] = {}
        self._held_back: dict[int, FoundRows | None] = {}
        self._ordered, self._solutions = known.ordered, known.solutions
        self._parts = parts
        self._keeps = keep_solutions

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Take the parts in their order; the solver submits each of them once."""
        number, self._submitted = self._submitted, self._submitted + 1
        future: Future[PartResult]
        if number in self._known:
            future = Future()
            future.set_result(PartResult(self._known[number]))
        else:
            future = self._waiting[number] = self.executor.submit(fn, *args, **kwargs)
        return future

    def new_ones(self) -> Iterator[tuple[int, PartResult]]:
        """Yield what is done and was not told of yet."""
        for number in [number for number, future in self._waiting.items() if _has_result(future)]:
            yield number, self._waiting.pop(number).result()

    def in_order(self, number: int, result: PartResult) -> tuple[tuple[PackingSolution, ...], int]:
        """Return the solutions that can be told now, and how many parts theirs are."""
        if not self._keeps:
            return (), 0
        self._held_back[number] = result.found
        told: list[PackingSolution] = []
        while self._ordered < self._parts:
            if self._ordered in self._held_back:
                found = self._held_back.pop(self._ordered)
                told += islice(self._solutions_of(found), MOST_KEPT - self._solutions - len(told))
            elif self._ordered not in self._known:
                break
            self._ordered += 1
        self._solutions += len(told)
        return tuple(told), self._ordered

    def _solutions_of(self, found: FoundRows | None) -> Iterator[PackingSolution]:
        for rows in found.take() if found else ():
            yield from self._ready.decode(rows)


def _has_result(future: Future[PartResult]) -> bool:
    return future.done() and not future.cancelled() and future.exception() is None
