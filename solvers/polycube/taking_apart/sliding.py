"""Cells that a sliding piece passes through, and shapes prepared for tables of reach."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from solvers.foundation.arrays import Float64Array, Int64Array
from solvers.polycube.lattice import CLOSE, Cell, Lattice, Point, in_space, minus, normal, transform


class Sweeps:
    """Cells that are in the way of a lattice's cells along its `ways`; results are cached."""

    def __init__(self, lattice: Lattice) -> None:
        self._lattice = lattice
        self._known: dict[tuple[Cell, Cell], tuple[Cell, ...]] = {}

    def obstacles(self, cell: Cell, way: Cell) -> list[Cell]:
        """Return the other cells that a cell passes through or ends at along a way."""
        kind = self._lattice.kind(cell)
        if (kind, way) not in self._known:
            self._compute(cell, way)
        x, y, z = cell
        return [(x + a, y + b, z + c) for a, b, c in self._known[kind, way]]

    def _compute(self, cell: Cell, way: Cell) -> None:
        """Compute one way of a cell, and so of all that symmetries map it to.

        There are 26 ways of 24 rhombic tetrahedra, but few that differ.
        """
        lattice = self._lattice
        found = _find_obstacles(lattice, cell, way)
        for matrix in lattice.symmetries(reflections=True):
            turned_way = transform(matrix, way)
            if turned_way in lattice.ways:
                turned = lattice.apply(matrix, cell)
                others = (lattice.apply(matrix, other) for other in found)
                relative = tuple(minus(other, turned) for other in others)
                self._known[self._lattice.kind(turned), turned_way] = relative


def _find_obstacles(lattice: Lattice, cell: Cell, way: Cell) -> list[Cell]:
    """Return the cells in the way, from neighbour to neighbour, since a swept body is connected.

    Of two convex polyhedra one can be moved past the other if a plane separates them all the while.
    It is enough to try the planes parallel to a face of either, or to an edge of each (the
    separating axis theorem; S. Gottschalk 1996). Each axis leaves an interval of the move in which
    it does not separate; the polyhedra meet where all intervals overlap.
    """
    found: list[Cell] = []
    seen, waiting = {cell}, [cell]
    while waiting:
        neighbours = {face.beyond for face in lattice.faces(waiting.pop())} - seen
        seen |= neighbours
        reached = [other for other in neighbours if _meets(lattice, cell, way, other)]
        found += reached
        waiting += reached
    return found


def _meets(lattice: Lattice, cell: Cell, way: Cell, other: Cell) -> bool:
    towards = np.array(in_space(lattice.frame, way))
    if lattice.balls:
        return _balls_meet(np.array(in_space(lattice.frame, minus(other, cell))), towards)
    mine, its = _solid(lattice, cell), _solid(lattice, other)
    crossed = np.cross(mine.along[:, None], its.along[None, :]).reshape(-1, 3)
    axes = np.concatenate([mine.across, its.across, crossed])
    axes = axes[np.linalg.norm(axes, axis=1) > CLOSE].T
    return _overlap(mine.corners @ axes, its.corners @ axes, towards @ axes)


def _balls_meet(apart: Float64Array, towards: Float64Array) -> bool:
    """Return whether balls one length wide meet when the one that is `apart` moves `towards`."""
    # The closest approach of the centres, within the move.
    share = min(max(float(apart @ towards / (towards @ towards)), 0.0), 1.0)
    return bool(np.linalg.norm(apart - share * towards) < 1 - CLOSE)


def _overlap(mine: Float64Array, other: Float64Array, speeds: Float64Array) -> bool:
    """Return whether projections onto all axes (corners x axes) overlap at one time of the move."""
    before = other.min(axis=0) - mine.max(axis=0)
    after = other.max(axis=0) - mine.min(axis=0)
    still = abs(speeds) < CLOSE
    # On an axis without motion, shadows that do not overlap never will.
    if np.any(before[still] > -CLOSE) or np.any(after[still] < CLOSE):
        return False
    # Times at which the shadows start and stop to overlap, in either direction.
    times = np.sort(np.stack([before[~still], after[~still]]) / speeds[~still], axis=0)
    start, end = times[0].max(initial=0.0), times[1].min(initial=1.0)
    return bool(start < end - CLOSE)


