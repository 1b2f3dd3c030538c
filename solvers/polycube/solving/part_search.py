"""The parts of a search, one after the other or by workers, with what they find in their order."""

from collections.abc import Iterator
from concurrent.futures import BrokenExecutor, CancelledError, Future, as_completed
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from solvers.foundation.progress import Job, Progress, retold, run_job
from solvers.polycube.errors import LostWorkerError
from solvers.polycube.puzzle import PackingPuzzle, PackingSolution
from solvers.polycube.solving.finished_parts import FinishedParts
from solvers.polycube.solving.found_rows import FoundRows, Rows, RowsKeeper
from solvers.polycube.solving.problem import PartCount, PartResult, problem
from solvers.search.exact_cover.search import room_for
from solvers.search.exact_cover.symmetry import SymmetricPart
from solvers.search.executors import Workers


@dataclass(frozen=True, slots=True)
class Found(Progress):
    """Progress that brings solutions: the next ones, in an order that no workers change."""

    solutions: tuple[PackingSolution, ...] = ()


def search_part(
    puzzle: PackingPuzzle, part: SymmetricPart, keep: bool, folder: Path | None
) -> PartResult:
    """Search one part; what a worker is given to do."""
    ready = problem(puzzle)
    if not keep:
        return PartResult(run_job(ready.search(part)))
    keeper = RowsKeeper(ready.encoding.options, folder)
    count = run_job(ready.search(part, keep=keeper.add))
    return PartResult(count, keeper.found())


class PartSearch:
    """Searches parts, and adds up how much is done.

    With `keep` it tells the solutions, those of one part after those of another: what is found
    before its turn waits, in `folder` if the workers share one with this process.

    Raises ExactCoverError if a search might take more memory than there is.
    """

    def __init__(
        self,
        puzzle: PackingPuzzle,
        parts: list[SymmetricPart],
        *,
        finished: FinishedParts | None = None,
        keep: bool = False,
        folder: Path | None = None,
    ) -> None:
        self.puzzle = puzzle
        self.ready = problem(puzzle)
        room_for(self.ready.encoding)
        self.parts = parts
        self.finished = finished
        self.keep = keep
        self.folder = folder
        self.counts: dict[int, PartCount] = {}
        self.share_done = 0.0
        self._waiting: dict[int, FoundRows | None] = {}
        self._told = 0

    def run(self, skip: set[int], workers: Workers | None) -> Job[Progress, dict[int, PartCount]]:
        """Search every part but those to skip."""
        self.share_done = sum(self.parts[number].part.share for number in skip)
        todo = [number for number in range(len(self.parts)) if number not in skip]
        if workers is None:
            yield from self._alone(todo)
        else:
            yield from self._by_workers(todo, workers)
        return self.counts

    def _alone(self, todo: list[int]) -> Job[Progress, None]:
        rows: list[Rows] = []
        for number in todo:
            part = self.parts[number]
            search = self.ready.search(part, keep=rows.append if self.keep else None)
            told = partial(self._within, part.part.share, rows)
            self._add(number, (yield from retold(search, told)))
            yield self._progress()

    def _within(self, share: float, rows: list[Rows], part: Progress) -> Progress:
        progress = self._progress(part.done * share)
        found = tuple(each for some in rows for each in self.ready.made_of(some))
        rows.clear()
        return Found("", progress.done, progress.total, solutions=found) if found else progress

    def _by_workers(self, todo: list[int], workers: Workers) -> Job[Progress, None]:
        with workers() as executor:
            futures: dict[Future[PartResult], int] = {
                executor.submit(
                    search_part, self.puzzle, self.parts[number], self.keep, self.folder
                ): number
                for number in todo
            }
            try:
                yield self._progress()
                for future in as_completed(list(futures)):
                    # What has come is not held by its future any longer.
                    number, result = futures.pop(future), future.result()
                    self._waiting[number] = result.found
                    self._add(number, result.count)
                    del future, result
                    yield from self._whose_turn_it_is()
                    yield self._progress()
            except (BrokenExecutor, CancelledError) as error:
                raise LostWorkerError(
                    "A worker ended before its work did; it may have been killed or run out of "
                    "memory."
                ) from error
            finally:
                for future in futures:
                    future.cancel()

    def _whose_turn_it_is(self) -> Iterator[Progress]:
        """Tell what was found, up to the first part that is not done yet."""
        while self.keep and self._told in self._waiting:
            found = self._waiting.pop(self._told)
            self._told += 1
            done = self._progress()
            for rows in found.take() if found else ():
                solutions = tuple(self.ready.made_of(rows))
                yield Found("", done.done, done.total, solutions=solutions)

    def _add(self, number: int, count: PartCount) -> None:
        self.counts[number] = count
        self.share_done += self.parts[number].part.share
        if self.finished:
            self.finished.add(number, count)

    def _progress(self, within: float = 0.0) -> Progress:
        whole = sum(part.part.share for part in self.parts)
        return Progress("", min(whole, self.share_done + within), whole)
