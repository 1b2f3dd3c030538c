"""From camera colours to a space in which equal steps look equally different.

Fifty-four stickers always show the same nine of each colour, so their mean does not depend on how
the cube is scrambled. Dividing by it takes the colour and the strength of the light out exactly.
"""

from typing import Final

import numpy as np
import numpy.typing as npt

from solvers.foundation.arrays import Float64Array

# Mean of each channel after normalising. The stickers of a usual cube in white light have 0.3 to
# 0.4; the value only places the colours on Lab's curve.
GREY_LEVEL: Final = 0.35
# Darkest mean that is still scaled up: half a step of 8 bits in linear light.
DARKEST_MEAN: Final = 1.5e-4

# Lightness varies with shadow and tilt more than hue does.
LIGHTNESS_WEIGHT: Final = 0.5

# IEC 61966-2-1 (sRGB), primaries to XYZ under D65, each row divided by the white point.
_XYZ_OF_RGB: Final = np.array(
    [
        [0.4124564, 0.3575761, 0.1804375],
        [0.2126729, 0.7151522, 0.0721750],
        [0.0193339, 0.1191920, 0.9503041],
    ]
) / np.array([[0.9504700], [1.0], [1.0888300]])

# CIE 15:2004, equation 8.6: below `_EPSILON` the cube root continues as a straight line.
_EPSILON: Final = 216 / 24389
_KAPPA: Final = 24389 / 27


def linear_light(rgb: npt.ArrayLike) -> Float64Array:
    """Return sRGB values 0..255 as linear light 0..1, of the same shape."""
    value = np.asarray(rgb, dtype=np.float64) / 255
    return np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)


def grey_balanced(light: Float64Array) -> Float64Array:
    """Return the colours of a whole cube, linear light of shape (54, 3), under a standard light."""
    balanced: Float64Array = light * (GREY_LEVEL / np.maximum(light.mean(axis=0), DARKEST_MEAN))
    return balanced


def weighted_lab(light: Float64Array) -> Float64Array:
    """Return linear light of shape (..., 3) as CIE Lab with L scaled by `LIGHTNESS_WEIGHT`."""
    xyz = light @ _XYZ_OF_RGB.T
    root = np.where(
        xyz > _EPSILON, np.cbrt(np.maximum(xyz, 0)), (_KAPPA * np.maximum(xyz, 0) + 16) / 116
    )
    x, y, z = root[..., 0], root[..., 1], root[..., 2]
    return np.stack([LIGHTNESS_WEIGHT * (116 * y - 16), 500 * (x - y), 200 * (y - z)], axis=-1)
