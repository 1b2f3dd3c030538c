"""What the marks of placed pieces demand of each other, as colours of an exact cover.

Options of an exact cover must agree on the colours of items that they share. A line of cells is
such an item: bored or solid. For marks that have to match there is an item for each mark that a
face may have: the piece with this mark on this face says that it is there, and a piece with a face
that does not go with it, on the other side, says that it must not be.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product

from solvers.polycube.lattice import AXES, Cell, Matrix, image_axis, transform
from solvers.polycube.lattices import CUBES
from solvers.polycube.marks import (
    FACES,
    NONE,
    ON_CELL,
    MarkKind,
    Marks,
    Rule,
    beyond,
    line_through,
    opposite,
)
from solvers.polycube.puzzle import Orientation, PackingPuzzle
from solvers.polycube.solving.grid import Grid
from solvers.search.exact_cover.model import Colouring

SOLID, BORED = 0, 1
MUST_NOT_BE, IS_THERE = 0, 1

_Values = Mapping[tuple[str, Cell, Cell], int]
"""The marks of a piece by kind, cell and way."""


@dataclass(frozen=True)
class _Matching:
    """A kind of marks on touching faces: its first item, and the marks that pieces have."""

    kind: MarkKind
    first: int
    values: tuple[int, ...]
    contrary: Mapping[int, tuple[int, ...]]
    """The marks that do not go with each, of those that pieces have."""


class Marking:
    """Turns the marks of a placed piece into colours; `items` are all coloured items.

    With `distinct`, pieces on the same cells differ if any of their marks do. That rules nothing
    out, since no two pieces share a cell.
    """

    def __init__(self, puzzle: PackingPuzzle, grid: Grid, *, distinct: bool = False) -> None:
        self._grid = grid
        self._target = puzzle.target.cells
        self._ways = (ON_CELL, *FACES) if puzzle.lattice == CUBES else (ON_CELL,)
        self._walls = _values(puzzle.target.marks)
        self._banned = _banned_cells(puzzle, grid)
        self._shown: dict[Cell, list[tuple[str, Cell, int]]] = {}
        self._through: list[tuple[str, int]] = []
        self._matched: list[_Matching] = []
        self._own: dict[str, int] = {}
        self.items = 0
        places = grid.volume * len(self._ways)
        for kind in puzzle.marks:
            match kind.rule:
                case Rule.THROUGH:
                    self._through.append((kind.name, self.items))
                    self.items += grid.lines
                    continue
                case Rule.MATCH:
                    self._matched.append(_matching(kind, puzzle, self.items))
                    self.items += places * len(self._matched[-1].values)
            if distinct:
                self._own[kind.name] = self.items
                self.items += places
        for mark in puzzle.target.marks:
            if puzzle.kind(mark.kind).rule is Rule.SHOW:
                self._shown.setdefault(mark.cell, []).append((mark.kind, mark.way, mark.value))

    def colours(self, turned: Orientation, offsets: Iterable[Cell]) -> Iterator[Colouring | None]:
        """Yield the colours of a piece at each offset in the grid, None where it breaks a rule."""
        values = _values(turned.marks)
        lines = self._lines(turned, values)
        for offset in offsets:
            yield None if lines is None else self._at(offset, turned, values, lines)

    def _lines(self, turned: Orientation, values: _Values) -> dict[tuple[int, int], int] | None:
        """Return whether the lines through a piece are bored, by item and axis.

        Items are counted from that of the line through its low corner. Returns None if it bores
        some cube of a line and blocks another.
        """
        low, line = self._grid.low, self._grid.line
        found: dict[tuple[int, int], int] = {}
        for (kind, first), cell in product(self._through, turned.shape.cells):
            for axis, way in enumerate(AXES):
                item = first + line(line_through(beyond(cell, low), axis))
                item -= line(line_through(low, axis))
                colour = BORED if (kind, cell, way) in values else SOLID
                if found.setdefault((item, axis), colour) != colour:
                    return None
        return found

    def _at(
        self,
        offset: Cell,
        turned: Orientation,
        values: _Values,
        lines: Mapping[tuple[int, int], int],
    ) -> Colouring | None:
        shift = beyond(self._grid.low, offset)
        found: dict[int, int] = {}
        if lines:
            firsts = [self._grid.line(line_through(shift, axis)) for axis in range(3)]
            found = {item + firsts[axis]: colour for (item, axis), colour in lines.items()}
        if self._banned or self._own:
            for kind, cell, way, value in turned.marks:
                bit = self._grid.bit(beyond(cell, shift))
                if self._banned.get((kind, value), 0) >> bit & 1:
                    return None
                if kind in self._own:
                    found[self._own[kind] + self._place(bit, way)] = value
        for cell in turned.shape.cells if self._shown else ():
            for kind, way, value in self._shown.get(beyond(cell, shift), ()):
                if values.get((kind, cell, way)) != value:
                    return None
        for matching in self._matched:
            if (touching := self._matches(matching, turned, values, shift)) is None:
                return None
            found |= touching
        return tuple(sorted(found.items()))

    def _matches(
        self, matching: _Matching, turned: Orientation, values: _Values, shift: Cell
    ) -> dict[int, int] | None:
        """Return what all faces of a piece say, None if one does not match the outside."""
        kind, cells = matching.kind, turned.shape.cells
        found: dict[int, int] = {}
        for cell, way in product(cells, FACES):
            if beyond(cell, way) in cells:
                continue
            placed = beyond(cell, shift)
            value = values.get((kind.name, cell, way), NONE)
            if beyond(placed, way) in self._target:
                found |= self._touching(matching, placed, way, value)
            elif not kind.goes(value, self._walls.get((kind.name, placed, way), NONE)):
                return None
        return found

    def permutation(self, matrix: Matrix, images: Mapping[Cell, Cell]) -> tuple[int, ...]:
        """Return the image of every coloured item under a symmetry of the target."""
        grid, found = self._grid, list(range(self.items))
        for cell, image in images.items() if found else ():
            for _, first in self._through:
                for axis in range(3):
                    line = line_through(image, image_axis(matrix, axis))
                    found[first + grid.line(line_through(cell, axis))] = first + grid.line(line)
            if not (self._matched or self._own):
                continue
            for way in self._ways:
                place = self._place(grid.bit(cell), way)
                moved = self._place(grid.bit(image), transform(matrix, way))
                for first in self._own.values():
                    found[first + place] = first + moved
                for matching in self._matched:
                    number = len(matching.values)
                    for value in range(number):
                        found[matching.first + place * number + value] = (
                            matching.first + moved * number + value
                        )
        return tuple(found)

    def _touching(self, matching: _Matching, cell: Cell, way: Cell, value: int) -> dict[int, int]:
        """Return what a face of a placed piece says about itself and the face that touches it."""
        number = len(matching.values)
        found = {}
        if value:
            here = self._place(self._grid.bit(cell), way)
            found[matching.first + here * number + matching.values.index(value)] = IS_THERE
        there = self._place(self._grid.bit(beyond(cell, way)), opposite(way))
        for other in matching.contrary[value]:
            item = matching.first + there * number + matching.values.index(other)
            found[item] = MUST_NOT_BE
        return found

    def _place(self, bit: int, way: Cell) -> int:
        """Return the number of a place for a mark, from 0."""
        return bit * len(self._ways) + self._ways.index(way)


def _values(marks: Marks) -> _Values:
    return {(kind, cell, way): value for kind, cell, way, value in marks}


def _banned_cells(puzzle: PackingPuzzle, grid: Grid) -> dict[tuple[str, int], int]:
    """Return for marks on cells of pieces the cells of the target, as bits, that bar them."""
    used = {mark[::3] for piece in puzzle.pieces for mark in piece.marks}
    return {
        (name, value): sum(
            1 << grid.bit(mark.cell)
            for mark in puzzle.target.marks
            if mark.kind == name and not puzzle.kind(name).goes(value, mark.value)
        )
        for name, value in used
        if puzzle.kind(name).rule is Rule.FIT
    }


def _matching(kind: MarkKind, puzzle: PackingPuzzle, first: int) -> _Matching:
    marks = {mark for piece in puzzle.pieces for mark in piece.marks if mark.kind == kind.name}
    values = tuple(sorted({mark.value for mark in marks}))
    contrary = {
        value: tuple(other for other in values if not kind.goes(value, other))
        for value in (NONE, *values)
    }
    return _Matching(kind, first, values, contrary)
