"""The search of a puzzle's parts, one after another or by workers; the rows and counts it keeps."""

import hashlib
import os
import tempfile
from collections.abc import Iterator
from concurrent.futures import BrokenExecutor, CancelledError, Future, as_completed
from dataclasses import astuple, dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Final

import numpy as np

from solvers.foundation.errors import PuzzlerigError
from solvers.foundation.progress import Job, Progress, map_events, run_job
from solvers.polycube.errors import LostWorkerError
from solvers.polycube.puzzle import PackingPuzzle, PackingSolution
from solvers.polycube.puzzle_file import dumps
from solvers.polycube.solving.problem import PartCount, Rows, problem
from solvers.search.exact_cover.search import room_for
from solvers.search.exact_cover.symmetry import SymmetricPart
from solvers.search.parts import PartStore

if TYPE_CHECKING:
    from solvers.search.executors import Workers

# Bytes, for each of some hundred parts, if there is a folder for the rest.
MOST_IN_MEMORY: Final = 65_536
ROWS_AT_ONCE: Final = 1000


@dataclass(frozen=True)
class FoundRows:
    """The rows of one part, those in the file first. It can be sent to another process."""

    width: int
    kind: str
    file: Path | None
    rest: bytes

    def take(self) -> Iterator[Rows]:
        """Yield the rows in their order, some at a time; deletes the file."""
        if self.width == 0:
            return
        kind = np.dtype(self.kind)
        if self.file is not None:
            with self.file.open("rb") as file:
                while data := file.read(ROWS_AT_ONCE * self.width * kind.itemsize):
                    yield np.frombuffer(data, kind).reshape(-1, self.width)
            self.file.unlink()
        rest = np.frombuffer(self.rest, kind).reshape(-1, self.width)
        for start in range(0, len(rest), ROWS_AT_ONCE):
            yield rest[start : start + ROWS_AT_ONCE]


class RowBuffer:
    """Collects the rows of a part: option numbers up to `options`.

    With a `folder`, they are moved to a file there when they become many.
    """

    def __init__(self, options: int, folder: Path | None) -> None:
        self._kind = np.min_scalar_type(options)
        self._folder = folder
        self._width = 0
        self._waiting = bytearray()
        self._file: Path | None = None

    def add(self, rows: Rows) -> None:
        """Add rows, all of the same width."""
        self._width = rows.shape[1]
        # The smallest integer type that holds all option numbers.
        self._waiting += rows.astype(self._kind).tobytes()
        if self._folder is not None and len(self._waiting) > MOST_IN_MEMORY:
            self._write_to_file(self._folder)

    def rows(self) -> FoundRows:
        """Return all rows."""
        return FoundRows(self._width, self._kind.str, self._file, bytes(self._waiting))

    def _write_to_file(self, folder: Path) -> None:
        try:
            with self._open(folder) as file:
                file.write(self._waiting)
        except OSError as error:
            raise PuzzlerigError(
                f"Solutions cannot be stored in {folder}: {error.strerror}. Free some space "
                "there, or set TMPDIR to another folder."
            ) from error
        self._waiting.clear()

    def _open(self, folder: Path) -> BinaryIO:
        if self._file is None:
            handle, name = tempfile.mkstemp(dir=folder, suffix=".rows")
            self._file = Path(name)
            return os.fdopen(handle, "wb")
        return self._file.open("ab")


# Finished parts of a long count.

# Increase this when parts are cut or counted differently, so that old files are ignored.
VERSION: Final = 3


class FinishedParts(PartStore[PartCount]):
    """A file in `folder` that belongs to one puzzle, named by a hash of its content."""

    def __init__(self, folder: Path, puzzle: PackingPuzzle, *, resume: bool) -> None:
        super().__init__(
            folder / f"{puzzle_hash(puzzle)}.json",
            VERSION,
            resume=resume,
            row=_row,
            read=_count,
        )


