"""Depth-first search of all move sequences of one length: its arrays, kernel and table of moves.

A position is its flip-slice class, symmetry, twist and distance to the group of phase 2, seen along
each of the three axes: no solution is shorter than the farthest of the three (Kociemba's optimal
solver). If all three are equally far, one more move is needed: the last move of a solution is in
one of the three groups and could be left out there. The only look-ups are in the exact table of
phase 1, or for long searches in the table of moves, which saves most of them.
"""

from functools import cache
from typing import Final, NamedTuple

import numpy as np

from solvers.foundation.arrays import Int8Array, Int32Array, Int64Array, UInt8Array
from solvers.foundation.compiled import kernel
from solvers.foundation.progress import Job, Progress
from solvers.foundation.table_cache import load_or_build
from solvers.rubik.cubies import CubieCube, Symmetry, axis_rotations, up_down_symmetries
from solvers.rubik.notation import Face, Move
from solvers.rubik.two_phase.coordinates import FLIP_SLICE_CLASSES, TWISTS, Number
from solvers.rubik.two_phase.cube_arrays import compose, copy_to, is_same
from solvers.rubik.two_phase.phase_1_bounds import distance_modulo_3, neighbour_distance
from solvers.rubik.two_phase.search import (
    CLASS,
    CUBE_SIZE,
    DIRECTIONS,
    DISTANCE,
    SYMMETRY,
    TWIST,
    SearchState,
)
from solvers.rubik.two_phase.tables import NO_TABLE, Phase1Tables

# The table of what each of the 18 moves does to a position's distance in phase 1: 423 MB.
#
# The search for proofs asks about all moves at once; here that takes one memory access, in the
# exact table 18. Three bytes an entry, four bits a face: its three turns lead to positions which
# are neighbours of one another, so that they are all nearer or equally far (bit q set: turn q + 1
# equally far; codes 0 to 7), or equally far or farther (7 + bits, set: farther; codes 8 to 14).

BYTES: Final = 3
SIZE: Final = FLIP_SLICE_CLASSES * TWISTS * BYTES
_VERSION: Final = 1
_ROWS_AT_ONCE: Final = 500  # of 64 430, between two progress events


def load_move_deltas(tables: Phase1Tables) -> Job[Progress, UInt8Array]:
    """Return the table from the cache or built, in half a minute of CPU time."""

    def build() -> Job[Progress, UInt8Array]:
        deltas = np.zeros(SIZE, np.uint8)
        for first in range(0, FLIP_SLICE_CLASSES, _ROWS_AT_ONCE):
            last = min(first + _ROWS_AT_ONCE, FLIP_SLICE_CLASSES)
            fill_rows(tables, deltas, first, last)
            yield Progress("cube-move-deltas", last, FLIP_SLICE_CLASSES, "rows")
        return deltas

    return load_or_build("cube-move-deltas", _VERSION, (SIZE,), np.uint8, build)


@kernel
def fill_rows(tables: Phase1Tables, deltas: UInt8Array, first: Number, last: Number) -> None:
    """Fill the entries of the classes from `first` up to, without, `last`."""
    for row in range(first, last):
        for twist in range(TWISTS):
            word = 0
            # Distances of neighbours differ by at most one, so modulo 3 is enough to compare them.
            here = distance_modulo_3(tables, row, twist)
            for face in range(6):
                word |= _code(tables, row, twist, here, face) << (4 * face)
            entry = (np.int64(row) * TWISTS + twist) * BYTES
            for byte in range(BYTES):
                deltas[entry + byte] = word >> (8 * byte) & 255


@kernel(inlining="numba")
def _code(tables: Phase1Tables, row: Number, twist: Number, here: Number, face: Number) -> Number:
    same: Number = 0
    farther: Number = 0
    for turn in range(3):
        packed = tables.class_moves[row, 3 * face + turn]
        there = tables.normalised_twists[tables.twist_moves[twist, 3 * face + turn], packed & 15]
        step = (distance_modulo_3(tables, packed >> 4, there) + 3 - here) % 3
        same |= np.int64(step == 0) << turn
        farther |= np.int64(step == 1) << turn
    # With one turn farther none is nearer: the turns' targets are neighbours of one another.
    return 7 + farther if farther > 0 else same


def decode_table() -> UInt8Array:
    """Return for each code the nearer turns (bits 0 to 2) and the equally far ones (3 to 5).

    Shape (2, 16): seen in a mirror, a turn goes the other way round.
    """
    codes = np.zeros((2, 16), np.uint8)
    for code in range(15):
        nearer, same = (7 & ~code, code) if code < 8 else (0, 7 & ~(code - 7))
        codes[0, code] = nearer | same << 3
        codes[1, code] = _mirrored(nearer) | _mirrored(same) << 3
    return codes


