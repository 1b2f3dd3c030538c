"""`puzzle pack design`: sets of pieces for a target."""

import shlex
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from solvers.cli.pack.files import read_target
from solvers.cli.searches import how_to_resume, load_search, load_taking_apart, open_workers
from solvers.foundation.command_line import app as cli
from solvers.foundation.command_line.progress_view import Stopwatch, show_progress
from solvers.foundation.errors import InvalidInputError
from solvers.foundation.progress import Progress, map_events
from solvers.foundation.wording import counted
from solvers.polycube.design.task import Goal, Task, own_solution

if TYPE_CHECKING:
    from solvers.polycube.design.designing import Design
    from solvers.polycube.puzzle import PackingPuzzle, Target


# The report: as text, as puzzle files, or as one JSON object.


class DesignReport:
    """The best sets so far, each of which is announced and written as soon as it is found.

    `taken` is the stopwatch's result, `stopped` whether Ctrl-C ended the design.
    """

    def __init__(self, task: Task, keep: int, out: Path | None) -> None:
        from solvers.polycube.design.designing import Gallery

        self.gallery = Gallery(task, keep)
        self.stopped = False
        self.taken: dict[str, float] = {}
        self._out = out

    @property
    def designs(self) -> "list[Design]":
        """The best sets, the best first."""
        return self.gallery.designs

    def handle_event(self, event: "Progress | Design") -> Progress:
        """Announce a new set on stderr and rewrite all files; return the progress."""
        if isinstance(event, Progress):
            return event
        sentence = f"Climb {event.climb}: {self._describe(event)}."
        cli.stderr.print(sentence, markup=False, highlight=False, soft_wrap=True)
        self.write()
        return Progress("", self.gallery.climbs, None)

    def write(self) -> None:
        """Write a puzzle file for each set, if files are requested."""
        from solvers.foundation.files import write_text
        from solvers.polycube.puzzle_file import dumps

        for place, each in enumerate(self.designs if self._out else (), start=1):
            file = f"{self.gallery.task.goal.value}-{place}.toml"
            write_text(Path(self._out or "", file), dumps(self._puzzle(each)))

    def as_json(self) -> dict[str, Any]:
        """Return the object that docs/packing.md describes."""
        task = self.gallery.task
        result: dict[str, Any] = {
            "goal": task.goal.value,
            "sizes": list(task.sizes),
            "seed": task.seed,
            "climbs": self.gallery.climbs,
            "designs": [self._as_json(each) for each in self.designs],
            **self.taken,
        }
        return result | ({"stopped": True} if self.stopped else {})

    def paragraphs(self) -> Iterator[str]:
        """Yield each set as it fills the target, and a summary."""
        from solvers.polycube.text_drawing import to_text

        for place, each in enumerate(self.designs, start=1):
            picture = to_text(own_solution(each.found.pieces))
            yield f"Set {place}, {self._describe(each)}:\n{picture}"
        climbs = counted(self.gallery.climbs, "climb")
        if self.designs:
            yield f"{counted(len(self.designs), 'set')} after {climbs}."
        else:
            yield f"No set was found in {climbs}{self._nearest()}."

    def _nearest(self) -> str:
        """Return in words what the best set lacks."""
        if self.gallery.nearest is None:
            return ""
        rating = self.gallery.nearest.rating
        if rating.clashes:
            repeated = counted(rating.clashes, "piece is", "pieces are")
            return f"; of the nearest {repeated} the same as others, which --no-distinct allows"
        if not rating.is_counted:
            return "; the nearest has more solutions, or takes more nodes, than are examined"
        apart = ", none of which comes apart" if self.gallery.task.goal is Goal.LEVEL else ""
        return f"; the nearest has {counted(rating.solutions, 'solution')}{apart}"

    def _describe(self, design: "Design") -> str:
        rating = design.found.rating
        sentence = [counted(rating.solutions, "solution"), counted(rating.nodes, "node")]
        return ", ".join([f"level {rating.level}", *sentence] if rating.level else sentence)

    def _as_json(self, design: "Design") -> dict[str, Any]:
        rating = design.found.rating
        pieces = self._puzzle(design).pieces
        return {
            "climb": design.climb,
            "solutions": rating.solutions,
            "nodes": rating.nodes,
            "level": rating.level,
            "pieces": [
                {"piece": piece.name, "cells": sorted(map(list, cells))}
                for piece, cells in zip(pieces, design.found.pieces, strict=True)
            ],
        }

    def _puzzle(self, design: "Design") -> "PackingPuzzle":
        task = self.gallery.task
        name = f"{task.goal.value}-{task.seed}-{design.climb}"
        title = f"{counted(len(task.sizes), 'piece')}: {self._describe(design)}"
        source = f"puzzle pack design --seed {task.seed}, climb {design.climb}"
        return task.puzzle(design.found.pieces, name, title, source)


# The command.


class _TimeUpError(Exception):
    """The time given by --time is over."""


