"""Distances in the tables are right: against plain searches, known counts and each other."""

from collections import deque

import numpy as np
import pytest

from solvers.foundation.arrays import Int64Array, UInt16Array
from solvers.rubik.two_phase import coordinates
from solvers.rubik.two_phase.coordinates import TWISTS
from solvers.rubik.two_phase.distances import pair_distances
from solvers.rubik.two_phase.near_goal import slot_of
from solvers.rubik.two_phase.phase_1_bounds import exact_distance, small_tables_bound
from solvers.rubik.two_phase.tables import LONGEST_PHASE_2, SearchTables

# Positions of twist, flip and slice at each distance from the goal of phase 1.
PHASE_1_COUNTS = (
    1,
    4,
    50,
    592,
    7156,
    87_236,
    1_043_817,
    12_070_278,
    124_946_368,
    821_605_960,
    1_199_128_738,
    58_202_444,
    476,
)


def plain_distances(first: UInt16Array, second: UInt16Array) -> dict[tuple[int, int], int]:
    """Breadth-first search over pairs of coordinates, without numba."""
    distances = {(0, 0): 0}
    queue = deque(distances)
    while queue:
        here = queue.popleft()
        for move in range(first.shape[1]):
            there = (int(first[here[0], move]), int(second[here[1], move]))
            if there not in distances:
                distances[there] = distances[here] + 1
                queue.append(there)
    return distances


def test_pair_distances_agree_with_a_plain_search() -> None:
    edges = coordinates.phase_2_edge_moves()
    first = coordinates.phase_2_split_moves(edges)
    second = coordinates.phase_2_slice_moves(coordinates.four_edges_moves())
    found = pair_distances(first, second)
    for (a, b), distance in plain_distances(first, second).items():
        assert found[24 * a + b] == distance


def orbit_sizes(tables: SearchTables) -> Int64Array:
    """Return how many raw flip-slice numbers each class stands for."""
    own = coordinates.own_flip_slice_symmetries(tables.phase_1.flip_slice_numbers)
    return 16 // np.array([int(mask).bit_count() for mask in own])


