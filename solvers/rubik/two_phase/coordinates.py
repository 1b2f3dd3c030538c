"""Numbers for parts of a position, and tables of what the moves do to them.

Phase 1 brings every position into the group that U, D, R2, F2, L2, B2 generate; phase 2 solves it
there with these ten moves (Kociemba's algorithm). The coordinates:

    twist           3^7      corner twists, base 3, corner 0 the lowest digit
    flip            2^11     edge flips, base 2, edge 0 the lowest digit
    four edges      11 880   where four marked edges are (495 ways), and their order (24)
    slice           495      where the four edges of the middle layer are
    eight           8!       order of eight pieces: where the first four are (70 ways), their order
                             among themselves (24), and the order of the last four (24)

The order of eight serves for the corners and, in phase 2, for the U and D edges, with the same
numbers; dividing by 576 tells where the first four are.
"""

from functools import cache
from itertools import combinations, permutations
from typing import Any

import numpy as np

from solvers.foundation.arrays import Int64Array, UInt8Array, UInt16Array
from solvers.rubik.cubies import MOVE_CUBES
from solvers.rubik.notation import Move

TWISTS = 3**7
FLIPS = 2**11
SLICES = 495
FOUR_EDGES = SLICES * 24
EIGHTS = 40_320

Number = Any
"""An integer in a kernel, of whatever width the arrays give it."""

PHASE_2_MOVES = tuple(
    move for move in Move if move.face % 3 == 0 or move.quarter_turns == 2
)  # the moves that keep every twist, every flip and the middle layer as they are


@cache
def four_of_twelve() -> UInt16Array:
    """Return the number, 0 to 494, of each 12-bit mask with four bits set; 65535 for others.

    The mask of the middle layer (bits 8 to 11) comes first.
    """
    numbers = np.full(1 << 12, 65_535, np.uint16)
    for number, places in enumerate(combinations(range(11, -1, -1), 4)):
        numbers[sum(1 << place for place in places)] = number
    return numbers


@cache
def four_of_twelve_masks() -> Int64Array:
    """Return the mask of each number of `four_of_twelve`."""
    masks = np.flatnonzero(four_of_twelve() < SLICES)
    return np.array(sorted(masks, key=lambda mask: int(four_of_twelve()[mask])), np.int64)


@cache
def four_of_eight() -> UInt8Array:
    """Return the number, 0 to 69, of each 8-bit mask with four bits set; 255 for others."""
    numbers = np.full(1 << 8, 255, np.uint8)
    for number, places in enumerate(combinations(range(8), 4)):
        numbers[sum(1 << place for place in places)] = number
    return numbers


def splits_of_upper_edges() -> UInt8Array:
    """Return where the U edges are among U and D for each number of `four_of_twelve`.

    0 to 69 as in `four_of_eight`; 255 where one of them is in the middle layer.
    """
    masks = four_of_twelve_masks()
    return np.where(masks < 256, four_of_eight()[masks & 255], 255).astype(np.uint8)


@cache
def order_of_four() -> UInt8Array:
    """Return the number, 0 to 23, of four different labels a b c d, at index a + 4b + 16c + 64d."""
    numbers = np.full(256, 255, np.uint8)
    for number, labels in enumerate(permutations(range(4))):
        numbers[sum(label << (2 * i) for i, label in enumerate(labels))] = number
    return numbers


def _order_number(labels: Int64Array) -> Int64Array:
    """Return the order of each row of four labels."""
    codes = labels @ np.array([1, 4, 16, 64])
    return np.asarray(order_of_four()[codes], np.int64)


@cache
def twist_digits() -> Int64Array:
    """Return the eight corner twists of each twist coordinate."""
    digits = np.arange(TWISTS)[:, None] // 3 ** np.arange(7) % 3
    return np.column_stack([digits, -digits.sum(axis=1) % 3])


def twist_number(digits: Int64Array) -> Int64Array:
    """Return the twist coordinate of each row of eight corner twists."""
    return digits[:, :7] @ 3 ** np.arange(7)


@cache
def flip_digits() -> Int64Array:
    """Return the twelve edge flips of each flip coordinate."""
    digits = np.arange(FLIPS)[:, None] >> np.arange(11) & 1
    return np.column_stack([digits, digits.sum(axis=1) % 2])


