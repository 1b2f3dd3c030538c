"""Depth-first search of all move sequences of one length, with the large table, from both ends.

A solution is searched for from its first move on and from its last one back: what is left to find
leads from the position after the first moves, undone the last ones, to solved. Its inverse needs as
many moves, but has other bounds: no solution is shorter than the farthest of six, three axes of the
position and three of its inverse.

The last move left turns about one of the axes. Without it the position is in the group that the
distance along this axis leads to, so that this distance is smaller than the number of moves left.
Likewise the first move turns about an axis along which the inverse is that near. So the distances
tell which moves can be the first and which the last; each node goes on at the end with fewer.

The table is in memory that takes hundreds of nanoseconds to answer, but answers dozens of questions
at once. So several nodes are looked at together: all addresses are asked for before the first
answer is needed. Once so few moves are left that the table no longer tells distances apart,
`depth_search` finishes.
"""

from typing import Any, Final, NamedTuple

import numpy as np

from solvers.foundation.arrays import Float64Array, Int64Array, UInt8Array, UInt32Array
from solvers.foundation.compiled import kernel
from solvers.foundation.prefetching import prefetch
from solvers.rubik.cubies import SOLVED, CubieCube
from solvers.rubik.notation import Move, inverse_moves
from solvers.rubik.optimal import depth_search
from solvers.rubik.optimal.cube_words import (
    HALF,
    WORDS,
    Words,
    inverse_twist,
    move_inverse,
    move_rest,
    raw_inverse,
    to_numbers,
    words_for,
    words_of,
)
from solvers.rubik.optimal.depth_search import (
    ALL_MOVES,
    AXES,
    COLUMNS_OF_AXIS,
    FOUND,
    LENGTH,
    LONGEST,
    NODES,
    DepthSearch,
    first_of,
)
from solvers.rubik.optimal.large_table import (
    FAR,
    NEAR,
    NEAREST,
    ORDERS,
    ROW_TWISTS,
    Moves,
    moves_of,
)
from solvers.rubik.two_phase.coordinates import Number
from solvers.rubik.two_phase.phase_1_bounds import exact_distance
from solvers.rubik.two_phase.search import CLASS, DISTANCE, SYMMETRY, TWIST
from solvers.rubik.two_phase.tables import Phase1Tables

# Columns of a position: three for each axis, and then for each of its inverse.
INDEX: Final = 0  # in the table: class, order and twist in one
SEEN_BY: Final = 1  # the symmetry
ENTRY: Final = 2  # of the table
COLUMNS: Final = 3
# Before its place in the table is known, the inverse has there:
RAW: Final = 0  # flip and slice, as in `Words.classes`
EDGES: Final = 1  # the four edges
_SIDE: Final = AXES * COLUMNS
_BOTH: Final = 2 * _SIDE

# Columns of `nodes`.
LEFT: Final = 0  # moves
BACK: Final = 1  # 1 where the position is the inverse: its moves are then the last ones, undone
LAST: Final = 2  # move of the position, 18 if none
LAST_OF_INVERSE: Final = 3
MADE: Final = 4  # six bits a move, the first lowest: its number, and BACK
MOVES: Final = 5  # mask of the moves that lead near enough, as far as it is known
AXES_AFTER: Final = 6  # mask of the axes about which the last move left may turn
NEARER: Final = 7  # mask of the moves after which some such axis is nearer than the moves left
AXIS: Final = 8  # the one to look at first
_NODE: Final = 9

TOGETHER: Final = 8
"""Nodes looked at together."""

_ROOM: Final = LONGEST * TOGETHER * 18

# Further entries of `control`, after those of `depth_search`.
WAITING: Final = depth_search.CONTROLS  # number of nodes on the stack
NEAR_AT: Final = WAITING + 1  # up to how many moves the table does not tell distances apart
_CONTROLS: Final = NEAR_AT + 1


