"""How far a position is from the goal of phase 1: exactly, or at least."""

import numba
import numpy as np

from solvers.rubik.coordinates import FLIPS, SLICES, TWISTS, Number
from solvers.rubik.tables import Phase1Tables


@numba.njit(cache=True)
def distance_modulo_3(tables: Phase1Tables, class_: Number, twist: Number) -> Number:
    """Return the distance modulo 3 from the exact table."""
    entry = np.int64(class_) * TWISTS + twist
    return np.int64(tables.exact[entry >> 2] >> (2 * (entry & 3)) & 3)


@numba.njit(cache=True)
def neighbour_distance(
    tables: Phase1Tables, distance: Number, class_: Number, twist: Number
) -> Number:
    """Return the distance of a position next to one at `distance`, from the exact table."""
    # Modulo 3 the neighbour is at 0, +1 or -1 from here.
    step = (distance_modulo_3(tables, class_, twist) + 3 - distance % 3) % 3
    return distance + step if step < 2 else distance - 1


@numba.njit(cache=True)
def exact_distance(tables: Phase1Tables, class_: Number, twist: Number) -> Number:
    """Return the distance by walking to the goal along the exact table."""
    distance = 0
    here = distance_modulo_3(tables, class_, twist)
    while class_ != 0 or twist != 0:
        for move in range(18):
            packed = tables.class_moves[class_, move]
            next_twist = tables.normalised_twists[tables.twist_moves[twist, move], packed & 15]
            there = distance_modulo_3(tables, packed >> 4, next_twist)
            if there == (here + 2) % 3:
                class_, twist, here = np.int64(packed >> 4), np.int64(next_twist), there
                distance += 1
                break
    return distance


@numba.njit(cache=True)
def small_tables_bound(tables: Phase1Tables, class_: Number, twist: Number) -> Number:
    """Return a lower bound of the distance from the small tables."""
    raw = tables.flip_slice_numbers[class_]
    return max(
        np.int64(tables.class_bounds[class_]),
        np.int64(tables.twist_slice_bounds[np.int64(twist) * SLICES + raw // FLIPS]),
        np.int64(tables.twist_flip_bounds[np.int64(twist) * FLIPS + raw % FLIPS]),
    )
