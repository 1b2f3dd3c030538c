"""Packing puzzles on the page: what is shown of them, and their searches part by part.

The jobs of `solvers.polycube.solving.solver` search, in a worker process. Between them and their
own workers stands an executor that knows the parts that are done already and reports each new one,
so that nothing found is lost when a search stops.
"""

from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Executor, Future
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from typing import Any, Final

from platformdirs import user_state_path

from controller.dashboard.puzzles import pictures
from controller.dashboard.puzzles.library import Entry, Library
from controller.dashboard.puzzles.search import Outcome, Search
from controller.dashboard.puzzles.view import PackRequest, SearchView, ShowRequest, solutions_word
from controller.dashboard.worker import RestartingWorker, WorkerProcess
from solvers.foundation.errors import PuzzlerigError
from solvers.foundation.progress import Job, Progress
from solvers.polycube.puzzle import PackingPuzzle, PackingSolution
from solvers.polycube.solving import solver
from solvers.polycube.solving.parts import FinishedParts, FoundRows, PartResult
from solvers.polycube.solving.problem import Count, PartCount, Problem, problem
from solvers.search.executors import processes
from solvers.search.parts import PARTS

MAX_SOLUTIONS: Final = 1000
"""Of the solutions, for looking at; all are counted."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """The search is ready: the number of parts, and the counts of those that are known already."""

    parts: int
    counts: Mapping[int, PartCount]
    so_far: Count


@dataclass(frozen=True, slots=True)
class PartDone:
    """A part is searched; `so_far` counts all that are. `solutions` follow those before.

    Solutions come in the order of the parts, so that no number of workers changes which is which:
    `ordered` parts are done without a gap from the first on, and theirs are included.
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

    Counts that were saved on disk are read from `finished` instead.
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
) -> Job[Prepared | PartDone, Count]:
    """Count the solutions in `workers` processes, with the first ones if they are wanted."""
    ready = problem(puzzle)
    parts = len(ready.parts(PARTS))
    counts = dict(known.counts if known.finished is None else known.finished.load(parts))
    part_executor = _PartExecutor(ready, known, counts, parts, keep_solutions=keep_solutions)
    yield Prepared(parts, counts, ready.total(counts.values()))

    @contextmanager
    def opened() -> Iterator[Executor]:
        with processes(workers) as executor:
            part_executor.executor = executor
            yield part_executor

    search = solver.find_all_job if keep_solutions else partial(solver.count_job, only_parts=True)
    counts = dict(counts)
    with closing(search(puzzle, at_least_parts=PARTS, workers=opened)) as job:
        event: Progress | None = Progress("", 0, None)
        while event is not None:
            event = next(job, None)
            share = 1.0 if event is None else event.share or 0.0
            for number, result in part_executor.new_results():
                counts[number] = result.count
                if len(counts) == parts:
                    share = 1.0  # a part may be done before the event that counts it
                so_far = ready.total(counts.values())
                news = part_executor.in_order(number, result)
                yield PartDone(number, result.count, so_far, share, *news)
    return ready.total(counts.values())


class _PartExecutor(Executor):
    """Passes parts to an executor, except those that are known, and reports which are done."""

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

    def new_results(self) -> Iterator[tuple[int, PartResult]]:
        """Yield results that were not reported yet."""
        for number in [number for number, future in self._waiting.items() if _has_result(future)]:
            yield number, self._waiting.pop(number).result()

    def in_order(self, number: int, result: PartResult) -> tuple[tuple[PackingSolution, ...], int]:
        """Return the solutions that are next in order, and the number of parts they complete."""
        if not self._keeps:
            return (), 0
        self._held_back[number] = result.found
        solutions: list[PackingSolution] = []
        while self._ordered < self._parts:
            if self._ordered in self._held_back:
                found = self._held_back.pop(self._ordered)
                room = MAX_SOLUTIONS - self._solutions - len(solutions)
                solutions += islice(self._solutions_of(found), room)
            elif self._ordered not in self._known:
                break
            self._ordered += 1
        self._solutions += len(solutions)
        return tuple(solutions), self._ordered

    def _solutions_of(self, found: FoundRows | None) -> Iterator[PackingSolution]:
        for rows in found.take() if found else ():
            yield from self._ready.decode(rows)


def _has_result(future: Future[PartResult]) -> bool:
    return future.done() and not future.cancelled() and future.exception() is None


