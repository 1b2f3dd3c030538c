"""Quarter turns with clearance, about an axis that moves.

A set of cubes that turns stays in its layers, so it has three freedoms: where its middle is, and
the angle. Two cubes are separated by a line along a side of either, or overlap; how deep is the
least that they overlap along one of these four directions (the separating axis theorem; S.
Gottschalk 1996). The set may go wherever that is at most the clearance.

The way is searched in steps, from one node of a grid to the next one: of the middle along one of
two axes, or of the angle. A node counts only if it has as much to spare as any point moves in half
a step, so nothing is deeper than the clearance between two nodes either, at no angle. A way that is
only just wide enough is missed.
"""

import math
from typing import Final, NamedTuple

import numpy as np

from solvers.foundation.arrays import Float64Array, Int32Array, Int64Array
from solvers.foundation.compiled import kernel

STEPS_PER_CUBE: Final = 32
STEPS_PER_TURN: Final = 180
FARTHEST: Final = 2
"""Cubes that the middle may be from where it was."""

MOST_CUBES: Final = 512
_WIDTH: Final = 2 * FARTHEST * STEPS_PER_CUBE + 1
_AREA: Final = _WIDTH * _WIDTH
_NODES: Final = _AREA * (STEPS_PER_TURN + 1)
_MIDDLE: Final = FARTHEST * STEPS_PER_CUBE
_NEAR: Final = math.sqrt(2)
"""Cubes whose middles are farther apart do not overlap."""
_CORNER: Final = math.sqrt(0.5)


class Swing(NamedTuple):
    """The cubes of one turn, and scratch of its search.

    A row of `moving` and `standing` has two coordinates from the middle, in cubes, and the layer;
    `counts` says how many there are of each, and how many searches there were. `seen` has the
    number of the search that saw a node last, `queue` its nodes, `landings` where the middle is at
    the end of a turn, in steps from where it was. `angles` has cosines and sines.
    """

    moving: Float64Array
    standing: Float64Array
    counts: Int64Array
    seen: Int32Array
    queue: Int32Array
    landings: Int64Array
    angles: Float64Array


MOVING: Final = 0
STANDING: Final = 1
SEARCHES: Final = 2


def _swing(cubes: int, nodes: int, landings: int) -> Swing:
    angles = np.linspace(0, np.pi / 2, STEPS_PER_TURN + 1)
    return Swing(
        np.zeros((cubes, 3)),
        np.zeros((cubes, 3)),
        np.zeros(3, dtype=np.int64),
        np.zeros(nodes, dtype=np.int32),
        np.zeros(nodes, dtype=np.int32),
        np.zeros((landings, 2), dtype=np.int64),
        np.stack([np.cos(angles), np.sin(angles)], axis=1),
    )


def new_swing() -> Swing:
    """Return room for a turn."""
    return _swing(MOST_CUBES, _NODES, _AREA)


NO_SWING: Final = _swing(0, 0, 0)
"""For searches without clearance."""


@kernel(error_model="numpy")
def spare_needed(swing: Swing) -> float:
    """Return how far, in cubes, any point of two cubes that meet moves in half a step."""
    farthest = 0.0
    for index in range(swing.counts[MOVING]):
        u, v = swing.moving[index, 0], swing.moving[index, 1]
        farthest = max(farthest, math.sqrt(u * u + v * v))
    by_angle = (farthest + _NEAR + _CORNER) * math.pi / 4 / STEPS_PER_TURN
    return max(by_angle, 0.5 / STEPS_PER_CUBE)


@kernel(error_model="numpy")
def is_clear(swing: Swing, x: float, y: float, c: float, s: float, deepest: float) -> bool:
    """Return whether no cubes overlap deeper when the middle is at (x, y).

    The set has turned by the angle whose cosine is c and whose sine is s.
    """
    moving, standing = swing.moving, swing.standing
    # Half a side, and half the width of a turned square along one.
    apart = 0.5 + (c + s) / 2 - deepest
    for index in range(swing.counts[MOVING]):
        u = c * moving[index, 0] - s * moving[index, 1] + x
        v = s * moving[index, 0] + c * moving[index, 1] + y
        for other in range(swing.counts[STANDING]):
            if standing[other, 2] != moving[index, 2]:
                continue
            a, b = u - standing[other, 0], v - standing[other, 1]
            if (
                abs(a) < apart
                and abs(b) < apart
                and abs(a * c + b * s) < apart
                and abs(b * c - a * s) < apart
            ):
                return False
    return True


@kernel(error_model="numpy")
def find_landings(swing: Swing, clearance: float) -> int:
    """List where a quarter turn from the first axis to the second can end; return how many."""
    deepest = clearance - spare_needed(swing)
    swing.counts[SEARCHES] += 1
    search = swing.counts[SEARCHES]
    seen, queue = swing.seen, swing.queue
    queue[0] = _MIDDLE * _WIDTH + _MIDDLE
    seen[queue[0]] = search
    head, used, found = 0, 1, 0
    while head < used:
        node = queue[head]
        head += 1
        turned, place = node // _AREA, node % _AREA
        x, y = place // _WIDTH, place % _WIDTH
        if turned == STEPS_PER_TURN:
            swing.landings[found, 0], swing.landings[found, 1] = x - _MIDDLE, y - _MIDDLE
            found += 1
        for step in range(6):
            way = 1 - 2 * (step & 1)
            next_x = x + way * (step >> 1 == 0)
            next_y = y + way * (step >> 1 == 1)
            next_turned = turned + way * (step >> 1 == 2)
            if not (
                0 <= next_x < _WIDTH and 0 <= next_y < _WIDTH and 0 <= next_turned <= STEPS_PER_TURN
            ):
                continue
            following = next_turned * _AREA + next_x * _WIDTH + next_y
            if seen[following] == search:
                continue
            seen[following] = search
            if is_clear(
                swing,
                (next_x - _MIDDLE) / STEPS_PER_CUBE,
                (next_y - _MIDDLE) / STEPS_PER_CUBE,
                swing.angles[next_turned, 0],
                swing.angles[next_turned, 1],
                deepest,
            ):
                queue[used] = following
                used += 1
    return found
