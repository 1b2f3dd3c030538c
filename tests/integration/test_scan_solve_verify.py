"""The whole job through camera and brick in virtual time: scan, solve, drive, look again."""

import time
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from controller.calibration.calibration_file import default_calibration
from controller.drivers.nxt_mechanism import NxtMechanism
from controller.motion.executor import Executor
from controller.motion.journal import Journal
from controller.motion.plan_choice import choose_plan
from controller.session import run_header
from controller.vision.camera_lock import CameraSettings
from controller.vision.scan_result import ScanResult, Verdict
from controller.vision.scan_session import RobotScan
from hardware_sims.cube_rig.camera.camera import SimulatedCamera
from hardware_sims.cube_rig.rig import RigPose
from solvers.rubik.cubies import SOLVED
from solvers.rubik.facelets import parse_facelets
from solvers.rubik.scramble import random_state

Image = npt.NDArray[np.uint8]

CALIBRATION = default_calibration()
FRAME_INTERVAL_S = 1 / 15


class CameraAbove:
    """The simulated camera above a robot in virtual time, as a source of frames."""

    name = "simulated camera"
    is_live = True
    is_still = False
    settings = CameraSettings()

    def __init__(self, robot: Any, level: int, seed: int) -> None:
        self._robot = robot
        self._camera = SimulatedCamera(self._pose, robot.clock, level, seed)

    def _pose(self) -> RigPose:
        self._robot.brick.advance()
        pose: RigPose = self._robot.rig.pose
        return pose

    def read(self) -> Image:
        self._robot.clock.sleep(FRAME_INTERVAL_S)
        return self._camera.picture()

    def close(self) -> None:
        pass


def scanned(camera: CameraAbove, mechanism: NxtMechanism) -> ScanResult:
    scan = RobotScan(camera, mechanism.perform, CALIBRATION.costs)
    for _ in scan.events():
        pass
    assert scan.outcome is not None
    return scan.outcome.result


def solve_and_look(robot: Any, level: int, seed: int) -> tuple[ScanResult, ScanResult]:
    """Scan, solve and drive; return the reading before and the one after."""
    camera = CameraAbove(robot, level, seed)
    with robot.mechanism() as mechanism, Journal(robot.journal) as journal:
        mechanism.set_home()
        before = scanned(camera, mechanism)
        assert before.facelets == robot.rig.facelets
        start = parse_facelets(before.facelets)
        chosen = choose_plan(
            start, SOLVED, CALIBRATION.costs, search_s=0.0, clock=time.process_time
        )
        header = run_header(start, SOLVED, chosen, "test", motor_control=False)
        pause_s = CALIBRATION.patience.retry_pause_s
        executor = Executor(mechanism, journal, robot.clock, CALIBRATION.costs, pause_s)
        # Home was taken before the scan; arm and pusher stand only roughly there by now.
        journal.begin(header)
        for _ in executor.play(header.parsed_primitives()):
            pass
        after = scanned(camera, mechanism)
        mechanism.release()
    return before, after


@pytest.mark.parametrize(("level", "seed"), [(1, 0), (1, 1), (1, 2), (2, 3), (2, 4)])
def test_a_scrambled_cube_is_scanned_solved_and_seen_to_be_solved(
    new_robot: Callable[..., Any], level: int, seed: int
) -> None:
    robot = new_robot(random_state(seed))
    before, after = solve_and_look(robot, level, seed)
    assert robot.rig.is_solved
    assert robot.rig.jams == []
    assert before.verdict is Verdict.ACCEPTED
    assert not before.is_solved
    assert after.verdict is Verdict.ACCEPTED
    assert after.is_solved
    assert robot.motors_are_idle


def test_frames_taken_while_the_cube_moves_are_not_captured(new_robot: Callable[..., Any]) -> None:
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

        def perform(motion: Any) -> None:
            mechanism.perform(motion)
            moving["frames"] = 24

        camera = Impatient(robot, level=1, seed=5)
        scan = RobotScan(camera, perform, CALIBRATION.costs)
        for _ in scan.events():
            pass
        mechanism.release()
    assert scan.outcome is not None
    assert scan.outcome.result.facelets == robot.rig.facelets
    assert scan.outcome.result.verdict is Verdict.ACCEPTED
