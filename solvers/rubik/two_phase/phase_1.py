"""Phase 1 of the search: all ways into the group of phase 2, shortest first."""

import numpy as np

from solvers.foundation.arrays import Int32Array
from solvers.foundation.compiled import kernel
from solvers.rubik.two_phase.coordinates import TWISTS, Number
from solvers.rubik.two_phase.phase_1_bounds import (
    neighbour_distance,
    promising_by_exact_table,
    promising_by_graph,
    promising_by_small_tables,
)
from solvers.rubik.two_phase.phase_1_tables import Phase1Tables
from solvers.rubik.two_phase.phase_2 import repeats, search_phase_2
from solvers.rubik.two_phase.phase_2_tables import LONGEST, Phase2Tables
from solvers.rubik.two_phase.pruning.near_goal import CHILD_SHIFT, RADIUS, SYMMETRY_SHIFT, node_at
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
    FIRST_LENGTH_WITH_MOVE_BEFORE,
    FOUND,
    LAST_FACE,
    LENGTH,
    LIMIT,
    MOVE,
    MOVE_BEFORE,
    NEVER,
    NEW,
    NEXT,
    NODE,
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
)
from solvers.rubik.two_phase.solutions import finish
from solvers.rubik.two_phase.start_positions import begin, place_with_move_before


@kernel(entry=True)
def advance(
    phase_1: Phase1Tables, phase_2: Phase2Tables, state: SearchState, work_limit: int
) -> bool:
    """Search on until solutions are found or the work is done; return whether all is searched.

    `state.found` then holds the solutions of this call. Work is counted in neighbours looked at.
    """
    control = state.control
    control[FOUND] = 0
    control[WORK] = 0
    if control[STAGE] == NEW:
        begin(phase_1, phase_2, state)
    if control[STAGE] == UNSOLVABLE:
        return True
    while control[LENGTH] <= control[LIMIT]:
        depth = control[DEPTH]
        if depth < 0:
            _start_next_direction(phase_1, phase_2, state)
        elif depth == control[PHASE_1_LENGTH]:
            _enter_phase_2(phase_2, state)
            control[DEPTH] -= 1
        elif _next_child(phase_1, phase_2, state, depth, control[PHASE_1_LENGTH] - depth - 1):
            control[DEPTH] += 1
        else:
            control[DEPTH] -= 1
        if control[FOUND] > 0 or control[WORK] > work_limit:
            finish(phase_1, state)
            return False
    return True


@kernel
def _start_next_direction(phase_1: Phase1Tables, phase_2: Phase2Tables, state: SearchState) -> None:
    """Begin the next direction, or the first one with phase 1 a move longer."""
    control = state.control
    control[DIRECTION] += 1
    has_moves_before = control[LENGTH] >= FIRST_LENGTH_WITH_MOVE_BEFORE
    if control[DIRECTION] == (ALL_DIRECTIONS if has_moves_before else DIRECTIONS):
        control[DIRECTION] = 0
        control[LENGTH] += 1
    start, here = state.directions[control[DIRECTION]], state.phase_1[0]
    if start[DISTANCE] < 0:
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
    """Let the search of a position's neighbours begin, with `remaining` moves to the goal."""
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
def _next_child(
    phase_1: Phase1Tables,
    phase_2: Phase2Tables,
    state: SearchState,
    depth: Number,
    remaining: Number,
) -> bool:
    """Put the next position from which `remaining` moves suffice behind the one at `depth`."""
    here, child = state.phase_1[depth], state.phase_1[depth + 1]
    if here[NODE] >= 0 and here[DISTANCE] == remaining + 1:
        found: bool = _next_nearer(phase_1, state, here, child)
    else:
        # With no move remaining, this one would lead from the goal to the goal: phase 2's affair.
        found = bool(remaining > 0 and _next_neighbour(phase_1, state, here, child, remaining))
    if found:
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
    """Search phase 2 behind a finished phase 1, unless the corners alone take too long."""
    control = state.control
    length = control[PHASE_1_LENGTH]
    here = state.phase_1[length]
    slice_ = here[SLICE] % 24
    corner_bound = tables.corner_slice_bounds[here[CORNERS] * 24 + slice_]
    if corner_bound > min(LONGEST, control[LIMIT] - control[LENGTH]):
        return
    for depth in range(control[EDGES_KNOWN], length):
        before, after = state.phase_1[depth], state.phase_1[depth + 1]
        after[U_EDGES] = tables.four_edges_moves[before[U_EDGES], before[MOVE]]
        after[D_EDGES] = tables.four_edges_moves[before[D_EDGES], before[MOVE]]
    control[EDGES_KNOWN] = length
    upper, lower = here[U_EDGES], here[D_EDGES]
    orders = upper % 24 * 24 + lower % 24
    edges = np.int32(tables.upper_splits[upper // 24]) * 576 + orders
    search_phase_2(tables, state, here[CORNERS], edges, slice_, here[LAST_FACE])
