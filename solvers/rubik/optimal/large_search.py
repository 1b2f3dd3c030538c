"""Depth-first search of all move sequences of one length, with the large table, from both ends.

A solution is searched for from its first move on and from its last one back: what is left to find
leads from the position after the first moves, undone the last ones, to solved. Its inverse needs as
many moves, but has other bounds: no solution is shorter than the farthest of six, three axes of the
position and three of its inverse.

The table tells nothing until `near` moves are left. So the first moves are made without asking, and
the last two before that number at once, one at each end: some two hundred pairs. A move in front
turns the places of the position; what the table has of its inverse stays as it is after half turns,
and is the same after both quarter turns of a face. A move at the end, the other way round. So there
are seven positions to look up for each end and axis: after a half turn or none at the other end, or
after a quarter turn of one of six faces. The word of the table in which such a position is answers
for all turns about the axis. With these 42 words each pair has two of its six bounds, and few are
left. The words of the inverse are read only after turns in front that the position's own words
allow: with two moves fewer left, most of them are not.

The pairs that are left are looked up along the other axes. Those with one move in front, and moves
of one kind at the end, are the same position there: a group, with one look. For the bounds of the
inverse they are grouped the other way round.

The table is in memory that takes hundreds of nanoseconds to answer, but answers dozens of questions
at once. So all addresses, of several nodes, are asked for before the first answer is needed. When
few moves are left, `depth_search` finishes.
"""

from functools import cache
from typing import Any, Final, NamedTuple

import numpy as np

from solvers.foundation.arrays import (
    Float64Array,
    Int64Array,
    UInt8Array,
    UInt16Array,
    UInt32Array,
)
from solvers.foundation.compiled import kernel
from solvers.foundation.prefetching import prefetch
from solvers.rubik.cubies import SOLVED, CubieCube
from solvers.rubik.notation import Move, inverse_moves
from solvers.rubik.optimal import depth_search
from solvers.rubik.optimal.cube_words import (
    FLIPS_AT,
    HALF,
    ONES_AT,
    SLICES_AT,
    TETRADS_AT,
    TWOS_AT,
    Words,
    coordinate_words,
    make_move,
    raw_number,
    tetrads_number,
    to_numbers,
    twist_number,
    word_tables,
    words_of,
)
from solvers.rubik.optimal.cube_words import WORDS as CUBE_WORDS
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
    NEAR,
    NEARER,
    SHIFTS,
    TETRADS,
    LargeTable,
    corners,
    index_of_nearer,
)
from solvers.rubik.two_phase.coordinates import (
    FLIPS,
    TWISTS,
    Number,
    flip_moves,
    four_edges_moves,
    slice_moves,
)
from solvers.rubik.two_phase.phase_1_bounds import exact_distance
from solvers.rubik.two_phase.search import CLASS, DISTANCE, SYMMETRY, TWIST
from solvers.rubik.two_phase.tables import Phase1Tables

SIDES: Final = 2  # the position and its inverse

# Kinds of moves: 0 to 5 are the quarter turns of a face.
HALF_TURNS: Final = 6
KINDS: Final = 7

# Columns of a position along one axis. Arrays that the innermost loops read have one dimension, are
# unsigned and step by powers of two: the compiler checks no sign and multiplies by nothing then.
RAW: Final = 0  # slice * 2048 + flip
TURNED: Final = 1  # the twist
SPLIT: Final = 2  # the tetrads
INDEX: Final = 3  # of its word in the table
PLACE: Final = 4

# Columns of `nodes`.
LEFT: Final = 0  # moves
LAST: Final = 1  # move in front, 18 if none
LAST_OF_INVERSE: Final = 2  # move of the inverse, that is undone at the end
MADE: Final = 3  # five bits a move in front, the first highest below a one
MADE_OF_INVERSE: Final = 4
_NODE: Final = 5

# Columns of `groups`, eight for each.
SLOT: Final = 0  # of the node
MOVE: Final = 1  # at this end
KIND: Final = 2  # of the moves at the other end
OTHERS: Final = 3  # mask of these
WORD: Final = 4  # its index in the table
BIT: Final = 5  # in the word
TETRADS_AFTER: Final = 6

TOGETHER: Final = 16
"""Nodes looked at together."""