def _mirrored(turns: int) -> int:
    return turns >> 2 & 1 | turns & 2 | turns << 2 & 4


@kernel(inlining="numba")
def deltas_of(deltas: UInt8Array, class_: Number, twist: Number) -> Number:
    """Return the entry of a position: 24 bits."""
    # Three bytes instead of a word of four save a quarter of the memory.
    entry = (np.int64(class_) * TWISTS + twist) * BYTES
    low = np.int64(deltas[entry]) | np.int64(deltas[entry + 1]) << 8
    return low | np.int64(deltas[entry + 2]) << 16


# The search.


LONGEST: Final = 20
"""No position needs more moves (Rokicki, Kociemba, Davidson, Dethridge 2010)."""

AXES: Final = 3

ALL_MOVES: Final = (1 << 18) - 1
"""All moves as a mask."""

# Columns of a position: four for each axis, as in `two_phase.search`, then:
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
    after: mask of the moves worth trying after each move, and at 18 of the first moves.
    bits: number of the only bit that is set, at the upper five bits of its product.
    deltas: the table of `load_move_deltas`; empty while the exact table has to do.
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


def new_depth_search(started: SearchState, start: CubieCube, target: CubieCube) -> DepthSearch:
    """Return a search from `start` to `target`; `started` is their two-phase search, started."""
    search = DepthSearch(
        np.zeros(CONTROLS, np.int64),
        np.zeros((LONGEST + 2, _COLUMNS), np.int32),
        np.array((start.numbers(), target.numbers()), np.int8),
        np.empty((2, CUBE_SIZE), np.int8),
        _seen_moves(),
        _masks_after(),
        _bits(),
        NO_TABLE,
        decode_table(),
        _faces(),
    )
    directions = started.directions[:DIRECTIONS]
    for axis in range(AXES):
        # `set_start_positions` takes the distance from a direction that repeats another one.
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


def searched_share(search: DepthSearch) -> float:
    """Return which part of the present length is searched, 0 to 1, by its first two moves."""
    if search.control[DEPTH] < 0:
        return 1.0
    share, part = 0.0, 1.0
    for depth in range(min(2, int(search.control[DEPTH]))):
        part /= 18
        share += part * int(search.path[depth, MOVE])
    return share


@kernel
def start_length(tables: Phase1Tables, search: DepthSearch, length: Number) -> None:
    """Start the search for all solutions with exactly `length` moves, at least one."""
    control = search.control
    control[LENGTH] = length
    control[DEPTH] = 0
    control[FOUND] = 0
    control[NODES] += 1
    search.path[0, MOVES] = _promising(tables, search, search.path[0], length - 1, 18)


@kernel
def resume(tables: Phase1Tables, search: DepthSearch, node_limit: Number) -> bool:
    """Search for a solution (FOUND) or `node_limit` nodes; return whether all is searched."""
    control, path = search.control, search.path
    end = control[NODES] + node_limit
    while control[DEPTH] >= 0:
        depth = control[DEPTH]
        here = path[depth]
        moves = here[MOVES]
        if moves == 0:
            control[DEPTH] -= 1
            continue
        # The lowest bit is the next move; the product's upper bits give its number without a loop.
        here[MOVES] = moves & (moves - 1)
        move = search.bits[((moves & -moves) * DE_BRUIJN & 0xFFFF_FFFF) >> 27]
        here[MOVE] = move
        remaining = control[LENGTH] - depth - 1
        if remaining == 0:
            # Distance 0 along three axes is necessary, not sufficient: the pieces are compared.
            if _is_solution(tables, search, depth + 1):
                control[FOUND] = 1
                return False
            continue
        _step(tables, search, here, path[depth + 1], move)
        path[depth + 1, MOVES] = _promising(tables, search, path[depth + 1], remaining - 1, move)
        control[NODES] += 1
        control[DEPTH] += 1
        if control[NODES] >= end:
            return False
    return True


@kernel(inlining="numba")
def _step(
    tables: Phase1Tables, search: DepthSearch, here: Int32Array, child: Int32Array, move: Number
) -> None:
    """Set `child` to the position after a move."""
    for axis in range(AXES):
        first = COLUMNS_OF_AXIS * axis
        symmetry = here[first + SYMMETRY]
        number = search.seen_moves[axis, symmetry, move]
        packed = tables.class_moves[here[first + CLASS], number]
        class_ = packed >> 4
        twist = tables.normalised_twists[
            tables.twist_moves[here[first + TWIST], number], packed & 15
        ]
        child[first + CLASS] = class_
        child[first + SYMMETRY] = tables.symmetry_products[symmetry, packed & 15]
        child[first + TWIST] = twist
        if search.deltas.size > 0:
            # The entry was read for the mask of moves before; with luck it is still in the cache.
            step = _step_of(search, here, axis, number)
            child[first + DISTANCE] = here[first + DISTANCE] + step
        else:
            child[first + DISTANCE] = neighbour_distance(
                tables, here[first + DISTANCE], class_, twist
            )


