"""`cuberobot tune` and what becomes of its margins, on the simulated brick in virtual time."""

from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest

from controller.camera_observer import new_observer
from controller.motion.primitives import Tilt
from controller.opening import learn_manner, loosen_margins
from controller.rigs.nxt_cradle.choreography import MANNERS
from controller.rigs.nxt_cradle.margins import CradleMargins
from controller.rigs.nxt_cradle.rig import RIG
from controller.rigs.registry import get_rig
from controller.rigs.rig import Earned, Margin
from controller.tuning import CameraJudge, Tuner
from solvers.foundation.progress import run_job
from solvers.rubik.scramble import random_state
from tests.camera_above import CameraAbove
from tests.in_process import Run
from tests.virtual_robot import VirtualRobot


@dataclass(frozen=True)
class OneStep(CradleMargins):
    """One margin with one step, so that tuning is short."""

    @property
    def ladder(self) -> tuple[Margin, ...]:
        return (Margin("back", "pace of the arm's way back", (1.0, 1.7), 1.0),)


def test_a_robot_is_tuned_while_a_camera_looks_on(tmp_path: Path) -> None:
    robot = VirtualRobot(random_state(4), tmp_path / "run.journal")
    camera = CameraAbove(robot, level=1, seed=4)
    margins = OneStep(robot.calibration, RIG, (Tilt(),) * 4)
    path = tmp_path / "mine.toml"

    def connect(setup: object) -> object:
        robot.calibration = setup.calibration  # type: ignore[attr-defined]
        return robot.mechanism()

    def save(earned: Mapping[str, Earned]) -> None:
        margins.save(earned, path, "in virtual time")

    judge = CameraJudge(new_observer(lambda: closing(camera), robot.robot))
    report = run_job(Tuner(robot.robot, margins, connect, judge, save).tune())  # type: ignore[arg-type]
    assert report.is_complete
    assert report.earned["back"] == Earned(1.7, 1.7, tried=20, is_done=True)
    assert report.before_s is not None
    assert report.after_s < report.before_s
    assert robot.rig.jams == []
    assert robot.rig.tilts == 5 + 20 + 20 + 120  # a scan, two trials and the proof
    assert robot.motors_are_idle
    assert tuned(path).earned == report.earned


def tuned(path: Path) -> CradleMargins:
    margins = RIG.setup(path).margins
    assert isinstance(margins, CradleMargins)
    return margins


LIFT = Earned(1.4, 1.4, 60, is_done=True)


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    path = tmp_path / "mine.toml"
    path.write_text("version = 1\n")
    tuned(path).save({"lift": LIFT}, path, "at home")
    return path


def test_a_wrong_tilt_later_makes_the_margins_safer_and_says_so(mine: Path) -> None:
    sentence = loosen_margins(RIG, "auto", mine)
    assert "a step safer" in sentence
    assert str(mine) in sentence
    assert tuned(mine).earned == {"lift": Earned(1.2, 1.2, 60, 1, 1.4, is_done=True)}
    assert tuned(mine).calibration.tuning.measured == "at home"
    assert "a step safer" in loosen_margins(RIG, "program", mine)
    assert tuned(mine).earned["lift"].value == 1.0


def test_margins_that_nobody_made_tighter_stay(mine: Path) -> None:
    tuned(mine).save({"lift": Earned(1.0, 1.0, 24, 1, 1.2, is_done=True)}, mine)
    before = mine.read_bytes()
    assert loosen_margins(RIG, "program", mine) == ""
    assert mine.read_bytes() == before
    assert loosen_margins(RIG, "program", mine.with_name("none.toml")) == ""


def test_the_drive_that_plays_one_motion_after_the_other_says_nothing_of_margins(
    mine: Path,
) -> None:
    assert loosen_margins(RIG, "direct", mine) == ""
    assert tuned(mine).earned == {"lift": LIFT}


def test_a_file_that_is_damaged_meanwhile_is_left_alone(mine: Path) -> None:
    mine.write_text("version = 1\n[tuning\n")
    assert "could not be made safer" in loosen_margins(RIG, "program", mine)
    assert mine.read_text() == "version = 1\n[tuning\n"


def test_a_manner_that_two_runs_in_a_row_needed_is_learnt(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text("version = 1\n")
    assert learn_manner(RIG, path, 0) == ""
    assert path.read_text() == "version = 1\n"
    assert learn_manner(RIG, path, 1) == ""
    assert learn_manner(RIG, path, 0) == ""  # so the first was a stray fault
    assert learn_manner(RIG, path, 2) == ""
    assert tuned(path).manner.value_of(tuned(path).earned) == 0
    sentence = learn_manner(RIG, path, 1)
    assert str(path) in sentence
    assert tuned(path).earned == {"manner": Earned(1, 1, failed=2, failed_at=0)}
    assert learn_manner(RIG, path, 0) == ""
    assert tuned(path).earned["manner"].value == 1
    assert learn_manner(RIG, path, 1) == ""  # a first fault leaves it in its manner
    for changes, value in ((2, 2), (3, 4), (2, 1)):  # that in which the run ended
        assert str(path) in learn_manner(RIG, path, changes)
        assert tuned(path).earned["manner"].value == value
    # It came to the one that it started with.
    assert learn_manner(RIG, path, 1 + len(MANNERS)) == ""
    assert tuned(path).earned["manner"].value == 1
    path.write_text("version = 1\n[tuning\n")
    assert "could not be noted" in learn_manner(RIG, path, 1)
    assert learn_manner(RIG, path, 0) == ""
    assert learn_manner(get_rig("mindcuber"), None, 1) == ""


def test_it_ends_with_a_sentence_where_nothing_can_be_tuned(cuberobot: Run, tmp_path: Path) -> None:
    refused = cuberobot("tune", "--rig", "mindcuber", "--brick", "ip:127.0.0.1:1", "--json")
    assert refused.code == 2
    assert "mindcuber has no margins" in refused.data["error"]
    nowhere = cuberobot("tune", "--calibration", "/nowhere.toml", "--json")
    assert nowhere.code == 2
    assert "cannot be read" in nowhere.data["error"]
    blind = cuberobot("tune", "--brick", "ip:127.0.0.1:1", "--camera", str(tmp_path), "--json")
    assert blind.code != 0
    assert not list(tmp_path.glob("**/cube_robot.toml"))
