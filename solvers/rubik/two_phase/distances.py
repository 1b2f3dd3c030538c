"""Breadth-first searches that fill the pruning tables.

A pruning table holds, for a pair of coordinates, the least number of moves that brings both to
zero. No solution of the whole cube is shorter, so IDA* cuts off what the table rules out (Korf's
pattern databases, 1997)."""

from typing import NamedTuple

import numpy as np

from solvers.foundation.arrays import Int32Array, UInt8Array, UInt16Array
from solvers.foundation.compiled import compiled
from solvers.foundation.progress import Job, Progress

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
        if head == filled:  # the queue is empty: other pairs cannot be reached
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


class ClassMoves(NamedTuple):
    """Two coordinates of which the first is reduced to classes by symmetry.

    class_moves: class * 16 + symmetry after each move of each representative.
    own_symmetries: bit j set where symmetry j leaves a representative as it is.
    second_moves: the second coordinate after each move.
    normalised: the second coordinate seen from the representative, shape (values, 16).
    """

    class_moves: Int32Array
    own_symmetries: UInt16Array
    second_moves: UInt16Array
    normalised: UInt16Array


def phase_1_distances(moves: ClassMoves) -> Job[Progress, UInt8Array]:
    """Return the distance to the group of phase 2, modulo 3, of every class and twist.

    Two bits an entry, four entries a byte; the entry of (class, twist) is class * 2187 + twist.
    Modulo 3 is enough: a move changes the distance by at most one.
    """
    # Once most of the table is filled, it is quicker to look for a neighbour of each empty entry
    # than to visit all neighbours of the last depth; here that is so after 9 moves.
    distances = yield from _distances("cube-phase-1-exact", moves, backward_from=9, last=12)
    return _pack_modulo_3(distances)


def phase_2_distances(moves: ClassMoves, longest: int) -> Job[Progress, UInt8Array]:
    """Return the moves of phase 2 that corners and U and D edges need, `longest` + 1 for more.

    Four bits an entry, two entries a byte; that of (class, edges) is class * 40320 + edges.
    """
    distances = yield from _distances("cube-phase-2-exact", moves, backward_from=10, last=longest)
    return _pack_nibbles(distances, longest + 1)


def _distances(
    name: str, moves: ClassMoves, backward_from: int, last: int
) -> Job[Progress, UInt8Array]:
    """Return the distance of each pair from (0, 0), up to `last`; 255 where it is more."""
    classes = moves.class_moves.shape[0]
    distances = np.full(classes * moves.normalised.shape[0], UNKNOWN, np.uint8)
    distances[0] = 0
    filled = 1
    at_once = max(1, classes // 8)  # rows between two progress events
    for depth in range(last):
        spread = _spread_backward if depth >= backward_from else _spread_forward
        for start in range(0, classes, at_once):
            rows = (start, min(start + at_once, classes))
            filled += spread(distances, depth, rows, *moves)
            yield Progress(name, filled, distances.size, "positions")
    return distances


@compiled
def _spread_forward(
    distances: UInt8Array,
    depth: int,
    rows: tuple[int, int],
    class_moves: Int32Array,
    own_symmetries: UInt16Array,
    second_moves: UInt16Array,
    normalised: UInt16Array,
) -> int:
    """Fill the neighbours of all entries at `depth` in these rows; return how many were new."""
    filled = 0
    seconds = normalised.shape[0]
    here = np.empty(seconds, np.int32)
    for row in range(rows[0], rows[1]):
        count = 0
        for second in range(seconds):
            if distances[row * seconds + second] == depth:
                here[count] = second
                count += 1
        if count == 0:
            continue
        for move in range(class_moves.shape[1]):
            packed = class_moves[row, move]
            target = packed >> 4
            symmetry = packed & 15
            own = own_symmetries[target]
            for i in range(count):
                second = normalised[second_moves[here[i], move], symmetry]
                if distances[target * seconds + second] != UNKNOWN:
                    continue
                distances[target * seconds + second] = depth + 1
                filled += 1
                # A representative with symmetries of its own stands for several entries, which are
                # the same position and get the same distance.
                if own == 1:
                    continue
                for j in range(1, 16):
                    if own >> j & 1:
                        twin = target * seconds + normalised[second, j]
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
    second_moves: UInt16Array,
    normalised: UInt16Array,
) -> int:
    """Fill the empty entries in these rows with a neighbour at `depth`; return how many."""
    # Undoing a move is a move, so neighbours can be looked up from the empty entry's side.
    filled = 0
    seconds = normalised.shape[0]
    for row in range(rows[0], rows[1]):
        for second in range(seconds):
            if distances[row * seconds + second] != UNKNOWN:
                continue
            for move in range(class_moves.shape[1]):
                packed = class_moves[row, move]
                there = normalised[second_moves[second, move], packed & 15]
                if distances[(packed >> 4) * seconds + there] == depth:
                    distances[row * seconds + second] = depth + 1
                    filled += 1
                    break
    return filled


@compiled
def _pack_modulo_3(distances: UInt8Array) -> UInt8Array:
    packed = np.zeros((distances.size + 3) // 4, np.uint8)
    for index in range(distances.size):
        packed[index >> 2] |= (distances[index] % 3) << (2 * (index & 3))
    return packed


@compiled
def _pack_nibbles(distances: UInt8Array, most: int) -> UInt8Array:
    packed = np.zeros((distances.size + 1) // 2, np.uint8)
    for index in range(distances.size):
        packed[index >> 1] |= min(distances[index], most) << (4 * (index & 1))
    return packed