class LargeSearch(NamedTuple):
    """A running search; the columns of the arrays are named above.

    nodes, positions, cubes: a stack of the nodes to look at; cubes has their words.
    weights: which part of the search each of them is, if all moves of a node lead to equal parts.
    root: the first node's position; root_cube: its words.
    children: where the table has the positions after each move, shape (together, 3, 18).
    survivors: node and move of those that are near enough, until their inverses are known.
    inverses, child_cubes: the inverses of these, columns of one side, and their words.
    after: mask of the moves worth trying after each, shape (2, 19, 8), by BACK, the
    move before, and a mask of the axes about which they may turn.
    axes_after: mask of the axes of these moves; axes: the axis of each move.
    counts: number of the moves of each mask of nine.
    bits, seen_moves: as in `DepthSearch`.
    class_moves: those of `moves`, in one row.
    deep: the search for the last moves; it has made no moves before one is found.
    """

    control: Int64Array
    nodes: Int64Array
    positions: UInt32Array
    cubes: Int64Array
    weights: Float64Array
    root: UInt32Array
    root_cube: Int64Array
    children: UInt32Array
    survivors: Int64Array
    inverses: UInt32Array
    child_cubes: Int64Array
    seen_moves: UInt8Array
    after: Int64Array
    axes_after: Int64Array
    axes: Int64Array
    counts: UInt8Array
    bits: UInt8Array
    table: UInt8Array
    class_moves: UInt32Array
    moves: Moves
    words: Words
    products: UInt8Array
    deep: DepthSearch


def new_large_search(
    tables: Phase1Tables,
    table: UInt8Array,
    start: CubieCube,
    target: CubieCube,
    near: int = NEAR,
) -> LargeSearch:
    """Return a search from `start` to `target`; `near` is as the table was filled with."""
    moves = moves_of(tables)
    masks = np.array([depth_search.masks_after(), _masks_before()])
    turns = _turns_about(tables)
    about = np.array(
        [sum(turns[axis] for axis in range(AXES) if axes >> axis & 1) for axes in range(8)]
    )
    search = LargeSearch(
        np.zeros(_CONTROLS, np.int64),
        np.zeros((_ROOM, _NODE), np.int64),
        np.zeros((_ROOM, _BOTH), np.uint32),
        np.zeros((_ROOM, WORDS), np.int64),
        np.zeros(_ROOM),
        np.zeros(_BOTH, np.uint32),
        words_of(target.inverse().compose(start)),
        np.zeros((TOGETHER, AXES, 18), np.uint32),
        np.zeros((TOGETHER * 18, 2), np.int64),
        np.zeros((TOGETHER * 18, _SIDE), np.uint32),
        np.zeros((TOGETHER * 18, WORDS), np.int64),
        depth_search.moves_seen(),
        masks[:, :, np.newaxis] & about,
        (masks[:, :, np.newaxis] & turns != 0) @ (1 << np.arange(AXES)),
        np.array([next(a for a in range(AXES) if turns[a] >> move & 1) for move in Move]),
        np.array([mask.bit_count() for mask in range(512)], np.uint8),
        depth_search.bit_numbers(),
        table,
        moves.classes.reshape(-1),
        moves,
        words_for(tables, moves),
        tables.symmetry_products,
        depth_search.empty_depth_search(tables, SOLVED, SOLVED),
    )
    search.control[NEAR_AT] = near
    _place_root(search)
    return search


def _masks_before() -> Int64Array:
    """Return the moves worth trying before each, as `masks_after`."""
    after = depth_search.masks_after()
    masks = [sum(1 << move for move in Move if after[move] >> last & 1) for last in Move]
    return np.array([*masks, ALL_MOVES], np.int64)


def _turns_about(tables: Phase1Tables) -> Int64Array:
    """Return the moves about each axis as a mask: those that are seen along it as U and D."""
    turns = tables.axis_moves[:, [0, 1, 2, 9, 10, 11]].astype(np.int64)
    return np.asarray((1 << turns).sum(axis=1), np.int64)


