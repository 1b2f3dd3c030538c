"""A cube as few words of bits, from which the coordinates along all axes can be read.

The words see the cube by place and by piece, so that they hold a position and its inverse alike:
the piece at a place of the one is the place of the piece in the other. Edges are numbered so that
the four of the layer between the two faces of an axis come together, axis by axis. Flips and twists
are those which each axis sees, when the cube is turned so that the axis becomes U-D.
"""

from functools import cache
from typing import Final, NamedTuple

import numpy as np

from solvers.foundation.arrays import Int8Array, Int64Array, UInt8Array, UInt16Array, UInt32Array
from solvers.foundation.compiled import kernel
from solvers.rubik.cubies import MOVE_CUBES, CubieCube, axis_rotations
from solvers.rubik.notation import Move
from solvers.rubik.optimal.depth_search import AXES
from solvers.rubik.optimal.large_table import ORDERS, Moves
from solvers.rubik.two_phase.coordinates import (
    FLIPS,
    FOUR_EDGES,
    Number,
    flip_digits,
    four_edges_labels,
    twist_digits,
)
from solvers.rubik.two_phase.cube_arrays import EDGES_AT as NUMBERS_OF_EDGES
from solvers.rubik.two_phase.cube_arrays import FLIPS_AT as NUMBERS_OF_FLIPS
from solvers.rubik.two_phase.cube_arrays import TWISTS_AT
from solvers.rubik.two_phase.tables import Phase1Tables

EDGES: Final = 12
CORNERS: Final = 8

# The words. By place: of the position; by piece: of its inverse.
EDGES_AT: Final = 0  # four bits for each place: the edge there
FLIPS_AT: Final = 1  # twelve bits for each axis: whether the edge there is flipped
CORNERS_AT: Final = 2  # four bits for each place: the corner there
ONES_AT: Final = 3  # eight bits for each axis: whether the corner there has twist 1
TWOS_AT: Final = 4  # twist 2
HALF: Final = 5  # words of the position; those of its inverse follow
WORDS: Final = 10

_EDGE_LANES: Final = 1 | 1 << EDGES | 1 << 2 * EDGES
_CORNER_LANES: Final = 1 | 1 << CORNERS | 1 << 2 * CORNERS

# Columns of what a move does to four pieces: `EDGE_MOVES` and `CORNER_MOVES`, shape (18, 4, ...).
SOURCE: Final = 0
TARGET: Final = 1
ONES: Final = 2  # by how much the twist grows along each axis, at bits 0, 8 and 16
TWOS: Final = 3


class Words(NamedTuple):
    """What moves do to the words, and what the words say about coordinates.

    edge_places: the usual number of each edge.
    edge_moves: the places that change, shape (18, 4, 2), columns as above.
    flips: a bit for each axis that sees the edges flipped by the move, shape (18).
    corner_moves: shape (18, 4, 4), columns as above.
    four_edges: four-edges coordinate of each axis by the places of four edges, sixteen bits.
    classes: packed class and symmetry by slice and the lowest eleven flips.
    orders: order seen by a representative, by four-edges coordinate and symmetry.
    twists: twist coordinate of each axis by the ones and the twos.
    """

    edge_places: Int64Array
    edge_moves: Int64Array
    flips: Int64Array
    corner_moves: Int64Array
    four_edges: UInt16Array
    classes: UInt32Array
    orders: UInt8Array
    twists: UInt16Array


@cache
def _axis_cubes() -> tuple[CubieCube, ...]:
    return tuple(rotation.as_cube() for rotation in axis_rotations())


@cache
def _edge_places() -> tuple[int, ...]:
    """Return the usual number of each edge."""
    return tuple(cube.edge_permutation[8 + i] for cube in _axis_cubes() for i in range(4))


def _seen(cube: CubieCube, axis: int) -> CubieCube:
    """Return the cube as an axis sees it."""
    turned = _axis_cubes()[axis]
    return turned.inverse().compose(cube).compose(turned)


def _flips_and_twists(cube: CubieCube, axis: int) -> tuple[list[int], list[int]]:
    """Return what an axis sees at each edge, in the order of this module, and at each corner."""
    turned, seen = _axis_cubes()[axis], _seen(cube, axis)
    flips = [seen.edge_flip[turned.edge_permutation.index(place)] for place in _edge_places()]
    twists = [seen.corner_twist[turned.corner_permutation.index(place)] for place in range(8)]
    return flips, twists


