"""Which stickers of the cube a picture shows, however the cube lies."""

from functools import lru_cache
from typing import Final

import numpy as np

from controller.vision.reading_order import QUARTER_TURNED
from solvers.foundation.arrays import Int64Array
from solvers.rubik.rotations import Face, Orientation

# The faces round each face, clockwise from the one above it in reading order.
_AROUND: Final = {
    Face.U: (Face.B, Face.R, Face.F, Face.L),
    Face.R: (Face.U, Face.B, Face.D, Face.F),
    Face.F: (Face.U, Face.R, Face.D, Face.L),
    Face.D: (Face.F, Face.R, Face.B, Face.L),
    Face.L: (Face.U, Face.F, Face.D, Face.B),
    Face.B: (Face.U, Face.L, Face.D, Face.R),
}


@lru_cache(maxsize=24)
def lying_facelets(orientation: Orientation) -> Int64Array:
    """Return for each of the 54 lying stickers, in URFDLB order, its index on the cube itself."""
    return np.concatenate([_facelets_at(orientation, place) for place in Face])


def facelets_in_picture(orientation: Orientation) -> Int64Array:
    """Return the indices of the nine stickers that a camera above sees, in reading order.

    The back of the rig is at the top of the picture.
    """
    return lying_facelets(orientation)[:9]


def _facelets_at(orientation: Orientation, place: Face) -> Int64Array:
    face = orientation[place]
    above = orientation[_AROUND[place][0]]
    order = np.arange(9)
    # With its left side on top, the face is seen turned clockwise by one quarter; and so on.
    for _ in range(-_AROUND[face].index(above) % 4):
        order = order[QUARTER_TURNED]
    return np.asarray(9 * face + order)
