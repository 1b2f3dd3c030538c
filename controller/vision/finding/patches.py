"""Points of a picture, given as places on a face: spread over the stickers, or anywhere."""

from typing import Final

import cv2
import numpy as np

from controller.vision.finding.grid_finder import Grid
from controller.vision.reading_order import CELLS
from solvers.foundation.arrays import Float64Array, Image

# The middle of a sticker, as a share of the pitch: away from rounded corners and black gaps.
PATCH_HALF_WIDTH: Final = 0.24
PATCH_POINTS: Final = 13  # along each side
CENTRE: Final = 4
PALE: Final = 0.6  # least channel of a white sticker, as a share of its greatest
_GAMMA: Final = 2.2

STEPS: Final[Float64Array] = np.linspace(-PATCH_HALF_WIDTH, PATCH_HALF_WIDTH, PATCH_POINTS)
_PATCH = np.stack(np.meshgrid(STEPS, STEPS), axis=-1).reshape(-1, 2)


def sample_patches(picture: Image, grid: Grid) -> Float64Array:
    """Return sRGB at points spread over each sticker, shape (9, PATCH_POINTS ** 2, 3).

    Rows of points follow each other; in a row x grows. `picture` is BGR.
    """
    return colours_at(picture, grid, CELLS[:, None] + _PATCH)


def colours_at(picture: Image, grid: Grid, places: Float64Array) -> Float64Array:
    """Return sRGB (..., 3) at places (..., 2), given as (column, row) of a face."""
    points = grid.pixels(places.reshape(-1, 2)).astype(np.float32).reshape(len(places), -1, 2)
    colours = cv2.remap(
        picture,
        points[..., 0],
        points[..., 1],
        interpolation=cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )
    return colours.astype(np.float64)[..., ::-1].reshape(*places.shape[:-1], 3)


def is_pale(patch: Float64Array) -> bool:
    """Return whether the points of a patch, sRGB (points, 3), are those of a white sticker."""
    middle = np.median(patch, axis=0)
    return bool(middle.min() > PALE * middle.max())


def light_of(colours: Float64Array) -> Float64Array:
    """Return the linear light of sRGB colours, 1 for 255: light adds up, sRGB does not."""
    return np.asarray((colours / 255) ** _GAMMA)


def colours_of(light: Float64Array) -> Float64Array:
    """Return the sRGB colours of linear light, which is cut to 0..1."""
    return np.asarray(255 * np.clip(light, 0, 1) ** (1 / _GAMMA))


def smoothed(patches: Float64Array) -> Float64Array:
    """Return patches (..., points, 3) with each point the mean of three by three."""
    side = PATCH_POINTS
    grids = patches.reshape(*patches.shape[:-2], side, side, 3)
    padding = [(0, 0)] * (grids.ndim - 3) + [(1, 1), (1, 1), (0, 0)]
    padded = np.pad(grids, padding, mode="edge")
    total = sum(
        padded[..., row : row + side, column : column + side, :]
        for row in range(3)
        for column in range(3)
    )
    return np.asarray(total / 9).reshape(patches.shape)
