"""The orders of the corners, reduced to 2768 classes by the 16 symmetries of the U-D axis.

Serves phase 2, where corners and U and D edges are permuted alike. Each class has a representative,
its smallest order; order = conjugate(representative, symmetry). The pair is packed as
class * 16 + symmetry, as in `flip_slice`.
"""

from collections.abc import Callable

import numpy as np

from solvers.foundation.arrays import Int32Array, UInt16Array
from solvers.rubik.symmetries import Symmetry, up_down_symmetries
from solvers.rubik.two_phase.coordinates import eight_number, eight_orders

CORNER_CLASSES = 2768


def normalised_corners() -> UInt16Array:
    """Return each order of the corners conjugated with each symmetry's inverse, (40320, 16)."""
    return _normalised(Symmetry.corner_place)


def normalised_edges() -> UInt16Array:
    """Return the same of each order of the U and D edges."""
    return _normalised(Symmetry.edge_place)


def _normalised(place_of: Callable[[Symmetry, int], int]) -> UInt16Array:
    orders = eight_orders()
    columns = []
    for symmetry in up_down_symmetries():
        places = [place_of(symmetry, place) for place in range(8)]
        # Undoing the symmetry: what the place of `place` holds comes back to `place`.
        columns.append(eight_number(np.argsort(places)[orders[:, places]]))
    return np.column_stack(columns).astype(np.uint16)


def packed_corners(normalised: UInt16Array) -> Int32Array:
    """Return class * 16 + symmetry of each order of the corners, shape (40320)."""
    smallest = normalised.min(axis=1)
    classes = np.cumsum(smallest == np.arange(smallest.size), dtype=np.int32) - 1
    return np.asarray(classes[smallest] * 16 + normalised.argmin(axis=1), np.int32)


def corner_representatives(normalised: UInt16Array) -> Int32Array:
    """Return the smallest order of each class, shape (2768)."""
    orders = np.arange(normalised.shape[0], dtype=np.int32)
    return np.asarray(orders[normalised.min(axis=1) == orders], np.int32)


def corner_class_moves(
    packed: Int32Array, representatives: Int32Array, corners: UInt16Array
) -> Int32Array:
    """Return class * 16 + symmetry after each move of phase 2 of each representative."""
    return np.asarray(packed[corners[representatives]], np.int32)


def own_corner_symmetries(representatives: Int32Array, normalised: UInt16Array) -> UInt16Array:
    """Return for each representative a mask with bit j set where symmetry j leaves it as it is."""
    same = normalised[representatives] == representatives[:, None]
    return np.asarray(same @ (1 << np.arange(16)), np.uint16)
