"""The rig's cube on disk."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware_sims.errors import InvalidScenarioError, SimulatorError
from hardware_sims.rigs.cubes import CradledCube, load_cube, save_cube, starting_cube
from solvers.rubik.cubies import SOLVED
from solvers.rubik.notation import parse_moves
from solvers.rubik.rotations import Orientation, all_orientations
from solvers.rubik.scramble import random_state
from tests.unit.hardware_sims.rigs.cradle.hand import Operator


@given(seed=st.integers(0, 10**6), lie=st.sampled_from(all_orientations()))
def test_a_cube_comes_back_as_it_was(
    tmp_path_factory: pytest.TempPathFactory, seed: int, lie: Orientation
) -> None:
    path = tmp_path_factory.mktemp("rig") / "rig.json"
    cube = CradledCube(random_state(seed), lie)
    save_cube(path, cube)
    assert load_cube(path) == cube
    assert list(path.parent.iterdir()) == [path]


def test_each_change_of_the_cube_is_told(tmp_path: Path, operator: Operator) -> None:
    path = tmp_path / "rig.json"
    operator.rig.on_cube_change = lambda changed: save_cube(path, changed.cube)
    operator.move(1, -40)
    assert not path.exists()
    operator.move(0, -315)
    assert load_cube(path) == CradledCube().spun(1) == operator.rig.cube


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("", "no rig file"),
        ("[]", "no rig file"),
        ('{"version": 1}', "no rig file"),
        ('{"version": "1", "lies": "URFDLB", "cube": "U"}', "version must be a whole number"),
        ("[" * 100_000, "nested too deeply"),
        ('{"version": 1, "lies": "URFDLB", "cube": 7}', "cube must be a text"),
        ('{"version": 1, "lies": "URFDLB", "cube": []}', "cube must be a text"),
        ('{"version": ' + "9" * 5000 + "}", "is not JSON"),
        ('{"version": 2}', "version 2"),
        ('{"version": 1, "lies": "URFDLB", "cube": "UUU"}', "54 stickers"),
        ('{"version": 1, "lies": "URFDLL", "cube": ""}', "no orientation"),
        ('{"version": 1, "lies": "XYZ", "cube": ""}', "no orientation"),
    ],
)
def test_a_damaged_file_is_refused(tmp_path: Path, text: str, named: str) -> None:
    path = tmp_path / "rig.json"
    path.write_text(text)
    with pytest.raises(InvalidScenarioError, match=named):
        load_cube(path)


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(SimulatorError, match=r"file/rig\.json cannot be written"):
        save_cube(tmp_path / "file" / "rig.json", CradledCube())


def test_the_starting_cube_is_solved_scrambled_given_or_drawn() -> None:
    assert starting_cube() == CradledCube(SOLVED)
    scrambled = CradledCube(SOLVED.apply(parse_moves("R U2 F'")))
    assert starting_cube(scramble="R U2 F'") == scrambled
    assert starting_cube(facelets=scrambled.facelets) == scrambled
    assert starting_cube(seed=9) == CradledCube(random_state(9))


@pytest.mark.parametrize(
    ("given_cube", "named"),
    [
        ({"scramble": "R Q"}, "--scramble.*'Q'"),
        ({"facelets": "U" * 53}, "--facelets.*53"),
        ({"scramble": "R", "seed": 1}, "--scramble and --seed"),
    ],
)
def test_a_starting_cube_that_makes_no_sense_is_refused(
    given_cube: dict[str, Any], named: str
) -> None:
    with pytest.raises(InvalidScenarioError, match=named):
        starting_cube(**given_cube)
