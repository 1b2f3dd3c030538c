"""Light that a fixed camera sees mirrored at the same places whatever face lies there.

A glossy sticker mirrors a lamp whatever its own colour is: the same white is added to red, white
and blue. Of six faces in one place some have a sticker there that gives no light of its own in one
of the channels; what is seen there all the same is the lamp.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np

from controller.vision.finding.grid_finder import Grid
from controller.vision.finding.patches import colours_of, light_of, sample_patches, smoothed
from solvers.foundation.arrays import Float64Array, Image

# Points of a sticker that are taken: the share of them that mirrors least.
CLEAREST_SHARE: Final = 0.3
# Mirrored light that no camera's noise makes, as a share of the brightest sticker.
LEAST_VEIL: Final = 0.02
# Beyond this nothing of the sticker is left to be seen.
GREATEST_VEIL: Final = 0.9


def colours_behind_veil(faces: Sequence[tuple[Image, Grid]]) -> Float64Array:
    """Return the sRGB colours of veiled stickers without mirrored light, shape (faces, 9, 3).

    `faces` are pictures, BGR, of the six faces of a cube, or more, in the same place, with their
    grids. The result is nan for stickers that mirror nothing.
    """
    patches = np.array([sample_patches(picture, grid) for picture, grid in faces])
    light = light_of(smoothed(patches))
    white = np.quantile(light, 0.99)
    least = light.min(axis=(0, 3))
    veil = np.maximum(0, least - np.median(least) - LEAST_VEIL * white)
    share = np.minimum(veil / white, GREATEST_VEIL)[..., None]
    bare = np.maximum(0, light - veil[..., None]) / (1 - share)
    count = round(CLEAREST_SHARE * veil.shape[1])
    clearest = np.argsort(veil, axis=1, kind="stable")[:, :count]
    chosen = np.take_along_axis(bare, clearest[None, :, :, None], axis=2)
    colours = colours_of(np.median(chosen, axis=2))
    return np.where((veil.max(axis=1) > 0)[:, None], colours, np.nan)
