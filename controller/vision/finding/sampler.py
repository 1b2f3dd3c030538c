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

_STEPS = np.linspace(-PATCH_HALF_WIDTH, PATCH_HALF_WIDTH, PATCH_POINTS)
_PATCH = np.stack(np.meshgrid(_STEPS, _STEPS), axis=-1).reshape(-1, 2)


def sample_colours(picture: Image, grid: Grid) -> Float64Array:
    """Return the sRGB colour of each sticker in reading order, shape (9, 3), for a BGR picture.

    The median over a patch: logos, scratches and glares count only where they cover half of it.
    """
    points = grid.pixels((CELLS[:, None] + _PATCH).reshape(-1, 2)).astype(np.float32)
    patches = cv2.remap(
        picture,
        points[:, 0].reshape(9, -1),
        points[:, 1].reshape(9, -1),
        interpolation=cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )
    return np.median(patches.astype(np.float64), axis=1)[:, ::-1]
