"""Glare of a fixed camera: found by several faces in one place, and taken off."""

import numpy as np
import pytest

from controller.vision.finding.grid_finder import (
    SQUARES_TO_CAPTURE,
    Grid,
    find_grid,
    sample_patches,
)
from controller.vision.finding.veil import colours_behind_veil, common_grid, differ, view_in_place
from solvers.foundation.arrays import Image
from solvers.rubik.facelets import format_facelets
from solvers.rubik.scramble import random_state
from tests.eyes.disturbances import drifted, glaring, noisy
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


FACE_COLOURS = painted(format_facelets(random_state(2)), noise=0.0).reshape(6, 9, 3)[0] * 0.9
PLASTIC = 18.0
WHOLE = drawn_face(FACE_COLOURS)


def showing(*cells: int) -> Image:
    """Return a face of which only these stickers stand out from the plastic."""
    return drawn_face(np.where(np.isin(np.arange(9), cells)[:, None], FACE_COLOURS, PLASTIC))


def test_a_grid_is_found_in_pictures_that_show_half_of_it_each() -> None:
    halves = [showing(0, 1, 2, 4, 8), showing(3, 5, 6, 7)]
    assert all(common_grid([half], SQUARES_TO_CAPTURE) is None for half in halves)
    grid, whole = common_grid(halves, SQUARES_TO_CAPTURE), find_grid(WHOLE)
    assert grid is not None
    assert whole is not None
    assert grid.squares == 9
    assert grid.moved_from(whole) < 0.1


@pytest.mark.parametrize(("cells", "is_face"), [((0, 1, 3, 8), True), ((0, 1, 3), False)])
def test_a_face_in_a_known_place_is_told_by_four_squares(
    cells: tuple[int, ...], *, is_face: bool
) -> None:
    grid = find_grid(WHOLE)
    assert grid is not None
    view = view_in_place(showing(*cells), grid)
    assert (view is not None) == is_face
    if view is not None:
        assert np.abs(view.colours[list(cells)] - FACE_COLOURS[list(cells)]).max() < 3


def test_another_face_is_told_from_the_same_one_in_other_light() -> None:
    rng = np.random.default_rng(1)
    brighter = drifted(WHOLE, np.array([1.2, 1.3, 1.4]))
    assert not differ(WHOLE, noisy(WHOLE, 12.0, rng))
    assert not differ(WHOLE, brighter)
    assert differ(WHOLE, drawn_face(np.roll(FACE_COLOURS, 1, axis=0)))
