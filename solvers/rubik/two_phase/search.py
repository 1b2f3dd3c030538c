"""Kociemba's two-phase search: its kernels, and the arrays of a search that stops and resumes.

Phase 1 finds all ways into the group that U, D, R2, F2, L2, B2 generate, shortest first; phase 2
solves the cube from there by IDA*.

The position is searched in six directions: turned so that each of the three axes is U-D in turn,
and the inverse of each. Hard ones are also searched in 48 more: each of the six with one of the
eight moves that are not in phase 2 put before it. It then is the last move of the solution: if
P G S is solved, so is G S P. All directions are searched to one length of phase 1, the move before
included, before the next length.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final, NamedTuple

import numpy as np

from solvers.foundation.arrays import Int8Array, Int32Array, Int64Array
from solvers.foundation.compiled import kernel
from solvers.rubik.cubies import CubieCube
from solvers.rubik.two_phase import cube_arrays
from solvers.rubik.two_phase.coordinates import EIGHTS, FLIPS, TWISTS, Number
from solvers.rubik.two_phase.near_goal import CHILD_SHIFT, RADIUS, SYMMETRY_SHIFT, node_at
from solvers.rubik.two_phase.phase_1_bounds import (
    exact_distance,
    neighbour_distance,
    promising_by_exact_table,
    promising_by_graph,
    promising_by_small_tables,
    small_tables_bound,
)
from solvers.rubik.two_phase.tables import LONGEST_PHASE_2, Phase1Tables, Phase2Tables

DIRECTIONS: Final = 6
ALL_DIRECTIONS: Final = DIRECTIONS * 9
FIRST_LENGTH_WITH_MOVE_BEFORE: Final = 10
"""Most positions are solved by then, and need not set up 48 directions."""

NEVER: Final = 99
"""More than any distance."""

CUBE_SIZE: Final = 40
"""A cube as one array: corner permutation, corner twist, edge permutation, edge flip."""

MAX_LENGTH: Final = 40
"""Room for the moves of a solution; phase 1 needs at most 12, phase 2 at most 18."""

MAX_FOUND: Final = 64
"""Room for solutions found before the search is asked to stop."""

# Columns of a position on the path of phase 1; indices as in `coordinates`. CLASS and SYMMETRY are
# those of flip and slice, CORNERS the order of eight, SLICE the four-edges coordinate of the middle
# layer. DISTANCE is the distance to phase 2; the small tables alone give it only where NODE is set.
CLASS: Final = 0
SYMMETRY: Final = 1
TWIST: Final = 2
DISTANCE: Final = 3
CORNERS: Final = 4
SLICE: Final = 5
NODE: Final = 6  # in the graph of `near_goal`, or -1
LAST_FACE: Final = 7  # of the move that led here, or -1
NEXT: Final = 8  # number of the next move, or of the next edge of NODE, to try
MOVE: Final = 9  # the move tried last
PROMISING: Final = 10  # mask of the moves after which the remaining ones can suffice
U_EDGES: Final = 11  # four-edges coordinates, valid down to the depth EDGES_KNOWN
D_EDGES: Final = 12
MOVE_BEFORE: Final = 13  # the move put before this direction, or -1
COLUMNS: Final = 14

# Columns of a position on the path of phase 2.
P2_CORNERS: Final = 0
P2_EDGES: Final = 1
P2_SLICE: Final = 2
P2_LAST_FACE: Final = 3
P2_NEXT: Final = 4
P2_MOVE: Final = 5
P2_COLUMNS: Final = 6

# Entries of `control`.
LENGTH: Final = 0  # of phase 1 and the move before it, now searched
DIRECTION: Final = 1  # now searched
DEPTH: Final = 2  # of the path of phase 1, -1 when the direction is finished
LIMIT: Final = 3  # longest solution still wanted
EXTRA: Final = 4  # the limit after a solution is its length plus this
FOUND: Final = 5  # number of solutions in `found`
WORK: Final = 6  # neighbours looked at
PHASE_1_LENGTH: Final = 7  # LENGTH without the move before
STAGE: Final = 8  # one of the three below
EDGES_KNOWN: Final = 9  # depth down to which the path of phase 1 has U_EDGES and D_EDGES
CONTROLS: Final = 10

NEW: Final = 0
RUNNING: Final = 1
UNSOLVABLE: Final = 2  # no turning leads from start to target

# Columns of a solution: its direction, its length and then its moves, as seen in that direction;
# when the kernel hands it out, the moves as they are and whether a replay led to the target.
FOUND_DIRECTION: Final = 0
FOUND_LENGTH: Final = 1
FOUND_VERIFIED: Final = 2
FOUND_MOVES: Final = 3


class SearchState(NamedTuple):
    """A running search; the columns of each array are named above.

    ends: start and target, shape (2, 40).
    cubes: the first six directions, shape (6, 40); scratch: room for three others.
    runs: room for a solution while it is brought to normal form.
    """

    control: Int64Array
    ends: Int8Array
    cubes: Int8Array
    scratch: Int8Array
    directions: Int32Array
    phase_1: Int32Array
    phase_2: Int32Array
    found: Int32Array
    runs: Int32Array


def new_search(start: CubieCube, target: CubieCube, limit: int, extra: int) -> SearchState:
    """Return a search that has not started, for solutions of at most `limit` moves.

    After a solution of n moves the limit is n + `extra`.
    """
    state = SearchState(
        np.empty(CONTROLS, np.int64),
        np.empty((2, CUBE_SIZE), np.int8),
        np.empty((DIRECTIONS, CUBE_SIZE), np.int8),
        np.empty((3, CUBE_SIZE), np.int8),
        np.empty((ALL_DIRECTIONS, COLUMNS), np.int32),
        np.empty((MAX_LENGTH, COLUMNS), np.int32),
        np.empty((MAX_LENGTH, P2_COLUMNS), np.int32),
        np.empty((MAX_FOUND, FOUND_MOVES + MAX_LENGTH), np.int32),
        np.empty((MAX_LENGTH, 3), np.int32),
    )
    _reset(state, start, target, limit, extra)
    return state


def _reset(state: SearchState, start: CubieCube, target: CubieCube, limit: int, extra: int) -> None:
    """Set the arrays to a search that has not started; see `new_search`."""
    state.ends[:] = start.numbers(), target.numbers()
    state.directions.fill(-1)  # DISTANCE -1 marks a direction that is not set up yet
    control = state.control
    control.fill(0)
    control[DIRECTION] = -1
    control[DEPTH] = -1
    control[LIMIT] = limit
    control[EXTRA] = extra


_idle_searches: Final[list[SearchState]] = []
"""Arrays of finished searches; allocating them takes as long as an easy cube's search."""