def solution_of(search: LargeSearch) -> tuple[Move, ...]:
    """Return the moves of the solution at which a search stopped."""
    node = search.nodes[search.control[WAITING]]
    sides: tuple[list[Move], list[Move]] = ([], [])
    made = int(node[MADE])
    for _ in range(search.control[LENGTH] - node[LEFT]):
        sides[made >> 5 & 1].append(Move(made & 31))
        made >>= 6
    middle = depth_search.moves_found(search.deep.control, search.deep.tried)
    if node[BACK]:
        middle = inverse_moves(middle)
    return (*sides[0], *middle, *inverse_moves(sides[1]))


def searched_share(search: LargeSearch) -> float:
    """Return which part of the present length is searched, 0 to 1."""
    return 1.0 - float(search.weights[: search.control[WAITING]].sum())


@kernel
def _place_root(search: LargeSearch) -> None:
    """Fill in the coordinates of the first position and its inverse, from its words."""
    for _ in range(2):
        _swap(search.root, search.root_cube)
        inverse = search.root[_SIDE:]
        for axis in range(AXES):
            _set_raw_inverse(search, search.root_cube, inverse, axis)
            _set_inverse(search, search.root_cube, inverse, axis)
            column = COLUMNS * axis
            inverse[column + ENTRY] = _read(search.table, inverse[column + INDEX])


@kernel(inlining="llvm")
def _swap(position: UInt32Array, cube: Int64Array) -> None:
    """Make a position its inverse."""
    for column in range(_SIDE):
        here = position[column]
        position[column] = position[_SIDE + column]
        position[_SIDE + column] = here
    for column in range(HALF):
        word = cube[column]
        cube[column] = cube[HALF + column]
        cube[HALF + column] = word


@kernel(inlining="llvm")
def _copy(target: Any, source: Any) -> None:
    for column in range(target.size):
        target[column] = source[column]


@kernel(inlining="llvm")
def _read(table: UInt8Array, index: Number) -> Number:
    return np.int64(table[np.int64(index) >> 2]) >> (2 * (np.int64(index) & 3)) & 3


@kernel
def start_length(_tables: Phase1Tables, search: LargeSearch, length: Number) -> None:
    """Start the search for all solutions with exactly `length` moves, at least one."""
    search.control[LENGTH] = length
    search.control[FOUND] = 0
    search.control[WAITING] = 1
    _copy(search.positions[0], search.root)
    _copy(search.cubes[0], search.root_cube)
    search.weights[0] = 1.0
    node = search.nodes[0]
    node[LEFT] = length
    node[BACK] = 0
    node[MADE] = 0
    node[LAST] = 18
    node[LAST_OF_INVERSE] = 18


@kernel
def resume(tables: Phase1Tables, search: LargeSearch, node_limit: Number) -> bool:
    """Search for a solution (FOUND) or `node_limit` nodes; return whether all is searched."""
    control = search.control
    end = control[NODES] + node_limit
    while control[WAITING] > 0:
        if control[NODES] >= end:
            return False
        if search.nodes[control[WAITING] - 1, LEFT] <= control[NEAR_AT]:
            control[WAITING] -= 1
            if _search_deep(tables, search, control[WAITING]):
                return False
            continue
        _look_together(search)
    return True


@kernel
def _search_deep(tables: Phase1Tables, search: LargeSearch, top: Number) -> bool:
    """Search all that is left from a node; return whether a solution was found."""
    search.control[NODES] += 1
    left, position = search.nodes[top, LEFT], search.positions[top]
    deep = search.deep
    start = deep.path[0]
    for axis in range(AXES):
        index, symmetry = np.int64(position[COLUMNS * axis]), position[COLUMNS * axis + SEEN_BY]
        class_, twist = index // (ORDERS * ROW_TWISTS), index % ROW_TWISTS
        distance = exact_distance(tables, class_, twist)
        if distance > left:
            return False
        first = COLUMNS_OF_AXIS * axis
        start[first + CLASS] = class_
        start[first + SYMMETRY] = symmetry
        start[first + TWIST] = twist
        start[first + DISTANCE] = distance
    to_numbers(search.words, search.cubes[top], deep.ends[0])
    before = deep.control[NODES]
    depth_search.start_length(tables, deep, left)
    depth_search.resume(tables, deep, np.int64(1) << 60)
    search.control[NODES] += deep.control[NODES] - before
    search.control[FOUND] = deep.control[FOUND]
    return bool(search.control[FOUND] != 0)


