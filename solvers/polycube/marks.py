"""Marks on pieces and targets: holes, colours, notches, pictures, and the rules that they obey.

A mark is on a cell or on one of its faces; a line that runs through a cell marks two opposite
faces. Every mark has a kind, and every kind has a rule that all solutions obey:

- `through`: along a line of cells parallel to an axis, either all cells have the mark or none.
- `fit`: a marked cell of a piece is on a cell of the target without a mark, or on one whose mark
  is paired with its own.
- `match`: where two pieces touch, the marks of the two faces are a pair. Two faces without a mark
  always match. The outside of a target has no marks unless the target says so.
- `show`: where the target has a mark on an outer face, the piece shows the same mark there.

Marks are numbers from 1; 0 stands for no mark. Bores and colours of cells are kinds that every
puzzle knows.
"""

import string
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NamedTuple

from solvers.polycube.errors import PuzzleError
from solvers.polycube.lattice import AXES, Cell, with_opposites

NONE: Final = 0
NO_SIGN: Final = "."
# Characters for marks 1, 2, ... in drawings.
SIGNS: Final = string.digits[1:] + string.ascii_letters
MOST_MARKS: Final = len(SIGNS)

# The way of a mark on the cell itself.
ON_CELL: Final[Cell] = (0, 0, 0)
FACES: Final[tuple[Cell, ...]] = with_opposites(AXES)
FACE_NAMES: Final = dict(
    zip(("right", "left", "front", "back", "top", "bottom"), FACES, strict=True)
)
"""The faces of a cube as drawings show it: rows run to the front, layers upwards."""

# A straight bore: its axis (0, 1, 2 for x, y, z) and its other two coordinates in their order. It
# goes through every cube on that line.
Bore = tuple[int, int, int]


class Mark(NamedTuple):
    """A mark: `way` leads from the cell to the cell behind the marked face, or is ON_CELL."""

    kind: str
    cell: Cell
    way: Cell
    value: int


Marks = frozenset[Mark]


class Rule(StrEnum):
    """What all solutions obey; see the module's docstring."""

    THROUGH = "through"
    FIT = "fit"
    MATCH = "match"
    SHOW = "show"

    @property
    def ways(self) -> tuple[Cell, ...]:
        """What the ways of its marks can be."""
        return (ON_CELL,) if self is Rule.FIT else FACES


@dataclass(frozen=True)
class MarkKind:
    """A kind of marks and its rule.

    `pairs` are marks that go together: for `fit` that of a piece and that of the target, for
    `match` those of two faces in either order. NONE in a pair is a face without a mark.
    """

    name: str
    rule: Rule
    pairs: frozenset[tuple[int, int]] = frozenset()

    def __post_init__(self) -> None:
        has_pairs = self.rule in (Rule.FIT, Rule.MATCH)
        if self.pairs and not has_pairs:
            raise PuzzleError(f"Marks {self.name}: rule {self.rule} has no pairs; leave them out.")
        if not self.pairs and self.rule is Rule.MATCH:
            raise PuzzleError(
                f"Marks {self.name}: rule {self.rule} needs pairs of marks: of faces that touch."
            )

    def goes(self, value: int, other: int) -> bool:
        """Return whether a piece's mark goes with that of the target, or of a touching face."""
        match self.rule:
            case Rule.FIT:
                return NONE in (value, other) or (value, other) in self.pairs
            case Rule.MATCH:
                same = value == other == NONE
                return same or (value, other) in self.pairs or (other, value) in self.pairs
            case Rule.SHOW:
                return other in (NONE, value)
        raise AssertionError(self.rule)  # the mark of a line is on all its cells


BORES: Final = MarkKind("bores", Rule.THROUGH)
COLOURS: Final = MarkKind("colours", Rule.FIT)
KNOWN: Final = (BORES, COLOURS)
"""The kinds that every puzzle knows; a puzzle can add pairs of colours."""


def sign(value: int) -> str:
    """Return the character for a mark in drawings."""
    return SIGNS[value - 1] if value else NO_SIGN


def line_through(cell: Cell, axis: int) -> Bore:
    """Return the line parallel to `axis` through a cell."""
    u, v = (cell[i] for i in range(3) if i != axis)
    return axis, u, v