_GROUPS: Final = TOGETHER * 18 * KINDS
_ROOM: Final = (LONGEST // 2 + 1) * TOGETHER * 18 * 18

# Further entries of `control`, after those of `depth_search`.
WAITING: Final = depth_search.CONTROLS  # number of nodes on the stack
NEAR_AT: Final = WAITING + 1  # the number of moves that the table is about
DEEP_AT: Final = NEAR_AT + 1  # with this many moves left or fewer, `depth_search` is faster
STARTS: Final = DEEP_AT + 1  # number of starts of the present length
STARTED: Final = STARTS + 1  # how many of them are on the stack or searched
_CONTROLS: Final = STARTED + 1

MOST_MOVES_OF_START: Final = 5
_MOST_STARTS: Final = 577_368
"""Number of sequences of five moves in the normal form."""

LEAST_DEEP: Final = 2
"""Two moves at once need at least one more."""


class LargeSearch(NamedTuple):
    """A running search; the columns of the arrays are named above.

    nodes, cubes: a stack of the nodes to look at; cubes has their words.
    weights: which part of the search each of them is, if all moves of a node lead to equal parts.
    root: the first node's words; starts: first moves, as MADE, most promising first, with what
    promises it before they are sorted.
    held: those of a node while it is replaced, shape (2, ...).
    seen: positions along the axes, see `_at`: of nodes and their inverses, after each kind of move
    at the other end.
    after: masks of the moves that lead near enough, see `_after`.
    kinds_asked: masks of the kinds of moves at the other end that a node's side is looked up after.
    groups: pairs of moves in front and at the end that may lead near enough, by the end that they
    are looked up from, shape (2, ...).
    fronts: mask of the moves in front in these pairs, by move at the end and kind, shape (18 * 8).
    kinds: kind of each move; of_kind: mask of each kind's moves.
    axes: axis of each move; other_axes: the two others, shape (3 * 2).
    along: what each move is along each axis, shape (3 * 32).
    worth: mask of the moves worth trying after each, by side.
    turns: mask of the moves along each axis that four bits of a word allow, see `_turns`.
    flip_moves, slice_moves: the latter times 2048; 18 for each coordinate.
    twist_moves, tetrad_moves, tetrads: as in `Corners`, rows of tetrads have 64 entries.
    normalised_twists, turned_twists: `Corners.twists` in two steps, by symmetry and by turns of U
    and D.
    bits: as in `DepthSearch`.
    deep: the search for the last moves; it has made no moves before one is found.
    """

    control: Int64Array
    nodes: Int64Array
    cubes: Int64Array
    weights: Float64Array
    root: Int64Array
    starts: Int64Array
    unsorted: Int64Array
    held: Int64Array
    seen: UInt32Array
    after: Int64Array
    kinds_asked: Int64Array
    groups: UInt32Array
    fronts: Int64Array
    kinds: UInt8Array
    of_kind: Int64Array
    axes: UInt8Array
    other_axes: UInt8Array
    along: UInt8Array
    worth: Int64Array
    turns: UInt32Array
    flip_moves: UInt16Array
    slice_moves: UInt32Array
    twist_moves: UInt16Array
    tetrad_moves: UInt8Array
    normalised_twists: UInt16Array
    turned_twists: UInt16Array
    tetrads: UInt8Array
    bits: UInt8Array
    table: UInt16Array
    classes: UInt32Array
    words: Words
    deep: DepthSearch


def _padded(array: UInt8Array, width: int) -> UInt8Array:
    """Return the rows of an array, filled up with zeros, in one."""
    return np.pad(array, ((0, 0), (0, width - array.shape[1]))).reshape(-1)


def new_large_search(
    tables: Phase1Tables,
    table: LargeTable,
    start: CubieCube,
    target: CubieCube,
    near: int = NEAR,
) -> LargeSearch:
    """Return a search from `start` to `target`; `near` is as the table was filled with."""
    kinds = [HALF_TURNS if move.quarter_turns == 2 else int(move.face) for move in Move]
    after, along = depth_search.masks_after(), depth_search.moves_seen()[:, 0]
    others = [[axis for axis in range(AXES) if axis != own] for own in range(AXES)]
    search = LargeSearch(
        np.zeros(_CONTROLS, np.int64),
        np.zeros((_ROOM, _NODE), np.int64),
        np.zeros((_ROOM, CUBE_WORDS), np.int64),
        np.zeros(_ROOM),
        words_of(target.inverse().compose(start)),
        np.zeros(_MOST_STARTS, np.int64),
        np.zeros(_MOST_STARTS, np.int64),
        np.zeros((2, CUBE_WORDS), np.int64),
        np.zeros(TOGETHER * SIDES * 8 * 4 * 8, np.uint32),
        np.zeros(TOGETHER * SIDES * 8, np.int64),
        np.zeros(TOGETHER, np.int64),
        np.zeros((SIDES, _GROUPS * 8), np.uint32),
        np.zeros(18 * 8, np.int64),
        np.array(kinds, np.uint8),
        np.array([sum(1 << move for move in Move if kinds[move] == kind) for kind in range(KINDS)]),
        np.argmax(along // 3 % 3 == 0, axis=0).astype(np.uint8),
        np.array(others, np.uint8).reshape(-1),
        _padded(along, 32),
        np.array([after, _masks_before(after)]),
        _turns(),
        flip_moves().reshape(-1),
        slice_moves(four_edges_moves()).astype(np.uint32).reshape(-1) * np.uint32(FLIPS),
        corners().twist_moves.reshape(-1),
        _padded(corners().tetrad_moves, 64),
        corners().twists[::SHIFTS].reshape(-1),
        corners().twists[:SHIFTS].reshape(-1),
        _padded(corners().tetrads, 64),
        depth_search.bit_numbers(),
        table.words,
        table.classes,
        word_tables(),
        depth_search.empty_depth_search(tables, SOLVED, SOLVED),
    )
    search.control[NEAR_AT] = near
    search.control[DEEP_AT] = max(near - 2, LEAST_DEEP)
    return search


def _masks_before(after: Int64Array) -> Int64Array:
    """Return the moves worth trying before each, as `masks_after`."""
    masks = [sum(1 << move for move in Move if after[move] >> last & 1) for last in Move]
    return np.array([*masks, ALL_MOVES], np.int64)


@cache
def _turns() -> UInt32Array:
    """Return the moves that four bits of a word allow, as a mask.

    Shape (3, 16, 2, 4, 16) in one: by axis and symmetry, whether the bits are of turns of U or of
    D, how many of these turns lead to the position itself, and the four bits.
    """
    turns = np.zeros((AXES, 16, 2, 4, 16), np.uint32)
    along = depth_search.moves_seen()[:, 0]
    bits = np.arange(16)
    for axis in range(AXES):
        for move in Move:
            seen = Move(int(along[axis, move]))
            if seen.face % 3:
                continue
            for symmetry in range(16):
                shift = seen.quarter_turns << (0 if seen.face == 0 else 2)
                shift = int(corners().shifts[symmetry, shift])
                down = int(shift > 3)
                for here in range(4):
                    there = here + (shift >> 2 * down) & 3
                    turns[axis, symmetry, down, here] |= (bits >> there & 1).astype(
                        np.uint32
                    ) << int(move)
    return turns.reshape(-1)


def solution_of(search: LargeSearch) -> tuple[Move, ...]:
    """Return the moves of the solution at which a search stopped."""
    node = search.nodes[search.control[WAITING]]
    middle = depth_search.moves_found(search.deep.control, search.deep.tried)
    return (*_made(int(node[MADE])), *middle, *inverse_moves(_made(int(node[MADE_OF_INVERSE]))))


def _made(packed: int) -> tuple[Move, ...]:
    moves: list[Move] = []
    while packed > 1:
        moves.append(Move(packed & 31))
        packed >>= 5
    return tuple(reversed(moves))


def searched_share(search: LargeSearch) -> float:
    """Return which part of the present length is searched, 0 to 1."""
    waiting = float(search.weights[: search.control[WAITING]].sum())
    return float(search.control[STARTED] - waiting) / int(search.control[STARTS])


@kernel(inlining="llvm")
def _copy(target: Any, source: Any) -> None:
    for column in range(target.size):
        target[column] = source[column]


@kernel
def start_length(_tables: Phase1Tables, search: LargeSearch, length: Number) -> None:
    """Start the search for all solutions with exactly `length` moves, at least one."""
    control = search.control
    control[LENGTH] = length
    control[FOUND] = 0
    _put_start(search, 1)
    made = min(max(length - control[NEAR_AT] - 3, 0), MOST_MOVES_OF_START)
    starts = np.int64(0)
    while control[WAITING] > 0:
        top = control[WAITING] - 1
        if search.nodes[top, LEFT] > length - made:
            _make_moves(search, top)
            continue
        control[WAITING] = top
        search.unsorted[starts] = search.nodes[top, MADE] << 3 | _count_near(search, top)
        starts += 1
    # A position that is near along many axes is more likely to lead to a solution.
    control[STARTS], control[STARTED] = starts, 0
    to = np.int64(0)
    for near in range(SIDES * AXES, -1, -1):
        for start in range(starts):
            if search.unsorted[start] & 7 == near:
                search.starts[to] = search.unsorted[start] >> 3
                to += 1


@kernel
def _put_start(search: LargeSearch, made: Number) -> None:
    """Put the node after some first moves on the empty stack."""
    node, cube, held = search.nodes[0], search.cubes[0], search.held[0]
    search.control[WAITING] = 1
    search.weights[0] = 1.0
    _copy(cube, search.root)
    node[LEFT] = search.control[LENGTH]
    node[LAST], node[LAST_OF_INVERSE] = 18, 18
    node[MADE], node[MADE_OF_INVERSE] = made, 1
    bits = 0
    while made >> bits > 1:
        bits += 5
    for shift in range(bits - 5, -1, -5):
        _copy(held, cube)
        node[LAST] = made >> shift & 31
        node[LEFT] -= 1
        make_move(search.words, held, cube, node[LAST], 0)


@kernel(inlining="llvm")
def _count_near(search: LargeSearch, top: Number) -> Number:
    """Return along how many axes a node's position and its inverse are near."""
    words, cube, near = search.words, search.cubes[top], np.int64(0)
    for half in (0, HALF):
        for axis in range(AXES):
            packed = search.classes[
                raw_number(words, cube[half + FLIPS_AT], cube[half + SLICES_AT], axis)
            ]
            twist = twist_number(words, cube[half + ONES_AT], cube[half + TWOS_AT], axis)
            split = tetrads_number(words, cube[half + TETRADS_AT], axis)
            word = np.int64(search.table[_index(search, packed, twist, split, False)])
            near += word >> np.int64(packed & 15) & 1
    return near


@kernel
def resume(tables: Phase1Tables, search: LargeSearch, node_limit: Number) -> bool:
    """Search for a solution (FOUND) or `node_limit` nodes; return whether all is searched."""
    control = search.control
    end = control[NODES] + node_limit
    while True:
        if control[WAITING] == 0:
            if control[STARTED] == control[STARTS]:
                return True
            _put_start(search, search.starts[control[STARTED]])
            control[STARTED] += 1
        if control[NODES] >= end:
            return False
        left = search.nodes[control[WAITING] - 1, LEFT]
        if left <= control[DEEP_AT]:
            control[WAITING] -= 1
            if _search_deep(tables, search, control[WAITING]):
                return False
        elif left > control[NEAR_AT] + 2:
            _make_moves(search, control[WAITING] - 1)
        else:
            _look_together(search)


@kernel
def _search_deep(tables: Phase1Tables, search: LargeSearch, top: Number) -> bool:
    """Search all that is left from a node; return whether a solution was found."""
    search.control[NODES] += 1
    left, cube = search.nodes[top, LEFT], search.cubes[top]
    deep = search.deep
    start, nearest = deep.path[0], left
    for axis in range(AXES):
        raw = raw_number(search.words, cube[FLIPS_AT], cube[SLICES_AT], axis)
        packed = np.int64(tables.packed_classes[raw])
        class_, symmetry = packed >> 4, packed & 15
        twist = twist_number(search.words, cube[ONES_AT], cube[TWOS_AT], axis)
        twist = np.int64(tables.normalised_twists[twist, symmetry])
        distance = exact_distance(tables, class_, twist)
        if distance > left:
            return False
        nearest = min(nearest, distance)
        first = COLUMNS_OF_AXIS * axis
        start[first + CLASS] = class_
        start[first + SYMMETRY] = symmetry
        start[first + TWIST] = twist
        start[first + DISTANCE] = distance
    # The last move turns about an axis, along which the position is in the group without it.
    if nearest == left:
        return False
    to_numbers(search.words, cube, deep.ends[0])
    before = deep.control[NODES]
    depth_search.start_length(tables, deep, left)
    depth_search.resume(tables, deep, np.int64(1) << 60)
    search.control[NODES] += deep.control[NODES] - before
    search.control[FOUND] = deep.control[FOUND]
    return bool(search.control[FOUND] != 0)


@kernel(inlining="llvm")
def _make_moves(search: LargeSearch, top: Number) -> None:
    """Put the nodes after all moves in front in the place of a node."""
    node, held = search.nodes[top], search.held[0]
    _copy(held, search.cubes[top])
    left, made, last_of_inverse = node[LEFT], node[MADE], node[LAST_OF_INVERSE]
    made_of_inverse = node[MADE_OF_INVERSE]
    moves = search.worth[0, node[LAST]]
    count = 0
    while moves != 0:
        move = first_of(search.bits, moves)
        moves &= moves - 1
        make_move(search.words, held, search.cubes[top + count], move, 0)
        there = search.nodes[top + count]
        there[LEFT] = left - 1
        there[LAST] = move
        there[LAST_OF_INVERSE] = last_of_inverse
        there[MADE] = made << 5 | move
        there[MADE_OF_INVERSE] = made_of_inverse
        count += 1
    weight = search.weights[top] / count
    for child in range(top, top + count):
        search.weights[child] = weight
    search.control[WAITING] = top + count
    search.control[NODES] += 1


@kernel(inlining="llvm")
def _look_together(search: LargeSearch) -> None:
    """Take the uppermost nodes from the stack and put those after two moves there."""
    control, nodes = search.control, search.nodes
    last = control[WAITING]
    first, left = last - 1, nodes[last - 1, LEFT]
    while first > 0 and last - first < TOGETHER and nodes[first - 1, LEFT] == left:
        first -= 1
    is_nearer = bool(left - 2 <= control[NEAR_AT] - NEARER)
    count = last - first
    control[NODES] += count
    for slot in range(count):
        search.kinds_asked[slot] = (1 << KINDS) - 1
    for side in range(SIDES):
        for slot in range(count):
            _see(search, first + slot, slot, side)
        for slot in range(count):
            _ask_for_words(search, slot, side, is_nearer)
        for slot in range(count):
            moves = _find_moves(search, first + slot, slot, side)
            # The inverse matters only after moves in front that lead near enough.
            search.kinds_asked[slot] = _kinds_of(search, moves)
    groups = 0
    for slot in range(count):
        groups = _group_by_front(search, slot, groups)
    for side in range(SIDES):
        control[NODES] += groups
        for which in range(AXES - 1):
            _ask_for_groups(search, groups, side, which, is_nearer)
            groups = _answer(search, groups, side)
        if side == 0:
            groups = _group_by_back(search, groups)
    _move_up(search, first, last, groups)


@kernel(inlining="llvm")
def _after(slot: Number, side: Number, kind: Number) -> Number:
    """Return where `after` has the moves at a side, if one of a kind is made at the other end."""
    return (slot << 1 | side) << 3 | kind


@kernel(inlining="llvm")
def _kinds_of(search: LargeSearch, moves: Number) -> Number:
    """Return the kinds of the moves of a mask, as a mask."""
    kinds = np.int64(0)
    for kind in range(KINDS):
        kinds |= np.int64(moves & search.of_kind[kind] != 0) << kind
    return kinds


@kernel(inlining="llvm")
def _at(slot: Number, side: Number, kind: Number, axis: Number) -> Number:
    """Return where `seen` has a position: of a node, or its inverse, after a kind of move."""
    return ((slot << 1 | side) << 3 | kind) << 5 | axis << 3


@kernel(inlining="llvm")
def _see(search: LargeSearch, top: Number, slot: Number, side: Number) -> None:
    """Set what the axes see of a node's side after each kind of move at the other end."""
    words, cube, half = search.words, search.cubes[top], HALF * side
    kinds = search.kinds_asked[slot]
    for kind in range(KINDS):
        if kinds >> kind & 1 == 0:
            continue
        if kind == HALF_TURNS:
            flips, slices = cube[half + FLIPS_AT], cube[half + SLICES_AT]
            ones, twos = cube[half + ONES_AT], cube[half + TWOS_AT]
            tetrads = cube[half + TETRADS_AT]
        else:
            flips, slices, ones, twos, tetrads = coordinate_words(words, cube, half, kind)
        for axis in range(AXES):
            at = _at(slot, side, kind, axis)
            raw = raw_number(words, flips, slices, axis)
            prefetch(search.classes, raw)
            search.seen[at + RAW] = raw
            search.seen[at + TURNED] = twist_number(words, ones, twos, axis)
            search.seen[at + SPLIT] = tetrads_number(words, tetrads, axis)


@kernel(inlining="llvm")
def _index(
    search: LargeSearch, packed: Number, twist: Number, split: Number, is_nearer: bool
) -> Number:
    """Return the index of a position's word in the larger or the nearer part of the table."""
    place, class_ = packed & 0xFF, np.int64(packed >> 8)
    # In two steps, through tables that the processor's caches hold.
    seen = search.normalised_twists[(place >> 4) * TWISTS + twist]
    seen = np.int64(search.turned_twists[(place & 15) * TWISTS + seen])
    row, tetrads = class_ * TWISTS + seen, np.int64(search.tetrads[place << 6 | split])
    return index_of_nearer(row, tetrads) if is_nearer else row * TETRADS + tetrads


@kernel(inlining="llvm")
def _ask_for_words(search: LargeSearch, slot: Number, side: Number, is_nearer: bool) -> None:
    """Have the processor bring the words of a node's side."""
    seen, kinds = search.seen, search.kinds_asked[slot]
    for kind in range(KINDS):
        if kinds >> kind & 1 == 0:
            continue
        for axis in range(AXES):
            at = _at(slot, side, kind, axis)
            packed = search.classes[seen[at + RAW]]
            index = _index(search, packed, seen[at + TURNED], seen[at + SPLIT], is_nearer)
            prefetch(search.table, index)
            seen[at + INDEX], seen[at + PLACE] = index, packed & 0xFF


@kernel(inlining="llvm")
def _turns_in(search: LargeSearch, word: Number, place: Number, axis: Number) -> Number:
    """Return the turns about an axis that a word allows, as a mask."""
    up, down = place & 3, place >> 2 & 3
    # The four turns of U are in four bits together, those of D four bits apart.
    row, column = word >> (4 * down) & 15, word >> up & 0x1111
    column = (column | column >> 3 | column >> 6 | column >> 9) & 15
    first = axis << 11 | (place >> 4) << 7
    return np.int64(search.turns[first | up << 4 | row]) | np.int64(
        search.turns[first | 64 | down << 4 | column]
    )


@kernel(inlining="llvm")
def _find_moves(search: LargeSearch, top: Number, slot: Number, side: Number) -> Number:
    """Set the moves that the words of a node's side allow; return all of them as a mask."""
    every = np.int64(0)
    seen, kinds = search.seen, search.kinds_asked[slot]
    worth = search.worth[side, search.nodes[top, LAST + side]]
    for kind in range(KINDS):
        if kinds >> kind & 1 == 0:
            continue
        moves = np.int64(0)
        for axis in range(AXES):
            at = _at(slot, side, kind, axis)
            word = np.int64(search.table[np.int64(seen[at + INDEX])])
            if word != 0:
                moves |= _turns_in(search, word, np.int64(seen[at + PLACE]), axis)
        search.after[_after(slot, side, kind)] = moves & worth
        every |= moves & worth
    return every


@kernel(inlining="llvm")
def _group_by_front(search: LargeSearch, slot: Number, groups: Number) -> Number:
    """Collect the pairs of moves that a node's words allow, by their move in front.

    What all moves of a kind at the end do to the position is the same along its axes, so that these
    pairs are one group. Returns the number of groups so far.
    """
    found = search.groups[0]
    for kind in range(KINDS):
        moves = search.after[_after(slot, 0, kind)]
        while moves != 0:
            front = first_of(search.bits, moves)
            moves &= moves - 1
            backs = search.after[_after(slot, 1, search.kinds[front])] & search.of_kind[kind]
            if backs != 0:
                _put_group(found, groups, slot, front, kind, backs)
                groups += 1
    return groups


@kernel(inlining="llvm")
def _put_group(
    groups: UInt32Array, number: Number, slot: Number, move: Number, kind: Number, others: Number
) -> None:
    groups[8 * number + SLOT] = slot
    groups[8 * number + MOVE] = move
    groups[8 * number + KIND] = kind
    groups[8 * number + OTHERS] = others


@kernel(inlining="llvm")
def _ask_for_groups(
    search: LargeSearch, groups: Number, side: Number, which: Number, is_nearer: bool
) -> None:
    """Have the processor bring the groups' words along an axis that is not their move's."""
    seen, found = search.seen, search.groups[side]
    for group in range(0, 8 * groups, 8):
        move = np.int64(found[group + MOVE])
        axis = np.int64(search.other_axes[search.axes[move] << 1 | which])
        at = _at(np.int64(found[group + SLOT]), side, np.int64(found[group + KIND]), axis)
        along, raw = np.int64(search.along[axis << 5 | move]), np.int64(seen[at + RAW])
        after = np.int64(search.slice_moves[18 * (raw >> 11) + along])
        after += np.int64(search.flip_moves[18 * (raw & 0x7FF) + along])
        prefetch(search.classes, after)
        # The columns are for what comes of these in the next loop.
        found[group + WORD] = after
        found[group + BIT] = search.twist_moves[TWISTS * along + seen[at + TURNED]]
        found[group + TETRADS_AFTER] = search.tetrad_moves[along << 6 | seen[at + SPLIT]]
    for group in range(0, 8 * groups, 8):
        packed = search.classes[found[group + WORD]]
        twist, split = found[group + BIT], found[group + TETRADS_AFTER]
        index = _index(search, packed, twist, split, is_nearer)
        prefetch(search.table, index)
        found[group + WORD], found[group + BIT] = index, packed & 15


@kernel(inlining="llvm")
def _answer(search: LargeSearch, groups: Number, side: Number) -> Number:
    """Drop the groups that are not near enough; return how many are left."""
    found, left = search.groups[side], 0
    for group in range(0, 8 * groups, 8):
        index, bit = np.int64(found[group + WORD]), np.int64(found[group + BIT])
        if np.int64(search.table[index]) >> bit & 1:
            for column in range(OTHERS + 1):
                found[8 * left + column] = found[group + column]
            left += 1
    return left


@kernel(inlining="llvm")
def _group_by_back(search: LargeSearch, groups: Number) -> Number:
    """Collect the pairs that are left by their move at the end; return the number of groups."""
    found, turned, fronts = search.groups[0], search.groups[1], search.fronts
    number, to = 0, 0
    while number < groups:
        slot, some = found[8 * number + SLOT], np.int64(0)
        while number < groups and found[8 * number + SLOT] == slot:
            front = np.int64(found[8 * number + MOVE])
            backs = np.int64(found[8 * number + OTHERS])
            some |= backs
            while backs != 0:
                back = first_of(search.bits, backs)
                backs &= backs - 1
                fronts[np.int64(back) << 3 | search.kinds[front]] |= np.int64(1) << front
            number += 1
        while some != 0:
            back = np.int64(first_of(search.bits, some))
            some &= some - 1
            for kind in range(KINDS):
                others = fronts[back << 3 | kind]
                if others != 0:
                    fronts[back << 3 | kind] = 0
                    _put_group(turned, to, slot, back, kind, others)
                    to += 1
    return to


@kernel(inlining="llvm")
def _move_up(search: LargeSearch, first: Number, last: Number, groups: Number) -> None:
    """Put the nodes after the pairs of moves in the place of the nodes on the stack."""
    # They are collected above the nodes, and moved down when all nodes are done with.
    begin, end, found = last, last, search.groups[1]
    for group in range(0, 8 * groups, 8):
        top = first + np.int64(found[group + SLOT])
        fronts = np.int64(found[group + OTHERS])
        while fronts != 0:
            front = np.int64(first_of(search.bits, fronts))
            fronts &= fronts - 1
            _push(search, top, end, front, np.int64(found[group + MOVE]))
            end += 1
        if group + 8 == 8 * groups or found[group + 8 + SLOT] != found[group + SLOT]:
            for child in range(begin, end):
                search.weights[child] = search.weights[top] / (end - begin)
            begin = end
    for above in range(last, end):
        to = above - last + first
        _copy(search.nodes[to], search.nodes[above])
        _copy(search.cubes[to], search.cubes[above])
        search.weights[to] = search.weights[above]
    search.control[WAITING] = first + end - last


@kernel(inlining="llvm")
def _push(search: LargeSearch, top: Number, to: Number, front: Number, back: Number) -> None:
    """Put the node after a pair of moves on the stack, at `to`."""
    node, there = search.nodes[top], search.nodes[to]
    there[LEFT] = node[LEFT] - 2
    there[LAST] = front
    there[LAST_OF_INVERSE] = back
    there[MADE] = node[MADE] << 5 | front
    there[MADE_OF_INVERSE] = node[MADE_OF_INVERSE] << 5 | back
    make_move(search.words, search.cubes[top], search.held[1], front, 0)
    make_move(search.words, search.held[1], search.cubes[to], back, HALF)