def flip_number(digits: Int64Array) -> Int64Array:
    """Return the flip coordinate of each row of twelve edge flips."""
    return digits[:, :11] @ (1 << np.arange(11))


@cache
def four_edges_labels() -> Int64Array:
    """Return what is at the twelve edge places: labels 0 to 3 of the marked edges, else -1."""
    labels = np.full((FOUR_EDGES, 12), -1)
    orders = list(permutations(range(4)))
    for number, mask in enumerate(four_of_twelve_masks()):
        places = [place for place in range(12) if mask >> place & 1]
        labels[24 * number : 24 * number + 24, places] = orders
    return labels


def four_edges_number(labels: Int64Array) -> Int64Array:
    """Return the four-edges coordinate of each row of twelve labels."""
    where = four_of_twelve()[(labels >= 0) @ (1 << np.arange(12))].astype(np.int64)
    return 24 * where + _order_number(labels[labels >= 0].reshape(-1, 4))


@cache
def eight_orders() -> Int64Array:
    """Return the eight pieces in order of place for each order-of-eight coordinate."""
    orders = np.array(list(permutations(range(8))))
    return orders[np.argsort(eight_number(orders))]


def eight_number(orders: Int64Array) -> Int64Array:
    """Return the order-of-eight coordinate of each row of eight pieces."""
    where = four_of_eight()[(orders < 4) @ (1 << np.arange(8))].astype(np.int64)
    first = _order_number(orders[orders < 4].reshape(-1, 4))
    last = _order_number(orders[orders >= 4].reshape(-1, 4) - 4)
    return (24 * where + first) * 24 + last


def twist_moves() -> UInt16Array:
    """Return the twist after each of the 18 moves, shape (2187, 18)."""
    after = []
    for cube in MOVE_CUBES:
        digits = twist_digits()[:, cube.corner_permutation] + np.array(cube.corner_twist)
        after.append(twist_number(digits % 3))
    return np.column_stack(after).astype(np.uint16)


def flip_moves() -> UInt16Array:
    """Return the flip after each of the 18 moves, shape (2048, 18)."""
    after = []
    for cube in MOVE_CUBES:
        digits = flip_digits()[:, cube.edge_permutation] ^ np.array(cube.edge_flip)
        after.append(flip_number(digits))
    return np.column_stack(after).astype(np.uint16)


def four_edges_moves() -> UInt16Array:
    """Return the four-edges coordinate after each of the 18 moves, shape (11880, 18)."""
    labels = four_edges_labels()
    after = [four_edges_number(labels[:, cube.edge_permutation]) for cube in MOVE_CUBES]
    return np.column_stack(after).astype(np.uint16)


def slice_moves(four_edges: UInt16Array) -> UInt16Array:
    """Return the slice coordinate after each of the 18 moves, shape (495, 18)."""
    return np.ascontiguousarray(four_edges[::24] // 24)


def corner_moves() -> UInt16Array:
    """Return the order of the corners after each of the 18 moves, shape (40320, 18)."""
    orders = eight_orders()
    after = [eight_number(orders[:, cube.corner_permutation]) for cube in MOVE_CUBES]
    return np.column_stack(after).astype(np.uint16)


def phase_2_corner_moves(corners: UInt16Array) -> UInt16Array:
    """Return the order of the corners after each of the 10 moves of phase 2, shape (40320, 10)."""
    return np.ascontiguousarray(corners[:, PHASE_2_MOVES])


def phase_2_edge_moves() -> UInt16Array:
    """Return the order of the U and D edges after each move of phase 2, shape (40320, 10)."""
    orders = eight_orders()
    after = [
        eight_number(orders[:, MOVE_CUBES[move].edge_permutation[:8]]) for move in PHASE_2_MOVES
    ]
    return np.column_stack(after).astype(np.uint16)


def phase_2_slice_moves(four_edges: UInt16Array) -> UInt16Array:
    """Return the order of the middle-layer edges after each move of phase 2, shape (24, 10)."""
    return np.ascontiguousarray(four_edges[:24, PHASE_2_MOVES])


def phase_2_split_moves(eight: UInt16Array) -> UInt16Array:
    """Return where the first four of eight are after each move of phase 2, shape (70, 10)."""
    return np.ascontiguousarray(eight[::576] // 576)
