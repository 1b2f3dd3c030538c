"""Kociemba's two-phase search: the kernels.

Phase 1 finds all ways into the group that U, D, R2, F2, L2, B2 generate, shortest first; phase 2
solves the cube from there by IDA*.
"""

import numpy as np

from solvers.foundation.arrays import Int32Array
from solvers.foundation.compiled import kernel
from solvers.rubik.two_phase.coordinates import EIGHTS, TWISTS, Number
from solvers.rubik.two_phase.near_goal import CHILD_SHIFT, RADIUS, SYMMETRY_SHIFT, node_at
from solvers.rubik.two_phase.phase_1_bounds import (
    neighbour_distance,
    promising_by_exact_table,
    promising_by_graph,
    promising_by_small_tables,
)
from solvers.rubik.two_phase.search_state import (
    ALL_DIRECTIONS,
    CLASS,
    COLUMNS,
    CORNERS,
    D_EDGES,
    DEPTH,
    DIRECTION,
    DIRECTIONS,
    DISTANCE,
    EDGES_KNOWN,
    EXTRA,
    FIRST_LENGTH_WITH_MOVE_BEFORE,
    FOUND,
    FOUND_DIRECTION,
    FOUND_LENGTH,
    FOUND_MOVES,
    LAST_FACE,
    LENGTH,
    LIMIT,
    MAX_FOUND,
    MOVE,
    MOVE_BEFORE,
    NEVER,
    NEW,
    NEXT,
    NODE,
    P2_CORNERS,
    P2_EDGES,
    P2_LAST_FACE,
    P2_MOVE,
    P2_NEXT,
    P2_SLICE,
    PHASE_1_LENGTH,
    PROMISING,
    SLICE,
    STAGE,
    SYMMETRY,
    TWIST,
    U_EDGES,
    UNSOLVABLE,
    WORK,
    SearchState,
    finish,
    place_with_move_before,
    set_start_positions,
)
from solvers.rubik.two_phase.tables import LONGEST_PHASE_2, Phase1Tables, Phase2Tables


@kernel(inlining="numba")
def repeats(face: Number, last_face: Number) -> bool:
    """Return whether a turn of `face` after `last_face` can be left out of the search.

    It is the same face again, or the opposite face in the order that is not the normal form:
    opposite faces commute, so one order of the two is enough.
    """
    return bool(face == last_face or face + 3 == last_face)


@kernel(inlining="numba")
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


@kernel(inlining="numba")
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


@kernel(inlining="numba")
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


@kernel(inlining="numba")
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


@kernel(inlining="numba")
def _find_node(tables: Phase1Tables, here: Int32Array) -> Number:
    """Set NODE and DISTANCE of a position close to the goal; return its distance or NEVER."""
    node = node_at(tables.near, here[CLASS] * TWISTS + here[TWIST])
    if node < 0:
        return NEVER
    here[NODE] = node
    here[DISTANCE] = tables.near.distances[node]
    return here[DISTANCE]


@kernel(inlining="numba")
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


@kernel(inlining="numba")
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


@kernel(inlining="numba")
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


@kernel(inlining="numba")
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