TITLES: Final = {"count": "Count all solutions", "all": "Find all solutions", "first": "Find one"}
MOST_ON_A_PAGE: Final = 100
OF_A_SOLUTION: Final[dict[str, Callable[[PackingPuzzle, PackingSolution], bytes]]] = {
    "svg": pictures.steps_as_svg,
    "pdf": pictures.steps_as_pdf,
}


class Packing:
    """Packing puzzles on the page."""

    def __init__(self, library: Library, search: Search, worker: RestartingWorker) -> None:
        self._library = library
        self._search = search
        self._worker = worker

    def show(self, request: ShowRequest) -> dict[str, Any]:
        """Return a puzzle and the story of one of its solutions, for the viewer.

        One solution of a puzzle of the library is found when it is first looked at; who drops a
        file asks for its first search himself, which may take any time.
        """
        entry = self._library.named(request.puzzle)
        if not entry.is_own:
            self._find_first(entry)
        solutions = entry.shown
        number = max(1, min(request.solution, len(solutions)))
        story = None
        if solutions:
            story = self._worker.call(
                pictures.story_data, entry.puzzle, solutions[number - 1], entry.colours
            )
        return {
            "puzzle": entry.key,
            "title": entry.puzzle.title,
            "solutions": len(solutions),
            "number": number,
            "is_there": request.solution <= len(solutions),
            "story": story,
            "left_out": entry.left_out,
            "has_none": entry.has_none,
        }

    def search(self, request: PackRequest) -> None:
        """Look for solutions; raises what is wrong with the puzzle before anything is searched."""
        entry = self._library.named(request.puzzle)
        entry.puzzle.check_volume()
        view = SearchView(
            puzzle=entry.key,
            kind="packing",
            title=f"{entry.puzzle.title}, {request.wanted}",
            workers=request.workers,
            solutions=len(entry.shown),
            heading=TITLES[request.wanted],
            wanted=request.wanted,
        )
        if request.wanted == "first":
            self._search.start(
                view,
                lambda process: process.run(finding_one, entry.puzzle),
                on_event=lambda _: None,
                on_report=partial(self._found_first, entry),
            )
        else:
            PartSearch(self._library, self._search, entry, request).start(view)

    def thumbnail(self, key: str) -> bytes:
        """Return a small SVG of a puzzle."""
        entry = self._library.named(key)
        if not entry.is_own:
            self._find_first(entry)
        shown = entry.shown[:1]
        solution = shown[0] if shown else None
        return self._worker.call(pictures.small_picture, entry.puzzle, solution, entry.colours)

    def pieces(self, key: str) -> bytes:
        """Return an SVG of a puzzle's pieces."""
        entry = self._library.named(key)
        return self._worker.call(pictures.picture_of_pieces, entry.puzzle, entry.colours)

    def download(self, key: str, number: int, ending: str) -> bytes:
        """Return a puzzle's solution as a file of that kind."""
        entry = self._library.named(key)
        puzzle, shown = entry.puzzle, entry.shown
        solution: PackingSolution | None = shown[number - 1] if 0 < number <= len(shown) else None
        if ending == "xmpuzzle":
            return self._worker.call(pictures.as_burrtools, puzzle)
        if solution is None:
            raise PuzzlerigError(f"No solution {number} of {puzzle.title} is found yet.")
        if ending == "html":
            return self._worker.call(pictures.page_to_turn, puzzle, shown[:MOST_ON_A_PAGE])
        return self._worker.call(OF_A_SOLUTION[ending], puzzle, solution)

    def _find_first(self, entry: Entry) -> None:
        if entry.shown or entry.has_none:
            return
        solution, _ = self._worker.call(first_solution, entry.puzzle)
        entry.first, entry.has_none = solution, solution is None

    def _found_first(self, entry: Entry, found: tuple[PackingSolution | None, int]) -> Outcome:
        solution, nodes = found
        if solution is None:
            entry.has_none = True
            none = {"found": 0, "found_words": "solutions: there is none", "nodes": nodes}
            return Outcome("none", "warn", none)
        if not entry.solutions:
            entry.first = solution
        entry.pictures += 1
        self._library.publish()
        changes = {
            "found": 1,
            "found_words": "solution to look at",
            "nodes": nodes,
            "solutions": len(entry.shown),
            "share": 1.0,
        }
        return Outcome("found", changes=changes)


LEAST_SHARE: Final = 0.02
"""Less of a search says too little about how long the rest takes."""


