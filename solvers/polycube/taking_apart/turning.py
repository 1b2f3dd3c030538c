"""Cubes in the way of a quarter turn, decided exactly; and pieces in all their orientations.

A cube that turns about an axis parallel to one of its edges stays in its layer, so the plane is
enough: a unit square turns about a point by a right angle, another one stands still. Both count
without their edges: they may touch and rub, as pieces that slide may. They overlap at an angle
unless a line along a side of either separates them (the separating axis theorem; S. Gottschalk
1996). With c and s the cosine and the sine of the angle, and lengths in half cubes, each of these
eight conditions is `p c + q s >= r` with whole numbers p, q, r. It starts or ceases to hold at
roots of a quadratic equation only. So a turn is free if some condition holds right behind its start
and behind each root. That is a question of the signs of numbers `x + y sqrt(d)`, which whole
numbers answer without rounding.

The centre of a turn that brings cubes to places of cubes is the centre of a cube, or a corner.
"""

from collections.abc import Sequence
from functools import cache
from typing import Any, Final, NamedTuple

import numpy as np

from solvers.foundation.arrays import Int16Array, Int64Array
from solvers.foundation.compiled import kernel
from solvers.polycube.lattice import Cell
from solvers.polycube.taking_apart.disassembly import turn_point

# As `Turn` numbers them.
TURNS: Final = 6
MOST_SHAPES: Final = 24


# What is in the way of a square.


@kernel(error_model="numpy")
def sign_of(x: int, y: int, d: int) -> int:
    """Return the sign of `x + y sqrt(d)`."""
    if x >= 0 and y >= 0:
        return int(x > 0 or (y > 0 and d > 0))
    if x <= 0 and y <= 0:
        return -int(x < 0 or (y < 0 and d > 0))
    # The signs differ: the larger of the squares decides.
    larger = x * x - y * y * d
    return (larger > 0) - (larger < 0) if x > 0 else (larger < 0) - (larger > 0)


@kernel(error_model="numpy")
def is_in_the_way(conditions: Any, u: int, v: int, a: int, b: int) -> bool:
    """Return whether a square at (u, v) meets one at (a, b) while it turns by a right angle.

    It turns about 0, 0 from the first axis to the second. Lengths are half sides of the squares;
    `conditions` is scratch (8 x 3).
    """
    _put(conditions[0], u - 1, -v - 1, 1 + a)
    _put(conditions[1], -u - 1, v - 1, 1 - a)
    _put(conditions[2], v - 1, u - 1, 1 + b)
    _put(conditions[3], -v - 1, -u - 1, 1 - b)
    _put(conditions[4], -a - 1, -b - 1, 1 - u)
    _put(conditions[5], a - 1, b - 1, 1 + u)
    _put(conditions[6], -b - 1, a - 1, 1 - v)
    _put(conditions[7], b - 1, -a - 1, 1 + v)
    if not _holds_behind(conditions, 1, 0, 0, 0, 1, 0):
        return True
    for number in range(8):
        p, q, r = conditions[number, 0], conditions[number, 1], conditions[number, 2]
        n = p * p + q * q
        d = n - r * r
        if d < 0 or n == 0:
            continue
        for sign in (-1, 1):
            # Cosine and sine of the root, times n.
            cx, cy, sx, sy = p * r, -sign * q, q * r, sign * p
            # At the end of the turn, and elsewhere on the circle, nothing has to hold any more.
            is_within = sign_of(cx, cy, d) > 0 and sign_of(sx, sy, d) >= 0
            if is_within and not _holds_behind(conditions, cx, cy, sx, sy, n, d):
                return True
    return False


@kernel(error_model="numpy")
def _put(condition: Any, p: int, q: int, r: int) -> None:
    condition[0], condition[1], condition[2] = p, q, r


@kernel(error_model="numpy")
def _holds_behind(conditions: Any, cx: int, cy: int, sx: int, sy: int, n: int, d: int) -> bool:
    """Return whether one of the conditions holds right behind an angle.

    Its cosine is `(cx + cy sqrt(d)) / n`, its sine `(sx + sy sqrt(d)) / n`.
    """
    for number in range(len(conditions)):
        p, q, r = conditions[number, 0], conditions[number, 1], conditions[number, 2]
        value = sign_of(p * cx + q * sx - r * n, p * cy + q * sy, d)
        if value == 0:
            # It depends on where it goes from here: on the derivative, or on the second one.
            value = sign_of(q * cx - p * sx, q * cy - p * sy, d)
            if value == 0:
                value = 1 if r <= 0 else -1
        if value > 0:
            return True
    return False


class Sweeps(NamedTuple):
    """What is in the way of squares turning about 0, 0, in half sides.

    Of a square at (u, v) the first is `starts[u + far, v + far]`, the row after the last is
    `ends[u + far, v + far]` of `squares`, and `far` is the greatest u and v. `conditions` is
    scratch.
    """

    starts: Int64Array
    ends: Int64Array
    squares: Int16Array
    far: Int64Array
    conditions: Int64Array


