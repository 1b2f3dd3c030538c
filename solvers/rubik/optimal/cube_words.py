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
from solvers.rubik.optimal.large_table import TETRAD, tetrad_numbers
from solvers.rubik.two_phase.coordinates import (
    FLIPS,
    Number,
    flip_digits,
    flip_number,
    four_of_twelve,
)
from solvers.rubik.two_phase.cube_arrays import EDGES_AT as NUMBERS_OF_EDGES
from solvers.rubik.two_phase.cube_arrays import FLIPS_AT as NUMBERS_OF_FLIPS
from solvers.rubik.two_phase.cube_arrays import TWISTS_AT

EDGES: Final = 12
CORNERS: Final = 8

# The words. By place: of the position; by piece: of its inverse.
EDGES_AT: Final = 0  # four bits for each place: the edge there
FLIPS_AT: Final = 1  # twelve bits for each axis: whether the edge there is flipped
SLICES_AT: Final = 2  # likewise: whether the edge there belongs between the axis's faces
CORNERS_AT: Final = 3  # four bits for each place: the corner there
ONES_AT: Final = 4  # eight bits for each axis: whether the corner there has twist 1
TWOS_AT: Final = 5  # twist 2
TETRADS_AT: Final = 6  # eight bits: whether the corner there is one of URF ULB DLF DRB
HALF: Final = 7  # words of the position; those of its inverse follow
WORDS: Final = 14

_EDGE_LANES: Final = 1 | 1 << EDGES | 1 << 2 * EDGES
_CORNER_LANES: Final = 1 | 1 << CORNERS | 1 << 2 * CORNERS

# Columns of what a move does to four pieces: `edge_moves` and `corner_moves`.
SOURCE: Final = 0
TARGET: Final = 1
ONES: Final = 2  # by how much the twist grows along each axis, at bits 0, 8 and 16
TWOS: Final = 3


class Words(NamedTuple):
    """What moves do to the words, and what the words say about coordinates.

    edge_places: the usual number of each edge.
    edge_moves: the places that change, shape (18 * 4 * 2), columns as above.
    flips: a bit for each axis that sees the edges flipped by the move, shape (18).
    slices: a bit for each axis between whose faces a quarter turn of a face brings two edges and
    takes two away.
    corner_moves: shape (18 * 4 * 4), columns as above.
    face_edges, face_corners: where the words have the places of each face, shape (24).
    face_ones, face_twos: a bit for each axis for which the inverse's twist of corners from the
    first tetrad grows by one, or by two, after a quarter turn of a face.
    flip_numbers: flip coordinate by the lowest eleven flips as the first axis sees them.
    slice_numbers: slice coordinate times 2048 by the twelve bits of the first axis.
    twist_numbers: twist coordinate of the twists 1 of each axis, shape (3 * 256).
    tetrad_numbers: number of the tetrads as each axis sees them, shape (3 * 256).
    """

    edge_places: Int64Array
    edge_moves: UInt8Array
    flips: Int64Array
    slices: Int64Array
    corner_moves: UInt32Array
    face_edges: UInt8Array
    face_corners: UInt8Array
    face_ones: Int64Array
    face_twos: Int64Array
    flip_numbers: UInt16Array
    slice_numbers: UInt32Array
    twist_numbers: UInt16Array
    tetrad_numbers: UInt8Array


@cache
def _axis_cubes() -> tuple[CubieCube, ...]:
    return tuple(rotation.as_cube() for rotation in axis_rotations())


@cache
def _edge_places() -> tuple[int, ...]:
    """Return the usual number of each edge."""
    return tuple(cube.edge_permutation[8 + i] for cube in _axis_cubes() for i in range(4))


def seen_along(cube: CubieCube, axis: int) -> CubieCube:
    """Return the cube as an axis sees it."""
    turned = _axis_cubes()[axis]
    return turned.inverse().compose(cube).compose(turned)