def along_lines(lines: Iterable[Bore], cells: Iterable[Cell], kind: str = BORES.name) -> Marks:
    """Return the marks of lines through some cells. Raises PuzzleError for one through none."""
    wanted, through = set(lines), set()
    marks = set()
    for cell in cells:
        for axis, way in enumerate(AXES):
            if (line := line_through(cell, axis)) in wanted:
                marks |= {Mark(kind, cell, way, 1), Mark(kind, cell, opposite(way), 1)}
                through.add(line)
    if stray := sorted(wanted - through):
        raise PuzzleError(f"the line {stray[0]} of {kind} goes through none of its cubes.")
    return frozenset(marks)


def lines_of(marks: Marks, kind: str) -> frozenset[Bore]:
    """Return the lines that marks of one kind belong to."""
    return frozenset(
        line_through(mark.cell, AXES.index(mark.way))
        for mark in marks
        if mark.kind == kind and mark.way in AXES
    )


def on_cells(values: Iterable[tuple[Cell, int]], kind: str = COLOURS.name) -> Marks:
    """Return marks on cells."""
    return frozenset(Mark(kind, cell, ON_CELL, value) for cell, value in values)


def values_on_cells(marks: Marks, kind: str = COLOURS.name) -> frozenset[tuple[Cell, int]]:
    """Return the cells that marks of one kind are on, with their numbers."""
    return frozenset((mark.cell, mark.value) for mark in marks if mark.kind == kind)


def shifted(marks: Iterable[Mark], offset: Cell) -> Marks:
    """Return marks translated by `offset`."""
    return frozenset(mark._replace(cell=beyond(mark.cell, offset)) for mark in marks)


def beyond(cell: Cell, way: Cell) -> Cell:
    """Return the cell that a way leads to."""
    return cell[0] + way[0], cell[1] + way[1], cell[2] + way[2]


def opposite(way: Cell) -> Cell:
    """Return the way of the face that touches a face."""
    return -way[0], -way[1], -way[2]


def check_marks(marks: Marks, cells: frozenset[Cell], what: str) -> None:
    """Raise PuzzleError for marks beside the cells, two at one place, or a number too high."""
    for mark in sorted(marks):
        if mark.cell not in cells:
            raise PuzzleError(
                f"{what}: {mark.kind} are on {mark.cell}, which is none of its cells. Leave the "
                "mark out, or add the cell."
            )
        if not 1 <= mark.value <= MOST_MARKS:
            raise PuzzleError(f"{what}: {mark.kind} are numbers from 1 to {MOST_MARKS}.")
    places = Counter((mark.kind, mark.cell, mark.way) for mark in marks)
    if twice := [place for place, number in places.items() if number > 1]:
        kind, cell, _ = min(twice)
        raise PuzzleError(
            f"{what}: two different {kind} are at one place of {cell}; leave one out."
        )


def check_kinds(
    marks: Marks, cells: frozenset[Cell], kinds: Mapping[str, MarkKind], what: str
) -> None:
    """Raise PuzzleError for marks that their kinds' rules do not allow at their places."""
    for mark in sorted(marks):
        kind = kinds.get(mark.kind)
        if kind is None:
            raise PuzzleError(
                f"{what} has marks {mark.kind}, for which there is no rule; the kinds are "
                f"{', '.join(sorted(kinds))}."
            )
        if mark.way not in kind.rule.ways:
            places = "on cells" if kind.rule is Rule.FIT else "on faces"
            raise PuzzleError(
                f"{what}: marks of rule {kind.rule}, such as {kind.name}, are {places}."
            )
        if kind.rule is not Rule.THROUGH and mark.way != ON_CELL and beyond(*mark[1:3]) in cells:
            side = next(name for name, way in FACE_NAMES.items() if way == mark.way)
            raise PuzzleError(
                f"{what}: {kind.name} are on the {side} of {mark.cell}, which is inside; mark "
                "outer faces only."
            )
        if kind.rule is Rule.MATCH and not any(mark.value in pair for pair in kind.pairs):
            raise PuzzleError(
                f"{what}: {sign(mark.value)!r} is in no pair of marks {kind.name}; add a pair with "
                "what it touches."
            )
