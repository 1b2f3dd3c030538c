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

from solvers.foundation.arrays import Int8Array, Int64Array, UInt8Array, UInt32Array
from solvers.foundation.compiled import kernel
from solvers.foundation.prefetching import prefetch
from solvers.foundation.progress import Job, Progress
from solvers.foundation.table_cache import load_or_build
from solvers.rubik.cubies import CubieCube, Symmetry, axis_rotations, up_down_symmetries
from solvers.rubik.notation import Move
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


@cache
def _steps() -> UInt8Array:
    """Return for each code the nearer turns (bits 0 to 2) and the equally far ones (3 to 5)."""
    codes = np.zeros(16, np.uint8)
    for code in range(15):
        nearer, same = (7 & ~code, code) if code < 8 else (0, 7 & ~(code - 7))
        codes[code] = nearer | same << 3
    return codes


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
WORDS: Final = 13  # the entries of `deltas`, one for each axis
_COLUMNS: Final = 16

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

    tried: the move tried last at each depth; path: the position there.
    children: the positions after each move of that position, shape (22, 18, columns).
    ends: start and target, shape (2, 40); scratch: room for two cubes.
    seen_moves: number of each move as seen by a representative, by axis, symmetry and move.
    after: mask of the moves worth trying after each move, and at 18 of the first moves.
    bits: number of the only bit that is set, at the upper five bits of its product.
    deltas: the table of `load_move_deltas`; empty while the exact table has to do.
    steps: what a code says of a face's turns; decode, masks: see `near_by_deltas`.
    class_moves: as in the tables.

    Arrays are unsigned where they can be: the compiler then omits the check for negative indices.
    """

    control: Int64Array
    tried: UInt32Array
    path: UInt32Array
    children: UInt32Array
    ends: Int8Array
    scratch: Int8Array
    seen_moves: UInt8Array
    after: Int64Array
    bits: UInt8Array
    deltas: UInt8Array
    steps: UInt8Array
    decode: UInt32Array
    masks: UInt32Array
    class_moves: UInt32Array


def new_depth_search(
    tables: Phase1Tables, started: SearchState, start: CubieCube, target: CubieCube
) -> DepthSearch:
    """Return a search from `start` to `target`; `started` is their two-phase search, started."""
    search = empty_depth_search(tables, start, target)
    directions = started.directions[:DIRECTIONS]
    for axis in range(AXES):
        # `set_start_positions` takes the distance from a direction that repeats another one.
        same = directions[:, (CLASS, SYMMETRY, TWIST)] == directions[axis, (CLASS, SYMMETRY, TWIST)]
        distance = directions[same.all(axis=1), DISTANCE].min()
        first = COLUMNS_OF_AXIS * axis
        search.path[0, first : first + 3] = directions[axis, (CLASS, SYMMETRY, TWIST)]
        search.path[0, first + DISTANCE] = distance
    return search


def empty_depth_search(tables: Phase1Tables, start: CubieCube, target: CubieCube) -> DepthSearch:
    """Return a search from `start` to `target` whose first position is not filled in."""
    search = DepthSearch(
        np.zeros(CONTROLS, np.int64),
        np.zeros(LONGEST + 2, np.uint32),
        np.zeros((LONGEST + 2, _COLUMNS), np.uint32),
        np.zeros((LONGEST + 2, 18, _COLUMNS), np.uint32),
        np.array((start.numbers(), target.numbers()), np.int8),
        np.empty((2, CUBE_SIZE), np.int8),
        moves_seen(),
        masks_after(),
        bit_numbers(),
        NO_TABLE,
        _steps(),
        _decode(),
        _masks(),
        tables.class_moves.view(np.uint32),
    )
    search.control[DEPTH] = -1
    return search


@cache
def moves_seen() -> UInt8Array:
    """Return the number of each move in a representative's frame, shape (3, 16, 18)."""
    return np.argsort(_upright_moves(), axis=2).astype(np.uint8)


HALF: Final = 9
"""Moves of three faces, whose codes make twelve bits."""


@cache
def _decode() -> UInt32Array:
    """Return which turns of three faces are near enough, and above them which exactly so far.

    Shape (4, 4096): by how many moves more than needed are left (-1 to 2), and the faces' codes.
    A move changes the distance by at most one, so with -1 only nearer ones will do.
    """
    codes = np.arange(1 << 12)
    turns = [_steps()[codes >> 4 * face & 15].astype(np.int32) for face in range(3)]
    nearer = sum((each & 7) << 3 * face for face, each in enumerate(turns))
    same = sum((each >> 3) << 3 * face for face, each in enumerate(turns))
    every = np.full_like(nearer, (1 << HALF) - 1)
    near = np.array([nearer, nearer | same, every, every])
    exactly = np.array([nearer, same, every & ~(nearer | same), 0 * every])
    return np.asarray(near | exactly << HALF, np.uint32)


