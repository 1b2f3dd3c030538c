"""`puzzle pack solve`: one solution, all of them, or their number."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from solvers.cli.loading import load_search
from solvers.cli.pack.puzzle_file import read_puzzle
from solvers.cli.pack.report import Report, Wanted
from solvers.foundation.command_line.app import JsonOption, print_json, stderr
from solvers.foundation.command_line.options import output_file
from solvers.foundation.command_line.progress_view import show_progress, show_waiting
from solvers.foundation.command_line.stopwatch import Stopwatch
from solvers.foundation.errors import InvalidInputError, PuzzlerigError

if TYPE_CHECKING:
    from solvers.polycube.puzzle import PackingPuzzle
    from solvers.polycube.solving.finished_parts import FinishedParts
    from solvers.search.executors import Workers

# Enough to keep many workers busy to the end and to lose little when a count is stopped; the
# number never depends on the workers, so that a count can go on with another number of them.
PARTS = 128


def solve(
    puzzle: Annotated[
        str, typer.Argument(help="A puzzle file (.toml, .xmpuzzle), or a name from `pack list`.")
    ],
    count: Annotated[bool, typer.Option("--count", help="Count the solutions.")] = False,
    every: Annotated[
        bool, typer.Option("--all", help="Show all solutions, one of each set of turned images.")
    ] = False,
    first: Annotated[bool, typer.Option("--first", help="Show one solution (default).")] = False,
    processes: Annotated[
        int, typer.Option("--workers", min=1, help="Number of processes; 1 searches in this one.")
    ] = 1,
    scheduler: Annotated[
        str | None, typer.Option(help="Address of a dask scheduler, tcp://HOST:PORT.")
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with a count that was stopped.")
    ] = False,
    reflections: Annotated[
        bool | None,
        typer.Option(
            "--reflections/--no-reflections",
            help="Whether mirror images count as one solution; default: as the puzzle says.",
        ),
    ] = None,
    assembly: Annotated[
        bool, typer.Option("--assembly", help="Say in which order the pieces go together.")
    ] = False,
    svg: Annotated[
        Path | None, output_file("--svg", help="Write the first solution as numbered steps.")
    ] = None,
    html: Annotated[
        Path | None, output_file("--html", help="Write the solutions as a page that turns them.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Solve a packing puzzle. Exits with 1 if it has no solution.

    Examples:
      puzzle pack solve soma
      puzzle pack solve soma --count
      puzzle pack solve soma --all --html soma.html
    """
    wanted = _wanted(count, every, first)
    if wanted is Wanted.COUNT and (svg or html or assembly):
        raise InvalidInputError(
            "--count shows no pictures and no assembly; use --first or --all for them."
        )
    if resume and wanted is not Wanted.COUNT:
        raise InvalidInputError("Only a count can be resumed: add --count.")
    if scheduler and processes > 1:
        raise InvalidInputError("Give either --workers or --scheduler, not both.")
    loaded = _load(puzzle, reflections)
    if svg or html or assembly:
        _check_cubes(loaded)
    load_search()
    watch = Stopwatch()
    workers = _workers(processes, scheduler)
    report = Report(loaded, wanted, assembly)
    if wanted is Wanted.FIRST:
        _first(report)
    elif wanted is Wanted.ALL:
        _all(report, workers)
    else:
        _count(report, workers, resume=resume, asked_for=asked_for(puzzle, reflections))
    report.taken = watch.as_json()
    if svg or html:
        from solvers.cli.pictures import write_pictures

        write_pictures([(loaded, found) for found in report.solutions], loaded.title, svg, html)
    if as_json:
        print_json(report.as_json())
    else:
        print(report.as_text())
    if report.has_none:
        raise typer.Exit(1)


def _wanted(count: bool, every: bool, first: bool) -> Wanted:
    if count + every + first > 1:
        raise InvalidInputError("Give only one of --count, --all and --first.")
    return Wanted.COUNT if count else Wanted.ALL if every else Wanted.FIRST


def _load(puzzle: str, reflections: bool | None) -> "PackingPuzzle":
    from dataclasses import replace

    loaded, left_out = read_puzzle(puzzle)
    for missing in left_out:
        stderr.print(f"Left out: {missing}.", markup=False, highlight=False)
    loaded.check_volume()
    return loaded if reflections is None else replace(loaded, reflections=reflections)


def _check_cubes(puzzle: "PackingPuzzle") -> None:
    from solvers.polycube.lattice.cubes import CUBES

    if puzzle.lattice != CUBES:
        raise InvalidInputError(
            f"{puzzle.title} is made of {puzzle.lattice.cells}; --svg, --html and --assembly know "
            "cubes alone. The text picture is there without them."
        )


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


def asked_for(puzzle: str, reflections: bool | None) -> str:
    """Return what has to be typed again to mean the same count."""
    import shlex

    said = {None: "", True: " --reflections", False: " --no-reflections"}[reflections]
    return f"{shlex.quote(puzzle)}{said}"


def _workers(processes: int, scheduler: str | None) -> "Workers | None":
    if scheduler is None and processes == 1:
        return None
    from solvers.search import executors

    if scheduler is not None:
        return partial(executors.cluster, scheduler)
    return partial(executors.processes, processes)
