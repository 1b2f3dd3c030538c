"""Depth-first search of all move sequences of one length, with the large table.

As in `depth_search`, no solution is shorter than the farthest of three axes, or than one more move
if all three are equally far. Here a node's moves are tried along the axis from which it is farthest
first; those few that lead near enough are then looked up along the others.
"""

from typing import Final, NamedTuple

import numpy as np

from solvers.foundation.arrays import Int8Array, Int64Array, UInt8Array, UInt32Array
from solvers.foundation.compiled import kernel
from solvers.foundation.prefetching import prefetch
from solvers.rubik.cubies import CubieCube
from solvers.rubik.optimal import depth_search
from solvers.rubik.optimal.depth_search import (
    AXES,
    CONTROLS,
    DEPTH,
    FOUND,
    LENGTH,
    LONGEST,
    NODES,
    first_of,
    is_solution,
)
from solvers.rubik.optimal.large_table import (
    ORDERS,
    ROW_BYTES,
    UNKNOWN,
    Moves,
    moves_of,
    read_entry,
)
from solvers.rubik.two_phase.coordinates import Number
from solvers.rubik.two_phase.search import (
    CLASS,
    CUBE_SIZE,
    DISTANCE,
    SLICE,
    SYMMETRY,
    TWIST,
    SearchState,
)
from solvers.rubik.two_phase.tables import Phase1Tables

# Columns of a position: five for each axis, the first four as in `two_phase.search`, then:
COLUMNS_OF_AXIS: Final = 5
ORDER: Final = 4
MOVES: Final = 15  # mask of the moves still to try
_COLUMNS: Final = 16

# A child has other columns for an axis, since few of the children are ever visited.
PACKED: Final = 0  # what the move does, as in `Moves.classes`
CHILD_TWIST: Final = 1
CHILD_ORDER: Final = 2
BYTE: Final = 3  # of the table
ENTRY: Final = 4  # in the table


class LargeSearch(NamedTuple):
    """A running search; the columns of the arrays are named above, the rest as in `DepthSearch`."""

    control: Int64Array
    tried: UInt32Array
    path: UInt32Array
    children: UInt32Array
    ends: Int8Array
    scratch: Int8Array
    seen_moves: UInt8Array
    after: Int64Array
    bits: UInt8Array
    table: UInt8Array
    moves: Moves
    products: UInt8Array


def new_large_search(
    tables: Phase1Tables,
    table: UInt8Array,
    started: SearchState,
    start: CubieCube,
    target: CubieCube,
) -> LargeSearch:
    """Return a search from `start` to `target`; `started` is their two-phase search, started."""
    moves = moves_of(tables)
    search = LargeSearch(
        np.zeros(CONTROLS, np.int64),
        np.zeros(LONGEST + 2, np.uint32),
        np.zeros((LONGEST + 2, _COLUMNS), np.uint32),
        np.zeros((LONGEST + 2, 18, _COLUMNS), np.uint32),
        np.array((start.numbers(), target.numbers()), np.int8),
        np.empty((2, CUBE_SIZE), np.int8),
        depth_search.moves_seen(),
        depth_search.masks_after(),
        depth_search.bit_numbers(),
        table,
        moves,
        tables.symmetry_products,
    )
    for axis in range(AXES):
        direction = started.directions[axis]
        symmetry = int(direction[SYMMETRY])
        order = int(moves.normalised_edges[direction[SLICE], symmetry]) % ORDERS
        first = COLUMNS_OF_AXIS * axis
        search.path[0, first : first + 3] = direction[[CLASS, SYMMETRY, TWIST]]
        search.path[0, first + ORDER] = order
        search.path[0, first + DISTANCE] = distance_of(
            moves, table, int(direction[CLASS]), order, int(direction[TWIST])
        )
    search.control[DEPTH] = -1
    return search


@kernel
def distance_of(
    moves: Moves, table: UInt8Array, class_: Number, order: Number, twist: Number
) -> Number:
    """Return the distance of a position, by walking along the table."""
    # Some neighbour is nearer, and modulo 3 it is the one that is smaller by one.
    steps = 0
    here = np.int64(read_entry(table, class_ * ORDERS + order, twist))  # plus 1, which cancels out
    while class_ != 0 or order != 0 or twist != 0:
        for move in range(18):
            packed = np.int64(moves.classes[class_, move])
            symmetry = packed & 15
            next_order = np.int64(moves.orders[symmetry, packed >> 4 & 31, order])
            next_twist = np.int64(moves.normalised[moves.twists[twist, move], symmetry])
            there = np.int64(read_entry(table, (packed >> 9) * ORDERS + next_order, next_twist))
            if there == (here + 1) % 3 + 1:
                class_, order, twist, here = packed >> 9, next_order, next_twist, there
                steps += 1
                break
    return steps


def least_length(search: LargeSearch) -> int:
    """Return a number of moves that every solution needs."""
    distances = search.path[0, DISTANCE:MOVES:COLUMNS_OF_AXIS].tolist()
    return int(max(distances)) + (len(set(distances)) == 1 and distances[0] > 0)


@kernel
def start_length(_tables: Phase1Tables, search: LargeSearch, length: Number) -> None:
    """Start the search for all solutions with exactly `length` moves, at least one."""
    control = search.control
    control[LENGTH] = length
    control[DEPTH] = 0
    control[FOUND] = 0
    _expand(search, 0, 18)