@kernel(inlining="llvm")
def _look_together(search: LargeSearch) -> None:
    """Take the uppermost nodes from the stack and put those that lead near enough there."""
    control, nodes = search.control, search.nodes
    last = control[WAITING]
    first = max(last - TOGETHER, 0)
    near = control[NEAR_AT]
    # A node for the deep search stays where it is, with all below it.
    for top in range(last - 1, first - 1, -1):
        if nodes[top, LEFT] <= near:
            first = top + 1
            break
    control[NODES] += last - first
    for top in range(first, last):
        _choose_side(search, top, near)
        _ask_for_moves(search, top)
    for top in range(first, last):
        _ask(search, top, top - first)
    survivors = np.int64(0)
    for step in range(AXES):
        for top in range(first, last):
            if nodes[top, MOVES] != 0:
                _answer(search, top, top - first, near)
                if step < AXES - 1:
                    _ask(search, top, top - first)
                else:
                    survivors = _ask_for_classes(search, top, survivors)
    for survivor in range(survivors):
        _ask_inverse(search, survivor)
    _move_up(search, first, last, survivors, near)


@kernel(inlining="llvm")
def _rank(entry: Number) -> Number:
    """Return 0 for the nearest entries to 3 for the farthest."""
    return np.int64(entry) - 1 & 3


@kernel(inlining="llvm")
def _choose_side(search: LargeSearch, top: Number, near: Number) -> None:
    """Make a node's position the one to make moves in, and set the columns from MOVES on."""
    node, position = search.nodes[top], search.positions[top]
    left = node[LEFT]
    # The first move left turns about an axis along which the inverse is nearer than the moves left,
    # and the last one about an axis along which the position is.
    first_axes = _nearer_axes(position[_SIDE:], near, left)
    last_axes = _nearer_axes(position[:_SIDE], near, left)
    moves = search.after[node[BACK], node[LAST], first_axes]
    last_moves = search.after[1 - node[BACK], node[LAST_OF_INVERSE], last_axes]
    if _count(search, last_moves) < _count(search, moves):
        moves = last_moves
        _swap(position, search.cubes[top])
        node[BACK] = 1 - node[BACK]
        before = node[LAST]
        node[LAST] = node[LAST_OF_INVERSE]
        node[LAST_OF_INVERSE] = before
    # The axis from which the goal is farthest leaves the fewest moves to the others.
    farthest = np.int64(0)
    for axis in range(1, AXES):
        if _rank(position[COLUMNS * axis + ENTRY]) > _rank(position[COLUMNS * farthest + ENTRY]):
            farthest = np.int64(axis)
    node[AXIS] = farthest
    node[MOVES] = moves
    node[AXES_AFTER] = search.axes_after[1 - node[BACK], node[LAST_OF_INVERSE]]
    node[NEARER] = 0


@kernel(inlining="llvm")
def _nearer_axes(side: UInt32Array, near: Number, left: Number) -> Number:
    """Return as a mask the axes from which a position may be nearer than the moves left."""
    nearer, axes = _entries_within(near, left - 1), np.int64(0)
    for axis in range(AXES):
        axes |= (nearer >> np.int64(side[COLUMNS * axis + ENTRY]) & 1) << axis
    return axes


@kernel(inlining="llvm")
def _count(search: LargeSearch, moves: Number) -> Number:
    """Return how many moves a mask has."""
    return search.counts[moves & 0x1FF] + search.counts[moves >> 9]


