"""From what things reflect to what a camera's file shows: light, exposure, noise, 8 bits."""

from functools import cache

import numpy as np

from solvers.foundation.arrays import Float32Array, Image
from solvers.foundation.compiled import kernel

_CURVE_STEPS = 4096


@cache
def linear_of_code() -> Float32Array:
    """Return the linear light of each of the 256 codes (IEC 61966-2-1)."""
    value = np.arange(256) / 255
    return np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4).astype(
        np.float32
    )


@cache
def code_of_linear() -> Float32Array:
    """Return the code 0..255 of linear light in steps of 1 / 4095, not yet rounded."""
    value = np.arange(_CURVE_STEPS) / (_CURVE_STEPS - 1)
    curve = np.where(value <= 0.0031308, 12.92 * value, 1.055 * value ** (1 / 2.4) - 0.055)
    return (255 * curve).astype(np.float32)


@kernel
def develop(
    picture: Image,
    light: Float32Array,
    glare: Float32Array,
    gain: Float32Array,
    noise: Float32Array,
    shift: int,
    to_linear: Float32Array,
    to_code: Float32Array,
) -> None:
    """Turn what surfaces reflect, shape (height, width, 3), into what the file shows, in place.

    `light` has the picture's shape; `glare` (height, width) is light mirrored by glossy surfaces.
    `gain` is the exposure of each channel. `noise` is a flat bank in steps of 8 bits, read from
    `shift` on; it grows with the signal as the noise of photons does.
    """
    height, width, channels = picture.shape
    place = shift % noise.size
    top = to_code.size - 1
    for row in range(height):
        for column in range(width):
            mirrored = glare[row, column]
            for channel in range(channels):
                value = to_linear[picture[row, column, channel]]
                value = value * light[row, column, channel] * (1 - mirrored) + mirrored
                value *= gain[channel]
                code = to_code[min(top, int(value * top))]
                code += noise[place] * (0.6 + 0.4 * code / 128)
                picture[row, column, channel] = min(255.0, max(0.0, code + 0.5))
                place += 1
                if place == noise.size:
                    place = 0
