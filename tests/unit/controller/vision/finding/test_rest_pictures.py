"""A grid that no picture shows alone is found in several; other light is no other picture."""

import numpy as np
import pytest

from controller.vision.finding.grid_finder import SQUARES_TO_CAPTURE, find_grid
from controller.vision.finding.rest_pictures import common_grid, differ, view_in_place
from solvers.foundation.arrays import Image
from solvers.rubik.facelets import format_facelets
from solvers.rubik.scramble import random_state
from tests.eyes.disturbances import drifted, noisy
from tests.vision_data import drawn_face, painted

COLOURS = painted(format_facelets(random_state(2)), noise=0.0).reshape(6, 9, 3)[0] * 0.9
PLASTIC = 18.0
WHOLE = drawn_face(COLOURS)


def showing(*cells: int) -> Image:
    """Return a face of which only these stickers stand out from the plastic."""
    return drawn_face(np.where(np.isin(np.arange(9), cells)[:, None], COLOURS, PLASTIC))


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
        assert np.abs(view.colours[list(cells)] - COLOURS[list(cells)]).max() < 3


def test_another_face_is_told_from_the_same_one_in_other_light() -> None:
    rng = np.random.default_rng(1)
    brighter = drifted(WHOLE, np.array([1.2, 1.3, 1.4]))
    assert not differ(WHOLE, noisy(WHOLE, 12.0, rng))
    assert not differ(WHOLE, brighter)
    assert differ(WHOLE, drawn_face(np.roll(COLOURS, 1, axis=0)))
