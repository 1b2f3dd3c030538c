"""`puzzle pack solve`: one solution, all of them, or their number."""

from collections.abc import Generator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING

import click

from solvers.cli.pack.files import choice_in_file, read_puzzle
from solvers.cli.pack.report import Report, Wanted
from solvers.cli.searches import how_to_resume, load_search, load_taking_apart, open_workers
from solvers.foundation.command_line import app as cli
from solvers.foundation.command_line.progress_view import Stopwatch, show_progress, shown_items
from solvers.foundation.errors import InvalidInputError, PuzzlerigError
from solvers.foundation.progress import Progress
from solvers.polycube.errors import LostWorkerError

if TYPE_CHECKING:
    from solvers.polycube.puzzle import PackingPuzzle, PackingSolution
    from solvers.search.executors import Workers


# Taking solutions apart, for --apart.


def take_apart(report: Report, request: "Request") -> None:
    """Fill in a report with solutions and their disassemblies; Ctrl-C keeps those found so far."""
    from solvers.polycube.taking_apart.collection import Collection, collect_job, first_apart_job

    keep = 0 if report.wanted is Wanted.COUNT else request.keep
    collection = Collection(keep=keep, sort=request.sort is not None)
    first = report.wanted is Wanted.FIRST
    find = first_apart_job if first else collect_job
    job = find(report.puzzle, collection, rotations=request.rotations, clearance=request.clearance)
    try:
        show_progress(job, report.puzzle.title)
    except KeyboardInterrupt:
        report.stopped = True
    report.collection = collection
    chosen = collection.chosen()
    if first:
        chosen = [each for each in chosen if each.found.separation] or chosen[:1]
    report.solutions = [each.solution for each in chosen]
    report.disassemblies = [each.found for each in chosen]
    report.counted = collection.counted
    report.nodes = collection.counted.nodes if collection.counted else 0


# Running a request and filling in its report.


class Order(StrEnum):
    """Order in which solutions are shown."""

    LEVEL = "level"


@dataclass(frozen=True)
class Request:
    """The request; `same_again` are the arguments that mean the same count.

    With `random` the one solution is drawn at random, the same for the same `seed`.
    With `apart` solutions are taken apart, with `rotations` by turns too, which have a clearance;
    `sort` puts the hardest first, `keep` is the number of the hardest that are shown.
    """

    wanted: Wanted
    random: bool
    seed: int | None
    assembly: bool
    apart: bool
    rotations: bool
    clearance: float
    sort: Order | None
    keep: int | None
    processes: int
    scheduler: str | None
    resume: bool
    same_again: str

    def check(self, *, pictures: bool) -> None:
        """Raise InvalidInputError for options that exclude each other."""
        if self.wanted is Wanted.COUNT and (pictures or self.assembly):
            raise InvalidInputError(
                "--count shows no pictures and no assembly; use --first or --all for them."
            )
        if self.resume and self.wanted is not Wanted.COUNT:
            raise InvalidInputError("Only a count can be resumed: add --count.")
        if self.rotations and not self.apart:
            raise InvalidInputError("--rotations is for --apart.")
        if self.clearance and not self.rotations:
            raise InvalidInputError("--clearance is for --rotations.")
        if self.seed is not None and not self.random:
            raise InvalidInputError("--seed is for --random.")
        if self.random and (self.apart or self.scheduler or self.processes > 1):
            raise InvalidInputError(
                "One process draws a solution, and --apart takes those apart that it finds itself; "
                "leave out --workers, --scheduler, --apart, --sort and --keep."
            )
        if self.scheduler and self.processes > 1:
            raise InvalidInputError("Give either --workers or --scheduler, not both.")
        if self.apart and (self.scheduler or self.processes > 1 or self.resume or self.assembly):
            raise InvalidInputError(
                "Solutions are taken apart by one process without interruption; leave out "
                "--workers, --scheduler, --resume and --assembly."
            )

    def workers(self) -> "Workers | None":
        """Return a function that opens the executor for parts, None to search in this process."""
        if self.scheduler is None:
            return open_workers(self.processes)
        from solvers.search import executors

        return partial(executors.cluster, self.scheduler)


def run(request: Request, report: Report) -> None:
    """Search and fill in the report."""
    if request.apart:
        take_apart(report, request)
    elif request.random:
        _draw(report, request.seed)
    elif request.wanted is Wanted.FIRST:
        _first(report)
    elif request.wanted is Wanted.ALL:
        _all(report, request.workers(), shared=request.scheduler is None)
    else:
        _count(report, request.workers(), resume=request.resume, arguments=request.same_again)


def _first(report: Report) -> None:
    from solvers.polycube.solving import solver
    from solvers.polycube.solving.problem import Count

    title = f"Looking for a solution of {report.puzzle.title}"
    try:
        found, report.nodes = show_progress(solver.find_first_job(report.puzzle), title)
    except KeyboardInterrupt:
        report.stopped = True
        return
    if found is None:
        report.counted = Count(0, 0, report.nodes)
    else:
        report.solutions = (found,)


