"""Which stickers of the cube a picture shows, and which cube that is, however it lies."""

from functools import lru_cache
from typing import Final

import numpy as np

from controller.vision.reading.result import ScanResult
from controller.vision.reading_order import QUARTER_TURNED
from solvers.foundation.arrays import Int64Array
from solvers.rubik.cubies import CubieCube
from solvers.rubik.facelets import format_facelets
from solvers.rubik.rotations import Face, Orientation, all_orientations

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


def shows(seen: ScanResult, position: CubieCube) -> bool:
    """Return whether `seen` is a reading of a cube in `position`, in any of its 24 orientations."""
    letters, facelets = seen.facelets, format_facelets(position)
    return any(_lying(facelets, orientation) == letters for orientation in all_orientations())


def _lying(facelets: str, orientation: Orientation) -> str:
    """Return the letters that a scan gives the lying cube: each face is named by its place."""
    letters = (facelets[index] for index in lying_facelets(orientation))
    return "".join(orientation.place_of(Face[letter]).name for letter in letters)


def _facelets_at(orientation: Orientation, place: Face) -> Int64Array:
    face = orientation[place]
    above = orientation[_AROUND[place][0]]
    order = np.arange(9)
    # With its left side on top, the face is seen turned clockwise by one quarter; and so on.
    for _ in range(-_AROUND[face].index(above) % 4):
        order = order[QUARTER_TURNED]
    return np.asarray(9 * face + order)
