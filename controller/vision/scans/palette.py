"""The colours of one cube under one light: by them a single face is compared with another."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Self

import numpy as np

from controller.vision.finding.steady_gate import FaceView
from controller.vision.reading.colour_space import linear_light, weighted_lab
from controller.vision.reading.veils import Looks
from controller.vision.scans.events import ScanOutcome
from solvers.foundation.arrays import Float64Array, Int64Array

_LETTERS: Final = "URFDLB"
_BRIGHTER: Final = np.geomspace(0.5, 2.0, 13)
"""How the light, or the camera's exposure, may have changed since the scan."""
CLEARLY: Final = 0.5
"""A sticker is another colour if it is so much nearer to that; below a lamp it may be near none."""
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
        lay white over what is expected.
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
