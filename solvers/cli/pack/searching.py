"""Runs what `puzzle pack solve` is asked for, and fills in its report."""

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING

from solvers.cli.pack.apart import take_apart
from solvers.cli.pack.report import Report, Wanted
from solvers.cli.workers import workers_of
from solvers.foundation.command_line.progress_view import show_progress, shown_items
from solvers.foundation.errors import InvalidInputError, PuzzlerigError
from solvers.foundation.progress import Progress

if TYPE_CHECKING:
    from solvers.polycube.puzzle import PackingSolution
    from solvers.search.executors import Workers

# Enough to keep many workers busy to the end and to lose little when a count is stopped; the
# number never depends on the workers, so that a count can go on with another number of them.
PARTS = 128


class Order(StrEnum):
    """In which order solutions are shown."""

    LEVEL = "level"


@dataclass(frozen=True)
class Request:
    """What is asked for; `same_again` is what has to be typed to mean the same count.

    With `apart` solutions are taken apart; `sort` puts the hardest first, `keep` bounds how many
    of these stay.
    """

    wanted: Wanted
    assembly: bool
    apart: bool
    sort: Order | None
    keep: int | None
    processes: int
    scheduler: str | None
    resume: bool
    same_again: str

    def check(self, *, pictures: bool) -> None:
        """Raise InvalidInputError for wishes that do not go together."""
        if self.wanted is Wanted.COUNT and (pictures or self.assembly):
            raise InvalidInputError(
                "--count shows no pictures and no assembly; use --first or --all for them."
            )
        if self.resume and self.wanted is not Wanted.COUNT:
            raise InvalidInputError("Only a count can be resumed: add --count.")
        if self.scheduler and self.processes > 1:
            raise InvalidInputError("Give either --workers or --scheduler, not both.")
        if self.apart and (self.scheduler or self.processes > 1 or self.resume or self.assembly):
            raise InvalidInputError(
                "Solutions are taken apart by one process in one go; leave out --workers, "
                "--scheduler, --resume and --assembly."
            )

    def workers(self) -> "Workers | None":
        """Return what opens the executor that parts are given to, None for this process."""
        if self.scheduler is None:
            return workers_of(self.processes)
        from solvers.search import executors

        return partial(executors.cluster, self.scheduler)


def run(request: Request, report: Report) -> None:
    """Search and fill in the report."""
    if request.apart:
        take_apart(report, sort=request.sort is not None, keep=request.keep)
    elif request.wanted is Wanted.FIRST:
        _first(report)
    elif request.wanted is Wanted.ALL:
        _all(report, request.workers(), shared=request.scheduler is None)
    else:
        _count(report, request.workers(), resume=request.resume, asked_for=request.same_again)


def _first(report: Report) -> None:
    from solvers.polycube.solving import solver
    from solvers.polycube.solving.problem import Count

    title = f"Looking for a solution of {report.puzzle.title}"
    try:
        found, report.nodes = show_progress(solver.finding_first(report.puzzle), title)
    except KeyboardInterrupt:
        report.stopped = True
        return
    if found is None:
        report.counted = Count(0, 0, report.nodes)
    else:
        report.solutions = (found,)


def _all(report: Report, workers: "Workers | None", *, shared: bool) -> None:
    """Let the report search while its solutions are asked for."""
    listed = report.search = _listed(report, workers, shared=shared)
    # What cannot be searched is told before anything is printed.
    report.solutions = chain(list(islice(listed, 1)), listed)


def _listed(
    report: Report, workers: "Workers | None", *, shared: bool
) -> "Generator[PackingSolution, None, None]":
    from contextlib import closing
    from tempfile import TemporaryDirectory

    from solvers.polycube.errors import LostWorkerError
    from solvers.polycube.solving.part_search import Found
    from solvers.polycube.solving.solver import listing

    def brought(event: Progress) -> "Sequence[PackingSolution]":
        return event.solutions if isinstance(event, Found) else ()

    with TemporaryDirectory(prefix="puzzlerig-") as folder:
        waiting = Path(folder) if shared else None
        job = listing(report.puzzle, at_least_parts=PARTS, workers=workers, folder=waiting)
        found = shown_items(job, report.puzzle.title, brought)
        try:
            with closing(found):
                while True:
                    yield from next(found)
        except StopIteration as end:
            report.counted = end.value
            report.nodes = report.counted.nodes
        except KeyboardInterrupt:
            report.stopped = True
        except LostWorkerError as error:
            report.stopped, report.lost = True, str(error)


def _count(report: Report, workers: "Workers | None", *, resume: bool, asked_for: str) -> None:
    from platformdirs import user_state_path

    from solvers.cli.resuming import how_to_resume
    from solvers.polycube.errors import LostWorkerError
    from solvers.polycube.solving import solver
    from solvers.polycube.solving.finished_parts import FinishedParts

    puzzle, again = report.puzzle, f"puzzle pack solve {asked_for} --count"
    finished = FinishedParts(user_state_path("puzzlerig") / "packing", puzzle, resume=resume)
    job = solver.counting(puzzle, at_least_parts=PARTS, workers=workers, finished=finished)
    try:
        counted = show_progress(job, puzzle.title)
    except KeyboardInterrupt:
        raise PuzzlerigError(f"Stopped {how_to_resume(finished, again)}") from None
    except LostWorkerError as error:
        message = f"{error} Stopped {how_to_resume(finished, again)}"
        raise LostWorkerError(message) from error
    finished.remove()
    report.counted, report.nodes = counted, counted.nodes