@cache
def _masks() -> UInt32Array:
    """Return the moves that turns of a representative's faces are, as a mask.

    Shape (3, 16, 2, 512): by axis and symmetry, for the first and the last three faces.
    """
    moves = _upright_moves()
    masks = np.zeros((AXES, 16, 2, 1 << HALF), np.uint32)
    for half in range(2):
        for bit in range(HALF):
            chosen = (np.arange(1 << HALF) >> bit & 1).astype(np.uint32)
            masks[:, :, half] |= chosen << moves[:, :, HALF * half + bit, np.newaxis]
    return masks


def _upright_moves() -> UInt32Array:
    """Return what a representative's moves are, by axis, symmetry and move."""
    return np.array(
        [
            [[_upright(rotation, symmetry, move) for move in Move] for symmetry in symmetries]
            for rotation in axis_rotations()
            for symmetries in [up_down_symmetries()]
        ],
        np.uint32,
    )


def _upright(rotation: Symmetry, symmetry: Symmetry, move: Move) -> Move:
    along = sorted(Move, key=rotation.conjugate)
    return along[symmetry.conjugate(move)]


def masks_after() -> Int64Array:
    masks = [
        sum(1 << move for move in Move if not (move.face == last or move.face + 3 == last))
        for last in [move.face for move in Move]
    ]
    return np.array([*masks, ALL_MOVES], np.int64)


def bit_numbers() -> UInt8Array:
    bits = np.zeros(32, np.uint8)
    for number in range(32):
        bits[((1 << number) * DE_BRUIJN & 0xFFFF_FFFF) >> 27] = number
    return bits


def moves_found(control: Int64Array, tried: UInt32Array) -> tuple[Move, ...]:
    """Return the moves of the solution at which a search stopped."""
    return tuple(Move(int(number)) for number in tried[: control[LENGTH]])


def searched_share(control: Int64Array, tried: UInt32Array) -> float:
    """Return which part of the present length is searched, 0 to 1, by its first two moves."""
    if control[DEPTH] < 0:
        return 1.0
    share, part = 0.0, 1.0
    for depth in range(min(2, int(control[DEPTH]))):
        part /= 18
        share += part * int(tried[depth])
    return share


@kernel
def start_length(tables: Phase1Tables, search: DepthSearch, length: Number) -> None:
    """Start the search for all solutions with exactly `length` moves, at least one."""
    control, start = search.control, search.path[0]
    control[LENGTH] = length
    control[DEPTH] = 0
    control[FOUND] = 0
    control[NODES] += 1
    if search.deltas.size > 0:
        for axis in range(AXES):
            _read_word(search, start, axis)
    start[MOVES] = _promising(tables, search, start, length - 1, 18)
    _look_ahead(tables, search, 0)


@kernel
def resume(tables: Phase1Tables, search: DepthSearch, node_limit: Number) -> bool:
    """Search for a solution (FOUND) or `node_limit` nodes; return whether all is searched."""
    control, path = search.control, search.path
    end = control[NODES] + node_limit
    while control[DEPTH] >= 0:
        depth = control[DEPTH]
        moves = path[depth, MOVES]
        if moves == 0:
            control[DEPTH] -= 1
            continue
        move = first_of(search.bits, moves)
        path[depth, MOVES] = moves & (moves - 1)
        search.tried[depth] = move
        if depth + 1 == control[LENGTH]:
            # Distance 0 along three axes is necessary, not sufficient: the pieces are compared.
            if is_solution(tables, search.ends, search.scratch, search.tried, depth + 1):
                control[FOUND] = 1
                return False
            continue
        for column in range(_COLUMNS):
            path[depth + 1, column] = search.children[depth, move, column]
        _look_ahead(tables, search, depth + 1)
        control[DEPTH] += 1
        if control[NODES] >= end:
            return False
    return True


@kernel(inlining="numba")
def first_of(bits: UInt8Array, moves: Number) -> Number:
    """Return the number of the lowest move of a mask."""
    # The product's upper bits give the number without a loop.
    return bits[((moves & -moves) * DE_BRUIJN & 0xFFFF_FFFF) >> 27]


