"""Runs what `puzzle pack solve` is asked for, and fills in its report."""

from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from typing import TYPE_CHECKING

from solvers.cli.pack.apart import take_apart
from solvers.cli.pack.report import Report, Wanted
from solvers.foundation.command_line.progress_view import show_progress, show_waiting
from solvers.foundation.errors import InvalidInputError, PuzzlerigError

if TYPE_CHECKING:
    from solvers.polycube.solving.finished_parts import FinishedParts
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
        if self.scheduler is None and self.processes == 1:
            return None
        from solvers.search import executors

        if self.scheduler is not None:
            return partial(executors.cluster, self.scheduler)
        return partial(executors.processes, self.processes)


def run(request: Request, report: Report) -> None:
    """Search and fill in the report."""
    if request.apart:
        take_apart(report, sort=request.sort is not None, keep=request.keep)
    elif request.wanted is Wanted.FIRST:
        _first(report)
    elif request.wanted is Wanted.ALL:
        _all(report, request.workers())
    else:
        _count(report, request.workers(), resume=request.resume, asked_for=request.same_again)


def _first(report: Report) -> None:
    from solvers.polycube.solving import solver
    from solvers.polycube.solving.problem import Count

    title = f"Looking for a solution of {report.puzzle.title}"
    found, report.nodes = show_waiting(lambda: solver.find_first(report.puzzle), title)
    if found is None:
        report.counted = Count(0, 0, report.nodes)
    else:
        report.solutions = (found,)


def _all(report: Report, workers: "Workers | None") -> None:
    from solvers.polycube.solving import solver

    job = solver.finding_all(report.puzzle, at_least_parts=PARTS, workers=workers)
    found = show_progress(job, report.puzzle.title)
    report.solutions, report.counted, report.nodes = found.solutions, found.count, found.count.nodes


def _count(report: Report, workers: "Workers | None", *, resume: bool, asked_for: str) -> None:
    from platformdirs import user_state_path

    from solvers.polycube.errors import LostWorkerError
    from solvers.polycube.solving import solver
    from solvers.polycube.solving.finished_parts import FinishedParts

    puzzle = report.puzzle
    finished = FinishedParts(user_state_path("puzzlerig") / "packing", puzzle, resume=resume)
    job = solver.counting(puzzle, at_least_parts=PARTS, workers=workers, finished=finished)
    try:
        counted = show_progress(job, puzzle.title)
    except KeyboardInterrupt:
        raise PuzzlerigError(f"Stopped {_how_to_resume(finished, asked_for)}") from None
    except LostWorkerError as error:
        message = f"{error} Stopped {_how_to_resume(finished, asked_for)}"
        raise LostWorkerError(message) from error
    finished.remove()
    report.counted, report.nodes = counted, counted.nodes


def _how_to_resume(finished: "FinishedParts", asked_for: str) -> str:
    done, parts = finished.progress
    counted = f"with {done} of {parts} parts counted."
    if not finished.save():
        return f"{counted} They cannot be saved in {finished.path.parent}."
    return f"{counted} They are saved; go on with: puzzle pack solve {asked_for} --count --resume"
