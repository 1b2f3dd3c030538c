"""What `puzzle pack design` says and writes: as text, as puzzle files, or as one JSON object."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from solvers.foundation.command_line.app import stderr
from solvers.foundation.wording import counted
from solvers.polycube.design.goal import Goal

if TYPE_CHECKING:
    from solvers.foundation.progress import Progress
    from solvers.polycube.design.gallery import Design
    from solvers.polycube.design.task import Task
    from solvers.polycube.puzzle import PackingPuzzle


class DesignReport:
    """The best sets so far, each of which is told and written as soon as it is found.

    `taken` is what the stopwatch says, `stopped` whether Ctrl-C ended the design.
    """

    def __init__(self, task: "Task", keep: int, out: Path | None) -> None:
        from solvers.polycube.design.gallery import Gallery

        self.gallery = Gallery(task, keep)
        self.stopped = False
        self.taken: dict[str, float] = {}
        self._out = out

    @property
    def designs(self) -> "list[Design]":
        """The best sets, the best first."""
        return self.gallery.designs

    def hear(self, event: "Progress | Design") -> "Progress":
        """Tell of a new set on stderr and write all files again; return what a bar shows."""
        from solvers.foundation.progress import Progress

        if isinstance(event, Progress):
            return event
        told = f"Climb {event.climb}: {self._what(event)}."
        stderr.print(told, markup=False, highlight=False, soft_wrap=True)
        self.write()
        return Progress("", self.gallery.climbs, None)

    def write(self) -> None:
        """Write a puzzle file of each set, if files are wanted."""
        from solvers.foundation.files import write_text
        from solvers.polycube.files.toml_format import dumps

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
        """Yield each set as it fills the target, and what was done."""
        from solvers.polycube.design.task import own_solution
        from solvers.polycube.pictures.layers import to_text

        for place, each in enumerate(self.designs, start=1):
            yield f"Set {place}, {self._what(each)}:\n{to_text(own_solution(each.found.pieces))}"
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
            alike = counted(rating.clashes, "piece is", "pieces are")
            return f"; of the nearest {alike} the same as others, which --no-distinct allows"
        if not rating.is_counted:
            return "; the nearest has more solutions, or takes more nodes, than are looked at"
        apart = ", none of which comes apart" if self.gallery.task.goal is Goal.LEVEL else ""
        return f"; the nearest has {counted(rating.solutions, 'solution')}{apart}"

    def _what(self, design: "Design") -> str:
        rating = design.found.rating
        told = [counted(rating.solutions, "solution"), counted(rating.nodes, "node")]
        return ", ".join([f"level {rating.level}", *told] if rating.level else told)

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
        title = f"{counted(len(task.sizes), 'piece')}: {self._what(design)}"
        source = f"puzzle pack design --seed {task.seed}, climb {design.climb}"
        return task.puzzle(design.found.pieces, name, title, source)
