"""The coordinates of the six directions in which a position is searched."""

import numpy as np

from solvers.foundation.arrays import Int8Array, Int32Array
from solvers.foundation.compiled import kernel
from solvers.rubik.two_phase.coordinates import FLIPS, Number
from solvers.rubik.two_phase.cube_arrays import (
    EDGES_AT,
    FLIPS_AT,
    TWISTS_AT,
    compose,
    copy_to,
    invert,
    is_cube,
    is_same,
    is_solvable,
)
from solvers.rubik.two_phase.phase_1_bounds import exact_distance, small_tables_bound
from solvers.rubik.two_phase.phase_1_tables import Phase1Tables
from solvers.rubik.two_phase.phase_2_tables import Phase2Tables
from solvers.rubik.two_phase.search_state import (
    CLASS,
    CORNERS,
    D_EDGES,
    DIRECTIONS,
    DISTANCE,
    MOVE_BEFORE,
    NEVER,
    NODE,
    RUNNING,
    SLICE,
    STAGE,
    SYMMETRY,
    TWIST,
    U_EDGES,
    UNSOLVABLE,
    SearchState,
)


@kernel
def begin(phase_1: Phase1Tables, phase_2: Phase2Tables, state: SearchState) -> None:
    """Fill `state.directions` with the way from start to target and the way back.

    Each is seen along the three axes; direction 3 * back + axis. STAGE tells whether there is one.
    """
    start, target = state.ends[0], state.ends[1]
    position, inverse, scratch = state.scratch[0], state.scratch[1], state.scratch[2]
    state.control[STAGE] = UNSOLVABLE
    if not (is_cube(start) and is_cube(target)):
        return
    invert(target, inverse)
    compose(inverse, start, position)
    if not is_solvable(position):
        return
    state.control[STAGE] = RUNNING
    for back in range(2):
        if back == 1:
            invert(position, scratch)
            copy_to(position, scratch)
        for axis in range(3):
            rotation, direction = phase_1.axis_cubes[axis], 3 * back + axis
            invert(rotation, inverse)
            compose(inverse, position, scratch)
            compose(scratch, rotation, state.cubes[direction])
            _set_coordinates(phase_1, phase_2, state.cubes[direction], state.directions[direction])
    for direction in range(1, DIRECTIONS):
        for earlier in range(direction):
            if is_same(state.directions[direction], state.directions[earlier]):
                # A position with symmetries: the same search would only be done twice.
                state.directions[direction, DISTANCE] = NEVER


@kernel
def place_with_move_before(
    phase_1: Phase1Tables, phase_2: Phase2Tables, state: SearchState, direction: Number
) -> None:
    """Fill a direction from 6 on: number % 6 is the direction to put a move before."""
    base, number = direction % DIRECTIONS, direction // DIRECTIONS - 1
    position = state.directions[direction]
    if state.directions[base, DISTANCE] == NEVER:
        position[DISTANCE] = NEVER
        return
    move = phase_1.moves_before[number]
    compose(phase_1.move_cubes[move], state.cubes[base], state.scratch[0])
    _set_coordinates(phase_1, phase_2, state.scratch[0], position)
    position[MOVE_BEFORE] = move


@kernel
def _set_coordinates(
    phase_1: Phase1Tables, phase_2: Phase2Tables, cube: Int8Array, position: Int32Array
) -> None:
    twist: Number = 0
    for place in range(6, -1, -1):
        twist = 3 * twist + np.int64(cube[TWISTS_AT + place])
    flip: Number = 0
    for place in range(10, -1, -1):
        flip = 2 * flip + np.int64(cube[FLIPS_AT + place])
    position[SLICE] = _four_edges(phase_2, cube, 8)
    position[U_EDGES] = _four_edges(phase_2, cube, 0)
    position[D_EDGES] = _four_edges(phase_2, cube, 4)
    position[CORNERS] = _corner_order(phase_2, cube)
    packed = phase_1.packed_classes[position[SLICE] // 24 * FLIPS + flip]
    position[CLASS] = packed >> 4
    position[SYMMETRY] = packed & 15
    position[TWIST] = phase_1.normalised_twists[twist, packed & 15]
    position[NODE] = -1
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
        label = np.int64(cube[EDGES_AT + place]) - first
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
