"""A single picture of a cube: the stickers it shows, and how they compare with a scan."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Self

import numpy as np

from controller.vision.finding.steady_gate import FaceView
from controller.vision.reading.colour_model import Looks, linear_light, weighted_lab
from controller.vision.reading.result import ScanResult
from controller.vision.reading_order import QUARTER_TURNED
from controller.vision.scans.events import ScanOutcome
from solvers.foundation.arrays import Float64Array, Int64Array
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


_LETTERS: Final = "URFDLB"
_BRIGHTER: Final = np.geomspace(0.5, 2.0, 13)
"""How the light, or the camera's exposure, may have changed since the scan."""
CLEARLY: Final = 0.5
"""A sticker is another colour if that is nearer than this share of the distance to the expected.

Below a lamp it may be near none."""
_LAMP: Final[Float64Array] = np.ones(3)
"""A lamp that is mirrored is as bright as a picture can show."""


@dataclass(frozen=True, slots=True, eq=False)
class Palette:
    """What the six colours of a scanned cube look like, and how the camera is turned.

    `light` (6, 3) is linear light in the order URFDLB of the scan's letters.
    """

    light: Float64Array
    cells: Int64Array

    @classmethod
    def of(cls, outcome: ScanOutcome) -> Self:
        """Return the colours of a scan that was accepted."""
        light = linear_light(outcome.rgb).reshape(-1, 54, 3).mean(axis=0)
        letters = np.array(list(outcome.result.facelets))
        return cls(
            np.array([light[letters == each].mean(axis=0) for each in _LETTERS]), outcome.cells
        )

    def differing(self, view: FaceView, letters: Sequence[str]) -> int:
        """Return how many of the nine stickers are clearly another colour than they should be.

        `letters` are those of the scan, in reading order with the back of the rig on top. The
        light may have changed evenly, so that it fits best. A lamp may be mirrored in the cube and
        add white to what is expected.
        """
        seen = linear_light(view.colours[self.cells])
        places = np.arange(len(seen))
        expected = np.array([_LETTERS.index(each) for each in letters])
        known = weighted_lab(self.light)
        veiled = Looks.of(self.light, _LAMP, are_known=True).lab[expected]
        best, differing = np.inf, 0
        for factor in _BRIGHTER:
            lab = weighted_lab(seen * factor)[:, None]
            others = np.linalg.norm(lab - known, axis=2)
            others[places, expected] = np.inf
            other = others.min(axis=1)
            own = np.linalg.norm(lab - veiled, axis=2).min(axis=1)
            if (misfit := float(np.minimum(own, other).sum())) < best:
                best, differing = misfit, int(np.sum(other < CLEARLY * own))
        return differing

    def shows(self, view: FaceView, letters: Sequence[str]) -> bool:
        """Return whether all nine stickers are surely of these colours, in the light of the scan.

        Each has to be nearer to its own than half of the way to any other.
        """
        known = weighted_lab(self.light)
        apart = np.linalg.norm(known[:, None] - known, axis=2)
        reach = np.where(apart > 0, apart, np.inf).min(axis=1) / 2
        expected = np.array([_LETTERS.index(each) for each in letters])
        seen = weighted_lab(linear_light(view.colours[self.cells]))
        return bool((np.linalg.norm(seen - known[expected], axis=1) < reach[expected]).all())
