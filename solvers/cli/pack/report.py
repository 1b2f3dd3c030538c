"""What `puzzle pack solve` says: as text, or as one JSON object."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from solvers.foundation.wording import counted

if TYPE_CHECKING:
    from solvers.polycube.puzzle import PackingPuzzle, PackingSolution
    from solvers.polycube.solving.problem import Count
    from solvers.polycube.taking_apart.collection import Collection
    from solvers.polycube.taking_apart.disassembly import Disassembly


class Wanted(StrEnum):
    """What is asked for."""

    FIRST = "first"
    ALL = "all"
    COUNT = "count"


@dataclass
class Report:
    """What was asked for, and what is found; `counted` stays None if one solution was enough.

    `nodes` is the number of nodes of the search tree, `taken` what the stopwatch says. With
    `assembly` every solution comes with the order in which its pieces go together, with a
    `collection` with the way it comes apart. `stopped` says that Ctrl-C ended the search.
    """

    puzzle: "PackingPuzzle"
    wanted: Wanted
    assembly: bool
    solutions: "Sequence[PackingSolution]" = ()
    counted: "Count | None" = None
    nodes: int = 0
    taken: dict[str, float] = field(default_factory=dict)
    collection: "Collection | None" = None
    disassemblies: "Sequence[Disassembly]" = ()
    stopped: bool = False

    @property
    def has_none(self) -> bool:
        """Whether the puzzle has no solution."""
        if self.collection:
            return not self.collection.come_apart
        return not self.solutions and (self.counted is None or not self.counted.total)

    def as_json(self) -> dict[str, Any]:
        """Return the object that docs/packing.md describes, for `print_json`."""
        counted = self.counted
        result: dict[str, Any] = {
            "puzzle": self.puzzle.name,
            "reflections": self.puzzle.reflections,
            "solutions": map(_placements, self.solutions),
            "count": counted.up_to_symmetry if counted else len(self.solutions),
            "count_up_to_symmetry": counted.up_to_symmetry if counted else None,
            "count_total": counted.total if counted else None,
            "nodes": self.nodes,
            **self.taken,
        }
        if self.stopped:
            result["stopped"] = True
        elif self.has_none and (proof := self._proof()):
            result["proof"] = proof
        if self.assembly:
            from solvers.cli.pack.assembly import assembly_as_json

            result["assembly"] = map(assembly_as_json, self.solutions)
        if self.collection:
            from solvers.cli.pack.disassembly import collection_as_json, disassembly_as_json

            result |= collection_as_json(self.collection)
            pairs = zip(self.solutions, self.disassemblies, strict=True)
            result["apart"] = [disassembly_as_json(*pair) for pair in pairs]
        return result

    def _proof(self) -> str | None:
        """Return why there is no solution, where that needed no search."""
        from solvers.polycube.solving.colouring import why_impossible

        return None if self.nodes else why_impossible(self.puzzle)

    def paragraphs(self) -> Iterator[str]:
        """Yield the solutions as layers of letters, and a line with the count."""
        from solvers.cli.pack.assembly import assembly_as_text
        from solvers.cli.pack.disassembly import collection_as_text, disassembly_as_text
        from solvers.polycube.pictures import layers

        for number, solution in enumerate(self.solutions):
            yield layers.to_text(solution, self.puzzle.lattice)
            if self.assembly:
                yield assembly_as_text(solution)
            if self.collection:
                yield disassembly_as_text(solution, self.disassemblies[number])
        if self.collection and self.collection.solutions:
            yield f"{self.puzzle.title}: {collection_as_text(self.collection)}"
        elif self.has_none and not self.stopped:
            proof = self._proof()
            yield f"{self.puzzle.title} has no solution.{f' {proof}' if proof else ''}"
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
