"""All ways of one length to the solved cube, by depth first: the kernel.

A position is kept as its flip-slice class, symmetry, twist and distance to the group of phase 2,
seen along each of the three axes: no solution is shorter than the farthest of the three (Kociemba's
optimal solver). If all three are equally far, one move more is needed: the last move of a solution
is in one of the three groups and could be left out there. The exact table of phase 1 is all that is
looked up, or for long searches `move_deltas`, which saves most of the looks.
"""

import numpy as np

from solvers.foundation.arrays import Int32Array
from solvers.foundation.compiled import kernel
from solvers.rubik.optimal.depth_state import (
    ALL_MOVES,
    AXES,
    COLUMNS_OF_AXIS,
    DE_BRUIJN,
    DEPTH,
    FOUND,
    LENGTH,
    MOVE,
    MOVES,
    NODES,
    DepthSearch,
)
from solvers.rubik.optimal.move_deltas import deltas_of
from solvers.rubik.two_phase.coordinates import Number
from solvers.rubik.two_phase.cube_arrays import compose, copy_to, is_same
from solvers.rubik.two_phase.phase_1_bounds import distance_modulo_3, neighbour_distance
from solvers.rubik.two_phase.phase_1_tables import Phase1Tables
from solvers.rubik.two_phase.search_state import CLASS, DISTANCE, SYMMETRY, TWIST


@kernel
def begin_length(tables: Phase1Tables, search: DepthSearch, length: Number) -> None:
    """Let the search of all solutions with exactly `length` moves, at least one, begin."""
    control = search.control
    control[LENGTH] = length
    control[DEPTH] = 0
    control[FOUND] = 0
    control[NODES] += 1
    search.path[0, MOVES] = _promising(tables, search, search.path[0], length - 1, 18)


@kernel
def go_on(tables: Phase1Tables, search: DepthSearch, node_limit: Number) -> bool:
    """Search on until a solution is found (FOUND) or so many nodes; return whether that was all."""
    control, path = search.control, search.path
    end = control[NODES] + node_limit
    while control[DEPTH] >= 0:
        depth = control[DEPTH]
        here = path[depth]
        moves = here[MOVES]
        if moves == 0:
            control[DEPTH] -= 1
            continue
        here[MOVES] = moves & (moves - 1)
        move = search.bits[((moves & -moves) * DE_BRUIJN & 0xFFFF_FFFF) >> 27]
        here[MOVE] = move
        remaining = control[LENGTH] - depth - 1
        if remaining == 0:
            if _is_solution(tables, search, depth + 1):
                control[FOUND] = 1
                return False
            continue
        _step(tables, search, here, path[depth + 1], move)
        path[depth + 1, MOVES] = _promising(tables, search, path[depth + 1], remaining - 1, move)
        control[NODES] += 1
        control[DEPTH] += 1
        if control[NODES] >= end:
            return False
    return True


@kernel(inlining="numba")
def _step(
    tables: Phase1Tables, search: DepthSearch, here: Int32Array, child: Int32Array, move: Number
) -> None:
    """Set `child` to the position after a move."""
    for axis in range(AXES):
        first = COLUMNS_OF_AXIS * axis
        symmetry = here[first + SYMMETRY]
        number = search.seen_moves[axis, symmetry, move]
        packed = tables.class_moves[here[first + CLASS], number]
        class_ = packed >> 4
        twist = tables.normalised_twists[
            tables.twist_moves[here[first + TWIST], number], packed & 15
        ]
        child[first + CLASS] = class_
        child[first + SYMMETRY] = tables.symmetry_products[symmetry, packed & 15]
        child[first + TWIST] = twist
        if search.deltas.size > 0:
            step = _step_of(search, here, axis, number)
            child[first + DISTANCE] = here[first + DISTANCE] + step
        else:
            child[first + DISTANCE] = neighbour_distance(
                tables, here[first + DISTANCE], class_, twist
            )


