"""The colours of the nine stickers under a grid."""

from typing import Final

import cv2
import numpy as np

from controller.vision.finding.grid_finder import Grid
from controller.vision.reading_order import CELLS
from solvers.foundation.arrays import Float64Array, Image

# The middle of a sticker, as a share of the pitch: away from rounded corners and black gaps.
PATCH_HALF_WIDTH: Final = 0.24
PATCH_POINTS: Final = 13  # along each side
# Which points of a sticker count, sorted by how much white is in them, as shares.
LEAST_WHITE: Final = (0.1, 0.4)
CENTRE: Final = 4
PALE: Final = 0.6  # least channel of a white sticker, as a share of its greatest

_STEPS = np.linspace(-PATCH_HALF_WIDTH, PATCH_HALF_WIDTH, PATCH_POINTS)
_PATCH = np.stack(np.meshgrid(_STEPS, _STEPS), axis=-1).reshape(-1, 2)


def sample_colours(picture: Image, grid: Grid) -> Float64Array:
    """Return the sRGB colour of each sticker in reading order, shape (9, 3), for a BGR picture.

    The median of the least white part of a patch, without the darkest: a glare lies on the rest,
    scratches are darker. On a white centre the makers print their name; there the median of all.
    """
    patches = sample_patches(picture, grid)
    order = np.argsort(smoothed(patches).min(axis=2), axis=1, kind="stable")
    first, last = (round(share * order.shape[1]) for share in LEAST_WHITE)
    chosen = np.take_along_axis(patches, order[:, first:last, None], axis=1)
    colours = np.median(chosen, axis=1)
    centre = np.median(patches[CENTRE], axis=0)
    if centre.min() > PALE * centre.max():
        colours[CENTRE] = centre
    return np.asarray(colours)


def sample_patches(picture: Image, grid: Grid) -> Float64Array:
    """Return sRGB at points spread over each sticker, shape (9, PATCH_POINTS ** 2, 3)."""
    points = grid.pixels((CELLS[:, None] + _PATCH).reshape(-1, 2)).astype(np.float32)
    patches = cv2.remap(
        picture,
        points[:, 0].reshape(9, -1),
        points[:, 1].reshape(9, -1),
        interpolation=cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )
    return patches.astype(np.float64)[..., ::-1]


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