@kernel
def _look_ahead(tables: Phase1Tables, search: DepthSearch, depth: Number) -> None:
    """Compute the positions after all moves to try, and drop the moves that lead to dead ends."""
    here, children = search.path[depth], search.children[depth]
    remaining = search.control[LENGTH] - depth - 1
    if remaining == 0:
        return
    # In two loops, so that the processor waits for the memory behind all moves at once.
    moves = np.int64(here[MOVES])
    while moves != 0:
        move = first_of(search.bits, moves)
        moves &= moves - 1
        _step(tables, search, here, children[move], move)
        search.control[NODES] += 1
    moves, alive = np.int64(here[MOVES]), 0
    while moves != 0:
        move = first_of(search.bits, moves)
        moves &= moves - 1
        child = children[move]
        if search.deltas.size > 0:
            for axis in range(AXES):
                _read_word(search, child, axis)
        child[MOVES] = _promising(tables, search, child, remaining - 1, move)
        alive |= np.int64(child[MOVES] != 0) << move
    here[MOVES] = alive


@kernel(inlining="numba")
def _step(
    tables: Phase1Tables, search: DepthSearch, here: UInt32Array, child: UInt32Array, move: Number
) -> None:
    """Set `child` to the position after a move."""
    for axis in range(AXES):
        first = COLUMNS_OF_AXIS * axis
        symmetry = here[first + SYMMETRY]
        number = search.seen_moves[axis, symmetry, move]
        packed = search.class_moves[here[first + CLASS], number]
        class_ = packed >> 4
        twist = tables.normalised_twists[
            tables.twist_moves[here[first + TWIST], number], packed & 15
        ]
        child[first + CLASS] = class_
        child[first + SYMMETRY] = tables.symmetry_products[symmetry, packed & 15]
        child[first + TWIST] = twist
        if search.deltas.size > 0:
            turns = search.steps[here[WORDS + axis] >> (4 * (number // 3)) & 15] >> (number % 3)
            child[first + DISTANCE] = (
                here[first + DISTANCE] + 1 - 2 * (turns & 1) - (turns >> 3 & 1)
            )
            prefetch(search.deltas, (np.int64(class_) * TWISTS + twist) * BYTES)
        else:
            child[first + DISTANCE] = neighbour_distance(
                tables, here[first + DISTANCE], class_, twist
            )


@kernel(inlining="numba")
def _read_word(search: DepthSearch, here: UInt32Array, axis: Number) -> None:
    first = COLUMNS_OF_AXIS * axis
    here[WORDS + axis] = deltas_of(search.deltas, here[first + CLASS], here[first + TWIST])


@kernel(inlining="numba")
def _promising(
    tables: Phase1Tables, search: DepthSearch, here: UInt32Array, remaining: Number, last: Number
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
    search: DepthSearch, here: UInt32Array, axis: Number, remaining: Number
) -> tuple[Number, Number]:
    """Return after which moves the goal is near enough along an axis, and exactly so far."""
    first = COLUMNS_OF_AXIS * axis
    word = here[WORDS + axis]
    decode = search.decode[min(max(remaining - here[first + DISTANCE], -1), 2) + 1]
    masks = search.masks[axis, here[first + SYMMETRY]]
    low, high = decode[word & 0xFFF], decode[word >> 12]
    every = (1 << HALF) - 1
    near = masks[0, low & every] | masks[1, high & every]
    return near, masks[0, low >> HALF] | masks[1, high >> HALF]


@kernel(inlining="numba")
def near_by_table(
    tables: Phase1Tables,
    search: DepthSearch,
    here: UInt32Array,
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
        move = first_of(search.bits, moves)
        moves &= moves - 1
        number = search.seen_moves[axis, symmetry, move]
        packed = tables.class_moves[class_, number]
        next_twist = tables.normalised_twists[tables.twist_moves[twist, number], packed & 15]
        there = distance_modulo_3(tables, packed >> 4, next_twist)
        near |= (wanted >> there & 1) << move
        exactly |= (exact >> there & 1) << move
    return near, exactly


@kernel
def is_solution(
    tables: Phase1Tables, ends: Int8Array, scratch: Int8Array, tried: UInt32Array, length: Number
) -> bool:
    """Return whether the first `length` of the moves tried lead from the first end to the other."""
    here, there = scratch[0], scratch[1]
    copy_to(here, ends[0])
    for depth in range(length):
        compose(here, tables.move_cubes[tried[depth]], there)
        here, there = there, here
    return is_same(here, ends[1])
