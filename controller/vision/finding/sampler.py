"""The colours of the nine stickers under a grid."""

from typing import Final

import numpy as np

from controller.vision.finding.gap_glare import without_glare
from controller.vision.finding.grid_finder import Grid
from controller.vision.finding.patches import CENTRE, is_pale, sample_patches, smoothed
from solvers.foundation.arrays import Float64Array, Image

# Which points of a sticker count, sorted by how much white is in them, as shares.
LEAST_WHITE: Final = (0.1, 0.4)


def sample_colours(picture: Image, grid: Grid) -> Float64Array:
    """Return the sRGB colour of each sticker in reading order, shape (9, 3), for a BGR picture.

    The median of the least white part of a patch, without the darkest: a glare lies on the rest,
    scratches are darker. On a white centre the makers print their name; there the median of all.
    Where the gaps round another sticker show a glare, it is taken off.
    """
    patches = sample_patches(picture, grid)
    smooth = smoothed(patches)
    order = np.argsort(smooth.min(axis=2), axis=1, kind="stable")
    first, last = (round(share * order.shape[1]) for share in LEAST_WHITE)
    chosen = np.take_along_axis(patches, order[:, first:last, None], axis=1)
    colours = np.median(chosen, axis=1)
    if is_pale(patches[CENTRE]):
        colours[CENTRE] = np.median(patches[CENTRE], axis=0)
    bare = without_glare(picture, grid)
    return np.where(np.isnan(bare), colours, bare)
