"""Which stickers are seen as the cube lies, and which position that is."""

import numpy as np
import pytest

from controller.motion.cube_orientation import orientation_after
from controller.motion.primitives import Spin, Tilt
from controller.vision.reading.result import ScanResult, Verdict
from controller.vision.scans.viewing import facelets_in_picture, lying_facelets, shows
from hardware_sims.cube_rig.cradled_cube import CradledCube
from solvers.rubik.cubies import SOLVED
from solvers.rubik.facelets import parse_facelets
from solvers.rubik.notation import parse_moves
from solvers.rubik.rotations import UPRIGHT, Orientation, all_orientations
from solvers.rubik.scramble import random_state


def reading(facelets: str) -> ScanResult:
    return ScanResult(parse_facelets(facelets), 1.0, (), Verdict.ACCEPTED, (), np.zeros((54, 6)))


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
