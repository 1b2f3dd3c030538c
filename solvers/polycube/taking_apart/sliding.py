"""Pieces as the tables of reach take them: cells in whole steps, and what is passed on the way.

A cell is the number of steps that it is from 0, 0, 0 along the three axes, and its kind: which of
those cells it is that no move leads to each other. Cubes are all of one kind.
"""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from solvers.foundation.arrays import Int64Array
from solvers.polycube.lattice.faces import Cell, minus
from solvers.polycube.lattice.lattice import Lattice
from solvers.polycube.lattice.sweeps import Sweeps

Kind = tuple[tuple[int, ...], int]
"""What is left over when whole steps are taken, and whether their number is odd if that matters."""


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
        self._kinds: dict[Kind, int] = {}
        self._between: dict[Kind, list[tuple[Cell, int]]] = {}
        self.ways: Int64Array = np.array(lattice.ways) // np.array(lattice.steps)
        self.margin = int(abs(self.ways).max())

    def steps(self, cell: Cell) -> Cell:
        """Return how many whole steps a cell, or a move of the lattice, is along each axis."""
        x, y, z = (at // step for at, step in zip(cell, self._lattice.steps, strict=True))
        return x, y, z

    def slid(self, shape: frozenset[Cell]) -> Slid:
        """Return a shape, which has been moved as near to 0, 0, 0 as its lattice does."""
        cells = _rows(self._row(cell) for cell in sorted(shape))
        passed = {each for cell in shape for each in self._passed(cell)}
        rows = _rows((*self._row(cell), way) for cell, way in sorted(passed))
        return Slid(cells, rows.reshape(-1, 5), cells[:, :3].max(axis=0) + 1)

    def _row(self, cell: Cell) -> tuple[int, int, int, int]:
        return *self.steps(cell), self._kinds.setdefault(self._kind(cell), len(self._kinds))

    def _kind(self, cell: Cell) -> Kind:
        rest = tuple(at % step for at, step in zip(cell, self._lattice.steps, strict=True))
        return rest, self._lattice.even and sum(self.steps(cell)) % 2

    def _passed(self, cell: Cell) -> list[tuple[Cell, int]]:
        """Return what a cell passes and does not end at, with the number of the way."""
        kind = self._kind(cell)
        if kind not in self._between:
            self._between[kind] = [
                (minus(other, cell), number)
                for number, way in enumerate(self._lattice.ways)
                for other in self._sweeps.met(cell, way)
                if minus(other, cell) != way
            ]
        x, y, z = cell
        return [((x + a, y + b, z + c), number) for (a, b, c), number in self._between[kind]]


def _rows(listed: Iterable[tuple[int, ...]]) -> Int64Array:
    return np.array(list(listed), dtype=np.int64)
