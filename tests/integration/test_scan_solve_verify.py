"""The whole job through camera and brick in virtual time: scan, solve, drive, look again."""

from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from typing import Any

import pytest

from controller.errors import CubeUncertainError
from controller.job_events import DriveStarted, RobotReport, Stage
from controller.motion.journal import read_journal
from controller.robot_jobs import RobotJob, Task
from controller.vision.reading.result import Verdict
from controller.vision.scans.robot_scan import robot_scan
from hardware_sims.rigs.cradle.rig import RigPose
from solvers.foundation.progress import run_job
from solvers.rubik.scramble import random_state
from tests.camera_above import CameraAbove
from tests.virtual_robot import RIG, VirtualRobot

UP_CENTRE = 4  # of the nine stickers that the camera sees


def solve_and_look(robot: VirtualRobot, level: int, seed: int) -> RobotReport:
    """Scan, solve, drive and look again, as the commands do."""
    camera = CameraAbove(robot, level, seed, binning=1)
    job = RobotJob(robot.robot, Task(search_s=0.0, journal=robot.journal), robot.clock)
    return run_job(job.solve_seen(lambda: closing(camera)))


@pytest.mark.parametrize(("level", "seed"), [(1, 0), (2, 3)])
def test_a_scrambled_cube_is_scanned_solved_and_seen_to_be_solved(
    new_robot: Callable[..., VirtualRobot], level: int, seed: int
) -> None:
    robot = new_robot(random_state(seed))
    report = solve_and_look(robot, level, seed)
    assert robot.rig.is_solved
    assert robot.rig.jams == []
    assert report.scan is not None
    assert report.scan.verdict is Verdict.ACCEPTED
    assert not report.scan.cube.is_solved
    assert report.seen is not None
    assert report.seen.result.verdict is Verdict.ACCEPTED
    assert report.seen.result.cube.is_solved
    assert report.seen.target_reached
    assert "18 of the 54 stickers" in report.seen.evidence
    assert [each.stage for each in report.stages] == [
        Stage.SCAN, Stage.SEARCH, Stage.DRIVE, Stage.VERIFY
    ]  # fmt: skip
    assert robot.motors_are_idle


class MisleadingCamera(CameraAbove):
    """A camera to which the stickers around a centre look alike: no cube is like that."""

    def _pose(self) -> RigPose:
        pose = super()._pose()
        letters = list(pose.stickers)
        letters[:9] = [letters[UP_CENTRE] if each == UP_CENTRE else "U" for each in range(9)]
        return replace(pose, stickers="".join(letters))


def test_a_cube_that_was_read_with_doubts_is_not_driven(
    new_robot: Callable[..., VirtualRobot],
) -> None:
    robot = new_robot(random_state(3))
    camera = MisleadingCamera(robot, level=1, seed=3)
    job = RobotJob(robot.robot, Task(search_s=0.0, journal=robot.journal), robot.clock)
    events: list[object] = []
    with pytest.raises(CubeUncertainError, match=r"with doubts \(\w+\).*--state"):
        run_job(job.solve_seen(lambda: closing(camera)), events.append)
    assert not any(isinstance(event, DriveStarted) for event in events)
    assert robot.rig.cube.cube == random_state(3)
    assert not read_journal(robot.journal)[0].has_plan
    assert robot.motors_are_idle


def test_frames_taken_while_the_cube_moves_are_not_captured(
    new_robot: Callable[..., VirtualRobot],
) -> None:
    """A driver that returns too early: the camera sees the cube still turning."""
    robot = new_robot(random_state(5))
    with robot.mechanism() as mechanism:
        mechanism.set_home()
        moving = {"frames": 0}

        class Impatient(CameraAbove):
            def _pose(self) -> RigPose:
                pose = super()._pose()
                if moving["frames"] > 0:
                    moving["frames"] -= 1
                    turn_deg = 1.5 * moving["frames"]
                    return RigPose(turn_deg, -40, 0, turn_deg, 0, "seated", pose.stickers)
                return pose

        def perform(motion: Any, /, **neighbours: Any) -> None:
            mechanism.perform(motion, **neighbours)
            moving["frames"] = 24

        camera = Impatient(robot, level=1, seed=5)
        result = run_job(robot_scan(camera, perform, RIG.seconds)).result
        mechanism.release()
    assert result.facelets == robot.rig.facelets
    assert result.verdict is Verdict.ACCEPTED