@click.command("design", cls=cli.Command)
@click.argument(
    "target",
    required=False,
    help="A puzzle file, with pieces or without, or a name from `pack list`.",
)
@click.option("--box", help="A box as target, such as 3x3x3, instead of a file.")
@click.option(
    "--sizes", default="", show_default=False, help="Cubes of each piece, such as 4,4,4,5,5,5."
)
@click.option(
    "--goal",
    type=cli.EnumChoice(Goal),
    default=Goal.UNIQUE.value,
    help="unique: one solution; level: moves to the first piece out; hard: search nodes.",
)
@click.option("--seed", type=int, default=1, help="The same seed designs the same sets.")
@click.option(
    "--climbs",
    type=click.IntRange(min=1, max=100_000),
    default=100,
    help="Start from at most N random cuts.",
)
@click.option(
    "--time", "time_s", type=click.FloatRange(min=0.1), help="Stop after this many seconds."
)
@click.option(
    "--keep", type=click.IntRange(min=1, max=1000), default=1, help="Keep the N best sets."
)
@click.option(
    "--distinct/--no-distinct",
    default=True,
    help="Whether all pieces differ, however they are turned.",
)
@click.option(
    "--mirrored/--no-mirrored",
    default=True,
    help="Whether pieces may differ as mirror images only.",
)
@click.option(
    "--workers",
    "processes",
    type=click.IntRange(min=1),
    default=1,
    help="Number of processes; 1 searches in this one.",
)
@click.option("--out", type=cli.OUTPUT_FOLDER, help="Write each set as a puzzle file, as found.")
@click.option("--resume", is_flag=True, help="Resume a design that was stopped.")
@cli.json_option
def design(
    target: str | None,
    box: str | None,
    sizes: str,
    goal: Goal,
    seed: int,
    climbs: int,
    time_s: float | None,
    keep: int,
    distinct: bool,
    mirrored: bool,
    processes: int,
    out: Path | None,
    resume: bool,
    as_json: bool,
) -> None:
    """Design packing puzzles: find sets of pieces that fill a target in one way, or are hard.

    Exits with 1 if none is found.

    Examples:
      puzzle pack design --box 3x3x3 --sizes 4,4,4,5,5,5
      puzzle pack design --box 3x3x3 --sizes 6,7,7,7 --goal level --climbs 2 --out mine
    """
    task = Task(_target(target, box), _sizes(sizes), goal, seed, distinct, mirrored)
    load_search()
    load_taking_apart()
    report = DesignReport(task, keep, out)
    again = f"{_command_line(target, box, task)} --climbs {climbs} --keep {keep}"
    again += f" --out {shlex.quote(str(out))}" if out else ""
    _run(report, climbs, time_s, processes, resume=resume, again=again)
    if as_json:
        cli.print_json(report.as_json())
    else:
        print("\n\n".join(report.paragraphs()))
    if report.stopped or not report.designs:
        raise click.exceptions.Exit(1)


def _run(
    report: DesignReport,
    climbs: int,
    time_s: float | None,
    processes: int,
    *,
    resume: bool,
    again: str,
) -> None:
    """Design until the end, the time limit, or Ctrl-C; what is found is saved."""
    from platformdirs import user_state_path

    from solvers.polycube.design.climbing import ClimbStore
    from solvers.polycube.design.designing import design_job
    from solvers.polycube.errors import LostWorkerError

    folder = user_state_path("puzzlerig") / "designs"
    store = ClimbStore(folder, report.gallery.task, resume=resume)
    workers = open_workers(processes)
    watch = Stopwatch()

    def on_event(event: "Progress | Design") -> Progress:
        if time_s is not None and watch.wall_seconds > time_s:
            raise _TimeUpError
        return report.handle_event(event)

    resume_hint = partial(how_to_resume, store, again, unit="climb", over="finished", units=climbs)
    job = map_events(design_job(report.gallery, climbs, workers, store), on_event)
    try:
        show_progress(job, "Designing")
    except KeyboardInterrupt:
        report.stopped = True
        _say(f"Stopped {resume_hint()}")
    except LostWorkerError as error:
        raise LostWorkerError(f"{error} Stopped {resume_hint()}") from error
    except _TimeUpError:
        _say(f"The time is up {resume_hint()}")
    else:
        store.save()
    report.taken = watch.as_json()
    report.write()


def _say(sentence: str) -> None:
    cli.stderr.print(sentence, markup=False, highlight=False, soft_wrap=True)


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


def _command_line(file: str | None, box: str | None, task: Task) -> str:
    """Return the command line that means the same design."""
    words = ["puzzle pack design", f"--box {box}" if box else shlex.quote(str(file))]
    words += [f"--sizes {','.join(map(str, task.sizes))} --goal {task.goal.value}"]
    words += [f"--seed {task.seed}"]
    words += [] if task.distinct else ["--no-distinct"]
    words += [] if task.mirrored else ["--no-mirrored"]
    return " ".join(words)
