"""The coordinates of the six directions in which a position is searched."""

import numpy as np

from solvers.foundation.arrays import Int8Array, Int32Array
from solvers.foundation.compiled import compiled, kernel
from solvers.rubik.cubies import CubieCube
from solvers.rubik.two_phase.coordinates import FLIPS, Number
from solvers.rubik.two_phase.phase_1_bounds import exact_distance, small_tables_bound
from solvers.rubik.two_phase.search_state import (
    CLASS,
    CORNERS,
    CUBE_SIZE,
    D_EDGES,
    DIRECTIONS,
    DISTANCE,
    MOVE_BEFORE,
    NEVER,
    NODE,
    SLICE,
    SYMMETRY,
    TWIST,
    U_EDGES,
    SearchState,
)
from solvers.rubik.two_phase.tables import Phase1Tables, Phase2Tables

# Where the parts of a cube array begin; see `CUBE_SIZE`.
_TWISTS_AT = 8
_EDGES_AT = 16
_FLIPS_AT = 28


def cube_array(cube: CubieCube) -> Int8Array:
    """Return the cube as one array of 40 numbers, as the kernels read it."""
    return np.array(cube.numbers(), np.int8)


@compiled
def place_directions(
    phase_1: Phase1Tables,
    phase_2: Phase2Tables,
    state: SearchState,
    cube: Int8Array,
    axis_cubes: Int8Array,
) -> None:
    """Fill `state.directions` with `cube` and its inverse, each seen along the three axes.

    `axis_cubes`, shape (3, 40), are the rotations to conjugate with; direction 3 * i + axis.
    """
    for inverted in range(2):
        seen = _inverse(cube) if inverted == 1 else cube
        for axis in range(3):
            rotation = axis_cubes[axis]
            direction = 3 * inverted + axis
            _compose(_inverse(rotation), seen, state.scratch)
            _compose(state.scratch, rotation, state.cubes[direction])
            _set_coordinates(phase_1, phase_2, state.cubes[direction], state.directions[direction])
    for direction in range(1, DIRECTIONS):
        for earlier in range(direction):
            if np.array_equal(state.directions[direction], state.directions[earlier]):
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
    _compose(phase_1.moves_before_cubes[number], state.cubes[base], state.scratch)
    _set_coordinates(phase_1, phase_2, state.scratch, position)
    position[MOVE_BEFORE] = phase_1.moves_before[number]


@kernel
def _compose(first: Int8Array, second: Int8Array, result: Int8Array) -> None:
    for i in range(8):
        source = second[i]
        result[i] = first[source]
        result[_TWISTS_AT + i] = (first[_TWISTS_AT + source] + second[_TWISTS_AT + i]) % 3
    for i in range(12):
        source = second[_EDGES_AT + i]
        result[_EDGES_AT + i] = first[_EDGES_AT + source]
        result[_FLIPS_AT + i] = first[_FLIPS_AT + source] ^ second[_FLIPS_AT + i]


@compiled
def _inverse(cube: Int8Array) -> Int8Array:
    result = np.empty(CUBE_SIZE, np.int8)
    for i in range(8):
        result[cube[i]] = i
        result[_TWISTS_AT + cube[i]] = (3 - cube[_TWISTS_AT + i]) % 3
    for i in range(12):
        result[_EDGES_AT + cube[_EDGES_AT + i]] = i
        result[_FLIPS_AT + cube[_EDGES_AT + i]] = cube[_FLIPS_AT + i]
    return result


@kernel
def _set_coordinates(
    phase_1: Phase1Tables, phase_2: Phase2Tables, cube: Int8Array, position: Int32Array
) -> None:
    twist: Number = 0
    for place in range(6, -1, -1):
        twist = 3 * twist + np.int64(cube[_TWISTS_AT + place])
    flip: Number = 0
    for place in range(10, -1, -1):
        flip = 2 * flip + np.int64(cube[_FLIPS_AT + place])
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
        label = np.int64(cube[_EDGES_AT + place]) - first
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
