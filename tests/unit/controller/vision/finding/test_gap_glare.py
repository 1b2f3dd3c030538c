"""A lamp that is mirrored in stickers and in the gaps round them is taken off."""

import cv2
import numpy as np
import pytest

from controller.vision.finding.grid_finder import Grid
from controller.vision.finding.sampler import sample_colours
from solvers.foundation.arrays import Float64Array, Image
from tests.eyes.disturbances import glaring

SIDE = 80
GRID = Grid(np.array([[SIDE, 0, 100], [0, SIDE, 100], [0, 0, 1]], dtype=np.float64), 9)
RED, BLUE, WHITE = (180.0, 34.0, 36.0), (24.0, 72.0, 160.0), (222.0, 222.0, 214.0)


def face(colours: Float64Array, sticker: int) -> Image:
    """Return a face of black plastic with nine stickers, `sticker` pixels wide, BGR."""
    picture = np.full((360, 360, 3), 20, np.uint8)
    for cell, (red, green, blue) in enumerate(np.round(colours).tolist()):
        corner = 100 + SIDE * (cell % 3) - sticker // 2, 100 + SIDE * (cell // 3) - sticker // 2
        opposite = corner[0] + sticker, corner[1] + sticker
        cv2.rectangle(picture, corner, opposite, (blue, green, red), cv2.FILLED)
    return picture


@pytest.mark.parametrize("colour", [RED, BLUE])
def test_a_glare_that_covers_stickers_is_taken_off(colour: tuple[float, float, float]) -> None:
    plain = face(np.tile(colour, (9, 1)), sticker=64)
    spot = np.array([[100.0 + SIDE + 40, 100.0, 40.0]])
    before, after = (sample_colours(each, GRID) for each in (plain, glaring(plain, spot, 0.8)))
    # Two of them would be 76 and 79 off if the least white part of each were taken as it is.
    assert np.abs(after - before).max() < 50


def test_white_pieces_without_plastic_between_them_do_not_glare() -> None:
    """The gap between them is bright, too, but nothing fades across them."""
    colours = np.tile(WHITE, (9, 1))
    colours[6:] = RED
    stickerless = face(colours, sticker=79)
    assert np.abs(sample_colours(stickerless, GRID) - colours).max() < 3


def test_a_name_on_a_white_centre_is_no_glare() -> None:
    colours = np.tile(WHITE, (9, 1))
    printed = face(colours, sticker=76)
    for x in range(162, 200, 9):
        cv2.rectangle(printed, (x, 172), (x + 4, 188), (60, 34, 30), cv2.FILLED)
    assert np.abs(sample_colours(printed, GRID)[4] - WHITE).max() < 6


@pytest.mark.parametrize("colour", [RED, BLUE])
def test_of_a_glare_on_the_middle_the_rim_of_the_sticker_is_seen(
    colour: tuple[float, float, float],
) -> None:
    plain = face(np.tile(colour, (9, 1)), sticker=64)
    spot = np.array([[100.0 + SIDE, 100.0, 36.0]])
    seen = sample_colours(glaring(plain, spot, 0.95), GRID)
    # The middle half of its width alone is 156 and 163 off.
    assert np.abs(seen - colour)[1].max() < 120