def _row(count: PartCount) -> list[Any]:
    return list(astuple(count))


def _count(row: list[Any]) -> PartCount:
    return PartCount(*row)


def puzzle_hash(puzzle: PackingPuzzle) -> str:
    """Return a hash of the puzzle that does not depend on its names and source."""
    text = dumps(replace(puzzle, name="puzzle", title="", source="", target_name="", saved=()))
    return hashlib.sha256(text.encode("utf-8")).hexdigest()[:32]


@dataclass(frozen=True)
class PartResult:
    """The count of one part and its solutions, one of each class; none if only counted."""

    count: PartCount
    found: FoundRows | None = None


@dataclass(frozen=True, slots=True)
class Found(Progress):
    """Progress with the next solutions, in an order that does not depend on the workers."""

    solutions: tuple[PackingSolution, ...] = ()


def search_part(
    puzzle: PackingPuzzle, part: SymmetricPart, keep: bool, folder: Path | None
) -> PartResult:
    """Search one part; the function that workers run."""
    ready = problem(puzzle)
    if not keep:
        return PartResult(run_job(ready.search(part)))
    keeper = RowBuffer(ready.encoding.options, folder)
    count = run_job(ready.search(part, keep=keeper.add))
    return PartResult(count, keeper.rows())


class PartSearch:
    """A search of parts, which adds up the share that is done.

    With `keep`, events contain the solutions, those of one part after those of another. What is
    found out of order waits, in `folder` if the workers share one with this process.

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
        self._next_part = 0

    def run(self, skip: set[int], workers: "Workers | None") -> Job[Progress, dict[int, PartCount]]:
        """Search every part except those to skip."""
        self.share_done = sum(self.parts[number].part.share for number in skip)
        # In order of parts, so that solutions wait as little as possible.
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
            report = partial(self._with_solutions, part.part.share, rows)
            self._add(number, (yield from map_events(search, report)))
            yield self._progress()

    def _with_solutions(self, share: float, rows: list[Rows], part: Progress) -> Progress:
        progress = self._progress(part.done * share)
        found = tuple(each for some in rows for each in self.ready.decode(some))
        rows.clear()
        return Found("", progress.done, progress.total, solutions=found) if found else progress

    def _by_workers(self, todo: list[int], workers: "Workers") -> Job[Progress, None]:
        with workers() as executor:
            futures: dict[Future[PartResult], int] = {
                executor.submit(
                    search_part, self.puzzle, self.parts[number], self.keep, self.folder
                ): number
                for number in todo
            }
            try:
                yield self._progress()
                # A list, because `futures` shrinks while it is iterated.
                for future in as_completed(list(futures)):
                    # Drop the future, so that its result is freed when it has been used.
                    number, result = futures.pop(future), future.result()
                    self._waiting[number] = result.found
                    self._add(number, result.count)
                    del future, result
                    yield from self._in_order()
                    yield self._progress()
            except (BrokenExecutor, CancelledError) as error:
                raise LostWorkerError(
                    "A worker ended before its work did; it may have been killed or run out of "
                    "memory."
                ) from error
            finally:
                for future in futures:
                    future.cancel()

    def _in_order(self) -> Iterator[Progress]:
        """Yield what was found, up to the first part that is not done yet."""
        while self.keep and self._next_part in self._waiting:
            found = self._waiting.pop(self._next_part)
            self._next_part += 1
            done = self._progress()
            for rows in found.take() if found else ():
                solutions = tuple(self.ready.decode(rows))
                yield Found("", done.done, done.total, solutions=solutions)

    def _add(self, number: int, count: PartCount) -> None:
        self.counts[number] = count
        self.share_done += self.parts[number].part.share
        if self.finished:
            self.finished.add(number, count)

    def _progress(self, within: float = 0.0) -> Progress:
        whole = sum(part.part.share for part in self.parts)
        return Progress("", min(whole, self.share_done + within), whole)
