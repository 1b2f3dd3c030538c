"""Colours of stickers in whose surroundings a lamp is mirrored: the gaps round them tell how much.

What lies between two stickers is dark, or at least alike everywhere on a cube. Where it is brighter
a lamp is mirrored, in the stickers beside it as well.
"""

from typing import Final

import numpy as np

from controller.vision.finding.grid_finder import Grid
from controller.vision.finding.patches import (
    PATCH_POINTS,
    colours_at,
    colours_of,
    light_of,
    smoothed,
)
from controller.vision.reading_order import CELLS
from solvers.foundation.arrays import Float64Array, Image

# Nearly all of a sticker, in pitches from its middle: next to a gap it is known best how much is
# mirrored, and of a glare on the middle its rim is what is left to be seen.
HALF_WIDTH: Final = 0.36
_STEPS: Final[Float64Array] = np.linspace(-HALF_WIDTH, HALF_WIDTH, PATCH_POINTS)
_POINTS: Final[Float64Array] = np.stack(np.meshgrid(_STEPS, _STEPS), axis=-1).reshape(-1, 2)
# A gap is looked for so far to either side of its place, in pitches; it is where it is darkest.
_ACROSS: Final[Float64Array] = np.array([-0.08, -0.04, 0.0, 0.04, 0.08])
_LINES: Final[Float64Array] = np.array([-0.5, 0.5, 1.5, 2.5])
# Linear light as a share of white: below it scratches and blur brighten a gap as much.
LEAST_GLARE: Final = 0.1
# A glare fades across a sticker, by so much of 255 in the least channel; what is bright in the gap
# between two white pieces of a stickerless cube is even there.
LEAST_FADING: Final = 20.0
# Beyond this nothing of the sticker is left to be seen.
GREATEST_GLARE: Final = 0.9
# The share of all gaps that is taken to be free of glare.
FREE: Final = 0.3
# Points of a sticker that are taken: the share of them where least is mirrored.
CLEAREST: Final = 0.1

# Nearer gaps count for more: with this power of the distance, as light of a spot fades.
_FADING: Final = 3
_FROM_START, _FROM_END = 1 / (_STEPS + 0.5) ** _FADING, 1 / (0.5 - _STEPS) ** _FADING
_ROUND = _FROM_START + _FROM_END


def without_glare(patches: Float64Array, picture: Image, grid: Grid) -> Float64Array:
    """Return the sRGB colours (9, 3) of stickers without mirrored light; nan where there is none.

    `patches` (9, points, 3) are sRGB of the middles of the stickers, smoothed; `picture` is BGR.
    """
    light = light_of(smoothed(colours_at(picture, grid, CELLS[:, None] + _POINTS)))
    from_gaps = _glare_from_gaps(picture, grid)
    glare = np.minimum(from_gaps, light.min(axis=2))
    share = np.minimum(glare, GREATEST_GLARE)[..., None]
    bare = (light - share) / (1 - share)
    count = round(CLEAREST * glare.shape[1])
    order = np.argsort(from_gaps, axis=1, kind="stable")[:, :count, None]
    chosen = np.median(np.take_along_axis(bare, order, axis=1), axis=1)
    colours = colours_of(chosen)
    low, high = np.quantile(patches.min(axis=2), (0.1, 0.9), axis=1)
    is_glare = (glare.max(axis=1) > LEAST_GLARE) & (high - low > LEAST_FADING)
    return np.where(is_glare[:, None], colours, np.nan)


def _glare_from_gaps(picture: Image, grid: Grid) -> Float64Array:
    """Return mirrored light at each point of the nine patches, a share of white: (9, points)."""
    upright, level = _gaps(picture, grid)
    dark = np.quantile(np.stack([upright, level]), FREE)
    upright, level = np.maximum(0, upright - dark), np.maximum(0, level - dark)
    glare = np.empty((3, 3, PATCH_POINTS, PATCH_POINTS))
    for row in range(3):
        for column in range(3):
            left, right = upright[column, row], upright[column + 1, row]
            above, below = level[row, column], level[row + 1, column]
            beside = np.outer(left, _FROM_START) + np.outer(right, _FROM_END)
            over = np.outer(_FROM_START, above) + np.outer(_FROM_END, below)
            glare[row, column] = (beside + over) / (_ROUND + _ROUND[:, None])
    return glare.reshape(9, -1)


def _gaps(picture: Image, grid: Grid) -> tuple[Float64Array, Float64Array]:
    """Return the darkest channel of the gaps between columns and of those between rows.

    Linear light, both of shape (4, 3, PATCH_POINTS): gap, sticker beside it, place along it.
    """
    along = np.arange(3)[:, None] + _STEPS
    places = np.empty((4, 3, PATCH_POINTS, len(_ACROSS), 2))
    places[..., 0] = _LINES[:, None, None, None] + _ACROSS
    places[..., 1] = along[None, :, :, None]
    both = np.stack([places, places[..., ::-1]])
    darkest = colours_at(picture, grid, both).min(axis=(-2, -1))
    upright, level = light_of(darkest)
    return upright, level
