"""The fewest moves for every 2x2x2 cube, from a table of all 3 674 160 positions.

With the corner at DBL at home, turns of U, R and F are enough: a turn of the opposite face is the
same turn and a rotation of the whole cube. At most 11 moves are needed.
"""

from collections.abc import Iterator
from functools import cache
from itertools import permutations, product
from typing import Final

import numpy as np

from solvers.foundation.arrays import Int64Array, UInt8Array, UInt16Array
from solvers.foundation.progress import Job, Progress, run_job
from solvers.foundation.table_cache import load_or_build
from solvers.rubik.cubies import MOVE_CUBES, CubieCube
from solvers.rubik.notation import Face, Move
from solvers.rubik.pocket.pocket_cube import HOME
from solvers.rubik.two_phase.pruning.distances import pair_distances

MOVES: Final = tuple(move for move in Move if move.face in (Face.U, Face.R, Face.F))
POSITIONS: Final = 5040 * 729
_VERSION: Final = 1


def load_distances() -> Job[Progress, UInt8Array]:
    """Return the moves that each position needs, from the cache or built in a second."""

    def build() -> Job[Progress, UInt8Array]:
        yield Progress("cube-pocket", 0, POSITIONS, "positions")
        return pair_distances(_order_moves(), _twist_moves())

    return load_or_build("cube-pocket", _VERSION, (POSITIONS,), np.uint8, build)


def pocket_solutions(position: CubieCube) -> Iterator[tuple[Move, ...]]:
    """Yield all solutions with the fewest moves; `position` has the corner at DBL at home."""
    distances = run_job(load_distances())
    order = int(_order_numbers(np.array([position.corner_permutation]))[0])
    twist = int(_twist_numbers(np.array([position.corner_twist]))[0])
    yield from _downhill(distances, order, twist)


def _downhill(distances: UInt8Array, order: int, twist: int) -> Iterator[tuple[Move, ...]]:
    here = int(distances[order * 729 + twist])
    if here == 0:
        yield ()
        return
    for number, move in enumerate(MOVES):
        next_order = int(_order_moves()[order, number])
        next_twist = int(_twist_moves()[twist, number])
        if distances[next_order * 729 + next_twist] < here:
            for rest in _downhill(distances, next_order, next_twist):
                yield (move, *rest)


@cache
def _orders() -> Int64Array:
    """Return the eight corners by place, for each order with DBL at home, solved first."""
    others = [place for place in range(8) if place != HOME]
    orders = np.full((5040, 8), HOME)
    orders[:, others] = list(permutations(others))
    return orders


@cache
def _twists() -> Int64Array:
    """Return the eight twists by place, the last one making them whole, none at DBL."""
    digits = np.array(list(product(range(3), repeat=6)))
    last = -digits.sum(axis=1) % 3
    return np.column_stack([digits, np.zeros(729, np.int64), last])


def _order_numbers(orders: Int64Array) -> Int64Array:
    # Both lists are in the order of their digits, so that a search by halves finds the number.
    weights = 8 ** np.arange(7, -1, -1)
    return np.asarray(np.searchsorted(_orders() @ weights, orders @ weights), np.int64)


def _twist_numbers(twists: Int64Array) -> Int64Array:
    return np.asarray(twists[:, :6] @ 3 ** np.arange(5, -1, -1), np.int64)


@cache
def _order_moves() -> UInt16Array:
    after = [
        _order_numbers(_orders()[:, np.array(MOVE_CUBES[move].corner_permutation)])
        for move in MOVES
    ]
    return np.column_stack(after).astype(np.uint16)


@cache
def _twist_moves() -> UInt16Array:
    after = []
    for move in MOVES:
        cube = MOVE_CUBES[move]
        digits = _twists()[:, np.array(cube.corner_permutation)] + np.array(cube.corner_twist)
        after.append(_twist_numbers(digits % 3))
    return np.column_stack(after).astype(np.uint16)
