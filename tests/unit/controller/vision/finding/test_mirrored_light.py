"""How a picture's colours rise below a lamp is seen in the stickers that a glare fades across."""

from collections.abc import Callable

import numpy as np
import pytest

from controller.vision.finding.mirrored_light import SCALES, scale_of
from controller.vision.finding.patches import colours_of, light_of
from solvers.foundation.arrays import Float64Array
from tests.vision_data import DAYLIGHT

CODES, LIGHT, ADDED = range(3)
RED, WHITE = DAYLIGHT[1], DAYLIGHT[0]


def over_codes(colour: Float64Array, share: Float64Array) -> Float64Array:
    return np.asarray(colour * (1 - share) + 255 * share)


def over_light(colour: Float64Array, share: Float64Array) -> Float64Array:
    return colours_of(light_of(colour) * (1 - share) + share)


def added(colour: Float64Array, share: Float64Array) -> Float64Array:
    return colours_of(light_of(colour) + 0.5 * share)


def patches(
    glaring: Callable[[Float64Array, Float64Array], Float64Array], noise: float
) -> Float64Array:
    """Return stickers of all colours (6, points, 3) that a glare fades across, in 8 bits."""
    shares = np.linspace(0.05, 0.85, 60)[:, None]
    seen = np.stack([glaring(colour, shares) for colour in DAYLIGHT])
    seen += np.random.default_rng(1).normal(0, noise, seen.shape)
    return np.clip(np.round(seen), 0, 255)


@pytest.mark.parametrize(
    ("glaring", "scale"), [(over_codes, CODES), (over_light, LIGHT), (added, ADDED)]
)
def test_the_scale_is_the_one_that_made_the_glare(
    glaring: Callable[[Float64Array, Float64Array], Float64Array], scale: int
) -> None:
    assert scale_of(patches(glaring, noise=4.0)) is SCALES[scale]


def test_one_sticker_that_fits_no_scale_does_not_outvote_the_others() -> None:
    """A border between red and white across a sticker is no glare, and larger than any."""
    seen = patches(over_light, noise=1.0)
    seen[0, :30], seen[0, 30:] = RED, WHITE
    seen[1, :40], seen[1, 40:] = DAYLIGHT[5], DAYLIGHT[3]
    assert scale_of(seen) is SCALES[LIGHT]


@pytest.mark.parametrize("scale", range(3))
def test_what_is_taken_to_a_scale_comes_back(scale: int) -> None:
    colours = np.round(DAYLIGHT)
    assert SCALES[scale].back(SCALES[scale].of(colours)) == pytest.approx(colours, abs=1e-9)


@pytest.mark.parametrize("scale", range(3))
def test_white_has_a_place_on_each_scale(scale: int) -> None:
    assert np.isfinite(SCALES[scale].of(np.array([0.0, 255.0]))).all()
