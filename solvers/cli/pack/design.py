"""`puzzle pack design`: sets of pieces for a target."""

import shlex
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from solvers.cli.pack.designs import DesignReport
from solvers.cli.pack.puzzle_file import read_target
from solvers.cli.workers import workers_of
from solvers.foundation.command_line.app import JsonOption, print_json, stderr
from solvers.foundation.command_line.options import output_folder
from solvers.foundation.command_line.progress_view import show_progress
from solvers.foundation.command_line.stopwatch import Stopwatch
from solvers.foundation.errors import InvalidInputError
from solvers.polycube.design.goal import Goal

if TYPE_CHECKING:
    from solvers.foundation.progress import Progress
    from solvers.polycube.design.gallery import Design
    from solvers.polycube.design.task import Task
    from solvers.polycube.puzzle import Target


class _TimeUpError(Exception):
    """The time that was given is over."""


def design(
    target: Annotated[
        str | None,
        typer.Argument(help="A puzzle file, with pieces or without, or a name from `pack list`."),
    ] = None,
    box: Annotated[
        str | None, typer.Option(help="A box as target, such as 3x3x3, instead of a file.")
    ] = None,
    sizes: Annotated[str, typer.Option(help="Cubes of each piece, such as 4,4,4,5,5,5.")] = "",
    goal: Annotated[
        Goal,
        typer.Option(
            help="unique: one solution; level: moves to the first piece out; hard: search nodes."
        ),
    ] = Goal.UNIQUE,
    seed: Annotated[int, typer.Option(help="The same seed designs the same sets.")] = 1,
    climbs: Annotated[
        int, typer.Option(min=1, max=100_000, help="Begin so often from a cut by chance, at most.")
    ] = 100,
    time_s: Annotated[
        float | None, typer.Option("--time", min=0.1, help="Stop after so many seconds.")
    ] = None,
    keep: Annotated[int, typer.Option(min=1, max=1000, help="Keep so many sets, the best.")] = 1,
    distinct: Annotated[
        bool, typer.Option(help="Whether all pieces differ, however they are turned.")
    ] = True,
    mirrored: Annotated[
        bool, typer.Option(help="Whether pieces may differ as mirror images only.")
    ] = True,
    processes: Annotated[
        int, typer.Option("--workers", min=1, help="Number of processes; 1 searches in this one.")
    ] = 1,
    out: Annotated[
        Path | None, output_folder("--out", help="Write each set as a puzzle file, as found.")
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with a design that was stopped.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Design packing puzzles: find sets of pieces that fill a target in one way, or are hard.

    Exits with 1 if none is found.

    Examples:
      puzzle pack design --box 3x3x3 --sizes 4,4,4,5,5,5
      puzzle pack design --box 3x3x3 --sizes 6,7,7,7 --goal level --climbs 2 --out mine
    """
    from solvers.cli.loading import load_search, load_taking_apart
    from solvers.polycube.design.task import Task

    task = Task(_target(target, box), _sizes(sizes), goal, seed, distinct, mirrored)
    load_search()
    load_taking_apart()
    report = DesignReport(task, keep, out)
    again = f"{_asked_for(target, box, task)} --climbs {climbs} --keep {keep}"
    again += f" --out {shlex.quote(str(out))}" if out else ""
    _run(report, climbs, time_s, processes, resume=resume, again=again)
    if as_json:
        print_json(report.as_json())
    else:
        print("\n\n".join(report.paragraphs()))
    if report.stopped or not report.designs:
        raise typer.Exit(1)


def _run(
    report: DesignReport,
    climbs: int,
    time_s: float | None,
    processes: int,
    *,
    resume: bool,
    again: str,
) -> None:
    """Design until everything is done, the time is up or somebody stops it; what is found stays."""
    from platformdirs import user_state_path

    from solvers.cli.resuming import how_to_resume
    from solvers.foundation.progress import retold
    from solvers.polycube.design.designing import designing
    from solvers.polycube.design.kept_climbs import KeptClimbs
    from solvers.polycube.errors import LostWorkerError

    folder = user_state_path("puzzlerig") / "designs"
    kept = KeptClimbs(folder, report.gallery.task, resume=resume)
    workers = workers_of(processes)
    watch = Stopwatch()

    def tell(event: "Progress | Design") -> "Progress":
        if time_s is not None and watch.wall_seconds > time_s:
            raise _TimeUpError
        return report.hear(event)

    how_to_go_on = partial(how_to_resume, kept, again, unit="climb", over="over", units=climbs)
    job = retold(designing(report.gallery, climbs, workers, kept), tell)
    try:
        show_progress(job, "Designing")
    except KeyboardInterrupt:
        report.stopped = True
        _tell(f"Stopped {how_to_go_on()}")
    except LostWorkerError as error:
        raise LostWorkerError(f"{error} Stopped {how_to_go_on()}") from error
    except _TimeUpError:
        _tell(f"The time is up {how_to_go_on()}")
    else:
        kept.save()
    report.taken = watch.as_json()
    report.write()


def _tell(sentence: str) -> None:
    stderr.print(sentence, markup=False, highlight=False, soft_wrap=True)


def _target(file: str | None, box: str | None) -> "Target":
    if (file is None) == (box is None):
        raise InvalidInputError(
            "Give the target either as a puzzle file or name, or as --box 3x3x3."
        )
    if box is None:
        return read_target(str(file))
    from solvers.polycube.puzzle import Target

    sides = _numbers("--box", box.lower().split("x"), "3x3x3 or 6x10")
    if len(sides) not in (2, 3):
        raise InvalidInputError(f"--box takes two or three lengths, such as 3x3x3, not {box}.")
    return Target.box(*sides)


def _sizes(text: str) -> tuple[int, ...]:
    return _numbers("--sizes", text.replace(",", " ").split(), "4,4,4,5,5,5")


def _numbers(option: str, words: list[str], example: str) -> tuple[int, ...]:
    """Return the whole numbers of an option."""
    try:
        return tuple(map(int, words))
    except ValueError:
        said = " ".join(words)
        raise InvalidInputError(
            f"{option} takes numbers, such as {example}, not {said!r}."
        ) from None


def _asked_for(file: str | None, box: str | None, task: "Task") -> str:
    """Return what has to be typed to mean the same design."""
    words = ["puzzle pack design", f"--box {box}" if box else shlex.quote(str(file))]
    words += [f"--sizes {','.join(map(str, task.sizes))} --goal {task.goal.value}"]
    words += [f"--seed {task.seed}"]
    words += [] if task.distinct else ["--no-distinct"]
    words += [] if task.mirrored else ["--no-mirrored"]
    return " ".join(words)
