"""How far one piece can slide before it meets another, for every way the two may lie.

The table of a pair has six numbers for each distance between the lowest corners of the two bounding
boxes at which these overlap or touch: how far the first can go along +x, +y and +z before it meets
the second, and the second before it meets the first. Sliding the other way is the other piece's
number, because only the distance between them counts. Shapes are cubes; tables are kept for pairs
of turned shapes, which come back in one solution after another.
"""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from solvers.foundation.arrays import Int16Array, Int64Array
from solvers.foundation.compiled import kernel
from solvers.polycube.lattice.lattice import Cell

FREE: Final = 30_000
"""It never meets the other piece. More than any number of cells that a piece can slide."""
OVERLAP: Final = -1
NUMBERS: Final = 6
MOST_NUMBERS: Final = 1 << 25
"""Of all tables that are kept, two bytes each; beyond, they are made anew."""
MOST_PLACED: Final = 100_000
"""Ways of pieces to lie in the target that are remembered."""


class Geometry(NamedTuple):
    """The pieces: tables of all pairs, extents and lowest corners (n x 3) where they begin.

    `tables[i, j]` is where the table of the pieces i < j begins in `numbers`.
    """

    numbers: Int16Array
    tables: Int64Array
    extents: Int64Array
    lows: Int64Array

    def of(self, chosen: Sequence[int], moved: Int64Array) -> "Geometry":
        """Return the geometry of some of the pieces, in their order, which have `moved` (m x 3)."""
        index = np.array(chosen, dtype=np.int64)
        tables = self.tables[np.ix_(index, index)]
        return Geometry(self.numbers, tables, self.extents[index], self.lows[index] + moved)


def lowest_corner(cells: frozenset[Cell]) -> Cell:
    """Return the least coordinates of some cells."""
    xs, ys, zs = zip(*cells, strict=True)
    return min(xs), min(ys), min(zs)


class ReachTables:
    """Makes and keeps the tables of pairs; `numbers` holds them one behind another.

    Turned shapes have numbers of their own; `_starts[a, b]` is where the table of a pair begins, or
    -1, and `_extents` has the sizes of the shapes.
    """

    def __init__(self) -> None:
        self.numbers: Int16Array = np.empty(1 << 16, dtype=np.int16)
        self._forget()

    def _forget(self) -> None:
        self._used = 0
        self._shapes: dict[frozenset[Cell], int] = {}
        self._rows: list[Int64Array] = []
        self._placed: dict[frozenset[Cell], tuple[int, Cell]] = {}
        self._starts = np.full((32, 32), -1, dtype=np.int64)
        self._extents = np.zeros((32, 3), dtype=np.int64)

    def geometry(self, pieces: Sequence[frozenset[Cell]]) -> Geometry:
        """Return all that the search has to know about placed pieces."""
        if self._used > MOST_NUMBERS or len(self._placed) > MOST_PLACED:
            self._forget()
        placed = [self._placed.get(cells) or self._place(cells) for cells in pieces]
        shapes = np.array([shape for shape, _ in placed], dtype=np.int64)
        starts = self._starts[np.ix_(shapes, shapes)]
        for i, j in np.argwhere(np.triu(starts < 0, 1)):
            starts[i, j] = self._start(int(shapes[i]), int(shapes[j]))
        lows = np.array([low for _, low in placed], dtype=np.int64)
        return Geometry(self.numbers, starts, self._extents[shapes], lows)

    def _place(self, cells: frozenset[Cell]) -> tuple[int, Cell]:
        low = lowest_corner(cells)
        name = frozenset((x - low[0], y - low[1], z - low[2]) for x, y, z in cells)
        number = self._shapes.setdefault(name, len(self._shapes))
        if number == len(self._rows):
            self._rows.append(np.array(sorted(name), dtype=np.int64))
            if number == len(self._extents):
                self._extents = np.concatenate([self._extents, np.zeros_like(self._extents)])
                self._starts = np.pad(self._starts, (0, number), constant_values=-1)
            self._extents[number] = self._rows[number].max(axis=0) + 1
        self._placed[cells] = number, low
        return number, low

    def _start(self, first: int, second: int) -> int:
        if self._starts[first, second] < 0:
            self._starts[first, second] = self._made(first, second)
        return int(self._starts[first, second])

    def _made(self, first: int, second: int) -> int:
        sizes = (self._extents[first] + self._extents[second] + 1).tolist()
        start = self._used
        self._used += NUMBERS * sizes[0] * sizes[1] * sizes[2]
        if self._used > len(self.numbers):
            numbers = np.empty(2 * self._used, dtype=np.int16)
            numbers[:start] = self.numbers[:start]
            self.numbers = numbers
        table = self.numbers[start : self._used].reshape(*sizes, NUMBERS)
        fill(table, self._rows[first], self._rows[second], self._extents[second])
        return start


@kernel
def fill(table: Any, first: Any, second: Any, extent: Any) -> None:
    """Fill in the table of a pair; index 0, 0, 0 is the distance -`extent`, of the second.

    Where they would meet one cell on, a piece cannot move; elsewhere it goes one cell farther than
    from there. What it reads where they overlap means nothing and is never asked for.
    """
    table[:] = FREE
    for a in range(len(first)):
        for b in range(len(second)):
            x = first[a, 0] - second[b, 0] + extent[0]
            y = first[a, 1] - second[b, 1] + extent[1]
            z = first[a, 2] - second[b, 2] + extent[2]
            table[x, y, z, 0] = OVERLAP
    for axis in range(3):
        _follow_along(table, axis, 1)
        _follow_along(table, axis, -1)


@kernel
def _follow_along(table: Any, axis: int, step: int) -> None:
    """Fill in the numbers of one direction, each distance after the one that a step leads to."""
    number = axis if step > 0 else axis + 3
    count = table.shape[0] * table.shape[1] * table.shape[2]
    for index in range(count):
        at = index if step > 0 else count - 1 - index
        x = at // (table.shape[1] * table.shape[2])
        y = at // table.shape[2] % table.shape[1]
        z = at % table.shape[2]
        before = x if axis == 0 else y if axis == 1 else z
        before -= step
        if 0 <= before < table.shape[axis]:
            if axis == 0:
                _follow(table[x, y, z], table[before, y, z], number)
            elif axis == 1:
                _follow(table[x, y, z], table[x, before, z], number)
            else:
                _follow(table[x, y, z], table[x, y, before], number)


@kernel
def _follow(here: Any, next_cell: Any, number: int) -> None:
    """Fill in one number from that of the distance which a step of one cell leads to."""
    if here[0] == OVERLAP:
        return
    if next_cell[0] == OVERLAP:
        here[number] = 0
    elif next_cell[number] != FREE:
        here[number] = next_cell[number] + 1
