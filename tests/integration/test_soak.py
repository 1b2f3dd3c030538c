"""Cubes with everything that may go wrong once; a thousand are a benchmark of the same name."""

from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from controller.errors import MotorStalledError
from hardware_sims.rigs.cradle.rig import RigPose
from solvers.rubik.scramble import random_state
from tests.camera_above import CameraAbove
from tests.soak.judge import MOST_ROBOT_S, Outcome, Verdict, judge, judged, judged_in_a_row
from tests.soak.owner import Owner
from tests.soak.troubles import MENDABLE, draw
from tests.virtual_robot import VirtualRobot

HOME_SEARCHED_TWICE = (19,)
FRESH = (0, 12, 17, 34, 135, 146, 301, 441)
IN_A_ROW, HOW_MANY = 1000, 2
UNSEEN = (3, 12)


def is_right(outcome: Outcome) -> bool:
    """Whether a cube came out as it may: solved and seen, by itself or by what was told."""
    return outcome.verdict in (Verdict.SOLVED, Verdict.ADVISED) and not outcome.is_scandal


@pytest.mark.parametrize("seed", FRESH)
def test_a_cube_is_solved_and_seen_or_its_owner_told_how(tmp_path: Path, seed: int) -> None:
    outcome = judged(seed, tmp_path)
    assert is_right(outcome), outcome
    assert outcome.is_solved


@pytest.mark.parametrize("seed", HOME_SEARCHED_TWICE)
def test_a_search_for_home_that_failed_does_not_count(tmp_path: Path, seed: int) -> None:
    """The arm is held for so long that home is searched twice, and the layer is straight."""
    assert judged(seed, tmp_path).verdict is Verdict.SOLVED


def test_cubes_in_a_row_on_one_brick(tmp_path: Path) -> None:
    outcomes = judged_in_a_row(IN_A_ROW, tmp_path, HOW_MANY)
    assert [outcome for outcome in outcomes if not is_right(outcome)] == []


def test_without_a_camera_no_cube_is_called_solved(tmp_path: Path) -> None:
    outcomes = [judged(seed, tmp_path, with_camera=False) for seed in UNSEEN]
    assert {outcome.verdict for outcome in outcomes} == {Verdict.DRIVEN}
    assert not any(outcome.is_scandal for outcome in outcomes)
    assert not all(outcome.is_solved for outcome in outcomes)  # or the troubles were none


class LyingCamera(CameraAbove):
    """A camera to which every cube looks solved."""

    def _pose(self) -> RigPose:
        pose = super()._pose()
        return replace(pose, stickers="".join(9 * letter for letter in pose.stickers[4::9]))


def test_the_judge_finds_a_cube_that_is_falsely_called_solved(tmp_path: Path) -> None:
    robot = VirtualRobot(random_state(1), tmp_path / "run.journal")
    outcome = judge(1, (), robot, LyingCamera(robot, level=1, seed=1))
    assert outcome.verdict is Verdict.FALSE
    assert outcome.is_scandal


def test_the_judge_finds_a_traceback(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise KeyError("a fault of ours")

    monkeypatch.setattr(Owner, "_command", fail)
    outcome = judge(1, (), VirtualRobot(random_state(1), tmp_path / "run.journal"), None)
    assert outcome.verdict is Verdict.TRACEBACK
    assert "KeyError" in outcome.traceback


def test_the_judge_finds_what_goes_on_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    robot = VirtualRobot(random_state(1), tmp_path / "run.journal")

    def wait(*_: object) -> None:
        while True:
            with suppress(Exception):
                robot.clock.sleep(1.0)

    monkeypatch.setattr(Owner, "_command", wait)
    assert judge(1, (), robot, None).verdict is Verdict.HANG
    assert MOST_ROBOT_S < robot.clock.now() < MOST_ROBOT_S + 30


def test_the_judge_finds_a_motor_that_is_left_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    robot = VirtualRobot(random_state(1), tmp_path / "run.journal")

    def leave_on(*_: object) -> None:
        robot.brick.handle(bytes.fromhex("80 04 01 28 01 00 00 20 00 00 00 00"))
        raise MotorStalledError("It stalled.")

    monkeypatch.setattr(Owner, "_command", leave_on)
    outcome = judge(1, (), robot, None)
    assert outcome.verdict is Verdict.STOPPED
    assert outcome.motors_left_on


def test_troubles_come_from_the_seed_and_all_of_them_come() -> None:
    assert draw(5) == draw(5)
    judged_here = (*FRESH, *HOME_SEARCHED_TWICE)
    assert {name for seed in judged_here for name in draw(seed).names} == set(MENDABLE)
    lone = [seed for seed in range(400) if draw(seed).names == ("slip",)]
    tilts = {draw(seed).rig.slip[0].tilt for seed in lone}
    assert len(tilts) > 5
