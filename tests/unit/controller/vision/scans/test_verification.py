"""A position is recognised however the cube lies, and no other is taken for it."""

import numpy as np
import pytest

from controller.vision.reading.result import ScanResult, Verdict
from controller.vision.scans.verification import shows
from hardware_sims.cube_rig.cradled_cube import CradledCube
from solvers.rubik.cubies import SOLVED
from solvers.rubik.facelets import parse_facelets
from solvers.rubik.notation import parse_moves
from solvers.rubik.rotations import all_orientations
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
