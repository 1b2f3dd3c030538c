"""Output of `puzzle pack solve`, as text or as JSON."""

from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from solvers.cli.pictures import interlocking
from solvers.foundation.command_line.progress_view import Stopwatch
from solvers.foundation.wording import counted
from solvers.polycube.puzzle import PackingPuzzle, PackingSolution, in_layer_order
from solvers.polycube.taking_apart.disassembly import (
    Disassembly,
    Hindrance,
    Move,
    Turn,
    way_words,
)

if TYPE_CHECKING:
    from solvers.polycube.lattice import Lattice
    from solvers.polycube.solving.problem import Count
    from solvers.polycube.taking_apart.assembly import Assembly
    from solvers.polycube.taking_apart.collection import Collection


# Assembly by hand.


def assembly_as_json(solution: PackingSolution) -> dict[str, Any]:
    """Return the order of assembly, or the pieces that block one another."""
    found = _by_hand_or_hovering(solution)
    return {
        "possible": found.possible,
        "gravity": found.possible and found.gravity,
        "steps": [
            {"piece": step.placement.piece, "direction": step.direction.words}
            for step in found.steps
        ],
        "stuck": [placement.piece for placement in found.stuck],
    }


def assembly_as_text(solution: PackingSolution) -> str:
    """Return the order of assembly in words."""
    found = _by_hand_or_hovering(solution)
    if not found.possible:
        stuck = ", ".join(placement.piece for placement in found.stuck)
        text = f"Single pieces in straight moves cannot make this: {stuck} interlock."
        return f"{text}\n{_other_way(solution)}"
    steps = "\n".join(
        f"{number:3}. {step.placement.piece} {step.direction.words}"
        for number, step in enumerate(found.steps, start=1)
    )
    if found.gravity:
        return f"Put together by hand:\n{steps}"
    return f"Put together with pieces held in the air:\n{steps}"


def _other_way(solution: PackingSolution) -> str:
    from solvers.polycube.lattices import CUBES

    found = interlocking(solution)
    assert found is not None  # no order of single pieces exists
    return disassembly_as_text(solution, found, CUBES)


def _by_hand_or_hovering(solution: PackingSolution) -> "Assembly":
    from solvers.polycube.taking_apart.assembly import assemble

    resting = assemble(solution, gravity=True)
    return resting if resting.possible else assemble(solution, gravity=False)


# Disassembly.

MOST_LEVELS = 12


def disassembly_as_text(solution: PackingSolution, found: Disassembly, lattice: "Lattice") -> str:
    """Return level and moves; pieces have the letters of the text picture."""
    from solvers.polycube.text_drawing import symbols

    letters = symbols(solution)
    if found.separation is None:
        stuck = ", ".join(letters[number] for number in found.stuck)
        if found.hindrance is Hindrance.LOCKED:
            if found.positions == 1:
                return f"It does not come apart: of {stuck} no set can move at all."
            return (
                f"It does not come apart: {stuck} stay together in all {found.positions} positions "
                "that they can reach."
            )
        return (
            f"Whether it comes apart is not known: {found.positions} positions of {stuck} fill the "
            "room there is."
        )
    lines = [f"Level {found.level}. Taken apart:"]
    number = 0
    for separation in found.separation.every():
        if number:
            names = ", ".join(letters[piece] for piece in separation.pieces)
            lines.append(f"     then {names}:")
        for move in separation.moves:
            number += 1
            names = ", ".join(letters[piece] for piece in move.pieces)
            lines.append(f"{number:3}. {names}: {move.words(lattice)}")
    return "\n".join(lines)


def disassembly_as_json(
    solution: PackingSolution, found: Disassembly, lattice: "Lattice"
) -> dict[str, Any]:
    """Return the object that docs/pictures.md describes."""
    separations = []
    for separation in found.separation.every() if found.separation else ():
        moves = [_move_as_json(move, lattice) for move in separation.moves]
        separations.append({"pieces": list(separation.pieces), "moves": moves})
    return {
        "level": found.level,
        "pieces": [placement.piece for placement in solution.placements],
        "separations": separations,
        "hindrance": found.hindrance.value if found.hindrance else None,
        "stuck": list(found.stuck),
        "positions": found.positions,
    }


def _move_as_json(move: Move | Turn, lattice: "Lattice") -> dict[str, Any]:
    pieces = list(move.pieces)
    if isinstance(move, Turn):
        turned = {"axis": "xyz"[move.axis], "at": move.at, "degrees": 90}
        return {"pieces": pieces, "direction": move.sense, **turned}
    return {
        "pieces": pieces,
        "direction": way_words(move.way, lattice),
        "steps": move.steps,
    }


def collection_as_json(collection: "Collection") -> dict[str, Any]:
    """Return how many solutions come apart, and their levels."""
    return {
        "come_apart": collection.come_apart,
        "locked": collection.hindered[Hindrance.LOCKED],
        "given_up": collection.hindered[Hindrance.GIVEN_UP],
        "levels": dict(collection.hardest_levels()),
    }


