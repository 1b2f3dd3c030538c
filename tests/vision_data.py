"""Colours of cubes for the tests of the reader: painted ones, and scans and photos of real ones."""

from functools import cache
from pathlib import Path
from typing import Final

import cv2
import msgspec
import numpy as np

from solvers.foundation.arrays import Float64Array, Image
from solvers.rubik.facelets import FACE_LETTERS

FOLDER: Final = Path(__file__).parent / "data" / "vision"
PHOTO_FOLDER: Final = FOLDER / "photos"

# sRGB of the stickers of an ordinary cube in daylight, in the order U R F D L B.
DAYLIGHT: Final[Float64Array] = np.array(
    [[222, 222, 214], [180, 34, 36], [20, 140, 70], [224, 206, 40], [226, 104, 20], [24, 72, 160]],
    dtype=np.float64,
)


def painted(facelets: str, noise: float = 4.0, seed: int = 0) -> Float64Array:
    """Return the colours of 54 letters, (54, 3), with noise from a seed."""
    letters = [FACE_LETTERS.index(letter) for letter in facelets]
    jitter = np.random.default_rng(seed).normal(0, noise, (54, 3))
    return np.clip(DAYLIGHT[letters] + jitter, 0, 255)


def srgb_of_light(light: Float64Array) -> Float64Array:
    """Return linear light 0..1 as sRGB values 0..255 (IEC 61966-2-1)."""
    clipped = np.clip(light, 0, 1)
    curve = np.where(clipped <= 0.0031308, 12.92 * clipped, 1.055 * clipped ** (1 / 2.4) - 0.055)
    return np.asarray(255 * curve)


def drawn_face(colours: Float64Array) -> Image:
    """Return a picture, BGR, of a face whose stickers have these colours (9, 3) or (4, 3)."""
    picture = np.full((240, 320, 3), 120, np.uint8)
    cv2.rectangle(picture, (85, 45), (235, 195), (18, 18, 18), -1)
    side = 3 if len(colours) == 9 else 2
    step = 150 // side
    for cell, (red, green, blue) in enumerate(np.round(colours).tolist()):
        x, y = 90 + step * (cell % side), 50 + step * (cell // side)
        cv2.rectangle(picture, (x, y), (x + step - 10, y + step - 10), (blue, green, red), -1)
    return picture


def painted_pocket(stickers: str, noise: float = 3.0, seed: int = 0) -> Float64Array:
    """Return the colours of the 24 letters of a 2x2x2 cube, face after face (6, 4, 3)."""
    letters = [FACE_LETTERS.index(letter) for letter in stickers]
    jitter = np.random.default_rng(seed).normal(0, noise, (24, 3))
    return np.clip(DAYLIGHT[letters] + jitter, 0, 255).reshape(6, 4, 3)


class RealPocketScan(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """24 colours of a 2x2x2 cube, face after face, and the letters that a person sees there."""

    name: str
    source: str
    seen: str
    rgb: list[tuple[float, float, float]]


def real_pocket_scans() -> tuple[RealPocketScan, ...]:
    """Return the scans of real 2x2x2 cubes."""
    content = (FOLDER / "real_pocket_scans.json").read_bytes()
    return msgspec.json.decode(content, type=tuple[RealPocketScan, ...])


class RealScan(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """54 colours from a real camera or sensor; `truth` is None where the source was misled."""

    name: str
    source: str
    truth: str | None
    rgb: list[tuple[float, float, float]]


@cache
def real_scans() -> tuple[RealScan, ...]:
    """Return the scans of real cubes."""
    content = (FOLDER / "real_scans.json").read_bytes()
    return msgspec.json.decode(content, type=tuple[RealScan, ...])


def photo(path: Path) -> Image:
    """Return a photo, BGR."""
    picture = cv2.imread(str(path))
    assert picture is not None, path
    return np.asarray(picture, dtype=np.uint8)


def in_dim_light(facelets: str) -> Float64Array:
    """Return the colours (54, 3) of a cube in a light in which red and orange are almost one."""
    rgb = painted(facelets, noise=2.0)
    letters = np.array(list(facelets))
    red = rgb[letters == "R"].mean(axis=0)
    rgb[letters == "L"] = 0.18 * rgb[letters == "L"] + 0.82 * red
    rng = np.random.default_rng(3)
    rgb[(letters == "L") | (letters == "R")] += rng.normal(0, 7, (18, 3))
    return np.clip(rgb, 0, 255)
