"""Scales on which a mirrored lamp adds the same to all three channels of a colour.

A lamp adds its light to a sticker's (the dichromatic model, Shafer 1985, Color Research and
Application 10, 210), but a file shows neither: exposure cuts it off and the camera's curve bends
it. Which scale a picture needs shows in a sticker that a glare fades across: only there its
channels rise together.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np

from controller.vision.finding.patches import colours_of, light_of
from solvers.foundation.arrays import Float64Array

# So near to white nothing is left to be told of what lies below; the logarithm ends there.
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
    """Return how much white lies over all: what is laid over in two layers adds up."""
    return np.asarray(-np.log(1 - np.clip(share, 0, _NEARLY_WHITE)))


def _covered(values: Float64Array) -> Float64Array:
    return np.asarray(1 - np.exp(-np.maximum(values, 0)))


SCALES: Final = (
    # White laid over the codes of the file: a camera's curve bends bright light about so.
    Scale(lambda colours: _covering(colours / 255), lambda values: 255 * _covered(values)),
    # White laid over linear light.
    Scale(
        lambda colours: _covering(light_of(colours)), lambda values: colours_of(_covered(values))
    ),
    # Linear light added.
    Scale(light_of, colours_of),
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

    The mean of logarithms, which is the likelihood where each sticker has a noise of its own.
    """
    rise = values - (weights * values).sum(axis=1, keepdims=True)
    shared = rise.mean(axis=2, keepdims=True)
    apart = (weights * (rise - shared) ** 2).sum(axis=(1, 2))
    together = (weights * shared**2).sum(axis=(1, 2))
    return float(np.log((apart + _NOISE) / (together + _NOISE)).mean())