def _flips_and_twists(cube: CubieCube, axis: int) -> tuple[list[int], list[int]]:
    """Return what an axis sees at each edge, in the order of this module, and at each corner."""
    turned, seen = _axis_cubes()[axis], seen_along(cube, axis)
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
            words[half + SLICES_AT] |= 1 << i + EDGES * (piece // 4)
        for i, piece in enumerate(position.corner_permutation):
            words[half + CORNERS_AT] |= piece << 4 * i
            words[half + TETRADS_AT] |= (piece in TETRAD) << i
        for axis in range(AXES):
            flips, twists = _flips_and_twists(position, axis)
            words[half + FLIPS_AT] |= sum(flip << i for i, flip in enumerate(flips)) << EDGES * axis
            for twist, column in ((1, ONES_AT), (2, TWOS_AT)):
                mask = sum((each == twist) << i for i, each in enumerate(twists))
                words[half + column] |= mask << CORNERS * axis
    return words


@cache
def word_tables() -> Words:
    """Return the tables of words."""
    edge_moves = np.zeros((18, 4, 2), np.int64)
    flips, slices = np.zeros(18, np.int64), np.zeros(6, np.int64)
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
            slices[move.face] |= (axis in {i // 4 for i in moved}) << EDGES * axis
            for column, twist in ((ONES, 1), (TWOS, 2)):
                grown = np.array([twisted[i] == twist for i in turned], np.int64)
                corner_moves[move, :, column] |= grown << CORNERS * axis
    masks = four_of_twelve()
    order = 1 << np.array(places)
    slice_numbers = masks[(np.arange(1 << EDGES)[:, np.newaxis] >> np.arange(EDGES) & 1) @ order]
    return Words(
        np.array(places),
        edge_moves.reshape(-1).astype(np.uint8),
        flips,
        slices,
        corner_moves.reshape(-1).astype(np.uint32),
        (4 * edge_moves[::3, :, SOURCE]).reshape(-1).astype(np.uint8),
        (4 * corner_moves[::3, :, SOURCE]).reshape(-1).astype(np.uint8),
        # The inverse's twist is the negative one: what grows by 1 here grows by 2 there.
        _growth(corner_moves, TWOS),
        _growth(corner_moves, ONES),
        _flip_numbers(),
        slice_numbers.astype(np.uint32) * FLIPS,
        _twist_numbers(),
        _tetrad_numbers(),
    )


def _growth(corner_moves: Int64Array, column: int) -> Int64Array:
    """Return the column of a corner that each face's quarter turn takes from the first tetrad."""
    quarter_turns = corner_moves[::3]
    first = np.argmax(np.isin(quarter_turns[:, :, SOURCE], TETRAD), axis=1)
    return np.asarray(quarter_turns[np.arange(6), first, column], np.int64)


def _flip_numbers() -> UInt16Array:
    digits = flip_digits()
    numbers = np.zeros(FLIPS, np.uint16)
    numbers[digits[:, _edge_places()][:, :11] @ (1 << np.arange(11))] = flip_number(digits)
    return numbers


def _twist_numbers() -> UInt16Array:
    numbers = np.zeros((AXES, 1 << CORNERS), np.uint16)
    for axis, turned in enumerate(_axis_cubes()):
        # The twist that the axis sees at its place i is at the place it has on the whole cube.
        shifts = np.array(turned.corner_permutation[:7])
        digits = np.arange(1 << CORNERS)[:, np.newaxis] >> shifts & 1
        numbers[axis] = digits @ 3 ** np.arange(7)
    return numbers.reshape(-1)


def _tetrad_numbers() -> UInt8Array:
    masks = np.arange(1 << CORNERS)[:, np.newaxis]
    return np.array(
        [
            tetrad_numbers()[
                (masks >> np.array(turned.corner_permutation) & 1) @ (1 << np.arange(8))
            ]
            for turned in _axis_cubes()
        ]
    ).reshape(-1)


@kernel(inlining="llvm")
def _twisted(ones: Number, twos: Number, by_one: Number, by_two: Number) -> tuple[Number, Number]:
    """Return the masks of twists 1 and 2 after some have grown by one or by two, modulo 3."""
    same, none = ~(by_one | by_two), ~(ones | twos)
    return (
        (ones & same) | (by_one & none) | (twos & by_two),
        (twos & same) | (by_two & none) | (ones & by_one),
    )


@kernel(inlining="llvm")
def coordinate_words(
    words: Words, cube: Int64Array, half: Number, face: Number
) -> tuple[Number, Number, Number, Number, Number]:
    """Return flips, slices, ones, twos and tetrads of one half after a turn in the other half.

    They are the same after both quarter turns of a face, and half turns change none of them.
    """
    other = HALF - half
    edges, corners = cube[other + EDGES_AT], cube[other + CORNERS_AT]
    turned, turned_corners = np.int64(0), np.int64(0)
    for i in range(4 * face, 4 * face + 4):
        turned |= np.int64(1) << (edges >> words.face_edges[i] & 15)
        turned_corners |= np.int64(1) << (corners >> words.face_corners[i] & 15)
    # Around a face the tetrads take turns, and so do the ways in which the corners are twisted.
    tetrads = cube[half + TETRADS_AT]
    some, others = turned_corners & tetrads, turned_corners & ~tetrads
    ones, twos = words.face_ones[face], words.face_twos[face]
    new_ones, new_twos = _twisted(
        cube[half + ONES_AT],
        cube[half + TWOS_AT],
        some * ones | others * twos,
        some * twos | others * ones,
    )
    return (
        cube[half + FLIPS_AT] ^ turned * words.flips[3 * face],
        cube[half + SLICES_AT] ^ turned * words.slices[face],
        new_ones,
        new_twos,
        tetrads ^ turned_corners,
    )


@kernel(inlining="llvm")
def _copy_or_turn(
    words: Words, before: Int64Array, after: Int64Array, move: Number, half: Number
) -> None:
    """Set the words of one half that the coordinates are read from, after a move in the other."""
    if move % 3 == 1:  # a half turn
        flips, slices = before[half + FLIPS_AT], before[half + SLICES_AT]
        ones, twos = before[half + ONES_AT], before[half + TWOS_AT]
        tetrads = before[half + TETRADS_AT]
    else:
        flips, slices, ones, twos, tetrads = coordinate_words(words, before, half, move // 3)
    after[half + FLIPS_AT], after[half + SLICES_AT] = flips, slices
    after[half + ONES_AT], after[half + TWOS_AT] = ones, twos
    after[half + TETRADS_AT] = tetrads


@kernel(inlining="llvm")
def make_move(
    words: Words, before: Int64Array, after: Int64Array, move: Number, half: Number
) -> None:
    """Set all words to those after a move made in one half."""
    other = HALF - half
    _copy_or_turn(words, before, after, move, other)
    edges, corners = before[half + EDGES_AT], before[half + CORNERS_AT]
    edges_of, corners_of = before[other + EDGES_AT], before[other + CORNERS_AT]
    flips, slices = before[half + FLIPS_AT], before[half + SLICES_AT]
    ones, twos, tetrads = (
        before[half + ONES_AT],
        before[half + TWOS_AT],
        before[half + TETRADS_AT],
    )
    new_edges, new_flips, new_slices = edges, flips, slices
    new_corners, new_ones, new_twos, new_tetrads = corners, ones, twos, tetrads
    flipped, by_one, by_two = np.int64(0), np.int64(0), np.int64(0)
    for piece in range(4 * move, 4 * move + 4):
        source = np.int64(words.edge_moves[2 * piece + SOURCE])
        target = np.int64(words.edge_moves[2 * piece + TARGET])
        edge = edges >> (4 * source) & 15
        new_edges ^= (edge ^ (edges >> (4 * target) & 15)) << (4 * target)
        edges_of ^= (source ^ target) << (4 * edge)
        new_flips ^= ((flips >> source ^ flips >> target) & _EDGE_LANES) << target
        new_slices ^= ((slices >> source ^ slices >> target) & _EDGE_LANES) << target
        flipped |= np.int64(1) << target
        source = np.int64(words.corner_moves[4 * piece + SOURCE])
        target = np.int64(words.corner_moves[4 * piece + TARGET])
        corner = corners >> (4 * source) & 15
        new_corners ^= (corner ^ (corners >> (4 * target) & 15)) << (4 * target)
        corners_of ^= (source ^ target) << (4 * corner)
        new_ones ^= ((ones >> source ^ ones >> target) & _CORNER_LANES) << target
        new_twos ^= ((twos >> source ^ twos >> target) & _CORNER_LANES) << target
        new_tetrads ^= ((tetrads >> source ^ tetrads >> target) & 1) << target
        by_one |= np.int64(words.corner_moves[4 * piece + ONES]) << target
        by_two |= np.int64(words.corner_moves[4 * piece + TWOS]) << target
    after[half + EDGES_AT], after[half + CORNERS_AT] = new_edges, new_corners
    after[other + EDGES_AT], after[other + CORNERS_AT] = edges_of, corners_of
    after[half + FLIPS_AT] = new_flips ^ flipped * words.flips[move]
    after[half + SLICES_AT] = new_slices
    after[half + TETRADS_AT] = new_tetrads
    after[half + ONES_AT], after[half + TWOS_AT] = _twisted(new_ones, new_twos, by_one, by_two)


@kernel(inlining="llvm")
def raw_number(words: Words, flips: Number, slices: Number, axis: Number) -> Number:
    """Return slice * 2048 + flip along an axis, from the words of these names."""
    # The axis sees its own four edges first, then those of the next axis.
    first, rest = 4 * axis, EDGES - 4 * axis
    flips, slices = flips >> (EDGES * axis) & 0xFFF, slices >> (EDGES * axis) & 0xFFF
    return np.int64(words.slice_numbers[(slices >> first | slices << rest) & 0xFFF]) + np.int64(
        words.flip_numbers[(flips >> first | flips << rest) & (FLIPS - 1)]
    )


@kernel(inlining="llvm")
def twist_number(words: Words, ones: Number, twos: Number, axis: Number) -> Number:
    """Return the twist coordinate along an axis, from the words of these names."""
    ones = words.twist_numbers[axis << CORNERS | ones >> (CORNERS * axis) & 0xFF]
    twos = words.twist_numbers[axis << CORNERS | twos >> (CORNERS * axis) & 0xFF]
    return np.int64(ones) + 2 * np.int64(twos)


@kernel(inlining="llvm")
def tetrads_number(words: Words, tetrads: Number, axis: Number) -> Number:
    """Return the number of the tetrads as an axis sees them, from the word of that name."""
    return np.int64(words.tetrad_numbers[axis << CORNERS | tetrads & 0xFF])


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
