"""Find nine points that lie like the stickers of a face among many that do not.

Every corner of three squares of about one size (a square, its right neighbour, its neighbour
below) proposes a lattice; the one that explains most squares of a 3 x 3 window wins.
"""

from typing import Final

import numpy as np

from solvers.foundation.arrays import Float64Array, Int64Array
from solvers.foundation.compiled import compiled, kernel

NONE: Final = -1

# Two stickers next to each other: sides may differ so much by perspective and edges, and their
# distance is one side and a gap.
_SIDE_RATIO: Final = 1.45
_LEAST_STEP: Final = 0.95
_GREATEST_STEP: Final = 1.8
_STEP_RATIO: Final = 1.45
_LEAST_SINE: Final = 0.85  # of the angle between the two steps
# How far a square may lie from its place, in steps: at the first neighbours, and more further out,
# where perspective adds up.
_NEAR_ERROR: Final = 0.12
_FAR_ERROR: Final = 0.06
# Of equally good lattices the one with the larger squares is the cube, not the beams behind it.
_SIDE_BONUS: Final = 0.002


@compiled
def best_lattice(squares: Float64Array) -> Int64Array:
    """Return which square lies in which cell of the best lattice, -1 where none does.

    `squares` are centre x, centre y and side, shape (n, 3). The cells, shape (9,), are in reading
    order: x grows to the right within 45 degrees, y downwards.
    """
    best = np.full(9, NONE, np.int64)
    best_score = 0.0
    cells = np.empty((5, 5), np.int64)
    errors = np.empty((5, 5))
    for origin in range(len(squares)):
        for right in range(len(squares)):
            if not _is_right_neighbour(squares[origin], squares[right]):
                continue
            for below in range(len(squares)):
                if not _completes_corner(squares[origin], squares[right], squares[below]):
                    continue
                _fill_cells(squares, origin, right, below, cells, errors)
                for top in range(3):
                    for left in range(3):
                        window = cells[top : top + 3, left : left + 3]
                        score = _score(squares, window, errors[top : top + 3, left : left + 3])
                        if score > best_score:
                            best_score = score
                            best[:] = window.copy().reshape(9)
    return best


@kernel
def _similar(first: float, second: float, ratio: float) -> bool:
    return bool(first < ratio * second and second < ratio * first)


@kernel
def _is_right_neighbour(origin: Float64Array, other: Float64Array) -> bool:
    x, y = other[0] - origin[0], other[1] - origin[1]
    if x <= 0 or abs(y) > x or not _similar(origin[2], other[2], _SIDE_RATIO):
        return False
    step = np.hypot(x, y) / origin[2]
    return bool(_LEAST_STEP < step < _GREATEST_STEP)


@kernel
def _completes_corner(origin: Float64Array, right: Float64Array, below: Float64Array) -> bool:
    if not _similar(origin[2], below[2], _SIDE_RATIO):
        return False
    ux, uy = right[0] - origin[0], right[1] - origin[1]
    vx, vy = below[0] - origin[0], below[1] - origin[1]
    across, down = np.hypot(ux, uy), np.hypot(vx, vy)
    is_corner = ux * vy - uy * vx > _LEAST_SINE * across * down
    return bool(_similar(across, down, _STEP_RATIO) and is_corner)


@kernel
def _fill_cells(
    squares: Float64Array,
    origin: int,
    right: int,
    below: int,
    cells: Int64Array,
    errors: Float64Array,
) -> None:
    """Put into each of 5 x 5 cells round the origin the square that lies nearest to its place."""
    ux, uy = squares[right, 0] - squares[origin, 0], squares[right, 1] - squares[origin, 1]
    vx, vy = squares[below, 0] - squares[origin, 0], squares[below, 1] - squares[origin, 1]
    determinant = ux * vy - uy * vx
    cells[:] = NONE
    for index in range(len(squares)):
        if not _similar(squares[origin, 2], squares[index, 2], _SIDE_RATIO):
            continue
        x, y = squares[index, 0] - squares[origin, 0], squares[index, 1] - squares[origin, 1]
        column, row = (x * vy - y * vx) / determinant, (ux * y - uy * x) / determinant
        i, j = round(row), round(column)
        distance = max(abs(i), abs(j))
        if distance > 2:
            continue
        error = max(abs(row - i), abs(column - j))
        if error > _NEAR_ERROR + _FAR_ERROR * distance:
            continue
        if cells[i + 2, j + 2] == NONE or error < errors[i + 2, j + 2]:
            cells[i + 2, j + 2] = index
            errors[i + 2, j + 2] = error


@kernel
def _score(squares: Float64Array, window: Int64Array, errors: Float64Array) -> float:
    count = 0
    error = 0.0
    side = 0.0
    for row in range(3):
        for column in range(3):
            index = window[row, column]
            if index != NONE:
                count += 1
                error += errors[row, column]
                side += squares[index, 2]
    return count - error + _SIDE_BONUS * side / max(count, 1)
