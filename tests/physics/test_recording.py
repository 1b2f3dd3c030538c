"""What is recorded of the robot's motors, and that the judge knows nothing else of the robot."""

import ast
from pathlib import Path
from statistics import mean

import pytest
from msgspec.structs import replace

import tests.physics
from controller.motion.primitives import Spin, Tilt
from controller.rigs.nxt_brick.calibration import Pace
from controller.rigs.nxt_cradle.calibration.values import Calibration
from tests.physics import family, judge
from tests.physics.recording import record
from tests.virtual_robot import RIG

HERE = Path(tests.physics.__file__).parent
MODULES = [each for each in sorted(HERE.glob("*.py")) if not each.name.startswith("test_")]
JUDGE = [each for each in MODULES if each.name != "recording.py"]
ROBOT = ("controller", "hardware_sims", "tests.virtual_robot", "tests.physics.recording")


def imports(source: Path) -> set[str]:
    tree = ast.parse(source.read_text(encoding="utf-8"))
    froms = {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    plain = (node.names for node in ast.walk(tree) if isinstance(node, ast.Import))
    return froms | {alias.name for names in plain for alias in names}


@pytest.mark.parametrize("source", JUDGE, ids=lambda path: path.stem)
def test_the_judge_shares_no_code_with_what_it_judges(source: Path) -> None:
    assert [each for each in imports(source) if each.startswith(ROBOT)] == []


def test_a_recording_has_each_millisecond_from_home_to_home() -> None:
    rows = record([Spin(1), Tilt()])
    assert (rows[:, 0] == range(len(rows))).all()
    assert abs(rows[[0, -1], 1:3]).max() < 3
    assert rows[-1, 3] == pytest.approx(-315, abs=5)
    assert rows[:, 1].max() > 38
    assert rows[:, 2].max() > 198
    assert abs(rows[1:, 1:] - rows[:-1, 1:]).max() < 1.2  # degrees in a millisecond


def share(calibration: Calibration = RIG) -> float:
    """Return on which share of the rigs to learn from three recorded tilts work."""
    rows = record([Tilt()], calibration)
    rigs = [rig for rig in family() if not rig.kept_apart]
    return mean(judge(rig, 0.3, rows).works for rig in rigs)


def test_the_default_tilt_works_on_most_rigs() -> None:
    """The thesis' order at its best speed works on 90 to 95 % of them, by small chances."""
    assert share() >= 0.9


def test_without_a_smooth_arm_tilts_work_less_often() -> None:
    hasty = Pace(800, 19_000)
    tilting = replace(RIG.tilting, lift=hasty, lower=hasty, close=hasty)
    assert share(replace(RIG, tilting=tilting)) < 0.7
