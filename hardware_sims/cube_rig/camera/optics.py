"""What lens, hand and automatics do to a picture: out of focus, shaken, brighter by itself."""

from dataclasses import dataclass
from typing import Self

import cv2
import numpy as np

from hardware_sims.cube_rig.camera.levels import Level
from solvers.foundation.arrays import Float64Array, Image

SLOWEST_SWING_S = 40.0
FASTEST_SWING_S = 10.0


def defocused(picture: Image, radius_px: float) -> Image:
    """Return a picture in which each point has become a disc."""
    size = 2 * int(np.ceil(radius_px)) + 1
    y, x = np.mgrid[:size, :size] - size // 2
    disc = np.clip(radius_px + 0.5 - np.hypot(x, y), 0, 1)
    return np.asarray(cv2.filter2D(picture, -1, disc / disc.sum()), np.uint8)


def shaken(picture: Image, length_px: float, angle_rad: float) -> Image:
    """Return a picture whose points have moved evenly along a line while it was exposed."""
    size = 2 * int(np.ceil(length_px / 2)) + 1
    way = np.array([np.cos(angle_rad), np.sin(angle_rad)]) * length_px / 2
    steps = np.linspace(-1, 1, 4 * size)[:, None]
    columns, rows = np.round(size // 2 + steps * way).astype(int).T
    line = np.zeros((size, size))
    np.add.at(line, (rows, columns), 1)
    return np.asarray(cv2.filter2D(picture, -1, line / line.sum()), np.uint8)


@dataclass(frozen=True, slots=True)
class Drift:
    """Exposure and white balance that swing by themselves; `exposure` and `white` are shares."""

    exposure: float
    white: float
    periods_s: tuple[float, float]
    phases_rad: tuple[float, float]

    @classmethod
    def drawn(cls, level: Level, rng: np.random.Generator) -> Self:
        """Draw how fast they swing, and where they begin."""
        slow, white_slow = rng.uniform(FASTEST_SWING_S, SLOWEST_SWING_S, 2)
        begin, white_begin = rng.uniform(0, 2 * np.pi, 2)
        return cls(
            level.exposure_drift, level.white_drift, (slow, white_slow), (begin, white_begin)
        )

    def gain(self, time_s: float) -> Float64Array:
        """Return what blue, green and red are multiplied by at a moment of the camera's clock."""
        angles = 2 * np.pi * time_s / np.array(self.periods_s) + self.phases_rad
        brighter, warmer = np.sin(angles) * (self.exposure, self.white)
        return np.array([1 - warmer, 1.0, 1 + warmer]) * (1 + float(brighter))
