"""`puzzle pack solve`: one solution, all of them, or their number."""

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from solvers.cli.loading import load_search, load_taking_apart
from solvers.cli.pack.puzzle_file import read_puzzle
from solvers.cli.pack.report import Report, Wanted
from solvers.cli.pack.searching import Order, Request, run
from solvers.foundation.command_line.app import JsonOption, print_json, stderr
from solvers.foundation.command_line.options import output_file
from solvers.foundation.command_line.stopwatch import Stopwatch
from solvers.foundation.errors import InvalidInputError, PuzzlerigError

if TYPE_CHECKING:
    from solvers.polycube.puzzle import PackingPuzzle


def solve(
    puzzle: Annotated[
        str, typer.Argument(help="A puzzle file (.toml, .xmpuzzle), or a name from `pack list`.")
    ],
    problem: Annotated[
        int, typer.Option(min=1, help="Which problem of a BurrTools file, from 1.")
    ] = 1,
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
    apart: Annotated[
        bool, typer.Option("--apart", help="Take solutions apart: their level, move by move.")
    ] = False,
    sort: Annotated[
        Order | None, typer.Option("--sort", help="level: the hardest to take apart first.")
    ] = None,
    keep: Annotated[
        int | None, typer.Option("--keep", min=1, help="Keep so many, the hardest to take apart.")
    ] = None,
    svg: Annotated[
        Path | None,
        output_file(
            "--svg", help="Draw the first solution: its steps, or without cubes its layers."
        ),
    ] = None,
    pdf: Annotated[
        Path | None, output_file("--pdf", help="The same on sheets of A4, to be printed.")
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
      puzzle pack solve soma --sort level --keep 3
    """
    request = Request(
        wanted=_wanted(count, every or bool((sort or keep) and not count), first),
        assembly=assembly,
        apart=apart or sort is not None or keep is not None,
        sort=sort,
        keep=keep,
        processes=processes,
        scheduler=scheduler,
        resume=resume,
        same_again=asked_for(puzzle, reflections, problem),
    )
    request.check(pictures=bool(svg or pdf or html))
    loaded = _load(puzzle, reflections, problem)
    if assembly:
        _check_cubes(loaded)
    from solvers.polycube.pictures.viewer import MAX_SOLUTIONS

    load_search()
    if request.apart:
        load_taking_apart()
    most_kept = MAX_SOLUTIONS if html else 1 if svg or pdf else 0
    report = Report(loaded, request.wanted, assembly, Stopwatch(), most_kept)
    with closing(report):
        run(request, report)
        if as_json:
            print_json(report.as_json())
        else:
            for number, paragraph in enumerate(report.paragraphs()):
                print(f"\n{paragraph}" if number else paragraph)
    if svg or pdf or html:
        from solvers.cli.pictures import write_pictures

        drawn = [(loaded, solution) for solution in report.kept]
        known = report.disassemblies[:most_kept] or None
        write_pictures(drawn, loaded.title, svg, html, known, among=report.shown, pdf=pdf)
    if report.stopped:
        if not as_json:
            raise PuzzlerigError(_how_far(report))
        # One object is printed already, which says so.
        stderr.print(_how_far(report), markup=False, highlight=False)
        raise typer.Exit(1)
    if report.has_none:
        raise typer.Exit(1)


def _how_far(report: Report) -> str:
    if report.wanted is Wanted.FIRST and not report.shown:
        return "Stopped before a solution was found."
    found = "these are the ones so far" if report.shown else "none is to be shown yet"
    return f"{report.lost} Stopped before all solutions were found; {found}.".lstrip()


def _wanted(count: bool, every: bool, first: bool) -> Wanted:
    if count + every + first > 1:
        raise InvalidInputError("Give only one of --count, --all and --first.")
    return Wanted.COUNT if count else Wanted.ALL if every else Wanted.FIRST


def _load(puzzle: str, reflections: bool | None, problem: int) -> "PackingPuzzle":
    from dataclasses import replace

    loaded, left_out = read_puzzle(puzzle, problem)
    for missing in left_out:
        stderr.print(f"Left out: {missing}.", markup=False, highlight=False)
    loaded.check_volume()
    return loaded if reflections is None else replace(loaded, reflections=reflections)


def _check_cubes(puzzle: "PackingPuzzle") -> None:
    from solvers.polycube.lattice.cubes import CUBES

    if puzzle.lattice != CUBES:
        raise InvalidInputError(
            f"{puzzle.title} is made of {puzzle.lattice.cells}; --assembly knows cubes alone. "
            "--apart takes the solution apart, --svg and --html show it."
        )


def asked_for(puzzle: str, reflections: bool | None, problem: int = 1) -> str:
    """Return what has to be typed again to mean the same count."""
    import shlex

    said = {None: "", True: " --reflections", False: " --no-reflections"}[reflections]
    numbered = f" --problem {problem}" if problem > 1 else ""
    return f"{shlex.quote(puzzle)}{numbered}{said}"
