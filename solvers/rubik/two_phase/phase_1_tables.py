"""What phase 1 looks up, from the cache or built."""

from typing import Final, NamedTuple

import numpy as np

from solvers.foundation.arrays import Int8Array, Int32Array, UInt8Array, UInt16Array
from solvers.foundation.progress import Job, Progress
from solvers.foundation.table_cache import Building
from solvers.rubik.cubies import MOVE_CUBES
from solvers.rubik.notation import Move
from solvers.rubik.symmetries import axis_rotations
from solvers.rubik.two_phase import coordinates
from solvers.rubik.two_phase.coordinates import FLIPS, PHASE_2_MOVES, SLICES, TWISTS
from solvers.rubik.two_phase.pruning import flip_slice
from solvers.rubik.two_phase.pruning.cached import (
    NO_TABLE,
    cached,
    cached_already,
    cached_job,
    pair_bounds,
    read_only,
)
from solvers.rubik.two_phase.pruning.distances import ClassMoves, phase_1_distances
from solvers.rubik.two_phase.pruning.flip_slice import CLASSES
from solvers.rubik.two_phase.pruning.near_goal import GRAPH_BYTES, NearGoal, graph_in, near_goal

_EXACT: Final = ("phase-1-exact", ((CLASSES * TWISTS + 3) // 4,), np.uint8)


class Phase1Tables(NamedTuple):
    """Moves, symmetries and bounds of phase 1; indices as in `coordinates` and `flip_slice`.

    exact: two bits for each class and twist, see `distances`; empty if it was not built.
    class_bounds, twist_slice_bounds, twist_flip_bounds: used instead; empty if it was.
    moves_before: the eight moves not in phase 2.
    move_cubes, axis_cubes: the moves and the rotations to the three axes as arrays of 40 numbers.
    axis_moves: what the moves seen along each axis are on the upright cube, shape (3, 18).
    flip_slice_numbers: raw number of each class's representative.
    """

    packed_classes: Int32Array
    class_moves: Int32Array
    twist_moves: UInt16Array
    normalised_twists: UInt16Array
    conjugated_moves: UInt8Array
    symmetry_products: UInt8Array
    moves_before: UInt8Array
    move_cubes: Int8Array
    axis_cubes: Int8Array
    axis_moves: UInt8Array
    near: NearGoal
    exact: UInt8Array
    flip_slice_numbers: Int32Array
    class_bounds: UInt8Array
    twist_slice_bounds: UInt8Array
    twist_flip_bounds: UInt8Array


def phase_1_tables(slices: UInt16Array, exact: UInt8Array) -> Job[Progress, Phase1Tables]:
    """Return all tables; the small ones only where the exact one is empty."""
    twists, flips = coordinates.twist_moves(), coordinates.flip_moves()
    packed = yield from cached(
        "flip-slice-classes", (SLICES * FLIPS,), np.int32, flip_slice.packed_classes
    )
    class_moves = yield from cached(
        "class-moves",
        (CLASSES, 18),
        np.int32,
        lambda: flip_slice.class_moves(packed, flips, slices),
    )
    raws = flip_slice.representatives(packed)
    normalised = flip_slice.normalised_twists()
    near = yield from cached(
        "near-goal",
        (GRAPH_BYTES,),
        np.uint8,
        lambda: near_goal(class_moves, flip_slice.own_symmetries(raws), twists, normalised),
    )
    bounds = (NO_TABLE,) * 3
    others = [move for move in Move if move not in PHASE_2_MOVES]
    if exact.size == 0:
        bounds = (
            read_only((yield from pair_bounds("slice-flip", slices, flips))[raws]),
            (yield from pair_bounds("twist-slice", twists, slices)),
            (yield from pair_bounds("twist-flip", twists, flips)),
        )
    return Phase1Tables(
        packed,
        class_moves,
        twists,
        normalised,
        flip_slice.conjugated_moves(),
        flip_slice.symmetry_products(),
        np.array(others, np.uint8),
        np.array([cube.numbers() for cube in MOVE_CUBES], np.int8),
        np.array([rotation.as_cube().numbers() for rotation in axis_rotations()], np.int8),
        np.array([sorted(Move, key=rotation.conjugate) for rotation in axis_rotations()], np.uint8),
        graph_in(near),
        exact,
        raws,
        *bounds,
    )


def load_phase_1_exact() -> UInt8Array:
    """Return the exact table if it is in the cache, else an empty one."""
    return cached_already(*_EXACT)


def build_phase_1_exact(tables: Phase1Tables) -> Building:
    """Return the exact table, building it if it is not in the cache."""
    moves = ClassMoves(
        tables.class_moves,
        flip_slice.own_symmetries(tables.flip_slice_numbers),
        tables.twist_moves,
        tables.normalised_twists,
    )
    return cached_job(*_EXACT, lambda: phase_1_distances(moves))