def _draw(report: Report, seed: int | None) -> None:
    from random import Random

    from solvers.polycube.solving.problem import Count
    from solvers.polycube.solving.solver import draw_job

    job = draw_job(report.puzzle, Random(seed))
    try:
        drawn = show_progress(job, f"Drawing a solution of {report.puzzle.title}")
    except KeyboardInterrupt:
        report.stopped = True
        return
    if drawn is None:
        report.counted = Count(0, 0, 0)
    else:
        report.solutions = (drawn,)


def _all(report: Report, workers: "Workers | None", *, shared: bool) -> None:
    """Let the report search while its solutions are read."""
    listed = report.search = _iterate_solutions(report, workers, shared=shared)
    # Start the search now, so that its errors are reported before anything is printed.
    report.solutions = chain(list(islice(listed, 1)), listed)


def _iterate_solutions(
    report: Report, workers: "Workers | None", *, shared: bool
) -> "Generator[PackingSolution, None, None]":
    from tempfile import TemporaryDirectory

    from solvers.polycube.solving.parts import Found
    from solvers.polycube.solving.solver import list_job
    from solvers.search.parts import PARTS

    def new_solutions(event: Progress) -> "Sequence[PackingSolution]":
        return event.solutions if isinstance(event, Found) else ()

    with TemporaryDirectory(prefix="puzzlerig-") as folder:
        waiting = Path(folder) if shared else None
        job = list_job(report.puzzle, at_least_parts=PARTS, workers=workers, folder=waiting)
        found = shown_items(job, report.puzzle.title, new_solutions)
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


def _count(report: Report, workers: "Workers | None", *, resume: bool, arguments: str) -> None:
    from platformdirs import user_state_path

    from solvers.polycube.solving import solver
    from solvers.polycube.solving.parts import FinishedParts
    from solvers.search.parts import PARTS

    puzzle, again = report.puzzle, f"puzzle pack solve {arguments} --count"
    finished = FinishedParts(user_state_path("puzzlerig") / "packing", puzzle, resume=resume)
    job = solver.count_job(puzzle, at_least_parts=PARTS, workers=workers, finished=finished)
    try:
        counted = show_progress(job, puzzle.title)
    except KeyboardInterrupt:
        raise PuzzlerigError(f"Stopped {how_to_resume(finished, again)}") from None
    except LostWorkerError as error:
        message = f"{error} Stopped {how_to_resume(finished, again)}"
        raise LostWorkerError(message) from error
    finished.remove()
    report.counted, report.nodes = counted, counted.nodes


# The command.


