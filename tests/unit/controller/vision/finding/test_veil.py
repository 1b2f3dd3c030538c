"""A lamp that is mirrored in the same place of all faces is taken away; nothing else is."""

import numpy as np

from controller.vision.finding.grid_finder import Grid, find_grid
from controller.vision.finding.patches import sample_patches
from controller.vision.finding.veil import colours_behind_veil
from solvers.foundation.arrays import Image
from solvers.rubik.facelets import format_facelets
from solvers.rubik.scramble import random_state
from tests.eyes.disturbances import drifted, glaring
from tests.vision_data import drawn_face, painted

COLOURS = painted(format_facelets(random_state(2)), noise=0.0).reshape(6, 9, 3) * 0.8
CLEAR = [drawn_face(colours) for colours in COLOURS]
LAMP = np.array([[160.0, 120.0, 25.0]])  # on the middle of the face


def grid() -> Grid:
    found = find_grid(CLEAR[0])
    assert found is not None
    return found


def behind_veil(pictures: list[Image]) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    return colours_behind_veil([(picture, grid()) for picture in pictures])


def test_where_nothing_is_mirrored_nothing_is_changed() -> None:
    assert np.isnan(behind_veil(CLEAR)).all()


def test_colours_are_seen_through_a_glare() -> None:
    pictures = [glaring(picture, LAMP, 0.6) for picture in CLEAR]
    bare = behind_veil(pictures)
    veiled = ~np.isnan(bare[..., 0])
    assert veiled[:, 4].all()
    assert not veiled[:, [0, 2, 6, 8]].any()
    seen = np.array([np.median(sample_patches(each, grid()), axis=1) for each in pictures])
    error, before = (np.abs(each - COLOURS)[:, 4].mean() for each in (bare, seen))
    assert error < 0.6 * before


def test_another_exposure_is_no_glare() -> None:
    gains = (1, 1.3, 1, 0.8, 1, 1)
    whiter = [drifted(CLEAR[i], np.full(3, gain)) for i, gain in enumerate(gains)]
    assert np.isnan(behind_veil(whiter)).all()