@kernel(inlining="numba")
def _step_of(search: DepthSearch, here: Int32Array, axis: Number, number: Number) -> Number:
    """Return by how much a move, in the representative's frame, changes the distance."""
    first = COLUMNS_OF_AXIS * axis
    word = deltas_of(search.deltas, here[first + CLASS], here[first + TWIST])
    turns = search.decode[0, word >> (4 * (number // 3)) & 15] >> (number % 3)
    return 1 - 2 * (turns & 1) - (turns >> 3 & 1)


@kernel(inlining="numba")
def _promising(
    tables: Phase1Tables, search: DepthSearch, here: Int32Array, remaining: Number, last: Number
) -> Number:
    """Return the moves after which `remaining` ones may suffice, as a mask."""
    mask: Number = search.after[last]
    # Moves after which all three axes are exactly `remaining` away need one move more (see above).
    equally_far = mask if remaining > 0 else 0
    if search.deltas.size > 0:
        for axis in range(AXES):
            near, exactly = near_by_deltas(search, here, axis, remaining)
            mask &= near
            equally_far &= exactly
        return mask & ~equally_far
    # The axis from which the goal is farthest leaves the fewest moves to the others.
    axis = 0
    for other in range(1, AXES):
        if here[COLUMNS_OF_AXIS * other + DISTANCE] > here[COLUMNS_OF_AXIS * axis + DISTANCE]:
            axis = other
    for _ in range(AXES):
        near, exactly = near_by_table(tables, search, here, axis, remaining, mask)
        mask &= near
        equally_far &= exactly
        axis = (axis + 1) % AXES
    return mask & ~equally_far


@kernel(inlining="numba")
def near_by_deltas(
    search: DepthSearch, here: Int32Array, axis: Number, remaining: Number
) -> tuple[Number, Number]:
    """Return after which moves the goal is near enough along an axis, and exactly so far."""
    first = COLUMNS_OF_AXIS * axis
    word = deltas_of(search.deltas, here[first + CLASS], here[first + TWIST])
    faces = search.faces[axis, here[first + SYMMETRY]]
    mirror = faces[6]
    nearer: Number = 0
    same: Number = 0
    for face in range(6):
        turns = np.int64(search.decode[mirror, word >> (4 * face) & 15])
        nearer |= (turns & 7) << (3 * faces[face])
        same |= (turns >> 3) << (3 * faces[face])
    # A move changes the distance by at most one, so `spare` decides which of three kinds will do.
    spare = remaining - here[first + DISTANCE]
    if spare < 0:
        return nearer, nearer
    if spare == 0:
        return nearer | same, same
    if spare == 1:
        return ALL_MOVES, ALL_MOVES & ~(nearer | same)
    return ALL_MOVES, 0


@kernel(inlining="numba")
def near_by_table(
    tables: Phase1Tables,
    search: DepthSearch,
    here: Int32Array,
    axis: Number,
    remaining: Number,
    moves: Number,
) -> tuple[Number, Number]:
    """Return after which of `moves` the goal is near enough along an axis, and exactly so far."""
    first = COLUMNS_OF_AXIS * axis
    class_, twist = here[first + CLASS], here[first + TWIST]
    distance, symmetry = here[first + DISTANCE], here[first + SYMMETRY]
    if distance + 1 < remaining:
        return ALL_MOVES, 0
    # Distances modulo 3 as masks; the next position is nearer, equally far or farther by one.
    wanted = 1 << (distance + 2) % 3
    if distance <= remaining:
        wanted |= 1 << distance % 3
    if distance < remaining:
        wanted |= 1 << (distance + 1) % 3
    exact = 1 << remaining % 3
    near, exactly = 0, 0
    while moves != 0:
        move = search.bits[((moves & -moves) * DE_BRUIJN & 0xFFFF_FFFF) >> 27]
        moves &= moves - 1
        number = search.seen_moves[axis, symmetry, move]
        packed = tables.class_moves[class_, number]
        next_twist = tables.normalised_twists[tables.twist_moves[twist, number], packed & 15]
        there = distance_modulo_3(tables, packed >> 4, next_twist)
        near |= (wanted >> there & 1) << move
        exactly |= (exact >> there & 1) << move
    return near, exactly


@kernel
def _is_solution(tables: Phase1Tables, search: DepthSearch, length: Number) -> bool:
    here, there = search.scratch[0], search.scratch[1]
    copy_to(here, search.ends[0])
    for depth in range(length):
        compose(here, tables.move_cubes[search.path[depth, MOVE]], there)
        here, there = there, here
    return is_same(here, search.ends[1])
