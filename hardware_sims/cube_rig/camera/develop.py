"""From what things reflect to what a camera's file shows: light, exposure, noise, 8 bits."""

from functools import cache

import numpy as np
import numpy.typing as npt
from numba import njit

FloatImage = npt.NDArray[np.float32]
Image = npt.NDArray[np.uint8]

_CURVE_STEPS = 4096


@cache
def linear_of_code() -> npt.NDArray[np.float32]:
    """Return the linear light of each of the 256 codes (IEC 61966-2-1)."""
    value = np.arange(256) / 255
    return np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4).astype(
        np.float32
    )


@cache
def code_of_linear() -> npt.NDArray[np.float32]:
    """Return the code 0..255 of linear light in steps of 1 / 4095, not yet rounded."""
    value = np.arange(_CURVE_STEPS) / (_CURVE_STEPS - 1)
    curve = np.where(value <= 0.0031308, 12.92 * value, 1.055 * value ** (1 / 2.4) - 0.055)
    return (255 * curve).astype(np.float32)


@njit(cache=True)
def develop(
    reflected: Image,
    light: FloatImage,
    glare: FloatImage,
    gain: FloatImage,
    noise: FloatImage,
    shift: int,
    to_linear: FloatImage,
    to_code: FloatImage,
) -> Image:
    """Return the picture, shape (height, width, 3), of surfaces that reflect `reflected`.

    `light` has the picture's shape; `glare` (height, width) is light mirrored by glossy surfaces.
    `gain` is the exposure of each channel. `noise` is a flat bank in steps of 8 bits, read from
    `shift` on; it grows with the signal as the noise of photons does.
    """
    height, width, channels = reflected.shape
    picture = np.empty_like(reflected)
    place = shift % noise.size
    top = to_code.size - 1
    for row in range(height):
        for column in range(width):
            mirrored = glare[row, column]
            for channel in range(channels):
                value = to_linear[reflected[row, column, channel]]
                value = value * light[row, column, channel] * (1 - mirrored) + mirrored
                value *= gain[channel]
                code = to_code[min(top, int(value * top))]
                code += noise[place] * (0.6 + 0.4 * code / 128)
                picture[row, column, channel] = min(255.0, max(0.0, code + 0.5))
                place += 1
                if place == noise.size:
                    place = 0
    return picture
