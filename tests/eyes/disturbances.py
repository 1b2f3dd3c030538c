"""What spoils a picture between a sticker and a file, one function each.

All take and return BGR pictures in 8 bits; lengths are pixels of the picture. What is random comes
from the generator that is handed in.
"""

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from solvers.foundation.arrays import Float64Array, Image


def noisy(picture: Image, deviation: float, rng: np.random.Generator) -> Image:
    """Add a sensor's noise; `deviation` in steps of 8 bits at mid grey."""
    grown = deviation * (0.6 + 0.4 * picture.astype(np.float32) / 128)
    return _eight_bits(picture + grown * rng.standard_normal(picture.shape, dtype=np.float32))


class Grain:
    """Noise for many frames of one size, drawn once: the same in each up to its offset."""

    def __init__(self, deviation: float, size: tuple[int, int], rng: np.random.Generator) -> None:
        height, width = size
        grain = rng.normal(0, deviation, (2 * height, width, 3))
        self._grain = np.round(grain).astype(np.int16)
        self._rng = rng

    def on(self, picture: Image) -> Image:
        """Return the picture with noise."""
        height = picture.shape[0]
        start = int(self._rng.integers(height))
        grain = self._grain[start : start + height]
        return np.asarray(cv2.add(picture.astype(np.int16), grain, dtype=cv2.CV_8U), np.uint8)


def defocused(picture: Image, radius_px: float) -> Image:
    """Blur as a lens does that is focused elsewhere: each point becomes a disc."""
    size = 2 * int(np.ceil(radius_px)) + 1
    y, x = np.mgrid[:size, :size] - size // 2
    disc = np.clip(radius_px + 0.5 - np.hypot(x, y), 0, 1)
    return _eight_bits(cv2.filter2D(picture, -1, disc / disc.sum()))


def shaken(picture: Image, length_px: float, angle_rad: float) -> Image:
    """Blur as a movement does that goes evenly in one direction while the picture is exposed."""
    size = 2 * int(np.ceil(length_px / 2)) + 1
    kernel = np.zeros((size, size), np.float32)
    way = np.array([np.cos(angle_rad), np.sin(angle_rad)]) * length_px / 2
    for step in np.linspace(-1, 1, 4 * size):
        column, row = np.round(size // 2 + step * way).astype(int)
        kernel[row, column] += 1
    return _eight_bits(cv2.filter2D(picture, -1, kernel / kernel.sum()))


def glaring(picture: Image, spots: Float64Array, strength: float) -> Image:
    """Add white spots to a picture; each row of `spots` is centre x, y and width (sigma)."""
    height, width = picture.shape[:2]
    y, x = np.mgrid[:height, :width].astype(np.float32)
    mirrored = np.zeros((height, width), np.float32)
    for spot_x, spot_y, sigma in spots.tolist():
        mirrored += strength * np.exp(-((x - spot_x) ** 2 + (y - spot_y) ** 2) / (2 * sigma**2))
    share = np.minimum(mirrored, 0.97)[..., None]
    return _eight_bits(picture * (1 - share) + 255 * share)


def drifted(picture: Image, gain: Float64Array) -> Image:
    """Multiply the linear light of blue, green and red by `gain` (3,), clipping at white."""
    code = np.arange(256) / 255
    curve = np.clip(code[:, None] ** 2.2 * gain, 0, 1) ** (1 / 2.2)
    return np.asarray(cv2.LUT(picture, (255 * curve).round().astype(np.uint8)[:, None]), np.uint8)


def compressed(picture: Image, quality: int) -> Image:
    """Return what is left of a picture after JPEG."""
    _, file = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return np.asarray(cv2.imdecode(file, cv2.IMREAD_COLOR), dtype=np.uint8)


def shrunk(picture: Image, height: int) -> Image:
    """Return a picture with this many rows, as a camera that is set to less gives it."""
    scale = height / picture.shape[0]
    small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return np.asarray(small, dtype=np.uint8)


def _eight_bits(values: npt.ArrayLike) -> Image:
    return np.asarray(np.clip(np.round(np.asarray(values, np.float64)), 0, 255), dtype=np.uint8)


@dataclass(frozen=True, slots=True)
class Disturbance:
    """How strong each is in a picture whose longer side is 480 pixels; 0 means none of it."""

    glares: int = 0
    glare_strength: float = 0.0
    noise: float = 0.0
    defocus_px: float = 0.0
    shake_px: float = 0.0
    exposure: float = 0.0  # greatest change of the gain between faces, as a share
    white: float = 0.0  # the same, of each channel
    jpeg_quality: int = 0
    rows: int = 0

    def on(self, picture: Image, stickers: Float64Array, rng: np.random.Generator) -> Image:
        """Return the picture of a face as this spoils it; `stickers` (9, 2) are their centres."""
        scale = max(picture.shape[:2]) / 480
        return self._stored(self._seen(self._lit(picture, stickers, rng), scale, rng))

    def _lit(self, picture: Image, stickers: Float64Array, rng: np.random.Generator) -> Image:
        if self.glares:
            side = float(np.ptp(stickers[:, 0]))
            places = stickers.mean(axis=0) + rng.uniform(-0.6, 0.6, (self.glares, 2)) * side
            widths = rng.uniform(0.10, 0.25, (self.glares, 1)) * side
            picture = glaring(picture, np.hstack([places, widths]), self.glare_strength)
        gain = (1 + rng.uniform(-self.exposure, self.exposure)) * (
            1 + rng.uniform(-self.white, self.white, 3)
        )
        return drifted(picture, gain) if self.exposure or self.white else picture

    def _seen(self, picture: Image, scale: float, rng: np.random.Generator) -> Image:
        if self.defocus_px:
            picture = defocused(picture, self.defocus_px * scale)
        if self.shake_px:
            picture = shaken(picture, self.shake_px * scale, rng.uniform(0, np.pi))
        return noisy(picture, self.noise, rng) if self.noise else picture

    def _stored(self, picture: Image) -> Image:
        if self.rows:
            picture = shrunk(picture, self.rows)
        return compressed(picture, self.jpeg_quality) if self.jpeg_quality else picture


DISTURBANCES: Final[dict[str, Disturbance]] = {
    "none": Disturbance(),
    "two glares": Disturbance(glares=2, glare_strength=0.7),
    "four strong glares": Disturbance(glares=4, glare_strength=0.95),
    "noise": Disturbance(noise=25),
    "defocus": Disturbance(defocus_px=4),
    "motion blur": Disturbance(shake_px=15),
    "drift": Disturbance(exposure=0.3, white=0.12),
    "poor file": Disturbance(rows=180, jpeg_quality=40),
    "all mild": Disturbance(1, 0.5, 10, 1.5, 5, 0.15, 0.06, 70),
}