class PartSearch:
    """One search; a count keeps its parts on disk, a search for all its solutions in memory."""

    def __init__(
        self, library: Library, search: Search, entry: Entry, request: PackRequest
    ) -> None:
        self._library = library
        self._search = search
        self._entry = entry
        self._workers = request.workers
        self._keeps_solutions = request.wanted == "all"
        self._counts: dict[int, PartCount] = {}
        self._parts = 0
        self._first_share = 0.0
        folder = user_state_path("puzzlerig") / "packing"
        self._finished = FinishedParts(folder, entry.puzzle, resume=True)

    def start(self, view: SearchView) -> None:
        """Start. Raises DeviceBusyError while another search runs."""
        self._search.start(
            view, self._job, on_event=self._see, on_report=self._report, on_stop=self._stopped
        )

    def _job(self, process: WorkerProcess) -> Job[Prepared | PartDone, Count]:
        return process.run(
            searching,
            self._entry.puzzle,
            self._workers,
            self._known(),
            keep_solutions=self._keeps_solutions,
        )

    def _known(self) -> Known:
        if not self._keeps_solutions:
            return Known(finished=self._finished)
        entry = self._entry
        if len(entry.solutions) >= MAX_SOLUTIONS:
            return Known(dict(entry.counts), entry.ordered, len(entry.solutions))
        # Parts beyond a gap have solutions that were not reported yet.
        counts = {n: count for n, count in entry.counts.items() if n < entry.ordered}
        return Known(counts, entry.ordered, len(entry.solutions))

    def _see(self, event: Prepared | PartDone) -> None:
        match event:
            case Prepared():
                self._search.start_timing()
                self._parts, self._counts = event.parts, dict(event.counts)
                self._first_share = len(self._counts) / event.parts if event.parts else 1.0
                if not self._keeps_solutions:
                    self._finished.load(event.parts)
                self._search.change(nodes_before=event.so_far.nodes, share_before=self._first_share)
                self._show(event.so_far, self._first_share)
            case PartDone():
                self._counts[event.number] = event.count
                if self._keeps_solutions:
                    self._entry.counts[event.number] = event.count
                    self._entry.solutions += event.solutions
                    self._entry.ordered = event.ordered
                else:
                    self._finished.add(event.number, event.count)
                self._show(event.so_far, event.share)

    def _show(self, so_far: Count, share: float) -> None:
        self._search.change(
            share=share,
            parts=_drawn(self._counts, self._parts, self._workers),
            found=so_far.up_to_symmetry,
            found_words=f"{solutions_word(so_far.up_to_symmetry)} so far, up to symmetry",
            nodes=so_far.nodes,
            left_s=self._left(share),
            solutions=len(self._entry.shown),
        )

    def _left(self, share: float) -> float | None:
        done = share - self._first_share
        if done < LEAST_SHARE:
            return None
        return self._search.view.seconds * (1.0 - share) / done

    def _report(self, count: Count) -> Outcome:
        self._finished.remove()
        entry = self._entry
        entry.count, entry.has_none = count.up_to_symmetry, not count.total
        entry.pictures += entry.is_own
        self._library.publish()
        changes: dict[str, Any] = {
            "share": 1.0,
            "parts": "d" * self._parts,
            "found": count.up_to_symmetry,
            "found_words": f"{solutions_word(count.up_to_symmetry)}, up to symmetry",
            "total": count.total,
            "nodes": count.nodes,
            "left_s": None,
            "solutions": len(entry.shown),
            "sentence": self._limit_sentence(),
        }
        return Outcome(f"{count.up_to_symmetry:,}", changes=changes)

    def _limit_sentence(self) -> str:
        number = len(self._entry.solutions)
        if not self._keeps_solutions or number < MAX_SOLUTIONS:
            return ""
        return f"The first {number:,} can be looked at; the others are counted."

    def _stopped(self) -> dict[str, Any]:
        if not self._counts:
            return {"sentence": "Nothing is finished yet."}
        done = f"{len(self._counts) / self._parts:.0%} of the search"
        sentence = f"{done} stays until the dashboard ends; it resumes from there."
        if not self._keeps_solutions:
            sentence = (
                f"{done} is saved on disk; the count resumes from there, with any number of "
                "workers, here or by `puzzle pack solve --count --resume`."
            )
            if not self._finished.save():
                sentence = f"{done} is done, but cannot be saved in {self._finished.path.parent}."
        return {"sentence": sentence, "can_resume": True, "left_s": None}


def _drawn(counts: dict[int, PartCount], parts: int, workers: int) -> str:
    """Return a letter for each part; workers take them in their order."""
    waiting = [number for number in range(parts) if number not in counts]
    now = set(waiting[:workers])
    return "".join(
        "d" if number in counts else "n" if number in now else "w" for number in range(parts)
    )
