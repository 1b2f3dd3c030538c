"""Phase 2 of the search: from the group of U, D, R2, F2, L2, B2 to solved, by IDA*."""

import numpy as np

from solvers.foundation.compiled import kernel
from solvers.rubik.two_phase.coordinates import EIGHTS, Number
from solvers.rubik.two_phase.phase_2_tables import LONGEST, Phase2Tables
from solvers.rubik.two_phase.search_state import (
    DIRECTION,
    DIRECTIONS,
    EXTRA,
    FOUND,
    FOUND_DIRECTION,
    FOUND_LENGTH,
    FOUND_MOVES,
    LENGTH,
    LIMIT,
    MAX_FOUND,
    MOVE,
    MOVE_BEFORE,
    P2_CORNERS,
    P2_EDGES,
    P2_LAST_FACE,
    P2_MOVE,
    P2_NEXT,
    P2_SLICE,
    PHASE_1_LENGTH,
    WORK,
    SearchState,
)


@kernel(inlining="numba")
def repeats(face: Number, last_face: Number) -> bool:
    """Return whether a turn of `face` after `last_face` can be left out of the search.

    It is the same face again, or the opposite face in the order that is not the normal form.
    """
    return bool(face == last_face or face + 3 == last_face)


@kernel(inlining="numba")
def bound(
    tables: Phase2Tables, corners: Number, edges: Number, slice_: Number, enough: Number
) -> Number:
    """Return a lower bound of the moves to solved, and look no further once it is over `enough`."""
    with_slice = max(
        tables.corner_slice_bounds[corners * 24 + slice_],
        tables.edge_slice_bounds[edges * 24 + slice_],
    )
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
    most = min(LONGEST, control[LIMIT] - control[LENGTH])
    length = np.int64(bound(tables, corners, edges, slice_, most))
    while length <= min(LONGEST, control[LIMIT] - control[LENGTH]):
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
        if not _next_child(tables, state, depth, length - depth - 1):
            depth -= 1
        elif depth + 1 < length:
            depth += 1
        else:
            _record(state, length)
            if state.control[EXTRA] < 0 or state.control[FOUND] == MAX_FOUND:
                return


@kernel(inlining="numba")
def _next_child(tables: Phase2Tables, state: SearchState, depth: Number, remaining: Number) -> bool:
    """Put the next position that can be solved in the remaining moves behind the one at `depth`."""
    here, child = state.phase_2[depth], state.phase_2[depth + 1]
    while here[P2_NEXT] < 10:
        number = here[P2_NEXT]
        here[P2_NEXT] += 1
        move = tables.moves[number]
        if repeats(move // 3, here[P2_LAST_FACE]):
            continue
        state.control[WORK] += 1
        corners = np.int64(tables.corners[here[P2_CORNERS], number])
        slice_ = np.int64(tables.slices[here[P2_SLICE], number])
        if tables.corner_slice_bounds[corners * 24 + slice_] > remaining:
            continue
        edges = np.int64(tables.edges[here[P2_EDGES], number])
        if bound(tables, corners, edges, slice_, remaining) > remaining:
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
    row[FOUND_DIRECTION] = control[DIRECTION] % DIRECTIONS
    row[FOUND_LENGTH] = total
    for depth in range(first_length):
        row[FOUND_MOVES + depth] = state.phase_1[depth, MOVE]
    for depth in range(length):
        row[FOUND_MOVES + first_length + depth] = state.phase_2[depth, P2_MOVE]
    if total > first_length + length:
        row[FOUND_MOVES + total - 1] = state.directions[control[DIRECTION], MOVE_BEFORE]
    control[LIMIT] = min(control[LIMIT], total + control[EXTRA])
