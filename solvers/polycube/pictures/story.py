"""The steps that pictures of a solution show: which pieces are there, and what moves where.

Both the isometric series and the browser page show a story. The story of a solution that goes
together piece by piece starts with nothing; that of pieces that interlock shows them in place and
says so, because no order of assembly exists.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from solvers.polycube.lattice import Cell, Lattice, Matrix, transform
from solvers.polycube.lattices import CUBES
from solvers.polycube.puzzle import PackingSolution, Placement
from solvers.polycube.taking_apart.assembly import Assembly, Step, assemble
from solvers.polycube.taking_apart.disassembly import Disassembly, Move, Separation, Turn, plus

IN_PLACE: Final[Cell] = (0, 0, 0)

# Displacement of each piece from its place in the solution; None for one that is not there.
Places = tuple[Cell | None, ...]

AS_IT_WAS: Final[Matrix] = ((1, 0, 0), (0, 1, 0), (0, 0, 1))


@dataclass(frozen=True, slots=True)
class Frame:
    """One step: `moved` pieces go in direction `way`, after which all pieces are at `places`.

    `turned` says how each of them has turned about 0, 0, 0 before it was displaced; it is empty if
    none ever turns. With `turn` the pieces turn in this step, and `way` is no direction.
    """

    places: Places
    moved: frozenset[int]
    way: Cell
    words: str
    turned: tuple[Matrix, ...] = ()
    turn: Turn | None = None

    def place(self, piece: int, cell: Cell) -> Cell | None:
        """Return where a cell of a piece is after this step; None if the piece is not there."""
        place = self.places[piece]
        if place is None:
            return None
        return plus(transform(self.turned[piece], cell) if self.turned else cell, place, 1)


@dataclass(frozen=True, slots=True)
class Story:
    """The pieces, their initial places, and the steps; `ending` describes the result.

    A story that puts together is shown from its end, one that takes apart from its start.
    """

    pieces: tuple[Placement, ...]
    start: Places
    frames: tuple[Frame, ...]
    ending: str
    puts_together: bool


def assembly_story(steps: Sequence[Step], ending: str) -> Story:
    """Return the story of pieces that move into place one after another."""
    frames = []
    there: list[Cell | None] = [None] * len(steps)
    for number, step in enumerate(steps):
        there[number] = IN_PLACE
        words = f"piece {step.placement.piece} {step.direction.words}"
        frames.append(Frame(tuple(there), frozenset({number}), step.direction.value, words))
    pieces = tuple(step.placement for step in steps)
    return Story(pieces, (None,) * len(steps), tuple(frames), ending, puts_together=True)


def disassembly_story(
    solution: PackingSolution, separation: Separation, ending: str, lattice: Lattice = CUBES
) -> Story:
    """Return the story of a solution whose pieces slide and turn apart, together or alone.

    A part that leaves is hidden until the rest is apart; then only it is shown.
    """
    pieces = solution.placements
    names = labels(pieces)
    there: list[Cell | None] = [IN_PLACE] * len(pieces)
    aside: dict[int, Cell | None] = {}
    frames: list[Frame] = []
    turned = [AS_IT_WAS] * len(pieces)
    some = any(isinstance(move, Turn) for part in separation.every() for move in part.moves)
    for part in separation.every():
        if any(there[piece] is None for piece in part.pieces):
            there = [aside[piece] if piece in part.pieces else None for piece in range(len(pieces))]
            words = f"then {', '.join(names[piece] for piece in part.pieces)}"
            now = tuple(turned) if some else ()
            frames.append(Frame(tuple(there), frozenset(), IN_PLACE, words, now))
        for move in part.moves:
            turn = move if isinstance(move, Turn) else None
            way = move.way if isinstance(move, Move) else IN_PLACE
            if isinstance(move, Move) and move.steps is None:
                aside |= {piece: there[piece] for piece in move.pieces}
            for piece in move.pieces:
                there[piece] = _move(there[piece], move)
                if turn:
                    turned[piece] = _after(turned[piece], turn.matrix)
            words = f"{', '.join(names[piece] for piece in move.pieces)}: {move.words(lattice)}"
            now = tuple(turned) if some else ()
            frames.append(Frame(tuple(there), frozenset(move.pieces), way, words, now, turn))
    start = (IN_PLACE,) * len(pieces)
    words = f"{ending}: level {separation.level}"
    return Story(pieces, start, tuple(frames), words, puts_together=False)


def labels(pieces: Sequence[Placement]) -> list[str]:
    """Return the pieces' names, those of equal names numbered."""
    names = [placement.piece for placement in pieces]
    return [
        name if names.count(name) == 1 else f"{name} ({names[: number + 1].count(name)})"
        for number, name in enumerate(names)
    ]


def _move(place: Cell | None, move: Move | Turn) -> Cell | None:
    if place is None or (isinstance(move, Move) and move.steps is None):
        return None
    return move.apply(place)


def _after(first: Matrix, second: Matrix) -> Matrix:
    """Return what the second matrix makes of the first."""
    columns = [transform(second, column) for column in zip(*first, strict=True)]
    x, y, z = zip(*columns, strict=True)
    return x, y, z


def interlocked_story(assembly: Assembly, pieces: tuple[Placement, ...], ending: str) -> Story:
    """Return a story without steps, of pieces that no straight moves of single ones separate."""
    names = ", ".join(placement.piece for placement in assembly.stuck)
    words = f"{ending}: {names} interlock"
    return Story(pieces, (IN_PLACE,) * len(pieces), (), words, puts_together=False)


def one_by_one_story(solution: PackingSolution, ending: str, lattice: Lattice) -> Story:
    """Return the story of pieces that appear one after another, from the bottom up.

    The order does not imply that they can be assembled in this way.
    """
    pieces = sorted(solution.placements, key=lambda each: lattice.centre(each.cells)[2])
    frames = []
    there: list[Cell | None] = [None] * len(pieces)
    for number, name in enumerate(labels(pieces)):
        there[number] = IN_PLACE
        frames.append(Frame(tuple(there), frozenset({number}), IN_PLACE, f"piece {name}"))
    start = (None,) * len(pieces)
    return Story(tuple(pieces), start, tuple(frames), ending, puts_together=True)


def story_of(
    solution: PackingSolution,
    ending: str,
    disassembly: Disassembly | None = None,
    lattice: Lattice = CUBES,
) -> Story:
    """Return how a solution goes together: with gravity if possible, else without.

    With a `disassembly` it is how the solution comes apart, if it does. Without one, pieces of
    cells other than cubes appear one by one.
    """
    if disassembly and disassembly.separation:
        return disassembly_story(solution, disassembly.separation, ending, lattice)
    if lattice != CUBES:
        return one_by_one_story(solution, ending, lattice)
    for gravity in (True, False):
        assembly = assemble(solution, gravity=gravity)
        if assembly.possible:
            return assembly_story(assembly.steps, ending)
    return interlocked_story(assembly, solution.placements, ending)
