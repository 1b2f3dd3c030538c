"""Move tables and pruning tables of both phases, from the cache or built.

The small tables take about a second to build and are always there. The exact ones, one for each
phase, take some seconds more; they are used once `build_exact_tables` has run on this machine.
"""

from collections.abc import Callable
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from solvers.foundation.arrays import Int8Array, Int32Array, UInt8Array, UInt16Array
from solvers.foundation.progress import Job, Progress, run_job
from solvers.foundation.table_cache import Building, Table, load, load_or_build
from solvers.rubik.cubies import MOVE_CUBES, axis_rotations
from solvers.rubik.notation import Move
from solvers.rubik.two_phase import coordinates
from solvers.rubik.two_phase.coordinates import (
    CORNER_CLASSES,
    EIGHTS,
    FLIP_SLICE_CLASSES,
    FLIPS,
    FOUR_EDGES,
    PHASE_2_MOVES,
    SLICES,
    TWISTS,
)
from solvers.rubik.two_phase.distances import (
    ClassMoves,
    pair_distances,
    phase_1_distances,
    phase_2_distances,
)
from solvers.rubik.two_phase.near_goal import GRAPH_BYTES, NearGoal, graph_in, near_goal

_VERSION: Final = 1  # raise it when a table's meaning changes; older files are then ignored


def read_only(table: Table) -> Table:
    """Return `table`, protected: for writable arrays numba compiles all kernels once more."""
    table.setflags(write=False)
    return table


# Not None: kernels are compiled once for both cases and ask for the size.
NO_TABLE: Final = read_only(np.zeros(0, np.uint8))
"""Stands for a table that was not built."""


def load_if_cached(name: str, shape: tuple[int, ...], dtype: npt.DTypeLike) -> Table:
    """Return a table if it is in the cache, else an empty one."""
    table = load(f"cube-{name}", _VERSION, shape, dtype)
    return NO_TABLE if table is None else table


def load_or_build_job(
    name: str, shape: tuple[int, ...], dtype: npt.DTypeLike, build: Callable[[], Building]
) -> Building:
    """Return a table from the cache, or built by a job with progress."""
    return load_or_build(f"cube-{name}", _VERSION, shape, dtype, build)


def load_or_make(
    name: str, shape: tuple[int, ...], dtype: npt.DTypeLike, make: Callable[[], Table]
) -> Building:
    """Return a table from the cache, or made in one go."""

    def build() -> Building:
        yield from ()
        return make()

    return load_or_build_job(name, shape, dtype, build)


def pair_bounds(name: str, first: UInt16Array, second: UInt16Array) -> Building:
    """Return how far each pair of two coordinates is from (0, 0)."""
    shape = (first.shape[0] * second.shape[0],)
    moves = read_only(first.view()), read_only(second.view())
    return load_or_make(name, shape, np.uint8, lambda: pair_distances(*moves))