@cache
def sweeps(far: int) -> Sweeps:
    """Return what is in the way of all squares up to a distance along each axis."""
    shape = (2 * far + 1, 2 * far + 1)
    room = 4 * far**3 + 64
    while True:
        found = Sweeps(
            np.zeros(shape, dtype=np.int64),
            np.zeros(shape, dtype=np.int64),
            np.zeros((room, 2), dtype=np.int16),
            np.array([far]),
            np.zeros((8, 3), dtype=np.int64),
        )
        used = list_sweeps(found)
        if used <= room:
            return found
        room = used


@kernel(entry=True, error_model="numpy")
def list_sweeps(found: Sweeps) -> int:
    """Fill in what is in the way; return how many squares that takes, even if there is no room."""
    far = found.far[0]
    used = 0
    for u in range(-far, far + 1):
        for v in range(-far, far + 1):
            # Squares of one grid: both numbers are even about a centre, odd about a corner.
            if (u + v) % 2:
                continue
            found.starts[u + far, v + far] = used
            nearest = max(abs(u) - 1, 0) ** 2 + max(abs(v) - 1, 0) ** 2
            farthest = (abs(u) + 1) ** 2 + (abs(v) + 1) ** 2
            reach = max(abs(u), abs(v)) * 3 // 2 + 2
            reach += (reach + u) % 2
            for a in range(-reach, reach + 1, 2):
                for b in range(-reach, reach + 1, 2):
                    # Turning does not change the distance from the axis.
                    if max(abs(a) - 1, 0) ** 2 + max(abs(b) - 1, 0) ** 2 >= farthest:
                        continue
                    if (abs(a) + 1) ** 2 + (abs(b) + 1) ** 2 <= nearest:
                        continue
                    if is_in_the_way(found.conditions, u, v, a, b):
                        if used < len(found.squares):
                            found.squares[used, 0], found.squares[used, 1] = a, b
                        used += 1
            found.ends[u + far, v + far] = used
    return used


# Pieces in all orientations.


class Turnable(NamedTuple):
    """The orientations of pieces, which are numbered for each of them, the given one first.

    Orientation o of piece i has its cells, as close to 0, 0, 0 as possible, from `starts[i, o]` on
    in `cells`, `sizes[i]` of them, and extents `extents[i, o]`. A turn t makes it orientation
    `turned[i, o, t]`; equal cells are one orientation.
    """

    cells: Int64Array
    starts: Int64Array
    sizes: Int64Array
    extents: Int64Array
    turned: Int64Array


def turnable(pieces: Sequence[frozenset[Cell]]) -> Turnable:
    """Return pieces in all their orientations."""
    count = len(pieces)
    starts = np.zeros((count, MOST_SHAPES), dtype=np.int64)
    extents = np.zeros((count, MOST_SHAPES, 3), dtype=np.int64)
    turned = np.zeros((count, MOST_SHAPES, TURNS), dtype=np.int64)
    cells: list[Cell] = []
    for piece, shape in enumerate(pieces):
        orientations, after = _orientations(to_origin(shape))
        for number, orientation in enumerate(orientations):
            starts[piece, number] = len(cells)
            extents[piece, number] = 1 + np.max(orientation, axis=0)
            cells += orientation
        turned[piece, : len(orientations)] = after
    sizes = np.array([len(shape) for shape in pieces], dtype=np.int64)
    return Turnable(np.array(cells, dtype=np.int64), starts, sizes, extents, turned)


def to_origin(cells: frozenset[Cell]) -> tuple[Cell, ...]:
    """Return cells as close to 0, 0, 0 as possible, in their order."""
    x, y, z = low_corner(cells)
    return tuple(sorted((a - x, b - y, c - z) for a, b, c in cells))


def low_corner(cells: frozenset[Cell]) -> Cell:
    """Return the least coordinates."""
    xs, ys, zs = zip(*cells, strict=True)
    return min(xs), min(ys), min(zs)


@cache
def _orientations(
    shape: tuple[Cell, ...],
) -> tuple[tuple[tuple[Cell, ...], ...], tuple[tuple[int, ...], ...]]:
    """Return the orientations of a shape, and what each turn makes of each, by their numbers."""
    found = {shape: 0}
    after: list[tuple[int, ...]] = []
    waiting = [shape]
    while len(after) < len(waiting):
        each = waiting[len(after)]
        numbers = []
        for turn in range(TURNS):
            turned = to_origin(frozenset(turn_point(cell, turn, (0, 0)) for cell in each))
            if turned not in found:
                found[turned] = len(found)
                waiting.append(turned)
            numbers.append(found[turned])
        after.append(tuple(numbers))
    return tuple(waiting), tuple(after)
