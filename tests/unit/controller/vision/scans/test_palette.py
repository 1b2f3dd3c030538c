"""A face is compared with what it should be by the colours of an earlier scan."""

import numpy as np
import pytest

from controller.vision.finding.grid_finder import Grid
from controller.vision.finding.steady_gate import FaceView
from controller.vision.reading.reader import read_cube
from controller.vision.reading_order import turned_orders
from controller.vision.scans.events import ScanOutcome
from controller.vision.scans.palette import Palette
from solvers.foundation.arrays import Float64Array, Image, Int64Array
from solvers.rubik.facelets import format_facelets
from solvers.rubik.scramble import random_state

RGB = {
    "U": (225, 225, 220),
    "R": (180, 30, 35),
    "F": (20, 140, 60),
    "D": (225, 210, 40),
    "L": (230, 105, 20),
    "B": (20, 60, 160),
}
FACELETS = format_facelets(random_state(5))


def seen(letters: str, brightness: float = 1.0) -> FaceView:
    colours: Float64Array = np.array([RGB[letter] for letter in letters]) * brightness
    empty: Image = np.zeros((1, 1, 3), dtype=np.uint8)
    return FaceView(colours, empty, Grid(np.zeros((2, 3)), 9))


def palette(cells: Int64Array | None = None) -> Palette:
    rgb = np.array([RGB[letter] for letter in FACELETS], dtype=np.float64)
    views = tuple(
        FaceView(rgb[9 * face : 9 * face + 9], seen("U" * 9).picture, seen("U" * 9).grid)
        for face in range(6)
    )
    order = np.arange(9) if cells is None else cells
    return Palette.of(ScanOutcome(read_cube(rgb[None]), views, np.arange(54), cells=order))


def test_a_face_as_expected_does_not_differ() -> None:
    assert palette().differing(seen("URFDLBURF"), "URFDLBURF") == 0


def test_each_sticker_that_is_another_colour_counts() -> None:
    assert palette().differing(seen("URFDLBURF"), "URFDLBURD") == 1
    assert palette().differing(seen("RFDLBRFDL"), "BLUFRUBLD") == 9


def test_a_sticker_in_which_a_lamp_is_mirrored_does_not_count() -> None:
    view = seen("URFDLBURF")
    for sticker, share in ((1, 0.4), (2, 0.9), (4, 0.6), (5, 0.95)):
        view.colours[sticker] = (1 - share) * view.colours[sticker] + share * 255
    assert palette().differing(view, "URFDLBURF") == 0
    assert palette().differing(view, "FDRUBLFDU") >= 2


def test_a_sticker_that_looks_like_no_colour_at_all_does_not_count() -> None:
    view = seen("URFDLBURF")
    view.colours[[2, 8]] = 105, 75, 75  # what is taken for a lamp's light was too much
    assert palette().differing(view, "URFDLBURF") == 0


@pytest.mark.parametrize("brightness", [0.7, 0.85, 1.1])
def test_the_light_may_have_changed(brightness: float) -> None:
    view = seen("URFDLBURF", brightness)
    assert palette().differing(view, "URFDLBURF") == 0
    assert palette().differing(view, "DRFULBDRF") >= 2


def test_a_camera_may_be_mounted_any_way_round() -> None:
    for cells in turned_orders():
        picture = [""] * 9
        for place, cell in enumerate(cells):
            picture[cell] = "URFDLBURF"[place]
        assert palette(cells).differing(seen("".join(picture)), "URFDLBURF") == 0
