"""Distances of positions from the goal of phase 1, and the moves that can lead there in time.

The masks have bit n set where move n, in the frame of the representative, is promising. Where a
table is larger than the processor's caches they are computed without branches, so that it waits
for the memory behind all eighteen moves at once: one miss costs as much as hundreds of additions.
"""

import numpy as np

from solvers.foundation.compiled import kernel
from solvers.rubik.two_phase.coordinates import FLIPS, SLICES, TWISTS, Number
from solvers.rubik.two_phase.near_goal import may_be_near, node_at
from solvers.rubik.two_phase.tables import Phase1Tables


@kernel(inlining="llvm")
def _neighbour(
    tables: Phase1Tables, class_: Number, twist: Number, move: Number
) -> tuple[Number, Number]:
    """Return class and twist after a move, both in the frame of the new representative."""
    packed = tables.class_moves[class_, move]
    return packed >> 4, tables.normalised_twists[tables.twist_moves[twist, move], packed & 15]


@kernel(inlining="llvm")
def distance_modulo_3(tables: Phase1Tables, class_: Number, twist: Number) -> Number:
    """Return the distance modulo 3 from the exact table."""
    entry = np.int64(class_) * TWISTS + twist
    return np.int64(tables.exact[entry >> 2] >> (2 * (entry & 3)) & 3)


@kernel(inlining="llvm")
def neighbour_distance(
    tables: Phase1Tables, distance: Number, class_: Number, twist: Number
) -> Number:
    """Return the distance of a position next to one at `distance`, from the exact table."""
    # Modulo 3 the neighbour is at 0, +1 or -1 from here.
    step = (distance_modulo_3(tables, class_, twist) + 3 - distance % 3) % 3
    return distance + step if step < 2 else distance - 1


@kernel
def exact_distance(tables: Phase1Tables, class_: Number, twist: Number) -> Number:
    """Return the distance by walking along the exact table to the graph of `near_goal`."""
    # Some neighbour is nearer, and modulo 3 it is the one that is smaller by one.
    steps = 0
    here = distance_modulo_3(tables, class_, twist)
    node = node_at(tables.near, class_ * TWISTS + twist)
    while node < 0:
        for move in range(18):
            next_class, next_twist = _neighbour(tables, class_, twist, move)
            there = distance_modulo_3(tables, next_class, next_twist)
            if there == (here + 2) % 3:
                class_, twist, here = np.int64(next_class), np.int64(next_twist), there
                steps += 1
                break
        node = node_at(tables.near, class_ * TWISTS + twist)
    return steps + tables.near.distances[node]


@kernel(inlining="llvm")
def small_tables_bound(tables: Phase1Tables, class_: Number, twist: Number) -> Number:
    """Return a lower bound of the distance from the small tables."""
    # The greatest of several lower bounds is a lower bound.
    raw = tables.flip_slice_numbers[class_]
    return max(
        np.int64(tables.class_bounds[class_]),
        np.int64(tables.twist_slice_bounds[np.int64(twist) * SLICES + raw // FLIPS]),
        np.int64(tables.twist_flip_bounds[np.int64(twist) * FLIPS + raw % FLIPS]),
    )


@kernel(inlining="llvm")
def promising_by_exact_table(
    tables: Phase1Tables, class_: Number, twist: Number, distance: Number, remaining: Number
) -> Number:
    """Return the moves after which `remaining` ones suffice."""
    # The wanted distances modulo 3, as a mask: nearer, equally far, farther.
    wanted = 1 << (distance + 2) % 3
    if distance <= remaining:
        wanted |= 1 << distance % 3
    if distance < remaining:
        wanted |= 1 << (distance + 1) % 3
    mask = 0
    for move in range(18):
        next_class, next_twist = _neighbour(tables, class_, twist, move)
        mask |= (wanted >> distance_modulo_3(tables, next_class, next_twist) & 1) << move
    return mask


@kernel(inlining="llvm")
def promising_by_small_tables(
    tables: Phase1Tables, class_: Number, twist: Number, remaining: Number
) -> Number:
    """Return the moves after which `remaining` ones may suffice."""
    mask = 0
    for move in range(18):
        next_class, next_twist = _neighbour(tables, class_, twist, move)
        if small_tables_bound(tables, next_class, next_twist) <= remaining:
            mask |= 1 << move
    return mask


@kernel(inlining="llvm")
def promising_by_graph(tables: Phase1Tables, class_: Number, twist: Number) -> Number:
    """Return the moves that may lead into the graph of `near_goal`."""
    mask = 0
    for move in range(18):
        next_class, next_twist = _neighbour(tables, class_, twist, move)
        mask |= may_be_near(tables.near, next_class * TWISTS + next_twist) << move
    return mask
