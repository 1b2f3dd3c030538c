"""Faces that a fixed camera saw one after the other in one place, under glare that hides them.

A lamp stays where it is in the picture while the stickers below it change: what it hides of one
face shows in another. So the grid is looked for in all of them together.
"""

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np

from controller.vision.finding.grid_finder import (
    SQUARES_TO_CONFIRM,
    Grid,
    grid_of_squares,
    squares_behind_glare,
    squares_in_place,
)
from controller.vision.finding.sampler import sample_colours
from controller.vision.finding.steady_gate import FaceView
from solvers.foundation.arrays import Float64Array, Image

# Two pictures are compared at this length of their longer side; cells are then a few pixels.
_COMPARED_PX: Final = 40
# More than a camera's noise leaves in such a picture, of 255.
LEAST_CHANGE: Final = 12.0


def common_grid(pictures: Sequence[Image], least_squares: int) -> Grid | None:
    """Return the grid on which pictures, BGR, of different faces show at least so many squares."""
    grid = grid_of_squares(squares_behind_glare(*pictures))
    return grid if grid is not None and grid.squares >= least_squares else None


def view_in_place(picture: Image, grid: Grid) -> FaceView | None:
    """Return the face below a grid that is known, or None if too few squares are seen there."""
    if squares_in_place(squares_behind_glare(picture), grid) < SQUARES_TO_CONFIRM:
        return None
    return FaceView(sample_colours(picture, grid), picture, grid)


def differ(first: Image, second: Image) -> bool:
    """Return whether two pictures of one camera, BGR, show something else and not other light."""
    before, after = (_small(picture) for picture in (first, second))
    gain = np.median((after + 1) / (before + 1), axis=(0, 1))
    return float(np.abs(after - gain * before).max()) > LEAST_CHANGE


def _small(picture: Image) -> Float64Array:
    scale = _COMPARED_PX / max(picture.shape[:2])
    small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return np.asarray(small, dtype=np.float64)
