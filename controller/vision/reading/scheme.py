"""Whether six faces are those of a cube or of its mirror image, by the colours of usual cubes.

Six pictures that are mirrored fit together as well as sound ones, to the mirror image of the cube:
nothing but the colour scheme tells them apart. White up and green in front, red is right on all
but a few cubes. Which colours are opposite each other is known from the faces, so that three
questions are left, each about two colours that differ much: white or yellow, red or orange, green
or blue. One wrong answer would mirror the cube; a close one leaves it open.
"""

from enum import StrEnum
from functools import cache
from itertools import permutations
from typing import Final

import numpy as np

from controller.vision.errors import InvalidScanError
from controller.vision.reading.colour_model import grey_balanced, linear_light, weighted_lab
from solvers.foundation.arrays import Float64Array, Int64Array
from solvers.rubik.rotations import all_orientations

USUAL_SCHEME: Final = "WRGYOB"
"""The colours at U R F D L B of nearly all cubes."""

# sRGB of usual stickers in daylight. Only differences between opposite colours count, and the
# best of six ways to name the axes.
_DAYLIGHT: Final = dict(
    zip(
        USUAL_SCHEME,
        (
            (222, 222, 214),
            (180, 34, 36),
            (20, 140, 70),
            (224, 206, 40),
            (226, 104, 20),
            (24, 72, 160),
        ),
        strict=True,
    )
)
# Two colours that differ by less, in weighted Lab or in standard errors, are not distinguished.
LEAST_DIFFERENCE: Final = 2.0
LEAST_ERRORS: Final = 3.0
NORMAL_SPREAD: Final = 1.4826  # standard deviations in a median deviation


class Handedness(StrEnum):
    """What the colours say about six faces."""

    USUAL = "usual"
    MIRRORED = "mirrored"
    UNKNOWN = "unknown"  # two opposite colours look too similar


def parse_scheme(text: str) -> str:
    """Return the colours W R G Y O B in the order of the faces U R F D L B.

    Raises InvalidScanError unless each is there once.
    """
    scheme = text.strip().upper()
    if sorted(scheme) != sorted(USUAL_SCHEME):
        raise InvalidScanError(
            f"{text!r} is no colour scheme. Write the colours of the faces U R F D L B, each of "
            f"W R G Y O B once; that of usual cubes is {USUAL_SCHEME}."
        )
    return scheme


def handedness(rgb: Float64Array, cube: Int64Array, scheme: str = USUAL_SCHEME) -> Handedness:
    """Return which way round a cube is, of sRGB colours (54, 3) that show the faces `cube` (54,).

    However the cube is held, it is the usual way if turning it brings its colours to `scheme`.
    """
    stickers = weighted_lab(grey_balanced(linear_light(rgb)))
    middles = np.array([np.median(stickers[cube == face], axis=0) for face in range(6)])
    usual = weighted_lab(usual_light(scheme))
    axes = min(permutations(range(3)), key=lambda order: _misfit(middles, usual, order))
    named = np.empty(6, dtype=np.int64)  # which face of the scheme has the colour of each face
    for axis, of_scheme in enumerate(axes):
        way = usual[of_scheme] - usual[of_scheme + 3]
        along = stickers @ way / np.linalg.norm(way)
        difference, error = _difference(along[cube == axis], along[cube == axis + 3])
        if abs(difference) < max(LEAST_DIFFERENCE, LEAST_ERRORS * error):
            return Handedness.UNKNOWN
        ends = (of_scheme, of_scheme + 3) if difference > 0 else (of_scheme + 3, of_scheme)
        named[axis], named[axis + 3] = ends
    is_turned = tuple(named.tolist()) in _turned_cubes()
    return Handedness.USUAL if is_turned else Handedness.MIRRORED


def _difference(first: Float64Array, second: Float64Array) -> tuple[float, float]:
    """Return by how much the medians of two sets differ, and about how exactly that is known."""
    middles = [float(np.median(each)) for each in (first, second)]
    spreads = [
        NORMAL_SPREAD * float(np.median(np.abs(each - middle)))
        for each, middle in zip((first, second), middles, strict=True)
    ]
    return middles[0] - middles[1], float(np.hypot(spreads[0], spreads[1])) / np.sqrt(len(first))


def _misfit(seen: Float64Array, usual: Float64Array, axes: tuple[int, ...]) -> float:
    """Return how far the faces' colours are from those of these axes, each either way round."""
    total = 0.0
    for axis, of_scheme in enumerate(axes):
        ends = seen[[axis, axis + 3]]
        colours = usual[[of_scheme, of_scheme + 3]]
        total += min(float(((ends - way) ** 2).sum()) for way in (colours, colours[::-1]))
    return total


@cache
def usual_light(scheme: str) -> Float64Array:
    """Return the colours of usual stickers in the order of a scheme, (6, 3) as linear light."""
    return grey_balanced(linear_light([_DAYLIGHT[letter] for letter in scheme]))


@cache
def _turned_cubes() -> frozenset[tuple[int, ...]]:
    return frozenset(tuple(map(int, each.faces)) for each in all_orientations())


MIRRORED_ORDER: Final[Int64Array] = np.array([2, 1, 0, 5, 4, 3, 8, 7, 6])
"""Which cell of a mirrored picture shows each cell of a face."""


def mirrored_back(colours: Float64Array) -> Float64Array:
    """Return the colours (..., 9, 3) of mirrored pictures as they would be without the mirror."""
    return np.asarray(colours[..., MIRRORED_ORDER, :])