@contextmanager
def borrowed_search(
    start: CubieCube, target: CubieCube, limit: int, extra: int
) -> Iterator[SearchState]:
    """Provide a search that has not started; its arrays are reused by a later one."""
    # `pop` is atomic, so that searches in several threads never share arrays.
    try:
        state = _idle_searches.pop()
        _reset(state, start, target, limit, extra)
    except IndexError:
        state = new_search(start, target, limit, extra)
    try:
        yield state
    finally:
        _idle_searches.append(state)


@kernel
def set_start_positions(phase_1: Phase1Tables, phase_2: Phase2Tables, state: SearchState) -> None:
    """Fill `state.directions` with the way from start to target and the way back.

    Each is seen along the three axes; the direction is 3 * back + axis. STAGE becomes RUNNING, or
    UNSOLVABLE if turning does not lead to the target.
    """
    start, target = state.ends[0], state.ends[1]
    position, inverse, scratch = state.scratch[0], state.scratch[1], state.scratch[2]
    state.control[STAGE] = UNSOLVABLE
    if not (cube_arrays.is_cube(start) and cube_arrays.is_cube(target)):
        return
    # Solving `start` to `target` is solving target^-1 * start to the solved cube.
    cube_arrays.invert(target, inverse)
    cube_arrays.compose(inverse, start, position)
    if not cube_arrays.is_solvable(position):
        return
    state.control[STAGE] = RUNNING
    for back in range(2):
        if back == 1:
            cube_arrays.invert(position, scratch)
            cube_arrays.copy_to(position, scratch)
        for axis in range(3):
            # Conjugation turns the cube as a whole; its solutions are the same turns, renamed.
            rotation, direction = phase_1.axis_cubes[axis], 3 * back + axis
            cube_arrays.invert(rotation, inverse)
            cube_arrays.compose(inverse, position, scratch)
            cube_arrays.compose(scratch, rotation, state.cubes[direction])
            _set_coordinates(phase_1, phase_2, state.cubes[direction], state.directions[direction])
    for direction in range(1, DIRECTIONS):
        for earlier in range(direction):
            if cube_arrays.is_same(state.directions[direction], state.directions[earlier]):
                # The position has a symmetry, and this direction would repeat the earlier one.
                state.directions[direction, DISTANCE] = NEVER


