"""`puzzle pack solve`: one solution, all of them, or their number."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated

import typer

from solvers.cli.loading import load_search, progress_bar
from solvers.cli.pack.puzzle_file import read_puzzle
from solvers.cli.pack.report import Report, Wanted
from solvers.foundation.command_line.app import JsonOption, print_json, stderr
from solvers.foundation.errors import InvalidInputError, PuzzlerigError

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from solvers.polycube.puzzle import PackingPuzzle, PackingSolution
    from solvers.polycube.solving.finished_parts import FinishedParts
    from solvers.polycube.solving.problem import Count
    from solvers.search.exact_cover.enumeration import Progress

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
    workers: Annotated[
        int, typer.Option(min=1, help="Number of processes; 1 searches in this one.")
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
        Path | None, typer.Option(help="Write the first solution as numbered steps.")
    ] = None,
    html: Annotated[
        Path | None, typer.Option(help="Write the solutions as a page that turns them.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Solve a packing puzzle."""
    wanted = _wanted(count, every, first)
    if wanted is Wanted.COUNT and (svg or html or assembly):
        raise InvalidInputError(
            "--count shows no pictures and no assembly; use --first or --all for them."
        )
    if resume and wanted is not Wanted.COUNT:
        raise InvalidInputError("Only a count can be resumed: add --count.")
    if scheduler and workers > 1:
        raise InvalidInputError("Give either --workers or --scheduler, not both.")
    loaded = _load(puzzle, reflections)
    load_search()
    started = perf_counter()
    if wanted is Wanted.FIRST:
        solutions, counted, nodes = _first(loaded)
    else:
        with _executor(workers, scheduler) as executor, progress_bar(loaded.title) as progress:
            if wanted is Wanted.ALL:
                solutions, counted = _all(loaded, executor, progress)
            else:
                solutions, counted = [], _count(loaded, executor, progress, resume, puzzle)
        nodes = counted.nodes
    seconds = perf_counter() - started
    if svg or html:
        from solvers.cli.pictures import write_pictures

        write_pictures([(loaded, found) for found in solutions], loaded.title, svg, html)
    report = Report(loaded, wanted, solutions, counted, nodes, seconds, assembly)
    if as_json:
        print_json(report.as_json())
    else:
        print(report.as_text())


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


def _first(puzzle: "PackingPuzzle") -> "tuple[list[PackingSolution], Count | None, int]":
    from solvers.polycube.solving import solver
    from solvers.polycube.solving.problem import Count

    with stderr.status(f"Looking for a solution of {puzzle.title}"):
        found, nodes = solver.find_first(puzzle)
    return ([found], None, nodes) if found else ([], Count(0, 0, nodes), nodes)


def _all(
    puzzle: "PackingPuzzle", executor: "Executor | None", progress: "Progress"
) -> "tuple[list[PackingSolution], Count]":
    from solvers.polycube.solving import solver

    counted, found = solver.find_all(
        puzzle, at_least_parts=PARTS, executor=executor, on_progress=progress
    )
    return found, counted


def _count(
    puzzle: "PackingPuzzle",
    executor: "Executor | None",
    progress: "Progress",
    resume: bool,
    asked_for: str,
) -> "Count":
    from platformdirs import user_state_path

    from solvers.polycube.errors import LostWorkerError
    from solvers.polycube.solving import solver
    from solvers.polycube.solving.finished_parts import FinishedParts

    finished = FinishedParts(user_state_path("puzzlerig") / "packing", puzzle, resume=resume)
    try:
        counted = solver.count(
            puzzle,
            at_least_parts=PARTS,
            executor=executor,
            finished=finished,
            on_progress=progress,
        )
    except KeyboardInterrupt:
        raise PuzzlerigError(f"Stopped {_how_to_resume(finished, asked_for)}") from None
    except LostWorkerError as error:
        message = f"{error} Stopped {_how_to_resume(finished, asked_for)}"
        raise LostWorkerError(message) from error
    finished.remove()
    return counted


def _how_to_resume(finished: "FinishedParts", asked_for: str) -> str:
    done, parts = finished.progress
    counted = f"with {done} of {parts} parts counted."
    if not finished.save():
        return f"{counted} They cannot be saved in {finished.path.parent}."
    return f"{counted} They are saved; go on with: puzzle pack solve {asked_for} --count --resume"


@contextmanager
def _executor(workers: int, scheduler: str | None) -> "Iterator[Executor | None]":
    if scheduler is None and workers == 1:
        yield None
        return
    from solvers.polycube.solving import executors

    chosen = executors.cluster(scheduler) if scheduler else executors.processes(workers)
    with chosen as executor:
        yield executor
