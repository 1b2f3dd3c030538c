"""Everything the search looks up, from the cache or built.

The small tables take about a second to build and are always there. The exact table of phase 1
takes a few seconds more and is used when `build_exact_table` was called once on this machine.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from solvers.foundation.arrays import Int8Array, Int32Array, UInt8Array, UInt16Array
from solvers.foundation.progress import Job, Progress, run_job
from solvers.foundation.table_cache import Building, Table, load, load_or_build
from solvers.rubik.cubies import MOVE_CUBES
from solvers.rubik.notation import Move
from solvers.rubik.two_phase import coordinates, flip_slice
from solvers.rubik.two_phase.coordinates import (
    EIGHTS,
    FLIPS,
    PHASE_2_MOVES,
    SLICES,
    TWISTS,
)
from solvers.rubik.two_phase.distances import exact_distances, pair_distances
from solvers.rubik.two_phase.flip_slice import CLASSES
from solvers.rubik.two_phase.near_goal import NearGoal, near_goal

_VERSION = 1
_EXACT_NAME = "cube-phase-1-exact"
_EXACT_SHAPE = ((CLASSES * TWISTS + 3) // 4,)
_NO_TABLE = np.zeros(0, np.uint8)
_NO_TABLE.setflags(write=False)


class Phase1Tables(NamedTuple):
    """Moves, symmetries and bounds of phase 1; indices as in `coordinates` and `flip_slice`.

    exact: two bits for each class and twist, see `distances`; empty if it was not built.
    class_bounds, twist_slice_bounds, twist_flip_bounds: used instead; empty if it was.
    moves_before, moves_before_cubes: the eight moves not in phase 2, and their positions.
    flip_slice_numbers: raw number of each class's representative.
    """

    packed_classes: Int32Array
    class_moves: Int32Array
    twist_moves: UInt16Array
    normalised_twists: UInt16Array
    conjugated_moves: UInt8Array
    symmetry_products: UInt8Array
    moves_before: UInt8Array
    moves_before_cubes: Int8Array
    near: NearGoal
    exact: UInt8Array
    flip_slice_numbers: Int32Array
    class_bounds: UInt8Array
    twist_slice_bounds: UInt8Array
    twist_flip_bounds: UInt8Array


class Phase2Tables(NamedTuple):
    """Moves of the permutations and bounds of phase 2, all flattened pairs.

    corner_moves, four_edges_moves: under all 18 moves, to follow them through phase 1.
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


class SearchTables(NamedTuple):
    """What the search needs."""

    phase_1: Phase1Tables
    phase_2: Phase2Tables

    @property
    def is_exact(self) -> bool:
        """Whether the exact table of phase 1 is there."""
        return self.phase_1.exact.size > 0


_process_tables: SearchTables | None = None


def search_tables() -> SearchTables:
    """Return the tables of this process; the exact one is used if it is in the cache."""
    return run_job(load_search_tables())


def load_search_tables() -> Job[Progress, SearchTables]:
    """Do what `search_tables` does, telling which table is being built."""
    global _process_tables
    if _process_tables is None:
        exact = load(_EXACT_NAME, _VERSION, _EXACT_SHAPE, np.uint8)
        _process_tables = yield from _assemble(_NO_TABLE if exact is None else exact)
    return _process_tables


def build_exact_table() -> Job[Progress, SearchTables]:
    """Return the tables with the exact one, building it if it is not in the cache yet.

    From now on `search_tables` returns the same. If the cache folder cannot be written, that
    lasts only as long as the process.
    """
    global _process_tables
    tables = yield from load_search_tables()
    if not tables.is_exact:
        raws = flip_slice.representatives(tables.phase_1.packed_classes)
        exact = yield from load_or_build(
            _EXACT_NAME,
            _VERSION,
            _EXACT_SHAPE,
            np.uint8,
            lambda: exact_distances(
                tables.phase_1.class_moves,
                flip_slice.own_symmetries(raws),
                tables.phase_1.twist_moves,
                tables.phase_1.normalised_twists,
            ),
        )
        tables = _process_tables = yield from _assemble(exact)
    return tables


def _assemble(exact: UInt8Array) -> Job[Progress, SearchTables]:
    four_edges = coordinates.four_edges_moves()
    phase_1 = yield from _phase_1_tables(coordinates.slice_moves(four_edges), exact)
    return SearchTables(phase_1, (yield from _phase_2_tables(four_edges)))


def _phase_1_tables(slices: UInt16Array, exact: UInt8Array) -> Job[Progress, Phase1Tables]:
    twists, flips = coordinates.twist_moves(), coordinates.flip_moves()
    packed = yield from _cached(
        "flip-slice-classes", (SLICES * FLIPS,), np.int32, flip_slice.packed_classes
    )
    class_moves = flip_slice.class_moves(packed, flips, slices)
    raws = flip_slice.representatives(packed)
    normalised = flip_slice.normalised_twists()
    near = near_goal(class_moves, flip_slice.own_symmetries(raws), twists, normalised)
    bounds = (_NO_TABLE,) * 3
    others = [move for move in Move if move not in PHASE_2_MOVES]
    if exact.size == 0:
        bounds = (
            (yield from _bounds("slice-flip", slices, flips))[raws],
            (yield from _bounds("twist-slice", twists, slices)),
            (yield from _bounds("twist-flip", twists, flips)),
        )
    return Phase1Tables(
        packed,
        class_moves,
        twists,
        normalised,
        flip_slice.conjugated_moves(),
        flip_slice.symmetry_products(),
        np.array(others, np.uint8),
        np.array([MOVE_CUBES[move].numbers() for move in others], np.int8),
        near,
        exact,
        raws,
        *bounds,
    )


def _phase_2_tables(four_edges: UInt16Array) -> Job[Progress, Phase2Tables]:
    corner_moves = yield from _cached(
        "corner-moves", (EIGHTS, 18), np.uint16, coordinates.corner_moves
    )
    corners = coordinates.phase_2_corner_moves(corner_moves)
    edges = coordinates.phase_2_edge_moves()
    slices = coordinates.phase_2_slice_moves(four_edges)
    corner_splits = coordinates.phase_2_split_moves(corners)
    edge_splits = coordinates.phase_2_split_moves(edges)
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
        (yield from _bounds("corner-slice", corners, slices)),
        (yield from _bounds("edge-slice", edges, slices)),
        (yield from _bounds("corner-edge-split", corners, edge_splits)),
        (yield from _bounds("edge-corner-split", edges, corner_splits)),
    )


def _bounds(name: str, first: UInt16Array, second: UInt16Array) -> Building:
    shape = (first.shape[0] * second.shape[0],)
    return _cached(name, shape, np.uint8, lambda: pair_distances(first, second))


def _cached(
    name: str, shape: tuple[int, ...], dtype: npt.DTypeLike, make: Callable[[], Table]
) -> Building:
    def build() -> Building:
        yield from ()  # made in one go
        return make()

    return load_or_build(f"cube-{name}", _VERSION, shape, dtype, build)
