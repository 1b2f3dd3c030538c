"""Breadth-first searches that fill the pruning tables."""

import numpy as np

from solvers.foundation.arrays import Int32Array, UInt8Array, UInt16Array
from solvers.foundation.compiled import compiled
from solvers.foundation.progress import Job, Progress
from solvers.rubik.two_phase.coordinates import TWISTS

UNKNOWN = 255


@compiled
def pair_distances(first_moves: UInt16Array, second_moves: UInt16Array) -> UInt8Array:
    """Return the least number of moves that brings each pair of coordinates to (0, 0).

    The index is first * number of second values + second; the moves are the tables' columns.
    """
    seconds = second_moves.shape[0]
    distances = np.full(first_moves.shape[0] * seconds, UNKNOWN, np.uint8)
    queue = np.empty(distances.size, np.int32)
    distances[0] = 0
    queue[0] = 0
    filled = 1
    for head in range(distances.size):
        if head == filled:
            break
        here = queue[head]
        first, second = here // seconds, here % seconds
        for move in range(first_moves.shape[1]):
            there = np.int32(first_moves[first, move]) * seconds + second_moves[second, move]
            if distances[there] == UNKNOWN:
                distances[there] = distances[here] + 1
                queue[filled] = there
                filled += 1
    return distances


def exact_distances(
    class_moves: Int32Array,
    own_symmetries: UInt16Array,
    twist_moves: UInt16Array,
    normalised_twists: UInt16Array,
) -> Job[Progress, UInt8Array]:
    """Return the distance to the group of phase 2, modulo 3, of every class and twist.

    Two bits an entry, four entries a byte; the entry of (class, twist) is class * 2187 + twist.
    Modulo 3 is enough: a move changes the distance by at most one.
    """
    classes = class_moves.shape[0]
    distances = np.full(classes * TWISTS, UNKNOWN, np.uint8)
    distances[0] = 0
    filled, depth = 1, 0
    while filled < distances.size:
        # As soon as most of the table is filled, it is quicker to ask each empty entry whether
        # it has a neighbour at this depth than to visit all neighbours of that depth.
        backward = depth >= 9
        for start in range(0, classes, 8192):
            rows = (start, min(start + 8192, classes))
            spread = _spread_backward if backward else _spread_forward
            filled += spread(
                distances, depth, rows, class_moves, own_symmetries, twist_moves, normalised_twists
            )
            yield Progress("cube-phase-1-exact", filled, distances.size, "positions")
        depth += 1
    return _pack_modulo_3(distances)


@compiled
def _spread_forward(
    distances: UInt8Array,
    depth: int,
    rows: tuple[int, int],
    class_moves: Int32Array,
    own_symmetries: UInt16Array,
    twist_moves: UInt16Array,
    normalised_twists: UInt16Array,
) -> int:
    """Fill the neighbours of all entries at `depth` in these rows; return how many were new."""
    filled = 0
    here = np.empty(TWISTS, np.int32)
    for row in range(rows[0], rows[1]):
        count = 0
        for twist in range(TWISTS):
            if distances[row * TWISTS + twist] == depth:
                here[count] = twist
                count += 1
        if count == 0:
            continue
        for move in range(18):
            packed = class_moves[row, move]
            target = packed >> 4
            symmetry = packed & 15
            own = own_symmetries[target]
            for i in range(count):
                twist = normalised_twists[twist_moves[here[i], move], symmetry]
                if distances[target * TWISTS + twist] != UNKNOWN:
                    continue
                distances[target * TWISTS + twist] = depth + 1
                filled += 1
                if own == 1:
                    continue
                for j in range(1, 16):
                    if own >> j & 1:
                        twin = target * TWISTS + normalised_twists[twist, j]
                        if distances[twin] == UNKNOWN:
                            distances[twin] = depth + 1
                            filled += 1
    return filled


@compiled
def _spread_backward(
    distances: UInt8Array,
    depth: int,
    rows: tuple[int, int],
    class_moves: Int32Array,
    _own_symmetries: UInt16Array,
    twist_moves: UInt16Array,
    normalised_twists: UInt16Array,
) -> int:
    """Fill the empty entries in these rows with a neighbour at `depth`; return how many."""
    filled = 0
    for row in range(rows[0], rows[1]):
        for twist in range(TWISTS):
            if distances[row * TWISTS + twist] != UNKNOWN:
                continue
            for move in range(18):
                packed = class_moves[row, move]
                there = normalised_twists[twist_moves[twist, move], packed & 15]
                if distances[(packed >> 4) * TWISTS + there] == depth:
                    distances[row * TWISTS + twist] = depth + 1
                    filled += 1
                    break
    return filled


@compiled
def _pack_modulo_3(distances: UInt8Array) -> UInt8Array:
    packed = np.zeros((distances.size + 3) // 4, np.uint8)
    for index in range(distances.size):
        packed[index >> 2] |= (distances[index] % 3) << (2 * (index & 3))
    return packed
