"""What is recorded of the robot's motors, and that the judge knows nothing else of the robot."""

import ast
from pathlib import Path

import pytest

import tests.physics
from controller.motion.primitives import Spin, Tilt
from tests.physics.recording import record

HERE = Path(tests.physics.__file__).parent
MODULES = [each for each in sorted(HERE.glob("*.py")) if not each.name.startswith("test_")]
RECORDERS = ("recording.py", "mindcuber_recording.py", "driven.py", "tuned.py")
JUDGE = [each for each in MODULES if each.name not in RECORDERS]
ROBOT = (
    "controller",
    "hardware_sims",
    "tests.virtual_robot",
    "tests.physics.recording",
    "tests.physics.mindcuber_recording",
    "tests.physics.driven",
    "tests.physics.tuned",
)


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