_PHASE_1_EXACT: Final = ("phase-1-exact", ((FLIP_SLICE_CLASSES * TWISTS + 3) // 4,), np.uint8)


class Phase1Tables(NamedTuple):
    """Moves, symmetries and bounds of phase 1; indices as in `coordinates`.

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
    packed = yield from load_or_make(
        "flip-slice-classes", (SLICES * FLIPS,), np.int32, coordinates.packed_flip_slices
    )
    class_moves = yield from load_or_make(
        "class-moves",
        (FLIP_SLICE_CLASSES, 18),
        np.int32,
        lambda: coordinates.flip_slice_class_moves(packed, flips, slices),
    )
    raws = coordinates.flip_slice_representatives(packed)
    normalised = coordinates.normalised_twists()
    near = yield from load_or_make(
        "near-goal",
        (GRAPH_BYTES,),
        np.uint8,
        lambda: near_goal(
            class_moves, coordinates.own_flip_slice_symmetries(raws), twists, normalised
        ),
    )
    bounds = (NO_TABLE,) * 3
    # A move of phase 2 put before would leave the solutions of phase 1 the same.
    others = [move for move in Move if move not in PHASE_2_MOVES]
    if exact.size == 0:
        bounds = (
            # By class, since all members of a class are equally far from the goal.
            read_only((yield from pair_bounds("slice-flip", slices, flips))[raws]),
            (yield from pair_bounds("twist-slice", twists, slices)),
            (yield from pair_bounds("twist-flip", twists, flips)),
        )
    return Phase1Tables(
        packed,
        class_moves,
        twists,
        normalised,
        coordinates.conjugated_moves(),
        coordinates.symmetry_products(),
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
    return load_if_cached(*_PHASE_1_EXACT)


def build_phase_1_exact(tables: Phase1Tables) -> Building:
    """Return the exact table, building it if it is not in the cache."""
    moves = ClassMoves(
        tables.class_moves,
        coordinates.own_flip_slice_symmetries(tables.flip_slice_numbers),
        tables.twist_moves,
        tables.normalised_twists,
    )
    return load_or_build_job(*_PHASE_1_EXACT, lambda: phase_1_distances(moves))


LONGEST_PHASE_2: Final = 11
"""Most moves of phase 2. The next phase 1 pays better than a longer phase 2: over 200 cubes, 10
took the same time and 9 a quarter more."""

_PHASE_2_EXACT: Final = ("phase-2-exact", (CORNER_CLASSES * EIGHTS // 2,), np.uint8)


class Phase2Tables(NamedTuple):
    """Moves of the permutations and bounds of phase 2, all flattened pairs.

    corner_moves, four_edges_moves: under all 18 moves, to follow them through phase 1.
    exact: four bits for each class of corners and order of edges, see `distances`; empty if it was
    not built.
    packed_corners, normalised_edges: lead there, see `coordinates`.
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
    corner_moves = yield from load_or_make(
        "corner-moves", (EIGHTS, 18), np.uint16, coordinates.corner_moves
    )
    corners = coordinates.phase_2_corner_moves(corner_moves)
    edges = yield from load_or_make(
        "edge-moves", (EIGHTS, 10), np.uint16, coordinates.phase_2_edge_moves
    )
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
    return load_if_cached(*_PHASE_2_EXACT)


def build_phase_2_exact(tables: Phase2Tables) -> Building:
    """Return the exact table, building it if it is not in the cache."""
    normalised = coordinates.normalised_corners()
    smallest = coordinates.corner_representatives(normalised)
    moves = ClassMoves(
        coordinates.corner_class_moves(tables.packed_corners, smallest, tables.corners),
        coordinates.own_corner_symmetries(smallest, normalised),
        tables.edges,
        tables.normalised_edges,
    )
    return load_or_build_job(*_PHASE_2_EXACT, lambda: phase_2_distances(moves, LONGEST_PHASE_2))


def _packed_corners() -> Building:
    return load_or_make(
        "corner-classes",
        (EIGHTS,),
        np.int32,
        lambda: coordinates.packed_corners(coordinates.normalised_corners()),
    )


def _normalised_edges() -> Building:
    return load_or_make("normalised-edges", (EIGHTS, 16), np.uint16, coordinates.normalised_edges)


class SearchTables(NamedTuple):
    """What the search needs."""

    phase_1: Phase1Tables
    phase_2: Phase2Tables

    @property
    def is_exact(self) -> bool:
        """Whether the exact tables of both phases are there."""
        return self.phase_1.exact.size > 0 and self.phase_2.exact.size > 0


# Loading takes as long as many searches, so all searches of a process share the tables.
_process_tables: SearchTables | None = None


def search_tables() -> SearchTables:
    """Return the tables of this process; the exact ones are used if they are in the cache."""
    return run_job(load_search_tables())


def load_search_tables() -> Job[Progress, SearchTables]:
    """Return the tables of `search_tables`, with progress events while they are built."""
    global _process_tables
    if _process_tables is None:
        _process_tables = yield from _assemble((load_phase_1_exact(), load_phase_2_exact()))
    return _process_tables


def build_exact_tables() -> Job[Progress, SearchTables]:
    """Return the tables with the exact ones, building those that are not in the cache yet.

    From now on `search_tables` returns the same. If the cache folder cannot be written, that
    lasts only as long as the process.
    """
    global _process_tables
    tables = yield from load_search_tables()
    # The small tables are needed first: the exact ones are built from their moves.
    if not tables.is_exact:
        exact = (
            (yield from build_phase_1_exact(tables.phase_1)),
            (yield from build_phase_2_exact(tables.phase_2)),
        )
        tables = _process_tables = yield from _assemble(exact)
    return tables


def _assemble(exact: tuple[UInt8Array, UInt8Array]) -> Job[Progress, SearchTables]:
    four_edges = yield from load_or_make(
        "four-edges-moves", (FOUR_EDGES, 18), np.uint16, coordinates.four_edges_moves
    )
    phase_1 = yield from phase_1_tables(coordinates.slice_moves(four_edges), exact[0])
    return SearchTables(phase_1, (yield from phase_2_tables(four_edges, exact[1])))