class _Solid(NamedTuple):
    """A cell's corners, and the directions of its face normals and edges, each a row."""

    corners: Float64Array
    across: Float64Array
    along: Float64Array


@lru_cache(maxsize=4096)
def _solid(lattice: Lattice, cell: Cell) -> _Solid:
    faces = [face.corners for face in lattice.faces(cell)]
    edges = [minus(face[at], face[at - 1]) for face in faces for at in range(len(face))]
    return _Solid(
        np.unique(np.array([corner for face in faces for corner in face]).round(9), axis=0),
        _directions([normal(face) for face in faces]),
        _directions(edges),
    )


def _directions(ways: Sequence[Point]) -> Float64Array:
    """Return directions as unit vectors, each once, and only one of two opposite ones."""
    rows = np.array(ways) / np.linalg.norm(ways, axis=1, keepdims=True)
    found: Float64Array = np.unique(
        [row if tuple(row) > (0.0, 0.0, 0.0) else -row for row in rows.round(9)], axis=0
    )
    return found


# Shapes as the tables of reach take them: cells in whole steps, and what is passed on the way.
#
# A cell is its number of steps from 0, 0, 0 along the three axes, and its kind: cells of different
# kinds are not translations of each other. All cubes are of one kind.


class SlidingShape(NamedTuple):
    """A shape near 0, 0, 0; `extents` is 1 more than its greatest number of steps on each axis.

    `cells` have a row of three numbers of steps and a kind. `passed` has one for each cell that the
    shape passes through on a way without ending at it: these four, and the way.
    """

    cells: Int64Array
    passed: Int64Array
    extents: Int64Array


class SlidingShapes:
    """Prepares shapes of a lattice for sliding.

    `ways` are the lattice's in steps, a row each; `margin` is the most steps of one along an axis.
    What a shape passes is never farther away than that.
    """

    def __init__(self, lattice: Lattice) -> None:
        self._lattice = lattice
        self._sweeps = Sweeps(lattice)
        self._kinds: dict[Cell, int] = {}
        self._between: dict[Cell, list[tuple[Cell, int]]] = {}
        self.ways: Int64Array = np.array(lattice.ways) // np.array(lattice.steps)
        self.margin = int(abs(self.ways).max())

    def steps(self, cell: Cell) -> Cell:
        """Return the number of whole steps of a cell, or of a translation, along each axis."""
        x, y, z = (at // step for at, step in zip(cell, self._lattice.steps, strict=True))
        return x, y, z

    def prepare(self, shape: frozenset[Cell]) -> SlidingShape:
        """Return a shape that has been translated as close to 0, 0, 0 as possible."""
        cells = _rows(self._row(cell) for cell in sorted(shape))
        passed = {each for cell in shape for each in self._passed(cell)}
        rows = _rows((*self._row(cell), way) for cell, way in sorted(passed))
        return SlidingShape(cells, rows.reshape(-1, 5), cells[:, :3].max(axis=0) + 1)

    def _row(self, cell: Cell) -> tuple[int, int, int, int]:
        return *self.steps(cell), self._kinds.setdefault(self._lattice.kind(cell), len(self._kinds))

    def _passed(self, cell: Cell) -> list[tuple[Cell, int]]:
        """Return the cells that a cell passes without ending at them, and the way's number."""
        kind = self._lattice.kind(cell)
        if kind not in self._between:
            self._between[kind] = [
                (minus(other, cell), number)
                for number, way in enumerate(self._lattice.ways)
                for other in self._sweeps.obstacles(cell, way)
                if minus(other, cell) != way
            ]
        x, y, z = cell
        return [((x + a, y + b, z + c), number) for (a, b, c), number in self._between[kind]]


def _rows(listed: Iterable[tuple[int, ...]]) -> Int64Array:
    return np.array(list(listed), dtype=np.int64)