@kernel(inlining="llvm")
def _ask_for_moves(search: LargeSearch, top: Number) -> None:
    """Have the processor bring what moves do to a position, along all axes."""
    for axis in range(AXES):
        index = np.int64(search.positions[top, COLUMNS * axis + INDEX])
        row = 18 * (index // (ORDERS * ROW_TWISTS))
        prefetch(search.class_moves, row)
        prefetch(search.class_moves, row + 17)


@kernel(inlining="llvm")
def _ask(search: LargeSearch, top: Number, slot: Number) -> None:
    """Compute where the table has the positions after all moves, along one axis."""
    node, position = search.nodes[top], search.positions[top]
    axis = node[AXIS]
    children = search.children[slot, axis]
    index = np.int64(position[COLUMNS * axis + INDEX])
    row, twist = index // ROW_TWISTS, index % ROW_TWISTS
    class_moves = 18 * (row // ORDERS)
    seen = search.seen_moves[axis, position[COLUMNS * axis + SEEN_BY]]
    twists = search.moves.twists[twist]
    order = row % ORDERS
    moves = node[MOVES]
    while moves != 0:
        move = first_of(search.bits, moves)
        moves &= moves - 1
        number = seen[move]
        packed = np.int64(search.class_moves[class_moves + number])
        symmetry = packed & 15
        after = (packed >> 9) * ORDERS + search.moves.orders[symmetry, packed >> 4 & 31, order]
        there = after * ROW_TWISTS + search.moves.normalised[twists[number], symmetry]
        prefetch(search.table, there >> 2)
        children[move] = there


@kernel(inlining="llvm")
def _entries_within(near: Number, left: Number) -> Number:
    """Return as bits the entries of positions that may need only `left` moves."""
    return (
        np.int64(left > near + 2) << FAR
        | 1 << NEAREST
        | np.int64(left > near) << 2
        | np.int64(left > near + 1) << 3
    )


@kernel(inlining="llvm")
def _answer(search: LargeSearch, top: Number, slot: Number, near: Number) -> None:
    """Drop the moves that do not lead near enough along one axis, and go on to the next axis."""
    node = search.nodes[top]
    axis = node[AXIS]
    children = search.children[slot, axis]
    within = _entries_within(near, node[LEFT] - 1)
    nearer = _entries_within(near, node[LEFT] - 2) & -(node[AXES_AFTER] >> axis & 1)
    moves, near_moves, nearer_moves = node[MOVES], np.int64(0), np.int64(0)
    while moves != 0:
        move = first_of(search.bits, moves)
        moves &= moves - 1
        found = _read(search.table, children[move])
        near_moves |= (within >> found & 1) << move
        nearer_moves |= (nearer >> found & 1) << move
    node[MOVES] = near_moves
    node[NEARER] |= nearer_moves
    node[AXIS] = axis + 1 if axis < AXES - 1 else 0


@kernel(inlining="llvm")
def _ask_for_classes(search: LargeSearch, top: Number, survivors: Number) -> Number:
    """Collect the positions after all moves; return how many there are together.

    Have the processor bring the classes of their inverses.
    """
    node = search.nodes[top]
    moves = node[MOVES] & node[NEARER]
    while moves != 0:
        move = first_of(search.bits, moves)
        moves &= moves - 1
        cube = search.child_cubes[survivors]
        search.survivors[survivors, 0] = top
        search.survivors[survivors, 1] = move
        move_inverse(search.words, search.cubes[top], cube, move)
        for axis in range(AXES):
            raw = _set_raw_inverse(search, cube, search.inverses[survivors], axis)
            prefetch(search.words.classes, raw)
        survivors += 1
    return survivors


@kernel(inlining="llvm")
def _ask_inverse(search: LargeSearch, survivor: Number) -> None:
    """Compute where the table has the inverse of a position."""
    inverse = search.inverses[survivor]
    own = search.axes[search.survivors[survivor, 1]]
    for axis in range(AXES):
        _set_inverse(search, search.child_cubes[survivor], inverse, axis)
        # A turn about an axis does not change the inverse's distance along it.
        if axis != own:
            prefetch(search.table, np.int64(inverse[COLUMNS * axis + INDEX]) >> 2)


@kernel(inlining="llvm")
def _set_raw_inverse(
    search: LargeSearch, cube: Int64Array, inverse: UInt32Array, axis: Number
) -> Number:
    """Set what leads to the inverse's place in the table, along one axis; return its raw class."""
    edges, raw = raw_inverse(search.words, cube, axis)
    inverse[COLUMNS * axis + EDGES] = edges
    inverse[COLUMNS * axis + RAW] = raw
    return raw


@kernel(inlining="llvm")
def _set_inverse(search: LargeSearch, cube: Int64Array, inverse: UInt32Array, axis: Number) -> None:
    """Set where the table has the inverse, along one axis, from its raw class."""
    column = COLUMNS * axis
    packed = np.int64(search.words.classes[inverse[column + RAW]])
    symmetry = packed & 15
    row = (packed >> 4) * ORDERS + search.words.orders[inverse[column + EDGES], symmetry]
    twist = search.moves.normalised[inverse_twist(search.words, cube, axis), symmetry]
    inverse[column + INDEX] = row * ROW_TWISTS + twist
    inverse[column + SEEN_BY] = symmetry


@kernel(inlining="llvm")
def _move_up(
    search: LargeSearch, first: Number, last: Number, survivors: Number, near: Number
) -> None:
    """Put those whose inverses are near enough in the place of the nodes on the stack."""
    # They are collected above the nodes, and moved down when all nodes are done with.
    end, begin = last, last
    for survivor in range(survivors):
        top, move = search.survivors[survivor, 0], search.survivors[survivor, 1]
        node, inverse = search.nodes[top], search.inverses[survivor]
        within = _entries_within(near, node[LEFT] - 1)
        nearer = _entries_within(near, node[LEFT] - 2)
        axes = search.axes_after[node[BACK], move]
        all_within, some_nearer = np.int64(1), np.int64(0)
        own = search.axes[move]
        for axis in range(AXES):
            if axis == own:
                found = np.int64(search.positions[top, _SIDE + COLUMNS * axis + ENTRY])
            else:
                found = _read(search.table, inverse[COLUMNS * axis + INDEX])
            inverse[COLUMNS * axis + ENTRY] = found
            all_within &= within >> found
            some_nearer |= nearer >> found & axes >> axis
        if all_within & some_nearer & 1:
            _push(search, top, top - first, survivor, end)
            end += 1
        if survivor + 1 == survivors or search.survivors[survivor + 1, 0] != top:
            for child in range(begin, end):
                search.weights[child] = search.weights[top] / (end - begin)
            begin = end
    for above in range(last, end):
        to = above - last + first
        _copy(search.nodes[to], search.nodes[above])
        _copy(search.positions[to], search.positions[above])
        _copy(search.cubes[to], search.cubes[above])
        search.weights[to] = search.weights[above]
    search.control[WAITING] = first + end - last


@kernel(inlining="llvm")
def _push(search: LargeSearch, top: Number, slot: Number, survivor: Number, to: Number) -> None:
    """Put the node after a move on the stack, at `to`."""
    node, there = search.nodes[top], search.nodes[to]
    move = search.survivors[survivor, 1]
    made = search.control[LENGTH] - node[LEFT]
    there[LEFT] = node[LEFT] - 1
    there[BACK] = node[BACK]
    there[LAST] = move
    there[LAST_OF_INVERSE] = node[LAST_OF_INVERSE]
    there[MADE] = node[MADE] | (move | node[BACK] << 5) << (6 * made)
    before, after = search.positions[top], search.positions[to]
    for axis in range(AXES):
        column = COLUMNS * axis
        symmetry = before[column + SEEN_BY]
        number = search.seen_moves[axis, symmetry, move]
        class_ = np.int64(before[column + INDEX]) // (ORDERS * ROW_TWISTS)
        packed = search.class_moves[18 * class_ + number]
        index = search.children[slot, axis, move]
        after[column + INDEX] = index
        after[column + SEEN_BY] = search.products[symmetry, packed & 15]
        after[column + ENTRY] = _read(search.table, index)
    for column in range(_SIDE):
        after[_SIDE + column] = search.inverses[survivor, column]
    cube = search.cubes[to]
    _copy(cube, search.child_cubes[survivor])
    move_rest(search.words, search.cubes[top], cube, move)