@kernel
def resume(tables: Phase1Tables, search: LargeSearch, node_limit: Number) -> bool:
    """Search for a solution (FOUND) or `node_limit` nodes; return whether all is searched."""
    control, path = search.control, search.path
    end = control[NODES] + node_limit
    while control[DEPTH] >= 0:
        depth = control[DEPTH]
        moves = np.int64(path[depth, MOVES])
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
        _visit(search, path[depth], search.children[depth, move], path[depth + 1])
        _expand(search, depth + 1, move)
        control[DEPTH] += 1
        if control[NODES] >= end:
            return False
    return True


@kernel(inlining="llvm")
def _visit(search: LargeSearch, here: UInt32Array, child: UInt32Array, there: UInt32Array) -> None:
    """Fill in the position that a child is."""
    for axis in range(AXES):
        first = COLUMNS_OF_AXIS * axis
        packed, distance = child[first + PACKED], here[first + DISTANCE]
        there[first + CLASS] = packed >> 9
        there[first + SYMMETRY] = search.products[here[first + SYMMETRY], packed & 15]
        there[first + TWIST] = child[first + CHILD_TWIST]
        there[first + ORDER] = child[first + CHILD_ORDER]
        there[first + DISTANCE] = distance + _step(distance % 3, child[first + ENTRY])


@kernel(inlining="llvm")
def _step(modulo_3: Number, entry: Number) -> Number:
    """Return by how much the distance of a neighbour differs, -1 to 1, from its table entry."""
    step = np.int64(entry) - 1 - np.int64(modulo_3)
    return step + 3 * np.int64(step < -1) - 3 * np.int64(step > 1)


@kernel
def _expand(search: LargeSearch, depth: Number, last: Number) -> None:
    """Find the moves that lead near enough, and what is known of the positions after them."""
    here, children = search.path[depth], search.children[depth]
    left = search.control[LENGTH] - depth - 1
    search.control[NODES] += 1
    # The axis from which the goal is farthest leaves the fewest moves to the others.
    axis: Number = np.int64(0)
    for other in range(1, AXES):
        if here[COLUMNS_OF_AXIS * other + DISTANCE] > here[COLUMNS_OF_AXIS * axis + DISTANCE]:
            axis = np.int64(other)
    moves = np.int64(search.after[last])
    # If all three axes are equally far, one more move is needed (see `depth_search`).
    equally_far = moves if left > 0 else 0
    for _ in range(AXES):
        moves, exactly = _near_enough(search, here, children, axis, moves, left)
        equally_far &= exactly
        if moves == 0:
            break
        axis = axis + 1 if axis < AXES - 1 else 0
    here[MOVES] = moves & ~equally_far


@kernel(inlining="numba")
def _near_enough(
    search: LargeSearch,
    here: UInt32Array,
    children: UInt32Array,
    axis: Number,
    moves: Number,
    left: Number,
) -> tuple[Number, Number]:
    """Return after which moves `left` are enough along an axis, and after which exactly enough."""
    first = np.uint64(COLUMNS_OF_AXIS * axis)
    class_moves = search.moves.classes[here[first + np.uint64(CLASS)]]
    seen = search.seen_moves[np.uint64(axis), here[first + np.uint64(SYMMETRY)]]
    twists = search.moves.twists[here[first + np.uint64(TWIST)]]
    order = here[first + np.uint64(ORDER)]
    # In two loops, so that the processor waits for the memory behind all moves at once.
    asked = moves
    while asked != 0:
        move = first_of(search.bits, asked)
        asked &= asked - 1
        child, number = children[move], seen[move]
        packed = class_moves[number]
        twist = search.moves.normalised[twists[number], packed & 15]
        child_order = search.moves.orders[packed & 15, packed >> 4 & 31, order]
        byte = (np.int64(packed >> 9) * ORDERS + child_order) * ROW_BYTES + (twist >> 2)
        prefetch(search.table, byte)
        child[first + np.uint64(PACKED)] = packed
        child[first + np.uint64(CHILD_TWIST)] = twist
        child[first + np.uint64(CHILD_ORDER)] = child_order
        child[first + np.uint64(BYTE)] = byte
    # The entries of positions that are near enough, as bits. What is not known, in a table that is
    # not full, is farther than all that is.
    distance = np.int64(here[first + np.uint64(DISTANCE)])
    enough, exact = np.int64(0), np.int64(0)
    for entry in range(UNKNOWN + 1, 4):
        there = distance + _step(distance % 3, entry)
        enough |= np.int64(there <= left) << entry
        exact |= np.int64(there == left) << entry
    near, exactly = np.int64(0), np.int64(0)
    while moves != 0:
        move = first_of(search.bits, moves)
        moves &= moves - 1
        child = children[move]
        shift = 2 * (child[first + np.uint64(CHILD_TWIST)] & 3)
        found = np.int64(search.table[child[first + np.uint64(BYTE)]]) >> shift & 3
        child[first + np.uint64(ENTRY)] = found
        near |= (enough >> found & 1) << move
        exactly |= (exact >> found & 1) << move
    return near, exactly
