"""Solutions as they are handed out: moves of the upright cube in normal form, replayed."""

from solvers.foundation.arrays import Int32Array
from solvers.foundation.compiled import kernel
from solvers.rubik.two_phase.coordinates import Number
from solvers.rubik.two_phase.cube_arrays import compose, copy_to, is_same
from solvers.rubik.two_phase.phase_1_tables import Phase1Tables
from solvers.rubik.two_phase.search_state import (
    FOUND,
    FOUND_DIRECTION,
    FOUND_LENGTH,
    FOUND_MOVES,
    FOUND_VERIFIED,
    SearchState,
)


@kernel
def finish(tables: Phase1Tables, state: SearchState) -> None:
    """Turn all solutions of `state.found` from those of their directions to those of the cube."""
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
    while first <= last:
        row[first], row[last] = _undone(row[last]), _undone(row[first])
        first += 1
        last -= 1


@kernel(inlining="numba")
def _undone(move: Number) -> Number:
    return move // 3 * 3 + 2 - move % 3


@kernel
def _cancel(runs: Int32Array, row: Int32Array) -> None:
    """Bring a solution to the normal form of `notation.cancel`: where phases meet, turns merge."""
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
    here, there = state.scratch[0], state.scratch[1]
    copy_to(here, state.ends[0])
    for i in range(row[FOUND_LENGTH]):
        compose(here, tables.move_cubes[row[FOUND_MOVES + i]], there)
        here, there = there, here
    return is_same(here, state.ends[1])