@click.command("solve", cls=cli.Command)
@click.argument("puzzle", help="A puzzle file (.toml, .xmpuzzle), or a name from `pack list`.")
@choice_in_file
@click.option("--count", is_flag=True, help="Count the solutions.")
@click.option(
    "--all", "every", is_flag=True, help="Show all solutions, one of each set of turned images."
)
@click.option("--first", is_flag=True, help="Show one solution (default).")
@click.option(
    "--random",
    is_flag=True,
    help="Draw a solution, each equally likely; for narrow targets and many copies.",
)
@click.option("--seed", type=int, help="Draw the same solution again.")
@click.option(
    "--workers",
    "processes",
    type=click.IntRange(min=1),
    default=1,
    help="Number of processes; 1 searches in this one.",
)
@click.option("--scheduler", help="Address of a dask scheduler, tcp://HOST:PORT.")
@click.option("--resume", is_flag=True, help="Resume a count that was stopped.")
@click.option(
    "--reflections/--no-reflections",
    default=None,
    help="Whether mirror images count as one solution; default: as the puzzle says.",
)
@click.option("--assembly", is_flag=True, help="Show the order in which the pieces go together.")
@click.option("--apart", is_flag=True, help="Take solutions apart: their level, move by move.")
@click.option("--rotations", is_flag=True, help="With --apart: pieces turn by 90 degrees, too.")
@click.option(
    "--clearance",
    type=float,
    default=0.0,
    help="With --rotations: how far edges give way while pieces turn, in sides of a cube.",
)
@click.option("--sort", type=cli.EnumChoice(Order), help="level: the hardest to take apart first.")
@click.option("--keep", type=click.IntRange(min=1), help="Keep the N hardest to take apart.")
@click.option(
    "--svg",
    type=cli.OUTPUT_FILE,
    help="Draw the first solution: its steps, or without cubes its layers.",
)
@click.option("--pdf", type=cli.PDF_FILE, help="The same on sheets of A4, to be printed.")
@click.option("--html", type=cli.OUTPUT_FILE, help="Write the solutions as a page that turns them.")
@cli.json_option
def solve(
    puzzle: str,
    problem: int,
    target: str | None,
    count: bool,
    every: bool,
    first: bool,
    random: bool,
    seed: int | None,
    processes: int,
    scheduler: str | None,
    resume: bool,
    reflections: bool | None,
    assembly: bool,
    apart: bool,
    rotations: bool,
    clearance: float,
    sort: Order | None,
    keep: int | None,
    svg: Path | None,
    pdf: Path | None,
    html: Path | None,
    as_json: bool,
) -> None:
    """Solve a packing puzzle. Exits with 1 if it has no solution.

    Examples:
      puzzle pack solve soma
      puzzle pack solve soma --count
      puzzle pack solve soma --all --html soma.html
      puzzle pack solve soma --sort level --keep 3
      puzzle pack solve ct-puzzle --target stairs
    """
    hardest = sort is not None or keep is not None
    every = every or (hardest and not (count or random))
    request = Request(
        wanted=_wanted(count, every, first, random),
        random=random,
        seed=seed,
        assembly=assembly,
        apart=apart or hardest,
        rotations=rotations,
        clearance=clearance,
        sort=sort,
        keep=keep,
        processes=processes,
        scheduler=scheduler,
        resume=resume,
        same_again=asked_for(puzzle, reflections, problem, target),
    )
    request.check(pictures=bool(svg or pdf or html))
    loaded = _load(puzzle, reflections, problem, target)
    if assembly:
        _check_cubes(loaded)
    if rotations:
        _check_turning(loaded)
    # Imported here, not at the top: `-h` must not load numpy.
    from solvers.polycube.pictures.viewer import MAX_SOLUTIONS

    load_search()
    if request.apart:
        load_taking_apart(rotations=rotations)
    most_pictures = MAX_SOLUTIONS if html else 1 if svg or pdf else 0
    report = Report(loaded, request.wanted, assembly, Stopwatch(), most_pictures)
    with closing(report):
        run(request, report)
        if as_json:
            for line in report.json_lines():
                cli.print_json(line)
        else:
            for number, paragraph in enumerate(report.paragraphs()):
                print(f"\n{paragraph}" if number else paragraph)
    if svg or pdf or html:
        from solvers.cli.pictures import write_pictures

        drawn = [(loaded, solution) for solution in report.pictured]
        known = report.disassemblies[:most_pictures] or None
        write_pictures(drawn, loaded.title, svg, html, known, among=report.shown, pdf=pdf)
    if report.stopped:
        if not as_json:
            raise PuzzlerigError(_how_far(report))
        # The last line of JSON says so too.
        cli.stderr.print(_how_far(report), markup=False, highlight=False)
        raise click.exceptions.Exit(1)
    if report.has_none:
        raise click.exceptions.Exit(1)


def _how_far(report: Report) -> str:
    if report.wanted is Wanted.FIRST and not report.shown:
        return "Stopped before a solution was found."
    found = "these are the ones so far" if report.shown else "there is none to show yet"
    return f"{report.lost} Stopped before all solutions were found; {found}.".lstrip()


def _wanted(count: bool, every: bool, first: bool, random: bool) -> Wanted:
    if count + every + first + random > 1:
        raise InvalidInputError("Give only one of --count, --all, --first and --random.")
    return Wanted.COUNT if count else Wanted.ALL if every else Wanted.FIRST


def _load(
    puzzle: str, reflections: bool | None, problem: int, target: str | None
) -> "PackingPuzzle":
    loaded, left_out = read_puzzle(puzzle, problem, target)
    for missing in left_out:
        cli.stderr.print(f"Left out: {missing}.", markup=False, highlight=False)
    loaded.check_volume()
    return loaded if reflections is None else replace(loaded, reflections=reflections)


def _check_cubes(puzzle: "PackingPuzzle") -> None:
    from solvers.polycube.lattices import CUBES

    if puzzle.lattice != CUBES:
        raise InvalidInputError(
            f"{puzzle.title} is made of {puzzle.lattice.cells}; --assembly knows cubes alone. "
            "--apart takes the solution apart, --svg and --html show it."
        )


def _check_turning(puzzle: "PackingPuzzle") -> None:
    from solvers.polycube.lattices import CUBES

    if puzzle.lattice != CUBES:
        raise InvalidInputError(
            f"{puzzle.title} is made of {puzzle.lattice.cells}; --rotations turns cubes alone. "
            "--apart without it takes the solution apart by sliding."
        )


def asked_for(
    puzzle: str, reflections: bool | None, problem: int = 1, target: str | None = None
) -> str:
    """Return the arguments that mean the same count."""
    import shlex

    said = {None: "", True: " --reflections", False: " --no-reflections"}[reflections]
    numbered = f" --problem {problem}" if problem > 1 else ""
    named = "" if target is None else f" --target {shlex.quote(target)}"
    return f"{shlex.quote(puzzle)}{numbered}{named}{said}"
