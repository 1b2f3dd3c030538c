"""What `puzzle pack solve` says: as text, or as one JSON object."""

import json
from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from tempfile import TemporaryFile
from typing import TYPE_CHECKING, Any

from solvers.foundation.command_line.stopwatch import Stopwatch
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

    Solutions may be searched for while they are printed, so everything else is told after them,
    and `close` ends that `search` where not all are asked for;
    the first `most_kept` stay in `kept`, for pictures. `nodes` is the number of nodes of the search
    tree. With `assembly` every solution comes with the order in which its pieces go together, with
    a `collection` with the way it comes apart. `stopped` says that Ctrl-C ended the search, or
    that a worker was `lost`, and how.
    """

    puzzle: "PackingPuzzle"
    wanted: Wanted
    assembly: bool
    watch: Stopwatch
    most_kept: int = 0
    solutions: "Iterable[PackingSolution]" = ()
    counted: "Count | None" = None
    nodes: int = 0
    collection: "Collection | None" = None
    disassemblies: "Sequence[Disassembly]" = ()
    stopped: bool = False
    lost: str = ""
    shown: int = 0
    kept: "list[PackingSolution]" = field(default_factory=list)
    search: "Generator[PackingSolution, None, None] | None" = None

    def close(self) -> None:
        """End the search for solutions that nobody asks for any more, and its workers."""
        if self.search is not None:
            self.search.close()

    @property
    def has_none(self) -> bool:
        """Whether the puzzle has no solution."""
        if self.collection:
            return not self.collection.come_apart
        return not self.shown and (self.counted is None or not self.counted.total)

    def _each(self) -> "Iterator[PackingSolution]":
        """Yield the solutions, count them and keep the first."""
        for solution in self.solutions:
            self.shown += 1
            if len(self.kept) < self.most_kept:
                self.kept.append(solution)
            yield solution

    def as_json(self) -> Iterator[tuple[str, Any]]:
        """Yield the keys of the object that docs/packing.md describes, for `print_json`."""
        yield "puzzle", self.puzzle.name
        yield "reflections", self.puzzle.reflections
        with _Aside() as assemblies:
            yield "solutions", map(_placements, self._told_in(assemblies))
            yield from self._numbers()
            if self.assembly:
                yield "assembly", iter(assemblies)
        if self.collection:
            from solvers.cli.pack.disassembly import collection_as_json, disassembly_as_json

            yield from collection_as_json(self.collection).items()
            pairs = zip(self.solutions, self.disassemblies, strict=True)
            lattice = self.puzzle.lattice
            yield "apart", [disassembly_as_json(*pair, lattice) for pair in pairs]

    def _numbers(self) -> Iterator[tuple[str, Any]]:
        counted = self.counted
        yield "count", counted.up_to_symmetry if counted else self.shown
        yield "count_up_to_symmetry", counted.up_to_symmetry if counted else None
        yield "count_total", counted.total if counted else None
        yield "nodes", self.nodes
        yield from self.watch.as_json().items()
        if self.stopped:
            yield "stopped", True
        elif self.has_none and (proof := self._proof()):
            yield "proof", proof
        if self.lost:
            yield "error", self.lost

    def _told_in(self, assemblies: "_Aside") -> "Iterator[PackingSolution]":
        """Yield the solutions, and put aside how each is assembled, for later in the object."""
        for solution in self._each():
            if self.assembly:
                from solvers.cli.pack.assembly import assembly_as_json

                assemblies.put(assembly_as_json(solution))
            yield solution

    def _proof(self) -> str | None:
        """Return why there is no solution, where that needed no search."""
        from solvers.polycube.solving.colouring import why_impossible

        return None if self.nodes else why_impossible(self.puzzle)

    def paragraphs(self) -> Iterator[str]:
        """Yield the solutions as layers of letters, and a line with the count."""
        from solvers.cli.pack.assembly import assembly_as_text
        from solvers.cli.pack.disassembly import collection_as_text, disassembly_as_text
        from solvers.polycube.pictures import layers

        for number, solution in enumerate(self._each()):
            yield layers.to_text(solution, self.puzzle.lattice)
            if self.assembly:
                yield assembly_as_text(solution)
            if self.collection:
                found = self.disassemblies[number]
                yield disassembly_as_text(solution, found, self.puzzle.lattice)
        if self.collection and self.collection.solutions:
            yield f"{self.puzzle.title}: {collection_as_text(self.collection)}"
        elif self.has_none and not self.stopped:
            proof = self._proof()
            yield f"{self.puzzle.title} has no solution.{f' {proof}' if proof else ''}"
        elif self.counted:
            images = "turned and mirror images" if self.puzzle.reflections else "turned images"
            yield (
                f"{self.puzzle.title}: {counted(self.counted.up_to_symmetry, 'solution')}, "
                f"{self.counted.total} with all {images}; {self.watch.wall_seconds:.2f} s, "
                f"{counted(self.nodes, 'node')}."
            )


class _Aside:
    """JSON values that wait in a file: there may be as many of them as there are solutions."""

    def __enter__(self) -> "_Aside":
        self._file = TemporaryFile("w+", encoding="utf-8")
        return self

    def __exit__(self, *exception: object) -> None:
        self._file.close()

    def put(self, value: Any) -> None:
        self._file.write(f"{json.dumps(value)}\n")

    def __iter__(self) -> Iterator[Any]:
        self._file.seek(0)
        return map(json.loads, self._file)


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