@kernel
def place_with_move_before(
    phase_1: Phase1Tables, phase_2: Phase2Tables, state: SearchState, direction: Number
) -> None:
    """Fill a direction from 6 on; `direction` % 6 is the one to put a move before."""
    base, number = direction % DIRECTIONS, direction // DIRECTIONS - 1
    position = state.directions[direction]
    if state.directions[base, DISTANCE] == NEVER:
        position[DISTANCE] = NEVER
        return
    move = phase_1.moves_before[number]
    cube_arrays.compose(phase_1.move_cubes[move], state.cubes[base], state.scratch[0])
    _set_coordinates(phase_1, phase_2, state.scratch[0], position)
    position[MOVE_BEFORE] = move


@kernel
def _set_coordinates(
    phase_1: Phase1Tables, phase_2: Phase2Tables, cube: Int8Array, position: Int32Array
) -> None:
    twist: Number = 0
    for place in range(6, -1, -1):
        twist = 3 * twist + np.int64(cube[cube_arrays.TWISTS_AT + place])
    flip: Number = 0
    for place in range(10, -1, -1):
        flip = 2 * flip + np.int64(cube[cube_arrays.FLIPS_AT + place])
    position[SLICE] = _four_edges(phase_2, cube, 8)
    position[U_EDGES] = _four_edges(phase_2, cube, 0)
    position[D_EDGES] = _four_edges(phase_2, cube, 4)
    position[CORNERS] = _corner_order(phase_2, cube)
    packed = phase_1.packed_classes[position[SLICE] // 24 * FLIPS + flip]
    position[CLASS] = packed >> 4
    position[SYMMETRY] = packed & 15
    position[TWIST] = phase_1.normalised_twists[twist, packed & 15]
    position[NODE] = -1
    # The small tables give only a lower bound here; the search finds that out on its way.
    if phase_1.exact.size > 0:
        position[DISTANCE] = exact_distance(phase_1, position[CLASS], position[TWIST])
    else:
        position[DISTANCE] = small_tables_bound(phase_1, position[CLASS], position[TWIST])


@kernel
def _four_edges(tables: Phase2Tables, cube: Int8Array, first: int) -> Number:
    """Return the four-edges coordinate of the edges `first` to `first` + 3."""
    mask, found = 0, 0
    labels: Number = 0
    for place in range(12):
        label = np.int64(cube[cube_arrays.EDGES_AT + place]) - first
        if 0 <= label < 4:
            mask |= 1 << place
            labels |= label << (2 * found)
            found += 1
    return np.int32(tables.four_of_twelve[mask]) * 24 + tables.order_of_four[labels]


@kernel
def _corner_order(tables: Phase2Tables, cube: Int8Array) -> Number:
    """Return the order-of-eight coordinate of the corners."""
    mask, uppers, lowers = 0, 0, 0
    upper: Number = 0
    lower: Number = 0
    for place in range(8):
        corner = np.int64(cube[place])
        if corner < 4:
            mask |= 1 << place
            upper |= corner << (2 * uppers)
            uppers += 1
        else:
            lower |= (corner - 4) << (2 * lowers)
            lowers += 1
    orders = np.int32(tables.order_of_four[upper]) * 24 + tables.order_of_four[lower]
    return np.int32(tables.four_of_eight[mask]) * 576 + orders


@kernel
def finish(tables: Phase1Tables, state: SearchState) -> None:
    """Turn the solutions in `state.found`, seen in their directions, into those of the cube."""
    for number in range(state.control[FOUND]):
        row = state.found[number]
        _see_upright(tables, row)
        _cancel(state.runs, row)
        row[FOUND_VERIFIED] = _replays(tables, state, row)


@kernel
def _see_upright(tables: Phase1Tables, row: Int32Array) -> None:
    back, axis = row[FOUND_DIRECTION] // 3, row[FOUND_DIRECTION] % 3
    first, last = FOUND_MOVES, FOUND_MOVES + row[FOUND_LENGTH] - 1
    for i in range(first, last + 1):
        row[i] = tables.axis_moves[axis, row[i]]
    if back == 0:
        return
    # The solution of the inverse position, undone: in reverse order, each move the other way.
    while first <= last:
        row[first], row[last] = _undone(row[last]), _undone(row[first])
        first += 1
        last -= 1


@kernel(inlining="llvm")
def _undone(move: Number) -> Number:
    return move // 3 * 3 + 2 - move % 3


@kernel
def _cancel(runs: Int32Array, row: Int32Array) -> None:
    """Bring a solution to the normal form of `notation.cancel`; turns merge where phases meet."""
    count = 0  # runs of turns about one axis: axis, quarter turns of its two faces
    for i in range(FOUND_MOVES, FOUND_MOVES + row[FOUND_LENGTH]):
        face, quarters = row[i] // 3, row[i] % 3 + 1
        if count == 0 or runs[count - 1, 0] != face % 3:
            runs[count, 0] = face % 3
            runs[count, 1] = 0
            runs[count, 2] = 0
            count += 1
        run = runs[count - 1]
        run[1 + face // 3] = (run[1 + face // 3] + quarters) % 4
        if run[1] == 0 and run[2] == 0:
            count -= 1
    length = 0
    for number in range(count):
        for side in range(2):
            quarters = runs[number, 1 + side]
            if quarters > 0:
                row[FOUND_MOVES + length] = 3 * (runs[number, 0] + 3 * side) + quarters - 1
                length += 1
    row[FOUND_LENGTH] = length


@kernel
def _replays(tables: Phase1Tables, state: SearchState, row: Int32Array) -> bool:
    """Return whether the moves lead from start to target."""
    # Independent of all coordinates and tables: only whole cubes are composed.
    here, there = state.scratch[0], state.scratch[1]
    cube_arrays.copy_to(here, state.ends[0])
    for i in range(row[FOUND_LENGTH]):
        cube_arrays.compose(here, tables.move_cubes[row[FOUND_MOVES + i]], there)
        here, there = there, here
    return cube_arrays.is_same(here, state.ends[1])


# The kernels.


@kernel(inlining="llvm")
def repeats(face: Number, last_face: Number) -> bool:
    """Return whether a turn of `face` after `last_face` can be left out of the search.

    It is the same face again, or the opposite face in the order that is not the normal form:
    opposite faces commute, so one order of the two is enough.
    """
    return bool(face == last_face or face + 3 == last_face)


@kernel(inlining="llvm")
def phase_2_bound(
    tables: Phase2Tables, corners: Number, edges: Number, slice_: Number, enough: Number
) -> Number:
    """Return a lower bound of the moves to solved; once over `enough` no further table is read."""
    with_slice = max(
        tables.corner_slice_bounds[corners * 24 + slice_],
        tables.edge_slice_bounds[edges * 24 + slice_],
    )
    # The tables of 1 MB first: what they rule out needs no look at the exact one of 56 MB.
    if with_slice > enough:
        return with_slice
    if tables.exact.size > 0:
        packed = tables.packed_corners[corners]
        entry = np.int64(packed >> 4) * EIGHTS + tables.normalised_edges[edges, packed & 15]
        return max(with_slice, tables.exact[entry >> 1] >> (4 * (entry & 1)) & 15)
    return max(
        with_slice,
        max(
            tables.corner_split_bounds[corners * 70 + edges // 576],
            tables.edge_split_bounds[edges * 70 + corners // 576],
        ),
    )


@kernel
def search_phase_2(
    tables: Phase2Tables,
    state: SearchState,
    corners: Number,
    edges: Number,
    slice_: Number,
    last_face: Number,
) -> None:
    """Add the solutions that end the present phase 1 within the limit to `state.found`.

    With a negative EXTRA only the shortest one; otherwise all of them, as far as there is room.
    """
    control, start = state.control, state.phase_2[0]
    start[P2_CORNERS] = corners
    start[P2_EDGES] = edges
    start[P2_SLICE] = slice_
    start[P2_LAST_FACE] = last_face
    most = min(LONGEST_PHASE_2, control[LIMIT] - control[LENGTH])
    length = np.int64(phase_2_bound(tables, corners, edges, slice_, most))
    # Each solution lowers LIMIT, so the condition is computed in every iteration.
    while length <= min(LONGEST_PHASE_2, control[LIMIT] - control[LENGTH]):
        _search_length(tables, state, length)
        length += 1


@kernel(inlining="llvm")
def _search_length(tables: Phase2Tables, state: SearchState, length: Number) -> None:
    """Add the solutions with exactly `length` moves in phase 2."""
    if length == 0:
        _record(state, 0)
        return
    path = state.phase_2
    path[0, P2_NEXT] = 0
    depth = 0
    while depth >= 0:
        if not _next_in_phase_2(tables, state, depth, length - depth - 1):
            depth -= 1
        elif depth + 1 < length:
            depth += 1
        else:
            _record(state, length)
            if state.control[EXTRA] < 0 or state.control[FOUND] == MAX_FOUND:
                return


@kernel(inlining="llvm")
def _next_in_phase_2(
    tables: Phase2Tables, state: SearchState, depth: Number, remaining: Number
) -> bool:
    """Put the next position that can be solved in the remaining moves at `depth` + 1."""
    here, child = state.phase_2[depth], state.phase_2[depth + 1]
    while here[P2_NEXT] < 10:
        number = here[P2_NEXT]
        here[P2_NEXT] += 1
        move = tables.moves[number]
        if repeats(move // 3, here[P2_LAST_FACE]):
            continue
        state.control[WORK] += 1
        # Corners and slice first: they rule out most moves before the edges are looked up.
        corners = np.int64(tables.corners[here[P2_CORNERS], number])
        slice_ = np.int64(tables.slices[here[P2_SLICE], number])
        if tables.corner_slice_bounds[corners * 24 + slice_] > remaining:
            continue
        edges = np.int64(tables.edges[here[P2_EDGES], number])
        if phase_2_bound(tables, corners, edges, slice_, remaining) > remaining:
            continue
        here[P2_MOVE] = move
        child[P2_CORNERS] = corners
        child[P2_EDGES] = edges
        child[P2_SLICE] = slice_
        child[P2_LAST_FACE] = move // 3
        child[P2_NEXT] = 0
        return True
    return False


@kernel(inlining="llvm")
def _record(state: SearchState, length: Number) -> None:
    """Add the path of both phases to the solutions and lower the limit."""
    control = state.control
    if control[FOUND] == MAX_FOUND:
        return
    row = state.found[control[FOUND]]
    control[FOUND] += 1
    first_length = control[PHASE_1_LENGTH]
    total = control[LENGTH] + length
    # The direction without the move put before it, which is recorded as the last move below.
    row[FOUND_DIRECTION] = control[DIRECTION] % DIRECTIONS
    row[FOUND_LENGTH] = total
    for depth in range(first_length):
        row[FOUND_MOVES + depth] = state.phase_1[depth, MOVE]
    for depth in range(length):
        row[FOUND_MOVES + first_length + depth] = state.phase_2[depth, P2_MOVE]
    if total > first_length + length:
        row[FOUND_MOVES + total - 1] = state.directions[control[DIRECTION], MOVE_BEFORE]
    control[LIMIT] = min(control[LIMIT], total + control[EXTRA])


@kernel(entry=True)
def advance(
    phase_1: Phase1Tables, phase_2: Phase2Tables, state: SearchState, work_limit: int
) -> bool:
    """Search until solutions are found or the work is done; return whether all is searched.

    `state.found` then holds the solutions of this call. Work is counted in neighbours looked at.
    """
    control = state.control
    control[FOUND] = 0
    control[WORK] = 0
    if control[STAGE] == NEW:
        set_start_positions(phase_1, phase_2, state)
    if control[STAGE] == UNSOLVABLE:
        return True
    while control[LENGTH] <= control[LIMIT]:
        depth = control[DEPTH]
        if depth < 0:
            _start_next_direction(phase_1, phase_2, state)
        elif depth == control[PHASE_1_LENGTH]:
            _enter_phase_2(phase_2, state)
            control[DEPTH] -= 1
        elif _next_in_phase_1(phase_1, phase_2, state, depth, control[PHASE_1_LENGTH] - depth - 1):
            control[DEPTH] += 1
        else:
            control[DEPTH] -= 1
        if control[FOUND] > 0 or control[WORK] > work_limit:
            finish(phase_1, state)
            return False
    return True


@kernel
def _start_next_direction(phase_1: Phase1Tables, phase_2: Phase2Tables, state: SearchState) -> None:
    """Start the next direction, or the first one with phase 1 a move longer."""
    control = state.control
    control[DIRECTION] += 1
    # Most cubes are solved before length 10 and never need the 48 directions with a move before.
    has_moves_before = control[LENGTH] >= FIRST_LENGTH_WITH_MOVE_BEFORE
    if control[DIRECTION] == (ALL_DIRECTIONS if has_moves_before else DIRECTIONS):
        control[DIRECTION] = 0
        control[LENGTH] += 1
    start, here = state.directions[control[DIRECTION]], state.phase_1[0]
    if start[DISTANCE] < 0:  # set up at its first use
        place_with_move_before(phase_1, phase_2, state, control[DIRECTION])
    control[PHASE_1_LENGTH] = control[LENGTH] - (start[MOVE_BEFORE] >= 0)
    for column in range(COLUMNS):
        here[column] = start[column]
    here[LAST_FACE] = -1
    distance = here[DISTANCE]
    if distance <= control[PHASE_1_LENGTH] <= RADIUS:
        distance = _find_node(phase_1, here)
    if distance <= control[PHASE_1_LENGTH] and control[LENGTH] <= control[LIMIT]:
        _prepare(phase_1, here, control[PHASE_1_LENGTH])
        control[DEPTH] = 0
        control[EDGES_KNOWN] = 0


@kernel(inlining="llvm")
def _find_node(tables: Phase1Tables, here: Int32Array) -> Number:
    """Set NODE and DISTANCE of a position close to the goal; return its distance or NEVER."""
    node = node_at(tables.near, here[CLASS] * TWISTS + here[TWIST])
    if node < 0:
        return NEVER
    here[NODE] = node
    here[DISTANCE] = tables.near.distances[node]
    return here[DISTANCE]


@kernel(inlining="llvm")
def _prepare(tables: Phase1Tables, here: Int32Array, remaining: Number) -> None:
    """Start on a position's neighbours, with `remaining` moves left to the goal."""
    # Three ways to find the moves worth trying, the cheapest first: edges of the graph close to the
    # goal, the graph's filter one move before that, the exact table or the small ones elsewhere.
    here[NEXT] = 0
    if here[NODE] >= 0 and here[DISTANCE] == remaining:
        here[NEXT] = tables.near.first_edges[here[NODE]]
    elif remaining <= RADIUS + 1:
        here[PROMISING] = promising_by_graph(tables, here[CLASS], here[TWIST])
    elif tables.exact.size > 0:
        here[PROMISING] = promising_by_exact_table(
            tables, here[CLASS], here[TWIST], here[DISTANCE], remaining - 1
        )
    else:
        here[PROMISING] = promising_by_small_tables(tables, here[CLASS], here[TWIST], remaining - 1)


@kernel(inlining="llvm")
def _next_in_phase_1(
    phase_1: Phase1Tables,
    phase_2: Phase2Tables,
    state: SearchState,
    depth: Number,
    remaining: Number,
) -> bool:
    """Put the next position from which `remaining` moves suffice at `depth` + 1."""
    here, child = state.phase_1[depth], state.phase_1[depth + 1]
    if here[NODE] >= 0 and here[DISTANCE] == remaining + 1:
        found: bool = _next_nearer(phase_1, state, here, child)
    else:
        # With no move remaining it would lead from the goal to the goal: that is phase 2's task.
        found = bool(remaining > 0 and _next_neighbour(phase_1, state, here, child, remaining))
    if found:
        # Below this depth the path has changed, and its U and D edges are those of another path.
        state.control[EDGES_KNOWN] = min(state.control[EDGES_KNOWN], depth)
        child[CORNERS] = phase_2.corner_moves[here[CORNERS], here[MOVE]]
        child[SLICE] = phase_2.four_edges_moves[here[SLICE], here[MOVE]]
        child[LAST_FACE] = here[MOVE] // 3
        if remaining > 0:
            _prepare(phase_1, child, remaining)
    return found


@kernel(inlining="llvm")
def _next_nearer(
    tables: Phase1Tables, state: SearchState, here: Int32Array, child: Int32Array
) -> bool:
    """Set `child` to the next nearer neighbour in the graph, when no move may be wasted."""
    end = tables.near.first_edges[here[NODE] + 1]
    while here[NEXT] < end:
        edge = tables.near.edges[here[NEXT]]
        here[NEXT] += 1
        move = tables.conjugated_moves[here[SYMMETRY], edge & 31]
        if repeats(move // 3, here[LAST_FACE]):
            continue
        state.control[WORK] += 1
        here[MOVE] = move
        child[NODE] = edge >> CHILD_SHIFT
        child[DISTANCE] = here[DISTANCE] - 1
        child[SYMMETRY] = tables.symmetry_products[here[SYMMETRY], edge >> SYMMETRY_SHIFT & 15]
        return True
    return False


@kernel(inlining="llvm")
def _next_neighbour(
    tables: Phase1Tables, state: SearchState, here: Int32Array, child: Int32Array, remaining: Number
) -> bool:
    """Set `child` to the next neighbour not farther than `remaining`."""
    while here[NEXT] < 18:
        # `number` is the move in the representative's frame, `move` the same one on the cube.
        number = here[NEXT]
        here[NEXT] += 1
        if not here[PROMISING] >> number & 1:
            continue
        move = tables.conjugated_moves[here[SYMMETRY], number]
        if repeats(move // 3, here[LAST_FACE]):
            continue
        state.control[WORK] += 1
        packed = tables.class_moves[here[CLASS], number]
        child[CLASS] = packed >> 4
        child[TWIST] = tables.normalised_twists[
            tables.twist_moves[here[TWIST], number], packed & 15
        ]
        child[NODE] = -1
        # The filter lets some positions through that are not in the graph; here they are found out.
        if remaining <= RADIUS:
            if _find_node(tables, child) > remaining:
                continue
        elif tables.exact.size > 0:
            child[DISTANCE] = neighbour_distance(tables, here[DISTANCE], child[CLASS], child[TWIST])
        here[MOVE] = move
        child[SYMMETRY] = tables.symmetry_products[here[SYMMETRY], packed & 15]
        return True
    return False


@kernel
def _enter_phase_2(tables: Phase2Tables, state: SearchState) -> None:
    """Search phase 2 after a finished phase 1, unless the corners alone take too long."""
    control = state.control
    length = control[PHASE_1_LENGTH]
    here = state.phase_1[length]
    slice_ = here[SLICE] % 24
    corner_bound = tables.corner_slice_bounds[here[CORNERS] * 24 + slice_]
    if corner_bound > min(LONGEST_PHASE_2, control[LIMIT] - control[LENGTH]):
        return
    # U and D edges are followed only here: most ends of phase 1 fail by their corners before.
    for depth in range(control[EDGES_KNOWN], length):
        before, after = state.phase_1[depth], state.phase_1[depth + 1]
        after[U_EDGES] = tables.four_edges_moves[before[U_EDGES], before[MOVE]]
        after[D_EDGES] = tables.four_edges_moves[before[D_EDGES], before[MOVE]]
    control[EDGES_KNOWN] = length
    upper, lower = here[U_EDGES], here[D_EDGES]
    orders = upper % 24 * 24 + lower % 24
    edges = np.int32(tables.upper_splits[upper // 24]) * 576 + orders
    search_phase_2(tables, state, here[CORNERS], edges, slice_, here[LAST_FACE])