def test_counts_of_positions_near_the_goal(small_tables: SearchTables) -> None:
    near = small_tables.phase_1.near
    sizes = orbit_sizes(small_tables)[near.positions // TWISTS]
    counts = [int(sizes[near.distances == distance].sum()) for distance in range(7)]
    assert counts == list(PHASE_1_COUNTS[:7])


def test_every_position_in_the_graph_is_found_and_leads_nearer(small_tables: SearchTables) -> None:
    near = small_tables.phase_1.near
    for node in range(0, near.positions.size, 101):
        assert near.slot_nodes[slot_of(near.slot_positions, near.positions[node])] == node
        edges = near.edges[near.first_edges[node] : near.first_edges[node + 1]]
        assert (edges.size > 0) == (node > 0)
        for edge in edges:
            assert near.distances[edge >> 9] == near.distances[node] - 1


def test_exact_table_counts(exact_tables: SearchTables) -> None:
    packed = exact_tables.phase_1.exact
    sizes = orbit_sizes(exact_tables)
    # The weighted counts of distances 0, 1, 2 modulo 3 over all 2 217 093 120 positions.
    entries = np.empty((packed.size, 4), np.uint8)
    for place in range(4):
        np.bitwise_and(packed >> (2 * place), 3, out=entries[:, place])
    rows = entries.reshape(-1)[: sizes.size * TWISTS].reshape(sizes.size, TWISTS)
    counts = [int((rows == rest).sum(axis=1) @ sizes) for rest in range(3)]
    assert counts == [sum(PHASE_1_COUNTS[rest::3]) for rest in range(3)]
    assert sum(counts) == 2187 * 2048 * 495


def test_exact_distances_agree_with_the_graph(exact_tables: SearchTables) -> None:
    phase_1 = exact_tables.phase_1
    near = phase_1.near
    for node in range(0, near.positions.size, 53):
        class_, twist = divmod(int(near.positions[node]), TWISTS)
        assert exact_distance(phase_1, class_, twist) == near.distances[node]


def test_small_tables_never_overestimate(
    exact_tables: SearchTables, small_tables: SearchTables
) -> None:
    generator = np.random.default_rng(1)
    classes = generator.integers(0, small_tables.phase_1.class_moves.shape[0], 5000)
    twists = generator.integers(0, TWISTS, 5000)
    exact = [
        exact_distance(exact_tables.phase_1, class_, twist)
        for class_, twist in zip(classes, twists, strict=True)
    ]
    small = [
        small_tables_bound(small_tables.phase_1, class_, twist)
        for class_, twist in zip(classes, twists, strict=True)
    ]
    assert all(bound <= distance for bound, distance in zip(small, exact, strict=True))
    assert max(exact) <= 12
    assert 9.0 < np.mean(exact) < 10.0
    assert np.mean(small) > 7


@pytest.mark.parametrize("field", ["corner_slice_bounds", "edge_split_bounds"])
def test_phase_2_bounds_grow_by_at_most_one_a_move(small_tables: SearchTables, field: str) -> None:
    phase_2 = small_tables.phase_2
    bounds = getattr(phase_2, field)
    if field == "corner_slice_bounds":
        first, second = phase_2.corners, phase_2.slices
    else:
        first, second = phase_2.edges, coordinates.phase_2_split_moves(phase_2.corners)
    table = bounds.reshape(first.shape[0], second.shape[0]).astype(int)
    for move in range(10):
        moved = table[first[:, move]][:, second[:, move]]
        assert np.abs(moved - table).max() == 1


def corners_and_edges_near(depth: int) -> list[int]:
    """Return how many pairs of corner and edge orders are at each distance, by a plain search."""
    corners = coordinates.phase_2_corner_moves(coordinates.corner_moves())
    edges = coordinates.phase_2_edge_moves()
    here, seen, counts = {(0, 0)}, {(0, 0)}, [1]
    for _ in range(depth):
        there = {
            (int(corners[a, move]), int(edges[b, move])) for a, b in here for move in range(10)
        }
        here = there - seen
        seen |= here
        counts.append(len(here))
    return counts


def phase_2_exact(tables: SearchTables, corners: int, edges: int) -> int:
    packed = int(tables.phase_2.packed_corners[corners])
    entry = (packed >> 4) * 40_320 + int(tables.phase_2.normalised_edges[edges, packed & 15])
    return int(tables.phase_2.exact[entry >> 1]) >> (4 * (entry & 1)) & 15


def test_exact_phase_2_counts(exact_tables: SearchTables) -> None:
    phase_2 = exact_tables.phase_2
    entries = np.empty((phase_2.exact.size, 2), np.uint8)
    entries[:, 0], entries[:, 1] = phase_2.exact & 15, phase_2.exact >> 4
    rows = entries.reshape(-1, 40_320)
    sizes = np.bincount(phase_2.packed_corners >> 4)
    counts = [int((rows == distance).sum(axis=1) @ sizes) for distance in range(5)]
    assert counts == corners_and_edges_near(4)
    assert rows.max() == LONGEST_PHASE_2 + 1


def test_exact_phase_2_distances_have_a_nearer_neighbour(exact_tables: SearchTables) -> None:
    phase_2 = exact_tables.phase_2
    generator = np.random.default_rng(3)
    for corners, edges in generator.integers(0, 40_320, (300, 2)).tolist():
        here = phase_2_exact(exact_tables, corners, edges)
        around = [
            phase_2_exact(exact_tables, phase_2.corners[corners, move], phase_2.edges[edges, move])
            for move in range(10)
        ]
        assert min(around) >= here - 1
        assert here > LONGEST_PHASE_2 or min(around) == here - 1
