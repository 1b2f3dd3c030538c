"""What `puzzle pack solve` says: as text, or as one JSON object."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from solvers.foundation.wording import counted

if TYPE_CHECKING:
    from solvers.polycube.puzzle import PackingPuzzle, PackingSolution
    from solvers.polycube.solving.problem import Count


class Wanted(StrEnum):
    """What is asked for."""

    FIRST = "first"
    ALL = "all"
    COUNT = "count"


@dataclass
class Report:
    """What was asked for, and what is found; `counted` stays None if one solution was enough.

    `nodes` is the number of nodes of the search tree, `taken` what the stopwatch says. With
    `assembly` every solution comes with the order in which its pieces go together.
    """

    puzzle: "PackingPuzzle"
    wanted: Wanted
    assembly: bool
    solutions: "Sequence[PackingSolution]" = ()
    counted: "Count | None" = None
    nodes: int = 0
    taken: dict[str, float] = field(default_factory=dict)

    @property
    def has_none(self) -> bool:
        """Whether the puzzle has no solution."""
        return not self.solutions and (self.counted is None or not self.counted.total)

    def as_json(self) -> dict[str, Any]:
        """Return the object that docs/packing.md describes."""
        counted = self.counted
        result: dict[str, Any] = {
            "puzzle": self.puzzle.name,
            "reflections": self.puzzle.reflections,
            "solutions": [_placements(solution) for solution in self.solutions],
            "count": counted.up_to_symmetry if counted else len(self.solutions),
            "count_up_to_symmetry": counted.up_to_symmetry if counted else None,
            "count_total": counted.total if counted else None,
            "nodes": self.nodes,
            **self.taken,
        }
        if self.assembly:
            from solvers.cli.pack.assembly import assembly_as_json

            result["assembly"] = [assembly_as_json(solution) for solution in self.solutions]
        return result

    def as_text(self) -> str:
        """Return the solutions as layers of letters, and a line with the count."""
        return "\n\n".join(self._paragraphs())

    def _paragraphs(self) -> Iterator[str]:
        from solvers.cli.pack.assembly import assembly_as_text
        from solvers.polycube.pictures import layers

        for solution in self.solutions:
            yield layers.to_text(solution, self.puzzle.lattice)
            if self.assembly:
                yield assembly_as_text(solution)
        if self.has_none:
            yield f"{self.puzzle.title} has no solution."
        elif self.counted:
            images = "turned and mirror images" if self.puzzle.reflections else "turned images"
            yield (
                f"{self.puzzle.title}: {counted(self.counted.up_to_symmetry, 'solution')}, "
                f"{self.counted.total} with all {images}; {self.taken['wall_seconds']:.2f} s, "
                f"{counted(self.nodes, 'node')}."
            )


def _placements(solution: "PackingSolution") -> list[dict[str, Any]]:
    from solvers.polycube.puzzle import in_layer_order

    return [
        {
            "piece": placement.piece,
            "orientation": placement.orientation,
            "cells": [list(cell) for cell in in_layer_order(placement.cells)],
        }
        for placement in solution.placements
    ]
