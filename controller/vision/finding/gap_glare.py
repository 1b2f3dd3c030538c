"""Colours of stickers in whose surroundings a lamp is mirrored: the gaps round them show how much.

Within a sticker, which has one colour, all that differs is the lamp: so it is known how the glare
continues there, but for what is the same all over the sticker. The gaps round it show that: what
is between two stickers is dark, or at least the same everywhere on a cube, and the glare continues
evenly from the sticker's rim to there.

A lamp adds its light to a sticker's (the dichromatic model, Shafer 1985, Color Research and
Application 10, 210), but a file shows neither: exposure cuts it off and the camera's curve bends
it. Which scale a picture needs shows in a sticker that a glare fades across: only there its
channels rise together.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np

from controller.vision.finding import grid_finder
from controller.vision.reading_order import CELLS
from solvers.foundation.arrays import Float64Array, Image

# So near to white nothing of the colour below is left; the logarithm ends there.
_NEARLY_WHITE: Final = 0.985
_TINY: Final = 1e-9
# What the least noise of a camera makes of a sticker's variance.
_NOISE: Final = 1e-5


@dataclass(frozen=True, slots=True, eq=False)
class Scale:
    """`of` takes sRGB colours 0..255 to the scale, `back` takes values from it, of any shape."""

    of: Callable[[Float64Array], Float64Array]
    back: Callable[[Float64Array], Float64Array]


def _covering(share: Float64Array) -> Float64Array:
    """Return the amount of white over a colour; that of two layers adds up."""
    return np.asarray(-np.log(1 - np.clip(share, 0, _NEARLY_WHITE)))


def _covered(values: Float64Array) -> Float64Array:
    return np.asarray(1 - np.exp(-np.maximum(values, 0)))


SCALES: Final = (
    # White laid over the codes of the file: a camera's curve bends bright light about so.
    Scale(lambda colours: _covering(colours / 255), lambda values: 255 * _covered(values)),
    # White laid over linear light.
    Scale(
        lambda colours: _covering(grid_finder.light_of(colours)),
        lambda values: grid_finder.colours_of(_covered(values)),
    ),
    # Linear light added.
    Scale(grid_finder.light_of, grid_finder.colours_of),
)


def scale_of(patches: Float64Array) -> Scale:
    """Return the scale on which the channels of each sticker rise together most nearly.

    `patches` (stickers, points, 3) are sRGB of stickers that a glare fades across.
    """
    seen = 1 - patches.max(axis=2, keepdims=True) / 255 + _TINY
    seen /= seen.sum(axis=1, keepdims=True)
    return min(SCALES, key=lambda scale: _disagreement(scale.of(patches), seen))


def _disagreement(values: Float64Array, weights: Float64Array) -> float:
    """Return the variance within stickers that channels do not share, relative to what they do.

    The mean of logarithms, which is the likelihood where each sticker has its own noise.
    """
    rise = values - (weights * values).sum(axis=1, keepdims=True)
    shared = rise.mean(axis=2, keepdims=True)
    apart = (weights * (rise - shared) ** 2).sum(axis=(1, 2))
    together = (weights * shared**2).sum(axis=(1, 2))
    return float(np.log((apart + _NOISE) / (together + _NOISE)).mean())


# Nearly all of a sticker, in pitches from its middle: of a glare on the middle its rim is what is
# left to be seen.
HALF_WIDTH: Final = 0.36
_STEPS: Final[Float64Array] = np.linspace(-HALF_WIDTH, HALF_WIDTH, grid_finder.PATCH_POINTS)
_POINTS: Final[Float64Array] = np.stack(np.meshgrid(_STEPS, _STEPS), axis=-1).reshape(-1, 2)
_LINES: Final[Float64Array] = np.array([-0.5, 0.5, 1.5, 2.5])
# The share of all gaps that is taken to be free of glare.
FREE: Final = 0.3
# A glare fades across the middle of a sticker, by so much of 255 in the least channel. The rim
# fades by itself, into the gap, in a picture that is shaken.
LEAST_FADING: Final = 20.0
_MIDDLE: Final = np.abs(_POINTS).max(axis=1) < grid_finder.PATCH_HALF_WIDTH + 0.01
# Which points of a sticker count, sorted by how much is mirrored in them, as shares: the rest is
# covered more, or darker than the sticker, by a scratch.
CLEAREST: Final = (0.05, 0.25)
# Each further unit of glare in a gap, on the scale, lowers its weight by so much (as a power of e)
# what the sticker's colour is.
_LOSS_OF_WEIGHT: Final = 8.0
# On the scale: what no scratch in a gap makes.
LEAST_GLARE: Final = 0.1
# More than shaking brings from two white stickers into the gap between them.
STRONG_GLARE: Final = 1.0
# Points (9, points) that no name is printed on: of the centre those near its rim.
_NAMED_HALF_WIDTH: Final = 0.27
_NAMELESS: Final = np.ones((9, len(_POINTS)), dtype=np.bool_)
_NAMELESS[grid_finder.CENTRE] = np.abs(_POINTS).max(axis=1) > _NAMED_HALF_WIDTH

# From a sticker's rim to the gap's middle it is as far as from the rim inwards to another row of
# points, this many times over; round corners are left out.
_INWARDS: Final = 2
_ONWARDS: Final = (0.5 - HALF_WIDTH) / float(_STEPS[_INWARDS] - _STEPS[0])
_ALONG: Final = slice(2, -2)


def without_glare(picture: Image, grid: grid_finder.Grid) -> Float64Array:
    """Return the sRGB colours (9, 3) of stickers without mirrored light; nan where there is none.

    `picture` is BGR. A pale centre counts as glaring only where the gaps round it do, too, since
    it may be white with a name on it.
    """
    patches = grid_finder.smoothed(grid_finder.colours_at(picture, grid, CELLS[:, None] + _POINTS))
    glares, rims_fade = (
        np.ptp(np.quantile(part.min(axis=2), (0.1, 0.9), axis=1), axis=0) > LEAST_FADING
        for part in (patches[:, _MIDDLE], patches)
    )
    if not glares.any():
        return np.full((9, 3), np.nan)
    scale = scale_of(patches[glares])
    glare = _glare_round_stickers(picture, grid, scale)
    glares |= rims_fade & (np.quantile(glare, 0.9, axis=(1, 2)) > STRONG_GLARE)
    if grid_finder.is_pale(patches[grid_finder.CENTRE]):
        glares[grid_finder.CENTRE] &= np.quantile(glare[grid_finder.CENTRE], 0.9) > LEAST_GLARE
    colours = scale.back(_own_colours(scale.of(patches), glare))
    return np.where(glares[:, None], colours, np.nan)


def _own_colours(values: Float64Array, glare: Float64Array) -> Float64Array:
    """Return what stickers (9, points, 3) are without the glare in the gaps (9, 4, places)."""
    least = values.min(axis=2)
    first, last = (round(share * least.shape[1]) for share in CLEAREST)
    order = np.argsort(np.where(_NAMELESS, least, np.inf), axis=1, kind="stable")[:, first:last]
    above = np.take_along_axis(values - least[..., None], order[..., None], axis=1)
    clearest = np.take_along_axis(least, order[:, :1], axis=1)[:, 0]
    own = np.clip(_own_least(least, glare), 0, clearest)
    return np.asarray(np.median(above, axis=1) + own[:, None])


def _own_least(least: Float64Array, glare: Float64Array) -> Float64Array:
    """Return the least channel of each sticker's own colour, (9,), on the scale.

    `least` (9, points) is that of its points, with what is mirrored there; `glare` (9, 4, places)
    is what is mirrored in the gaps round it.
    """
    rows = least.reshape(3, 3, grid_finder.PATCH_POINTS, grid_finder.PATCH_POINTS)
    columns = rows.swapaxes(2, 3)
    inwards = (columns, columns[:, :, ::-1], rows, rows[:, :, ::-1])
    rim, inner = (
        np.stack([side[:, :, at, _ALONG] for side in inwards], axis=2).reshape(glare.shape)
        for at in (0, _INWARDS)
    )
    at_gap = rim + _ONWARDS * (rim - inner)
    weights = np.exp(-_LOSS_OF_WEIGHT * glare)
    return _weighted_medians((at_gap - glare).reshape(9, -1), weights.reshape(9, -1))


def _weighted_medians(values: Float64Array, weights: Float64Array) -> Float64Array:
    """Return the median of each row, where each value counts as much as its weight."""
    order = np.argsort(values, axis=1, kind="stable")
    total = np.cumsum(np.take_along_axis(weights, order, axis=1), axis=1)
    middle = (total < total[:, -1:] / 2).sum(axis=1, keepdims=True)
    return np.take_along_axis(values, np.take_along_axis(order, middle, axis=1), axis=1)[:, 0]


def _glare_round_stickers(picture: Image, grid: grid_finder.Grid, scale: Scale) -> Float64Array:
    """Return what is mirrored in the gaps left, right, above and below the nine stickers.

    On the scale, shape (9, 4, places along the gap).
    """
    along = np.arange(3)[:, None] + _STEPS[_ALONG]
    places = np.empty((4, *along.shape, 2))
    places[..., 0] = _LINES[:, None, None]
    places[..., 1] = along
    both = np.stack([places, places[..., ::-1]])
    seen = scale.of(grid_finder.colours_at(picture, grid, both).min(axis=-1))
    upright, level = np.maximum(0, seen - np.quantile(seen, FREE))
    upright = upright.swapaxes(0, 1)
    sides = [upright[:, :3], upright[:, 1:], level[:3], level[1:]]
    return np.stack(sides, axis=2).reshape(9, 4, -1)
