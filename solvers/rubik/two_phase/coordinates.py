"""Numbers for parts of a position, what the moves do to them, and their classes under symmetry.

Phase 1 brings every position into the group that U, D, R2, F2, L2, B2 generate; phase 2 solves it
there with these ten moves (Kociemba's algorithm, https://kociemba.org/cube.htm). The coordinates:

    twist           3^7      corner twists, base 3, corner 0 the lowest digit
    flip            2^11     edge flips, base 2, edge 0 the lowest digit
    four edges      11 880   where four marked edges are (495 ways), and their order (24)
    slice           495      where the four edges of the middle layer are
    eight           8!       order of eight pieces: where the first four are (70 ways), their order
                             among themselves (24), and the order of the last four (24)

The order of eight serves for the corners and, in phase 2, for the U and D edges, with the same
numbers; the number divided by 576 (24 * 24) is where the first four are.

The 16 symmetries that keep the U-D axis reduce two of them to classes, for the exact tables:
flip and slice together (raw number slice * 2048 + flip) to 64 430, the order of the corners to
2768. Each class has a representative, its smallest raw number; raw = conjugate(representative,
symmetry). The pair is packed as class * 16 + symmetry.
"""

from collections.abc import Callable
from functools import cache
from itertools import combinations, permutations
from typing import Any

import numpy as np

from solvers.foundation.arrays import Int32Array, Int64Array, UInt8Array, UInt16Array
from solvers.rubik.cubies import MOVE_CUBES, Symmetry, up_down_symmetries
from solvers.rubik.notation import Face, Move

TWISTS = 3**7
FLIPS = 2**11
SLICES = 495
FOUR_EDGES = SLICES * 24
EIGHTS = 40_320

Number = Any
"""An integer in a kernel, of whatever width the arrays give it."""

PHASE_2_MOVES = tuple(
    move for move in Move if move.face % 3 == 0 or move.quarter_turns == 2
)  # the moves that change no twist and no flip, and keep the middle layer's edges there


