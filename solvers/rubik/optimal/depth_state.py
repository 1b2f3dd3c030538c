"""The arrays of a running search for solutions of one length."""

from functools import cache
from typing import Final, NamedTuple

import numpy as np

from solvers.foundation.arrays import Int8Array, Int32Array, Int64Array, UInt8Array
from solvers.rubik.cubies import CubieCube
from solvers.rubik.notation import Face, Move
from solvers.rubik.optimal.move_deltas import decoded
from solvers.rubik.symmetries import Symmetry, axis_rotations, up_down_symmetries
from solvers.rubik.two_phase.pruning.cached import NO_TABLE
from solvers.rubik.two_phase.search_state import (
    CLASS,
    CUBE_SIZE,
    DIRECTIONS,
    DISTANCE,
    SYMMETRY,
    TWIST,
    SearchState,
)

LONGEST: Final = 20
"""No position needs more moves (Rokicki, Kociemba, Davidson, Dethridge 2010)."""

AXES: Final = 3

ALL_MOVES: Final = (1 << 18) - 1
"""All moves as a mask."""

# Columns of a position: four for each axis, as in `search_state`, then:
COLUMNS_OF_AXIS: Final = 4
MOVES: Final = 12  # mask of the moves still to try
MOVE: Final = 13  # the one tried last
_COLUMNS: Final = 14

# A sequence in which all groups of five bits are different: multiplied by a power of two, it has
# another one on top each time (Leiserson, Prokop, Randall 1998).
DE_BRUIJN: Final = 0x077C_B531

# Entries of `control`.
LENGTH: Final = 0  # of the solutions now searched
DEPTH: Final = 1
NODES: Final = 2  # positions whose neighbours were looked at, of all lengths
FOUND: Final = 3
CONTROLS: Final = 4


class DepthSearch(NamedTuple):
    """A running search; the columns of the arrays are named above.

    ends: start and target, shape (2, 40); scratch: room for two cubes.
    seen_moves: number of each move as seen by a representative, by axis, symmetry and move.
    after: mask of the moves worth trying after each move, and at 18 of those to begin with.
    bits: number of the only bit that is set, at the upper five bits of its product.
    deltas: see `move_deltas`; empty while the exact table has to do.
    decode: what its codes mean; faces: where a representative's faces are, and at 6 whether seen in
    a mirror, by axis and symmetry, shape (3, 16, 7).
    """

    control: Int64Array
    path: Int32Array
    ends: Int8Array
    scratch: Int8Array
    seen_moves: UInt8Array
    after: Int64Array
    bits: UInt8Array
    deltas: UInt8Array
    decode: UInt8Array
    faces: UInt8Array


def new_depth_search(begun: SearchState, start: CubieCube, target: CubieCube) -> DepthSearch:
    """Return a search from `start` to `target`; `begun` is their two-phase search, begun."""
    search = DepthSearch(
        np.zeros(CONTROLS, np.int64),
        np.zeros((LONGEST + 2, _COLUMNS), np.int32),
        np.array((start.numbers(), target.numbers()), np.int8),
        np.empty((2, CUBE_SIZE), np.int8),
        _seen_moves(),
        _masks_after(),
        _bits(),
        NO_TABLE,
        decoded(),
        _faces(),
    )
    directions = begun.directions[:DIRECTIONS]
    for axis in range(AXES):
        # A direction that repeats another one has lost its distance.
        same = directions[:, (CLASS, SYMMETRY, TWIST)] == directions[axis, (CLASS, SYMMETRY, TWIST)]
        distance = directions[same.all(axis=1), DISTANCE].min()
        first = COLUMNS_OF_AXIS * axis
        search.path[0, first : first + 3] = directions[axis, (CLASS, SYMMETRY, TWIST)]
        search.path[0, first + DISTANCE] = distance
    search.control[DEPTH] = -1
    return search


@cache
def _seen_moves() -> UInt8Array:
    """Return the number of each move in a representative's frame, shape (3, 16, 18)."""
    seen = np.zeros((AXES, 16, 18), np.uint8)
    for axis, rotation in enumerate(axis_rotations()):
        for number, symmetry in enumerate(up_down_symmetries()):
            for move in Move:
                seen[axis, number, _upright(rotation, symmetry, move)] = move
    return seen


@cache
def _faces() -> UInt8Array:
    """Return the face that each of a representative's faces is, and whether all are mirrored."""
    faces = np.zeros((AXES, 16, 7), np.uint8)
    for axis, rotation in enumerate(axis_rotations()):
        for number, symmetry in enumerate(up_down_symmetries()):
            for face in Face:
                faces[axis, number, face] = _upright(rotation, symmetry, Move.of(face, 1)).face
            faces[axis, number, 6] = symmetry.is_mirror
    return faces


def _upright(rotation: Symmetry, symmetry: Symmetry, move: Move) -> Move:
    along = sorted(Move, key=rotation.conjugate)
    return along[symmetry.conjugate(move)]


def _masks_after() -> Int64Array:
    masks = [
        sum(1 << move for move in Move if not (move.face == last or move.face + 3 == last))
        for last in [move.face for move in Move]
    ]
    return np.array([*masks, ALL_MOVES], np.int64)


def _bits() -> UInt8Array:
    bits = np.zeros(32, np.uint8)
    for number in range(32):
        bits[((1 << number) * DE_BRUIJN & 0xFFFF_FFFF) >> 27] = number
    return bits


def moves_found(search: DepthSearch) -> tuple[Move, ...]:
    """Return the moves of the solution at which the search stopped."""
    return tuple(Move(int(number)) for number in search.path[: search.control[LENGTH], MOVE])


def share_done(search: DepthSearch) -> float:
    """Return which part of the present length is searched, 0 to 1, by its first two moves."""
    if search.control[DEPTH] < 0:
        return 1.0
    share, part = 0.0, 1.0
    for depth in range(min(2, int(search.control[DEPTH]))):
        part /= 18
        share += part * int(search.path[depth, MOVE])
    return share
