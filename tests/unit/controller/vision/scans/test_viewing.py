"""Single pictures of a cube."""

import numpy as np
import pytest

from controller.motion.primitives import Spin, Tilt
from controller.motion.virtual_cube import orientation_after
from controller.vision.finding.grid_finder import Grid
from controller.vision.finding.steady_gate import FaceView
from controller.vision.reading.reader import read_cube
from controller.vision.reading.result import ScanResult, Verdict
from controller.vision.reading_order import turned_orders
from controller.vision.scans.events import ScanOutcome
from controller.vision.scans.viewing import Palette, facelets_in_picture, lying_facelets, shows
from hardware_sims.rigs.cubes import CradledCube
from solvers.foundation.arrays import Float64Array, Image, Int64Array
from solvers.rubik.cubies import SOLVED
from solvers.rubik.facelets import format_facelets, parse_facelets
from solvers.rubik.notation import parse_moves
from solvers.rubik.rotations import UPRIGHT, Orientation, all_orientations
from solvers.rubik.scramble import random_state


def reading(facelets: str) -> ScanResult:
    return ScanResult(parse_facelets(facelets), 1.0, (), Verdict.ACCEPTED, np.zeros((54, 6)))


@pytest.mark.parametrize("seed", range(5))
def test_a_position_is_recognised_in_all_orientations(seed: int) -> None:
    cube = random_state(seed)
    turned = cube.apply(parse_moves("R"))
    for orientation in all_orientations():
        seen = reading(CradledCube(cube, orientation).facelets)
        assert shows(seen, cube)
        assert not shows(seen, turned)


def test_solved_is_solved_however_it_lies() -> None:
    for orientation in all_orientations():
        assert shows(reading(CradledCube(SOLVED, orientation).facelets), SOLVED)


def test_the_upright_cube_is_seen_as_it_is() -> None:
    assert lying_facelets(UPRIGHT).tolist() == list(range(54))
    assert facelets_in_picture(UPRIGHT).tolist() == list(range(9))


@pytest.mark.parametrize("orientation", all_orientations())
def test_lying_stickers_are_all_stickers(orientation: Orientation) -> None:
    order = lying_facelets(orientation)
    assert np.sort(order).tolist() == list(range(54))


def test_after_a_tilt_the_back_face_is_seen_with_the_lower_edge_up() -> None:
    tilted = orientation_after(UPRIGHT, Tilt())
    # B lies up now, D at the back: B's row next to D is at the top of the picture.
    assert facelets_in_picture(tilted).tolist() == [53, 52, 51, 50, 49, 48, 47, 46, 45]


def test_after_a_spin_the_right_face_has_come_to_the_front() -> None:
    spun = orientation_after(UPRIGHT, Spin(1))
    lying = lying_facelets(spun)
    assert lying[18:27].tolist() == list(range(9, 18))
    # Seen from above U has turned clockwise: its left column is now at the back.
    assert lying[:3].tolist() == [6, 3, 0]


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