def words_of(cube: CubieCube) -> Int64Array:
    """Return all words of a cube."""
    words = np.zeros(WORDS, np.int64)
    places = _edge_places()
    for half, position in ((0, cube), (HALF, cube.inverse())):
        for i, place in enumerate(places):
            piece = places.index(position.edge_permutation[place])
            words[half + EDGES_AT] |= piece << 4 * i
        for i, piece in enumerate(position.corner_permutation):
            words[half + CORNERS_AT] |= piece << 4 * i
        for axis in range(AXES):
            flips, twists = _flips_and_twists(position, axis)
            words[half + FLIPS_AT] |= sum(flip << i for i, flip in enumerate(flips)) << EDGES * axis
            for twist, column in ((1, ONES_AT), (2, TWOS_AT)):
                mask = sum((each == twist) << i for i, each in enumerate(twists))
                words[half + column] |= mask << CORNERS * axis
    return words


_process_words: dict[int, Words] = {}


def words_for(tables: Phase1Tables, moves: Moves) -> Words:
    """Return the tables of words, made once in a process."""
    if id(tables.class_moves) not in _process_words:
        _process_words[id(tables.class_moves)] = _make_words(tables, moves)
    return _process_words[id(tables.class_moves)]


def _make_words(tables: Phase1Tables, moves: Moves) -> Words:
    edge_moves = np.zeros((18, 4, 2), np.int64)
    flips = np.zeros(18, np.int64)
    corner_moves = np.zeros((18, 4, 4), np.int64)
    places = _edge_places()
    for move in Move:
        cube = MOVE_CUBES[move]
        sources = [places.index(cube.edge_permutation[place]) for place in places]
        moved = [i for i in range(EDGES) if sources[i] != i]
        edge_moves[move] = [(sources[i], i) for i in moved]
        turned = [i for i in range(CORNERS) if cube.corner_permutation[i] != i]
        corner_moves[move, :, SOURCE] = [cube.corner_permutation[i] for i in turned]
        corner_moves[move, :, TARGET] = turned
        for axis in range(AXES):
            flipped, twisted = _flips_and_twists(cube, axis)
            flips[move] |= flipped[moved[0]] << EDGES * axis
            for column, twist in ((ONES, 1), (TWOS, 2)):
                grown = np.array([twisted[i] == twist for i in turned], np.int64)
                corner_moves[move, :, column] |= grown << CORNERS * axis
    return Words(
        np.array(places),
        edge_moves,
        flips,
        corner_moves,
        _four_edges(),
        _classes(tables),
        (moves.normalised_edges % ORDERS).astype(np.uint8),
        _twists(),
    )


def _four_edges() -> UInt16Array:
    """Return the four-edges coordinate by axis and four places in the numbers of this module."""
    labels = four_edges_labels()
    numbers = np.zeros((AXES, 1 << 16), np.uint16)
    for axis, turned in enumerate(_axis_cubes()):
        ours = np.array([_edge_places().index(place) for place in turned.edge_permutation])
        at = np.argmax(labels[:, np.newaxis, :] == np.arange(4)[:, np.newaxis], axis=2)
        keys = ours[at] @ (1 << 4 * np.arange(4))
        numbers[axis, keys] = np.arange(FOUR_EDGES)
    return numbers


def _classes(tables: Phase1Tables) -> UInt32Array:
    """Return the packed classes, by flips in the order of this module as the first axis sees it."""
    digits = flip_digits()[:, _edge_places()]
    ours = digits[:, :11] @ (1 << np.arange(11))
    packed = tables.packed_classes.reshape(-1, FLIPS)
    classes = np.empty_like(packed)
    classes[:, ours] = packed
    return classes.reshape(-1).astype(np.uint32)


def _twists() -> UInt16Array:
    """Return the twist coordinate by axis, ones and, above them, twos of the corners."""
    numbers = np.zeros((AXES, 1 << 16), np.uint16)
    for axis, turned in enumerate(_axis_cubes()):
        # The twist that the axis sees at its place i is at the place it has on the whole cube.
        shifts = np.array(turned.corner_permutation)
        digits = twist_digits()
        keys = (digits == 1) @ (1 << shifts) + (digits == 2) @ (1 << shifts + CORNERS)
        numbers[axis, keys] = np.arange(digits.shape[0])
    return numbers


@kernel(inlining="llvm")
def _twisted(ones: Number, twos: Number, by_one: Number, by_two: Number) -> tuple[Number, Number]:
    """Return the masks of twists 1 and 2 after some have grown by one or by two, modulo 3."""
    same, none = ~(by_one | by_two), ~(ones | twos)
    return (
        (ones & same) | (by_one & none) | (twos & by_two),
        (twos & same) | (by_two & none) | (ones & by_one),
    )


