"""Tables of how far one piece can slide before it meets another, for every relative position.

The table of a pair has two numbers for each way of the lattice and each distance between the lowest
corners of the two bounding boxes at which these are a move or less from overlapping: how far the
first can move along the way before it meets the second, and the second before it meets the first.
Moving in the opposite direction is the other piece's number, because only their distance counts.
Tables are cached for pairs of rotated shapes, which recur from one solution to the next.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

import numpy as np

from solvers.foundation.arrays import Int16Array, Int64Array
from solvers.foundation.compiled import kernel
from solvers.polycube.lattice import Cell, Lattice
from solvers.polycube.taking_apart.sliding import SlidingShape, SlidingShapes

# The other piece is never met. More than any number of moves that a piece can slide.
FREE: Final = 30_000
OVERLAP: Final = -1
# Numbers in all cached tables, two bytes each; beyond this the cache is cleared.
MOST_NUMBERS: Final = 1 << 25
# Placements that are cached.
MOST_PLACED: Final = 100_000


class Geometry(NamedTuple):
    """The pieces: tables of all pairs, extents and lowest corners (n x 3) at the start.

    `tables[i, j]` is the offset of the table of the pieces i < j in `numbers`. All lengths are in
    steps of the lattice, and so are its `ways` (a row each) and the `margin` (a single number)
    around what can overlap.
    """

    numbers: Int16Array
    tables: Int64Array
    extents: Int64Array
    lows: Int64Array
    ways: Int64Array
    margin: Int64Array

    def of(self, chosen: Sequence[int], moved: Int64Array) -> "Geometry":
        """Return the geometry of some of the pieces, in their order, after they `moved` (m x 3)."""
        if len(chosen) == len(self.lows):
            return self._replace(lows=self.lows + moved)
        index = np.array(chosen, dtype=np.int64)
        return self._replace(
            tables=self.tables[np.ix_(index, index)],
            extents=self.extents[index],
            lows=self.lows[index] + moved,
        )


class ReachTables:
    """Cache of the tables of pairs; `numbers` holds them one after another.

    Rotated shapes are numbered; `_starts[a, b]` is the offset of the table of a pair, or -1, and
    `_extents` has the sizes of the shapes.
    """

    def __init__(self, lattice: Lattice) -> None:
        self.numbers: Int16Array = np.empty(1 << 16, dtype=np.int16)
        self._lattice = lattice
        self._slides = SlidingShapes(lattice)
        self._margin = np.array([self._slides.margin])
        self._clear()

    def _clear(self) -> None:
        self._used = 0
        self._shapes: dict[frozenset[Cell], int] = {}
        self._slid: list[SlidingShape] = []
        self._placed: dict[frozenset[Cell], tuple[int, Cell]] = {}
        self._starts = np.full((32, 32), -1, dtype=np.int64)
        self._extents = np.zeros((32, 3), dtype=np.int64)

    def geometry(self, pieces: Sequence[frozenset[Cell]]) -> Geometry:
        """Return the geometry of placed pieces."""
        if self._used > MOST_NUMBERS or len(self._placed) > MOST_PLACED:
            self._clear()
        placed = [self._placed.get(cells) or self._place(cells) for cells in pieces]
        shapes = np.array([shape for shape, _ in placed], dtype=np.int64)
        starts = self._starts[shapes[:, np.newaxis], shapes]
        first, second = _pairs(len(pieces))
        for pair in np.flatnonzero(starts[first, second] < 0):
            i, j = first[pair], second[pair]
            starts[i, j] = self._start(int(shapes[i]), int(shapes[j]))
        lows = np.array([low for _, low in placed], dtype=np.int64)
        slides = self._slides
        return Geometry(
            self.numbers, starts, self._extents[shapes], lows, slides.ways, self._margin
        )

    def _place(self, cells: frozenset[Cell]) -> tuple[int, Cell]:
        low = self._lattice.low(cells)
        name = frozenset((x - low[0], y - low[1], z - low[2]) for x, y, z in cells)
        number = self._shapes.setdefault(name, len(self._shapes))
        if number == len(self._slid):
            self._slid.append(self._slides.prepare(name))
            if number == len(self._extents):
                self._extents = np.concatenate([self._extents, np.zeros_like(self._extents)])
                # Double the room for shapes.
                self._starts = np.pad(self._starts, (0, number), constant_values=-1)
            self._extents[number] = self._slid[number].extents
        self._placed[cells] = number, self._slides.steps(low)
        return self._placed[cells]

    def _start(self, first: int, second: int) -> int:
        if self._starts[first, second] < 0:
            self._starts[first, second] = self._make_table(self._slid[first], self._slid[second])
        return int(self._starts[first, second])

    def _make_table(self, first: SlidingShape, second: SlidingShape) -> int:
        ways, margin = self._slides.ways, self._slides.margin
        sizes = (first.extents + second.extents + (2 * margin - 1)).tolist()
        start = self._used
        self._used += 2 * len(ways) * sizes[0] * sizes[1] * sizes[2]
        if self._used > len(self.numbers):
            # Growing by doubling keeps the copying linear in all.
            numbers = np.empty(2 * self._used, dtype=np.int16)
            numbers[:start] = self.numbers[:start]
            self.numbers = numbers
        table = self.numbers[start : self._used].reshape(*sizes, 2 * len(ways))
        fill(table, first, second, ways, margin)
        return start


@lru_cache(maxsize=64)
def _pairs(count: int) -> tuple[Int64Array, Int64Array]:
    """Return all pairs of `count` pieces, the lower number first."""
    first, second = np.triu_indices(count, 1)
    return first, second


@kernel(entry=True, error_model="numpy")
def fill(table: Any, first: SlidingShape, second: SlidingShape, ways: Any, margin: int) -> None:
    """Fill in the table of a pair; index 0, 0, 0 is a `margin` before the first overlap.

    Where the next move would make them meet, a piece cannot move; elsewhere it moves one step
    farther than from there. Entries at which they overlap are undefined and never read.
    """
    count = len(ways)
    table[:] = FREE
    _block(table, first.passed, second.cells, second.extents, margin, 0, 1)
    _block(table, second.passed, first.cells, second.extents, margin, count, -1)
    for a in range(len(first.cells)):
        for b in range(len(second.cells)):
            if first.cells[a, 3] == second.cells[b, 3]:
                x = first.cells[a, 0] - second.cells[b, 0] + second.extents[0] + margin - 1
                y = first.cells[a, 1] - second.cells[b, 1] + second.extents[1] + margin - 1
                z = first.cells[a, 2] - second.cells[b, 2] + second.extents[2] + margin - 1
                table[x, y, z, 0] = OVERLAP
    for way in range(count):
        x, y, z = ways[way, 0], ways[way, 1], ways[way, 2]
        _follow_along(table, way, -x, -y, -z)
        _follow_along(table, count + way, x, y, z)


@kernel(error_model="numpy")
def _block(
    table: Any, passed: Any, cells: Any, extents: Any, margin: int, number: int, sign: int
) -> None:
    """Fill in 0 where a shape would pass through one of the other's cells."""
    for a in range(len(passed)):
        for b in range(len(cells)):
            if passed[a, 3] == cells[b, 3]:
                x = sign * (passed[a, 0] - cells[b, 0]) + extents[0] + margin - 1
                y = sign * (passed[a, 1] - cells[b, 1]) + extents[1] + margin - 1
                z = sign * (passed[a, 2] - cells[b, 2]) + extents[2] + margin - 1
                table[x, y, z, number + passed[a, 4]] = 0


@kernel(error_model="numpy")
def _follow_along(table: Any, number: int, dx: int, dy: int, dz: int) -> None:
    """Fill in the numbers of one direction, each distance after the one that a move leads to."""
    sx, sy, sz = table.shape[0], table.shape[1], table.shape[2]
    # Along each axis from the side that a move leads to, one move's length away from it.
    for across in range(sx - abs(dx)):
        x = sx - 1 - dx - across if dx > 0 else across - dx
        for along in range(sy - abs(dy)):
            y = sy - 1 - dy - along if dy > 0 else along - dy
            for up in range(sz - abs(dz)):
                z = sz - 1 - dz - up if dz > 0 else up - dz
                _follow(table[x, y, z], table[x + dx, y + dy, z + dz], number)


@kernel(error_model="numpy")
def _follow(here: Any, there: Any, number: int) -> None:
    """Fill in one number from that of the distance which a move leads to."""
    if here[0] == OVERLAP or here[number] == 0:
        return
    if there[0] == OVERLAP:
        here[number] = 0
    elif there[number] != FREE:
        here[number] = there[number] + 1
