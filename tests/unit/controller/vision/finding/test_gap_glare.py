"""Glare on stickers and in the gaps round them is taken off their colours."""

from collections.abc import Callable

import cv2
import numpy as np
import pytest

from controller.vision.finding.gap_glare import SCALES, scale_of
from controller.vision.finding.grid_finder import Grid, colours_of, light_of
from controller.vision.finding.steady_gate import sample_colours
from solvers.foundation.arrays import Float64Array, Image
from tests.eyes.disturbances import glaring, shaken
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


SIDE = 80
GRID = Grid(np.array([[SIDE, 0, 100], [0, SIDE, 100], [0, 0, 1]], dtype=np.float64), 9)
RED, BLUE, WHITE = (180.0, 34.0, 36.0), (24.0, 72.0, 160.0), (222.0, 222.0, 214.0)


def glaring_light(picture: Image, spots: Float64Array, strength: float) -> Image:
    """Lay white over the linear light of a picture, as `glaring` does over its codes."""
    share = glaring(np.zeros_like(picture), spots, strength) / 255
    light = light_of(picture.astype(np.float64))
    return np.asarray(np.round(colours_of(light * (1 - share) + share)), dtype=np.uint8)


def face(colours: Float64Array, sticker: int) -> Image:
    """Return a face of black plastic with nine stickers, `sticker` pixels wide, BGR."""
    picture = np.full((360, 360, 3), 20, np.uint8)
    for cell, (red, green, blue) in enumerate(np.round(colours).tolist()):
        corner = 100 + SIDE * (cell % 3) - sticker // 2, 100 + SIDE * (cell // 3) - sticker // 2
        opposite = corner[0] + sticker, corner[1] + sticker
        cv2.rectangle(picture, corner, opposite, (blue, green, red), cv2.FILLED)
    return picture


@pytest.mark.parametrize("colour", [RED, BLUE])
@pytest.mark.parametrize("glaring_so", [glaring, glaring_light])
def test_a_glare_that_covers_stickers_is_taken_off(
    colour: tuple[float, float, float], glaring_so: Callable[[Image, Float64Array, float], Image]
) -> None:
    plain = face(np.tile(colour, (9, 1)), sticker=64)
    spot = np.array([[100.0 + SIDE + 40, 100.0, 40.0]])
    before, after = (sample_colours(each, GRID) for each in (plain, glaring_so(plain, spot, 0.8)))
    # The least white part of them is 76 to 133 off. (34 codes are 0.01 of linear light.)
    assert np.abs(after - before).max() < 40


@pytest.mark.parametrize("colour", [RED, BLUE])
def test_of_a_wide_glare_on_the_middle_most_is_taken_off(
    colour: tuple[float, float, float],
) -> None:
    """The gaps round the centre are brighter themselves, at their nearer side most of all."""
    plain = face(np.tile(colour, (9, 1)), sticker=64)
    spot = np.array([[100.0 + SIDE, 100.0 + SIDE, 36.0]])
    seen = sample_colours(glaring(plain, spot, 0.95), GRID)
    # The least white part of its middle is 190 off.
    assert np.abs(seen - colour)[4].max() < 25


def test_the_scale_is_told_by_the_stickers_that_glare() -> None:
    plain = face(np.tile(DAYLIGHT[2], (9, 1)), sticker=64)
    spot = np.array([[100.0 + SIDE + 40, 100.0, 40.0]])
    seen = sample_colours(glaring_light(plain, spot, 0.8), GRID)
    # On the scale of the file's codes it is 38 off.
    assert np.abs(seen - DAYLIGHT[2]).max() < 25


def test_a_small_scratch_is_not_the_sticker_below_a_glare() -> None:
    plain = face(np.tile(RED, (9, 1)), sticker=64)
    cv2.rectangle(plain, (160, 90), (163, 104), (0, 0, 0), cv2.FILLED)
    spot = np.array([[100.0 + SIDE + 30, 100.0, 30.0]])
    assert np.abs(sample_colours(glaring(plain, spot, 0.8), GRID)[1] - RED).max() < 15


def test_white_pieces_without_plastic_between_them_do_not_glare() -> None:
    """The gap between them is bright, too, but nothing fades across them."""
    colours = np.tile(WHITE, (9, 1))
    colours[6:] = RED
    stickerless = face(colours, sticker=79)
    assert np.abs(sample_colours(stickerless, GRID) - colours).max() < 3


def test_where_the_middle_is_all_white_the_rim_tells() -> None:
    plain = face(np.tile(RED, (9, 1)), sticker=64)
    spot = np.array([[100.0 + SIDE, 100.0, 32.0]])
    # As it is seen it is 214 off.
    assert np.abs(sample_colours(glaring(plain, spot, 1.5), GRID)[1] - RED).max() < 30


def test_a_shaken_picture_does_not_glare() -> None:
    colours = DAYLIGHT[[1, 5, 0, 2, 1, 3, 3, 4, 5]]
    seen = sample_colours(shaken(face(colours, sticker=64), 24, 0.6), GRID)
    assert np.abs(seen - colours).max() < 3


def printed_face() -> Image:
    """Return white stickers with a name on the centre."""
    picture = face(np.tile(WHITE, (9, 1)), sticker=64)
    for x in range(162, 200, 9):
        cv2.rectangle(picture, (x, 172), (x + 4, 188), (60, 34, 30), cv2.FILLED)
    return picture


def test_a_name_on_a_white_centre_is_no_glare() -> None:
    assert np.abs(sample_colours(printed_face(), GRID)[4] - WHITE).max() < 6


def test_a_name_may_reach_to_the_rim_of_a_white_centre() -> None:
    picture = face(np.tile(WHITE, (9, 1)), sticker=64)
    for y in range(150, 212, 12):
        cv2.rectangle(picture, (152, y), (208, y + 3), (60, 34, 30), cv2.FILLED)
    # The darkest points of its rim alone would be 130 off.
    assert np.abs(sample_colours(picture, GRID)[4] - WHITE).max() < 90


def test_a_name_on_a_white_centre_is_not_its_colour_below_a_glare_either() -> None:
    spot = np.array([[100.0 + SIDE, 100.0 + SIDE / 2, 30.0]])
    seen = sample_colours(glaring(printed_face(), spot, 0.8), GRID)
    assert np.abs(seen[4] - WHITE).max() < 25


@pytest.mark.parametrize("colour", [RED, BLUE])
def test_of_a_glare_on_the_middle_the_rim_of_the_sticker_is_seen(
    colour: tuple[float, float, float],
) -> None:
    plain = face(np.tile(colour, (9, 1)), sticker=64)
    spot = np.array([[100.0 + SIDE, 100.0, 36.0]])
    seen = sample_colours(glaring(plain, spot, 0.95), GRID)
    # The middle half of its width alone is 179 and 187 off.
    assert np.abs(seen - colour)[1].max() < 30
