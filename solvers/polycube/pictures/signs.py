"""Signs for marks: how holes, colours, notches and pictures are drawn on the faces of cells.

Holes are discs. All other signs have the outline of the face: large ones for what a puzzle shows
outside, middle-sized ones for colours of cells, small ones for marks that match, of which the first
of a pair, the tab, is light and the second, the slot, is dark.
"""

from collections.abc import Iterable
from typing import Final, NamedTuple

from solvers.drawing.shapes import distinct_colour
from solvers.polycube.lattice import Cell
from solvers.polycube.marks import BORES, NONE, Mark, MarkKind, Marks, Rule
from solvers.polycube.puzzle import PackingPuzzle, PackingSolution, marks_in_place

HOLE_RADIUS: Final = 0.24  # in edges of a cube
WIDER: Final = 0.06
"""By which a further kind of holes is larger, and its rim seen around the others."""

SIZES: Final = {Rule.SHOW: 0.88, Rule.FIT: 0.78}
NOTCH_SIZES: Final = (0.62, 0.7, 0.54)
"""Of the first, second and third pair of marks that match, then again; all wider than a hole."""
HOLE, TAB, SLOT = "#1b1b1b", "#fffbe8", "#4a4a4a"


class Sign(NamedTuple):
    """A disc of this radius, or a face made smaller by this factor.

    It is on the face that `way` leads to, or with ON_CELL on all faces.
    """

    cell: Cell
    way: Cell
    is_round: bool
    size: float
    colour: str


def signs_of(puzzle: PackingPuzzle, marks: Marks) -> tuple[Sign, ...]:
    """Return the signs for marks, in the order in which they are painted."""
    holes = [kind for kind in puzzle.marks if kind.rule is Rule.THROUGH and kind.name != BORES.name]
    found = [_sign(mark, puzzle.kind(mark.kind), holes) for mark in sorted(marks)]
    return tuple(sorted(found, key=lambda sign: (sign.is_round, -sign.size)))


def signs_of_solution(puzzle: PackingPuzzle, solution: PackingSolution) -> tuple[Sign, ...]:
    """Return the signs for the marks of all placed pieces."""
    return signs_of(puzzle, marks_in_place(puzzle, solution))


def by_cell(signs: Iterable[Sign]) -> dict[Cell, list[Sign]]:
    """Return the signs of each cell."""
    found: dict[Cell, list[Sign]] = {}
    for sign in signs:
        found.setdefault(sign.cell, []).append(sign)
    return found


def pair_of(value: int, kind: MarkKind) -> tuple[int, bool | None]:
    """Return the number of the pair that a mark belongs to, and whether it is a tab or a slot.

    It is neither if it matches itself, or is the first of one pair and the second of another. What
    goes with faces without a mark alone is a slot.
    """
    pairs = sorted(pair for pair in kind.pairs if NONE not in pair)
    number = next((n for n, pair in enumerate(pairs) if value in pair), 0)
    ends = {end for pair in pairs for end in (0, 1) if pair[end] == value}
    return number, None if len(ends) == 2 else ends == {0}


def _sign(mark: Mark, kind: MarkKind, holes: list[MarkKind]) -> Sign:
    _, cell, way, value = mark
    colour = distinct_colour(value - 1)
    match kind.rule:
        case Rule.THROUGH if kind in holes:
            number = holes.index(kind) + 1
            size = HOLE_RADIUS + WIDER * number
            return Sign(cell, way, True, size, distinct_colour(number))
        case Rule.THROUGH:
            return Sign(cell, way, True, HOLE_RADIUS, HOLE)
        case Rule.MATCH:
            number, is_tab = pair_of(value, kind)
            size = NOTCH_SIZES[number % len(NOTCH_SIZES)]
            return Sign(cell, way, False, size, {True: TAB, False: SLOT, None: colour}[is_tab])
    return Sign(cell, way, False, SIZES[kind.rule], colour)