def collection_as_text(collection: "Collection") -> str:
    """Return a sentence about how many solutions come apart and how hard they are."""
    levels = list(collection.hardest_levels())
    given_up = collection.hindered[Hindrance.GIVEN_UP]
    text = f"{collection.come_apart} of {collection.solutions} come apart"
    if levels:
        listed = [f"{level} ({count})" for level, count in levels[:MOST_LEVELS]]
        more = ", ..." if len(levels) > MOST_LEVELS else ""
        text += f"; levels, hardest first: {', '.join(listed)}{more}"
    return f"{text}. For {given_up} it is not known." if given_up else f"{text}."


class Wanted(StrEnum):
    """The request: one solution, all, or their number."""

    FIRST = "first"
    ALL = "all"
    COUNT = "count"


@dataclass
class Report:
    """The results of a request; `counted` stays None if one solution was enough.

    Solutions may be found while they are printed, so everything else is reported after them.
    `close` ends that `search` if not all are read. The first `most_pictures` are stored in
    `pictured`. `nodes` is the number of nodes of the search tree. With `assembly` every solution
    comes with its order of assembly, with a `collection` with its disassembly. `stopped` says that
    Ctrl-C ended the search, or that a worker was `lost`, and how.
    """

    puzzle: PackingPuzzle
    wanted: Wanted
    assembly: bool
    watch: Stopwatch
    most_pictures: int = 0
    solutions: Iterable[PackingSolution] = ()
    counted: "Count | None" = None
    nodes: int = 0
    collection: "Collection | None" = None
    disassemblies: Sequence[Disassembly] = ()
    stopped: bool = False
    lost: str = ""
    shown: int = 0
    pictured: list[PackingSolution] = field(default_factory=list)
    search: Generator[PackingSolution, None, None] | None = None

    def close(self) -> None:
        """End a search whose solutions are not read any further, and its workers."""
        if self.search is not None:
            self.search.close()

    @property
    def has_none(self) -> bool:
        """Whether the puzzle has no solution."""
        if self.collection:
            return not self.collection.come_apart
        return not self.shown and (self.counted is None or not self.counted.total)

    def _each(self) -> Iterator[PackingSolution]:
        """Yield the solutions, counting them and storing the first for pictures."""
        for solution in self.solutions:
            self.shown += 1
            if len(self.pictured) < self.most_pictures:
                self.pictured.append(solution)
            yield solution

    def json_lines(self) -> Iterator[dict[str, Any]]:
        """Yield the objects that docs/packing.md describes, a line of output each.

        With `--all` that is each solution as it is found, and then the counts; else one object.
        """
        puzzle = {"puzzle": self.puzzle.name, "reflections": self.puzzle.reflections}
        if self.puzzle.target_name:
            puzzle["target"] = self.puzzle.target_name
        if self.wanted is Wanted.ALL and not self.collection:
            for solution in self._each():
                together = {"assembly": assembly_as_json(solution)} if self.assembly else {}
                yield {"solution": _placements(solution), **together}
            yield puzzle | self._numbers()
            return
        shown = list(self._each())
        result = puzzle | {"solutions": [_placements(each) for each in shown]} | self._numbers()
        if self.collection:
            pairs = zip(shown, self.disassemblies, strict=True)
            lattice = self.puzzle.lattice
            apart = [disassembly_as_json(*pair, lattice) for pair in pairs]
            result |= collection_as_json(self.collection) | {"apart": apart}
        if self.assembly:
            result["assembly"] = [assembly_as_json(each) for each in shown]
        yield result

    def _numbers(self) -> dict[str, Any]:
        counted = self.counted
        numbers: dict[str, Any] = {
            "count": counted.up_to_symmetry if counted else self.shown,
            "count_up_to_symmetry": counted.up_to_symmetry if counted else None,
            "count_total": counted.total if counted else None,
            "nodes": self.nodes,
            **self.watch.as_json(),
        }
        if self.stopped:
            numbers["stopped"] = True
        elif self.has_none and (proof := self._proof()):
            numbers["proof"] = proof
        if self.lost:
            numbers["error"] = self.lost
        return numbers

    def _proof(self) -> str | None:
        """Return why there is no solution, where that needed no search."""
        from solvers.polycube.solving.colouring import why_impossible

        return None if self.nodes else why_impossible(self.puzzle)

    def paragraphs(self) -> Iterator[str]:
        """Yield the solutions as layers of letters, and a line with the count."""
        from solvers.polycube import text_drawing

        for number, solution in enumerate(self._each()):
            faces = text_drawing.faces(self.puzzle, solution)
            yield text_drawing.to_text(solution, self.puzzle.lattice, faces)
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


def _placements(solution: PackingSolution) -> list[dict[str, Any]]:
    return [
        {
            "piece": placement.piece,
            "orientation": placement.orientation,
            "cells": [list(cell) for cell in in_layer_order(placement.cells)],
        }
        for placement in solution.placements
    ]
