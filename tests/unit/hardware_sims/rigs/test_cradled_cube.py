"""The cube as it lies in the cradle, against the algebra of the solvers."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware_sims.rigs.cubes import CradledCube
from solvers.rubik.cubies import SOLVED
from solvers.rubik.facelets import format_facelets, parse_facelets
from solvers.rubik.notation import parse_moves
from solvers.rubik.rotations import UPRIGHT, Face, Orientation, all_orientations
from solvers.rubik.scramble import random_state


@given(st.integers(0, 10**6))
def test_an_upright_cube_shows_its_own_facelets(seed: int) -> None:
    cube = CradledCube(random_state(seed))
    assert cube.stickers == cube.facelets == format_facelets(cube.cube)


@pytest.mark.parametrize("orientation", all_orientations())
def test_a_solved_cube_shows_one_colour_on_each_side(orientation: Orientation) -> None:
    cube = CradledCube(SOLVED, orientation)
    assert cube.stickers == "".join(9 * orientation[place].name for place in Face)
    assert cube.facelets == format_facelets(SOLVED)


@pytest.mark.parametrize("orientation", all_orientations())
def test_a_lying_cube_is_read_as_a_legal_cube(orientation: Orientation) -> None:
    parse_facelets(CradledCube(random_state(7), orientation).facelets)


def test_a_tilt_rolls_the_front_to_the_bottom() -> None:
    rolled = CradledCube().tilted().orientation
    assert (rolled[Face.D], rolled[Face.F]) == (Face.F, Face.U)
    assert (rolled[Face.U], rolled[Face.B]) == (Face.B, Face.D)
    assert (rolled[Face.R], rolled[Face.L]) == (Face.R, Face.L)


def test_a_spin_brings_the_right_side_to_the_front() -> None:
    spun = CradledCube().spun(1).orientation
    assert (spun[Face.F], spun[Face.L]) == (Face.R, Face.F)
    assert CradledCube().spun(-3).orientation == spun
    assert CradledCube().spun(4).orientation == UPRIGHT


def test_the_bottom_turns_whichever_face_lies_there() -> None:
    cube = CradledCube().tilted().bottom_turned(1).bottom_turned(-2)
    assert cube.cube == SOLVED.apply(parse_moves("F'"))


def test_turning_what_lies_at_the_bottom_looks_like_the_move_d() -> None:
    cube = CradledCube(random_state(11)).tilted().spun(1)
    seen = parse_facelets(cube.facelets)
    assert cube.bottom_turned(1).facelets == format_facelets(seen.apply(parse_moves("D")))
