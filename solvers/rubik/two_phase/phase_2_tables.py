"""What phase 2 looks up, from the cache or built."""

from typing import Final, NamedTuple

import numpy as np

from solvers.foundation.arrays import Int32Array, UInt8Array, UInt16Array
from solvers.foundation.progress import Job, Progress
from solvers.foundation.table_cache import Building
from solvers.rubik.two_phase import coordinates
from solvers.rubik.two_phase.coordinates import EIGHTS, PHASE_2_MOVES
from solvers.rubik.two_phase.pruning import corner_classes
from solvers.rubik.two_phase.pruning.cached import (
    NO_TABLE,
    cached,
    cached_already,
    cached_job,
    pair_bounds,
)
from solvers.rubik.two_phase.pruning.corner_classes import CORNER_CLASSES
from solvers.rubik.two_phase.pruning.distances import ClassMoves, phase_2_distances

LONGEST: Final = 11
"""Moves of phase 2 tried at most. Rather than searching for a longer phase 2 it pays to go on to
the next phase 1; over 200 cubes, 10 took the same time and 9 a quarter more."""

_EXACT: Final = ("phase-2-exact", (CORNER_CLASSES * EIGHTS // 2,), np.uint8)


class Phase2Tables(NamedTuple):
    """Moves of the permutations and bounds of phase 2, all flattened pairs.

    corner_moves, four_edges_moves: under all 18 moves, to follow them through phase 1.
    exact: four bits for each class of corners and order of edges, see `distances`; empty if it was
    not built.
    packed_corners, normalised_edges: lead there, see `corner_classes`.
    corner_split_bounds, edge_split_bounds: used instead of it; empty if it was.
    """

    four_of_twelve: UInt16Array
    four_of_eight: UInt8Array
    order_of_four: UInt8Array
    upper_splits: UInt8Array
    corner_moves: UInt16Array
    four_edges_moves: UInt16Array
    moves: UInt8Array
    corners: UInt16Array
    edges: UInt16Array
    slices: UInt16Array
    corner_slice_bounds: UInt8Array
    edge_slice_bounds: UInt8Array
    corner_split_bounds: UInt8Array
    edge_split_bounds: UInt8Array
    packed_corners: Int32Array
    normalised_edges: UInt16Array
    exact: UInt8Array


def phase_2_tables(four_edges: UInt16Array, exact: UInt8Array) -> Job[Progress, Phase2Tables]:
    """Return all tables; the smaller ones only where the exact one is empty."""
    corner_moves = yield from cached(
        "corner-moves", (EIGHTS, 18), np.uint16, coordinates.corner_moves
    )
    corners = coordinates.phase_2_corner_moves(corner_moves)
    edges = yield from cached("edge-moves", (EIGHTS, 10), np.uint16, coordinates.phase_2_edge_moves)
    slices = coordinates.phase_2_slice_moves(four_edges)
    splits = (NO_TABLE, NO_TABLE)
    if exact.size == 0:
        corner_splits = coordinates.phase_2_split_moves(corners)
        edge_splits = coordinates.phase_2_split_moves(edges)
        splits = (
            (yield from pair_bounds("corner-edge-split", corners, edge_splits)),
            (yield from pair_bounds("edge-corner-split", edges, corner_splits)),
        )
    return Phase2Tables(
        coordinates.four_of_twelve(),
        coordinates.four_of_eight(),
        coordinates.order_of_four(),
        coordinates.splits_of_upper_edges(),
        corner_moves,
        four_edges,
        np.array(PHASE_2_MOVES, np.uint8),
        corners,
        edges,
        slices,
        (yield from pair_bounds("corner-slice", corners, slices)),
        (yield from pair_bounds("edge-slice", edges, slices)),
        *splits,
        (yield from _packed_corners()),
        (yield from _normalised_edges()),
        exact,
    )


def load_phase_2_exact() -> UInt8Array:
    """Return the exact table if it is in the cache, else an empty one."""
    return cached_already(*_EXACT)


def build_phase_2_exact(tables: Phase2Tables) -> Building:
    """Return the exact table, building it if it is not in the cache."""
    normalised = corner_classes.normalised_corners()
    smallest = corner_classes.corner_representatives(normalised)
    moves = ClassMoves(
        corner_classes.corner_class_moves(tables.packed_corners, smallest, tables.corners),
        corner_classes.own_corner_symmetries(smallest, normalised),
        tables.edges,
        tables.normalised_edges,
    )
    return cached_job(*_EXACT, lambda: phase_2_distances(moves, LONGEST))


def _packed_corners() -> Building:
    return cached(
        "corner-classes",
        (EIGHTS,),
        np.int32,
        lambda: corner_classes.packed_corners(corner_classes.normalised_corners()),
    )


def _normalised_edges() -> Building:
    return cached("normalised-edges", (EIGHTS, 16), np.uint16, corner_classes.normalised_edges)