@cache
def four_of_twelve() -> UInt16Array:
    """Return the number, 0 to 494, of each 12-bit mask with four bits set; 65535 for others.

    The mask of the middle layer (bits 8 to 11) comes first.
    """
    numbers = np.full(1 << 12, 65_535, np.uint16)
    # Downwards, so that the solved middle layer (the highest places) has number 0.
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
    """Return which of the U and D places the U edges have, for each number of `four_of_twelve`.

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
    # The eighth twist follows: the sum of all is a multiple of three.
    digits = np.arange(TWISTS)[:, None] // 3 ** np.arange(7) % 3
    return np.column_stack([digits, -digits.sum(axis=1) % 3])


def twist_number(digits: Int64Array) -> Int64Array:
    """Return the twist coordinate of each row of eight corner twists."""
    return digits[:, :7] @ 3 ** np.arange(7)


@cache
def flip_digits() -> Int64Array:
    """Return the twelve edge flips of each flip coordinate."""
    # The twelfth flip follows: the sum of all is even.
    digits = np.arange(FLIPS)[:, None] >> np.arange(11) & 1
    return np.column_stack([digits, digits.sum(axis=1) % 2])


def flip_number(digits: Int64Array) -> Int64Array:
    """Return the flip coordinate of each row of twelve edge flips."""
    return digits[:, :11] @ (1 << np.arange(11))


@cache
def four_edges_labels() -> Int64Array:
    """Return the labels at the twelve edge places: 0 to 3 for the marked edges, else -1."""
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
    # The number of an order is a bijection onto 0 to 40 319, so sorting by it inverts it.
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
    # Where the four edges go does not depend on their order: every 24th row is enough. Kernels are
    # slower with arrays that are not contiguous.
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
    # In phase 2 the four are in the middle layer, which is number 0: only their order is left.
    return np.ascontiguousarray(four_edges[:24, PHASE_2_MOVES])


def phase_2_split_moves(eight: UInt16Array) -> UInt16Array:
    """Return where the first four of eight are after each move of phase 2, shape (70, 10)."""
    # The places of the first four change alike for every order, so one of 576 rows stands for all.
    return np.ascontiguousarray(eight[::576] // 576)


FLIP_SLICE_CLASSES = 64_430


_MIDDLE_LAYER = 0xF00  # edge places 8 to 11


def symmetry_products() -> UInt8Array:
    """Return the number of "j, then i" for each pair of symmetries, shape (16, 16)."""
    symmetries = up_down_symmetries()
    return np.array([[symmetries.index(i.after(j)) for j in symmetries] for i in symmetries], "u1")


def symmetry_inverses() -> UInt8Array:
    """Return the number of the inverse of each symmetry, shape (16)."""
    return np.asarray(np.argmin(symmetry_products(), axis=1), np.uint8)  # 0 is the identity


def conjugated_moves() -> UInt8Array:
    """Return what each move looks like after each symmetry, shape (16, 18)."""
    return np.array([[s.conjugate(move) for move in Move] for s in up_down_symmetries()], "u1")


def normalised_twists() -> UInt16Array:
    """Return each twist conjugated with the inverse of each symmetry, shape (2187, 16)."""
    columns = []
    for symmetry in up_down_symmetries():
        # Undoing the symmetry: the piece at the image of `place` returns to `place`.
        places = [symmetry.corner_place(place) for place in range(8)]
        digits = twist_digits()[:, places]
        # A mirror turns clockwise twists into counter-clockwise ones.
        columns.append(twist_number(-digits % 3 if symmetry.is_mirror else digits))
    return np.column_stack(columns).astype(np.uint16)


def packed_flip_slices() -> Int32Array:
    """Return class * 16 + symmetry of each raw number, shape (495 * 2048)."""
    raws = np.arange(SLICES * FLIPS, dtype=np.int32)
    # The smallest number that a symmetry makes of a raw number is its class's representative.
    smallest = raws.copy()
    by = np.zeros(SLICES * FLIPS, np.uint8)
    for number, symmetry in enumerate(up_down_symmetries()):
        image = conjugated_flip_slices(raws, symmetry)
        by[image < smallest] = number
        np.minimum(smallest, image, out=smallest)
    classes = np.cumsum(smallest == raws, dtype=np.int32) - 1
    return (classes[smallest] * 16 + symmetry_inverses()[by]).astype(np.int32)


def flip_slice_representatives(packed: Int32Array) -> Int32Array:
    """Return the raw number that represents each class, shape (64430)."""
    # Only a representative is itself under the identity, symmetry number 0.
    return np.flatnonzero(packed & 15 == 0).astype(np.int32)


def own_flip_slice_symmetries(raws: Int32Array) -> UInt16Array:
    """Return for each raw number a mask with bit j set where symmetry j maps it to itself."""
    masks = np.zeros(raws.size, np.uint16)
    for number, symmetry in enumerate(up_down_symmetries()):
        masks |= (conjugated_flip_slices(raws, symmetry) == raws).astype(np.uint16) << number
    return masks


def conjugated_flip_slices(raws: Int32Array, symmetry: Symmetry) -> Int32Array:
    """Return the raw number that each raw number is conjugated to."""
    places = [symmetry.edge_place(place) for place in range(12)]
    masks = np.arange(1 << 12)
    moved = np.zeros(1 << 12, np.int32)
    for place in range(12):
        moved |= ((masks >> place & 1) << places[place]).astype(np.int32)
    slices = four_of_twelve_masks().astype(np.int32)
    new_slices = four_of_twelve()[moved[slices]].astype(np.int32)
    flips = (flip_digits() @ (1 << np.arange(12))).astype(np.int32)
    # Flip is counted by quarter turns of F and B. Where these become R and L, an edge counts as
    # flipped the other way if exactly one of its place and its home is in the middle layer.
    swaps_axes = symmetry.faces[Face.F] not in (Face.F, Face.B)
    correction = slices ^ _MIDDLE_LAYER if swaps_axes else np.zeros_like(slices)
    slice_, flip = raws // FLIPS, raws % FLIPS
    new_flips = moved[flips[flip] ^ correction[slice_]] & (FLIPS - 1)
    return np.asarray(new_slices[slice_] * FLIPS + new_flips, np.int32)


def flip_slice_class_moves(
    packed: Int32Array, flips: UInt16Array, slices: UInt16Array
) -> Int32Array:
    """Return class * 16 + symmetry after each move of each representative, shape (64430, 18)."""
    raws = flip_slice_representatives(packed)
    moved = slices[raws // FLIPS].astype(np.int32) * FLIPS + flips[raws % FLIPS]
    return np.asarray(packed[moved], np.int32)


CORNER_CLASSES = 2768


def normalised_corners() -> UInt16Array:
    """Return each order of the corners conjugated with each symmetry's inverse, (40320, 16)."""
    return _normalised_orders(Symmetry.corner_place)


def normalised_edges() -> UInt16Array:
    """Return each order of the U and D edges conjugated likewise, shape (40320, 16)."""
    return _normalised_orders(Symmetry.edge_place)


def _normalised_orders(place_of: Callable[[Symmetry, int], int]) -> UInt16Array:
    orders = eight_orders()
    columns = []
    for symmetry in up_down_symmetries():
        places = [place_of(symmetry, place) for place in range(8)]
        # Undoing the symmetry: the piece at the image of `place` returns to `place`.
        columns.append(eight_number(np.argsort(places)[orders[:, places]]))
    return np.column_stack(columns).astype(np.uint16)


def packed_corners(normalised: UInt16Array) -> Int32Array:
    """Return class * 16 + symmetry of each order of the corners, shape (40320)."""
    smallest = normalised.min(axis=1)
    classes = np.cumsum(smallest == np.arange(smallest.size), dtype=np.int32) - 1
    return np.asarray(classes[smallest] * 16 + normalised.argmin(axis=1), np.int32)


def corner_representatives(normalised: UInt16Array) -> Int32Array:
    """Return the smallest order of each class, shape (2768)."""
    orders = np.arange(normalised.shape[0], dtype=np.int32)
    return np.asarray(orders[normalised.min(axis=1) == orders], np.int32)


def corner_class_moves(
    packed: Int32Array, representatives: Int32Array, corners: UInt16Array
) -> Int32Array:
    """Return class * 16 + symmetry after each move of phase 2 of each representative."""
    return np.asarray(packed[corners[representatives]], np.int32)


def own_corner_symmetries(representatives: Int32Array, normalised: UInt16Array) -> UInt16Array:
    """Return for each representative a mask with bit j set where symmetry j leaves it as it is."""
    same = normalised[representatives] == representatives[:, None]
    return np.asarray(same @ (1 << np.arange(16)), np.uint16)
