"""Glare of a fixed camera, which is at the same places of the picture whatever face is there.

A lamp stays where it is while the stickers below it change: what it hides of one face shows in
another, so the grid is looked for in all of them together. A glossy sticker mirrors a lamp whatever
its own colour is: the same white is added to red, white and blue. Of six faces in one place some
have a sticker there that reflects no light in one of the channels; what is seen there all
the same is the lamp.
"""

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np

from controller.vision.finding import grid_finder
from controller.vision.finding.steady_gate import FaceView, sample_colours
from solvers.foundation.arrays import Float64Array, Image

# Points of a sticker that are taken: the share of them that mirrors least.
CLEAREST_SHARE: Final = 0.3
# Mirrored light that no camera's noise makes, as a share of the brightest sticker.
LEAST_VEIL: Final = 0.02
# Beyond this nothing of the sticker is left to be seen.
GREATEST_VEIL: Final = 0.9


def colours_behind_veil(faces: Sequence[tuple[Image, grid_finder.Grid]]) -> Float64Array:
    """Return the sRGB colours of veiled stickers without mirrored light, shape (faces, 9, 3).

    `faces` are pictures, BGR, of the six faces of a cube, or more, in the same place, with their
    grids. The result is nan for stickers that mirror nothing.
    """
    patches = np.array([grid_finder.sample_patches(picture, grid) for picture, grid in faces])
    light = grid_finder.light_of(grid_finder.smoothed(patches))
    white = np.quantile(light, 0.99)
    least = light.min(axis=(0, 3))
    veil = np.maximum(0, least - np.median(least) - LEAST_VEIL * white)
    share = np.minimum(veil / white, GREATEST_VEIL)[..., None]
    bare = np.maximum(0, light - veil[..., None]) / (1 - share)
    count = round(CLEAREST_SHARE * veil.shape[1])
    clearest = np.argsort(veil, axis=1, kind="stable")[:, :count]
    chosen = np.take_along_axis(bare, clearest[None, :, :, None], axis=2)
    colours = grid_finder.colours_of(np.median(chosen, axis=2))
    return np.where((veil.max(axis=1) > 0)[:, None], colours, np.nan)


# Two pictures are compared at this length of their longer side; cells are then a few pixels.
_COMPARED_PX: Final = 40
# More than a camera's noise leaves in such a picture, of 255.
LEAST_CHANGE: Final = 12.0


def common_grid(pictures: Sequence[Image], least_squares: int) -> grid_finder.Grid | None:
    """Return the grid on which pictures, BGR, of different faces show at least `least` squares."""
    grid = grid_finder.grid_of_squares(grid_finder.squares_behind_glare(*pictures))
    return grid if grid is not None and grid.squares >= least_squares else None


def view_in_place(picture: Image, grid: grid_finder.Grid) -> FaceView | None:
    """Return the face below a grid that is known, or None if too few squares are seen there."""
    if (
        grid_finder.squares_in_place(grid_finder.squares_behind_glare(picture), grid)
        < grid_finder.SQUARES_TO_CONFIRM
    ):
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