@kernel(inlining="numba")
def _step_of(search: DepthSearch, here: Int32Array, axis: Number, number: Number) -> Number:
    """Return by how much a move, in the representative's frame, changes the distance."""
    first = COLUMNS_OF_AXIS * axis
    word = deltas_of(search.deltas, here[first + CLASS], here[first + TWIST])
    turns = search.decode[0, word >> (4 * (number // 3)) & 15] >> (number % 3)
    return 1 - 2 * (turns & 1) - (turns >> 3 & 1)


@kernel(inlining="numba")
def _promising(
    tables: Phase1Tables, search: DepthSearch, here: Int32Array, remaining: Number, last: Number
) -> Number:
    """Return the moves after which `remaining` ones may suffice, as a mask."""
    mask: Number = search.after[last]
    equally_far = mask if remaining > 0 else 0
    if search.deltas.size > 0:
        for axis in range(AXES):
            near, exactly = read_around(search, here, axis, remaining)
            mask &= near
            equally_far &= exactly
        return mask & ~equally_far
    # The axis from which the goal is farthest leaves the fewest moves to the others.
    axis = 0
    for other in range(1, AXES):
        if here[COLUMNS_OF_AXIS * other + DISTANCE] > here[COLUMNS_OF_AXIS * axis + DISTANCE]:
            axis = other
    for _ in range(AXES):
        near, exactly = look_around(tables, search, here, axis, remaining, mask)
        mask &= near
        equally_far &= exactly
        axis = (axis + 1) % AXES
    return mask & ~equally_far


@kernel(inlining="numba")
def read_around(
    search: DepthSearch, here: Int32Array, axis: Number, remaining: Number
) -> tuple[Number, Number]:
    """Return after which moves the goal is near enough along an axis, and exactly so far."""
    first = COLUMNS_OF_AXIS * axis
    word = deltas_of(search.deltas, here[first + CLASS], here[first + TWIST])
    faces = search.faces[axis, here[first + SYMMETRY]]
    mirror = faces[6]
    nearer: Number = 0
    same: Number = 0
    for face in range(6):
        turns = np.int64(search.decode[mirror, word >> (4 * face) & 15])
        nearer |= (turns & 7) << (3 * faces[face])
        same |= (turns >> 3) << (3 * faces[face])
    spare = remaining - here[first + DISTANCE]
    if spare < 0:
        return nearer, nearer
    if spare == 0:
        return nearer | same, same
    if spare == 1:
        return ALL_MOVES, ALL_MOVES & ~(nearer | same)
    return ALL_MOVES, 0


@kernel(inlining="numba")
def look_around(
    tables: Phase1Tables,
    search: DepthSearch,
    here: Int32Array,
    axis: Number,
    remaining: Number,
    moves: Number,
) -> tuple[Number, Number]:
    """Return after which of `moves` the goal is near enough along an axis, and exactly so far."""
    first = COLUMNS_OF_AXIS * axis
    class_, twist = here[first + CLASS], here[first + TWIST]
    distance, symmetry = here[first + DISTANCE], here[first + SYMMETRY]
    if distance + 1 < remaining:
        return ALL_MOVES, 0
    # Distances modulo 3 as masks; the next position is nearer, equally far or farther by one.
    wanted = 1 << (distance + 2) % 3
    if distance <= remaining:
        wanted |= 1 << distance % 3
    if distance < remaining:
        wanted |= 1 << (distance + 1) % 3
    exact = 1 << remaining % 3
    near, exactly = 0, 0
    while moves != 0:
        move = search.bits[((moves & -moves) * DE_BRUIJN & 0xFFFF_FFFF) >> 27]
        moves &= moves - 1
        number = search.seen_moves[axis, symmetry, move]
        packed = tables.class_moves[class_, number]
        next_twist = tables.normalised_twists[tables.twist_moves[twist, number], packed & 15]
        there = distance_modulo_3(tables, packed >> 4, next_twist)
        near |= (wanted >> there & 1) << move
        exactly |= (exact >> there & 1) << move
    return near, exactly


@kernel
def _is_solution(tables: Phase1Tables, search: DepthSearch, length: Number) -> bool:
    here, there = search.scratch[0], search.scratch[1]
    copy_to(here, search.ends[0])
    for depth in range(length):
        compose(here, tables.move_cubes[search.path[depth, MOVE]], there)
        here, there = there, here
    return is_same(here, search.ends[1])
