"""Which cells are in a cell's way when it is moved: those whose inside it passes through.

Of two convex polyhedra one can be moved past the other if a plane separates them all the while. It
is enough to try the planes along a face of either and along an edge of each (the theorem of
separating axes; S. Gottschalk 1996). Each axis leaves a span of the way in which it does not
separate; where all these spans meet, the polyhedra do.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from solvers.foundation.arrays import Float64Array
from solvers.polycube.lattice.faces import CLOSE, Cell, Point, in_space, minus, normal
from solvers.polycube.lattice.lattice import Lattice, apply


class Sweeps:
    """Knows what is in the way of a lattice's cells on their `ways`; what is found out is kept."""

    def __init__(self, lattice: Lattice) -> None:
        self._lattice = lattice
        self._known: dict[tuple[Cell, Cell], tuple[Cell, ...]] = {}

    def met(self, cell: Cell, way: Cell) -> list[Cell]:
        """Return the cells, itself left out, that a cell passes through or ends at on a way."""
        kind = self._kind(cell)
        if (kind, way) not in self._known:
            self._learn(cell, way)
        x, y, z = cell
        return [(x + a, y + b, z + c) for a, b, c in self._known[kind, way]]

    def _kind(self, cell: Cell) -> Cell:
        """Return the cell that this one is moved from, the same for all that are moves away."""
        return minus(cell, self._lattice.low([cell]))

    def _learn(self, cell: Cell, way: Cell) -> None:
        """Find out about one way of a cell, and so about all that it can be turned or mirrored to.

        There are 26 ways of 24 rhombic tetrahedra, but not many that differ.
        """
        lattice = self._lattice
        found = _met(lattice, cell, way)
        for matrix in lattice.symmetries(reflections=True):
            turned_way = apply(matrix, way)
            if turned_way in lattice.ways:
                turned = lattice.turned(matrix, cell)
                others = (lattice.turned(matrix, other) for other in found)
                relative = tuple(minus(other, turned) for other in others)
                self._known[self._kind(turned), turned_way] = relative


def _met(lattice: Lattice, cell: Cell, way: Cell) -> list[Cell]:
    """Return what a cell meets: going on from cell to cell, since a swept body hangs together."""
    found: list[Cell] = []
    seen, waiting = {cell}, [cell]
    while waiting:
        beside = {face.beyond for face in lattice.faces(waiting.pop())} - seen
        seen |= beside
        reached = [other for other in beside if _meets(lattice, cell, way, other)]
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
    """Tell whether balls one length wide meet when the one that is `apart` is moved towards."""
    share = min(max(float(apart @ towards / (towards @ towards)), 0.0), 1.0)
    return bool(np.linalg.norm(apart - share * towards) < 1 - CLOSE)


def _overlap(mine: Float64Array, other: Float64Array, speeds: Float64Array) -> bool:
    """Tell whether shadows on all axes (corners x axes) overlap at one time of the move."""
    before = other.min(axis=0) - mine.max(axis=0)
    after = other.max(axis=0) - mine.min(axis=0)
    still = abs(speeds) < CLOSE
    if np.any(before[still] > -CLOSE) or np.any(after[still] < CLOSE):
        return False
    times = np.sort(np.stack([before[~still], after[~still]]) / speeds[~still], axis=0)
    begin, end = times[0].max(initial=0.0), times[1].min(initial=1.0)
    return bool(begin < end - CLOSE)


class _Solid(NamedTuple):
    """A cell's corners, and the directions across its faces and along its edges, each a row."""

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
    """Return some ways as rows of length 1, each once, and one only of two that are opposite."""
    rows = np.array(ways) / np.linalg.norm(ways, axis=1, keepdims=True)
    found: Float64Array = np.unique(
        [row if tuple(row) > (0.0, 0.0, 0.0) else -row for row in rows.round(9)], axis=0
    )
    return found