@kernel(inlining="llvm")
def move_inverse(words: Words, before: Int64Array, after: Int64Array, move: Number) -> None:
    """Set what the inverse's coordinates are read from: its flips, twists, and all pieces."""
    edges, corners = before[EDGES_AT], before[CORNERS_AT]
    new_edges, new_corners = edges, corners
    flipped, ones, twos = np.int64(0), np.int64(0), np.int64(0)
    for i in range(4):
        source, target = words.edge_moves[move, i, SOURCE], words.edge_moves[move, i, TARGET]
        edge = edges >> (4 * source) & 15
        new_edges ^= (edge ^ (edges >> (4 * target) & 15)) << (4 * target)
        flipped |= np.int64(1) << edge
        source, target = words.corner_moves[move, i, SOURCE], words.corner_moves[move, i, TARGET]
        corner = corners >> (4 * source) & 15
        new_corners ^= (corner ^ (corners >> (4 * target) & 15)) << (4 * target)
        # The inverse's twist is the negative one: what grows by 1 here grows by 2 there.
        ones |= words.corner_moves[move, i, TWOS] << corner
        twos |= words.corner_moves[move, i, ONES] << corner
    after[EDGES_AT], after[CORNERS_AT] = new_edges, new_corners
    after[HALF + FLIPS_AT] = before[HALF + FLIPS_AT] ^ flipped * words.flips[move]
    before_ones, before_twos = before[HALF + ONES_AT], before[HALF + TWOS_AT]
    after[HALF + ONES_AT], after[HALF + TWOS_AT] = _twisted(before_ones, before_twos, ones, twos)


@kernel(inlining="llvm")
def move_rest(words: Words, before: Int64Array, after: Int64Array, move: Number) -> None:
    """Set all words that `move_inverse` does not set."""
    edges, corners = before[EDGES_AT], before[CORNERS_AT]
    edges_of, corners_of = before[HALF + EDGES_AT], before[HALF + CORNERS_AT]
    flips, ones, twos = before[FLIPS_AT], before[ONES_AT], before[TWOS_AT]
    new_flips, new_ones, new_twos = flips, ones, twos
    flipped, one_more, two_more = np.int64(0), np.int64(0), np.int64(0)
    for i in range(4):
        source, target = words.edge_moves[move, i, SOURCE], words.edge_moves[move, i, TARGET]
        edges_of ^= (source ^ target) << (4 * (edges >> (4 * source) & 15))
        new_flips ^= ((flips >> source ^ flips >> target) & _EDGE_LANES) << target
        flipped |= np.int64(1) << target
        source, target = words.corner_moves[move, i, SOURCE], words.corner_moves[move, i, TARGET]
        corners_of ^= (source ^ target) << (4 * (corners >> (4 * source) & 15))
        new_ones ^= ((ones >> source ^ ones >> target) & _CORNER_LANES) << target
        new_twos ^= ((twos >> source ^ twos >> target) & _CORNER_LANES) << target
        one_more |= words.corner_moves[move, i, ONES] << target
        two_more |= words.corner_moves[move, i, TWOS] << target
    after[HALF + EDGES_AT], after[HALF + CORNERS_AT] = edges_of, corners_of
    after[FLIPS_AT] = new_flips ^ flipped * words.flips[move]
    after[ONES_AT], after[TWOS_AT] = _twisted(new_ones, new_twos, one_more, two_more)


@kernel(inlining="llvm")
def raw_inverse(words: Words, cube: Int64Array, axis: Number) -> tuple[Number, Number]:
    """Return the inverse's four-edges coordinate and its index in `classes`, along an axis."""
    edges = np.int64(words.four_edges[axis, cube[EDGES_AT] >> (16 * axis) & 0xFFFF])
    flips = cube[HALF + FLIPS_AT] >> (EDGES * axis) & 0xFFF
    # The axis sees its own four edges first, then those of the next axis.
    turned = (flips >> (4 * axis) | flips << (EDGES - 4 * axis)) & (FLIPS - 1)
    return edges, edges // ORDERS * FLIPS + turned


@kernel(inlining="llvm")
def inverse_twist(words: Words, cube: Int64Array, axis: Number) -> Number:
    """Return the twist coordinate of the inverse along an axis."""
    ones = cube[HALF + ONES_AT] >> (CORNERS * axis) & 0xFF
    twos = cube[HALF + TWOS_AT] >> (CORNERS * axis) & 0xFF
    return words.twists[axis, ones | twos << CORNERS]


@kernel
def to_numbers(words: Words, cube: Int64Array, numbers: Int8Array) -> None:
    """Set 40 numbers, as in `cube_arrays`, to the cube."""
    for i in range(CORNERS):
        numbers[i] = cube[CORNERS_AT] >> (4 * i) & 15
        numbers[TWISTS_AT + i] = (cube[ONES_AT] >> i & 1) + 2 * (cube[TWOS_AT] >> i & 1)
    for i in range(EDGES):
        place = words.edge_places[i]
        numbers[NUMBERS_OF_EDGES + place] = words.edge_places[cube[EDGES_AT] >> (4 * i) & 15]
        numbers[NUMBERS_OF_FLIPS + place] = cube[FLIPS_AT] >> i & 1
