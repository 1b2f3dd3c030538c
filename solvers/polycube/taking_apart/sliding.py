"""Pieces as the tables of reach take them: cells in whole steps, and what is passed on the way.

A cell is the number of steps that it is from 0, 0, 0 along the three axes, and its kind: which of
those cells it is that no move leads to each other. Cubes are all of one kind.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np

from solvers.foundation.arrays import Int64Array
from solvers.polycube.lattice.lattice import Cell, Lattice
from solvers.polycube.lattice.sweeps import Sweeps


class Slid(NamedTuple):
    """A shape near 0, 0, 0; `extents` is 1 more than its greatest number of steps on each axis.

    `cells` have a row of three numbers of steps and a kind. `passed` has one for each cell that
    the shape passes through on a way, and that it does not end at: these four, and the way.
    """

    cells: Int64Array
    passed: Int64Array
    extents: Int64Array


class Slides:
    """Makes shapes of a lattice ready to slide.

    `ways` are the lattice's in steps, a row each; `margin` is the most steps of one along an axis.
    What a shape passes is never farther from it than that.
    """

    def __init__(self, lattice: Lattice) -> None:
        self._lattice = lattice
        self._sweeps = Sweeps(lattice)
        self._kinds: dict[tuple[tuple[int, ...], int], int] = {}
        self.ways: Int64Array = np.array(lattice.ways) // np.array(lattice.steps)
        self.margin = int(abs(self.ways).max())

    def steps(self, cell: Cell) -> Cell:
        """Return how many whole steps a cell, or a move of the lattice, is along each axis."""
        x, y, z = (at // step for at, step in zip(cell, self._lattice.steps, strict=True))
        return x, y, z

    def slid(self, shape: frozenset[Cell]) -> Slid:
        """Return a shape, which has been moved as near to 0, 0, 0 as its lattice does."""
        cells = self._rows((cell, 0) for cell in sorted(shape))
        passed = self._rows(self._passed(shape))
        return Slid(np.ascontiguousarray(cells[:, :4]), passed, cells[:, :3].max(axis=0) + 1)

    def _passed(self, shape: frozenset[Cell]) -> Iterator[tuple[Cell, int]]:
        """Yield what a shape passes, with the number of the way."""
        for number, way in enumerate(self._lattice.ways):
            ends = {(x + way[0], y + way[1], z + way[2]) for x, y, z in shape}
            met = {other for cell in shape for other in self._sweeps.met(cell, way)}
            for cell in sorted(met - ends - shape):
                yield cell, number

    def _rows(self, listed: Iterable[tuple[Cell, int]]) -> Int64Array:
        rows = [(*self._row(cell), number) for cell, number in listed]
        return np.array(rows, dtype=np.int64).reshape(-1, 5)

    def _row(self, cell: Cell) -> tuple[int, int, int, int]:
        x, y, z = steps = self.steps(cell)
        rest = tuple(at % step for at, step in zip(cell, self._lattice.steps, strict=True))
        kind = rest, self._lattice.even and sum(steps) % 2
        return x, y, z, self._kinds.setdefault(kind, len(self._kinds))
