"""What goes wrong in a rig, on its line or before its camera is mended, told, and bounded."""

from collections.abc import Callable
from contextlib import closing

import pytest

from controller.errors import CubeUncertainError
from controller.job_events import RobotEvent, RobotReport
from controller.motion.driving.journal import read_journal
from controller.motion.driving.recovery import Remedy
from controller.recovery.policy import RecoveryPolicy
from controller.robot_job import RobotJob, Task
from hardware_sims.cube_rig.faults import Double, RigFaults, Slip, Yaw
from hardware_sims.nxt_brick.faults import Faults, Stall
from solvers.foundation.progress import run_job
from solvers.rubik.scramble import random_state
from tests.camera_above import CameraAbove
from tests.virtual_robot import VirtualRobot

NewRobot = Callable[..., VirtualRobot]
NO_LOOKS = RecoveryPolicy(most_looks=0)


def solved(
    robot: VirtualRobot,
    seed: int,
    *,
    seen: bool = True,
    camera: CameraAbove | None = None,
    policy: RecoveryPolicy | None = None,
    on_event: Callable[[RobotEvent], object] = lambda _: None,
) -> RobotReport:
    """Solve a cube with a camera, or, if not `seen`, one that is known and nobody looks at."""
    task = Task(search_s=0.0, journal=robot.journal, policy=policy or RecoveryPolicy())
    job = RobotJob(robot.robot, task, robot.clock)
    if not seen:
        return run_job(job.solve_known(random_state(seed)), on_event)
    eye = camera or CameraAbove(robot, level=1, seed=seed)
    return run_job(job.solve_seen(lambda: closing(eye)), on_event)


def remedies(report: RobotReport) -> list[Remedy]:
    return [recovery.remedy for recovery in report.driven.recoveries]


def held(port: int, seconds: float, time_s: float) -> Faults:
    return Faults(stalls=(Stall(port=port, seconds=seconds, time_s=time_s),))


@pytest.mark.parametrize(
    "faults",
    [
        RigFaults(slip=(Slip(tilt=9),)),
        RigFaults(double=(Double(tilt=14),)),
        RigFaults(yaw=(Yaw(spin=8),)),
    ],
)
def test_what_moves_unseen_is_seen_and_planned_anew(new_robot: NewRobot, faults: RigFaults) -> None:
    robot = new_robot(random_state(40), rig_faults=faults)
    report = solved(robot, 40)
    assert robot.rig.is_solved
    assert report.seen is not None
    assert report.seen.target_reached
    assert Remedy.SCAN in remedies(report)
    assert read_journal(robot.journal)[0].recoveries
    assert robot.motors_are_idle


def test_a_look_on_the_way_saves_the_rest_of_a_drive_in_vain(new_robot: NewRobot) -> None:
    played = []
    for policy in (RecoveryPolicy(), NO_LOOKS):
        robot = new_robot(random_state(41), rig_faults=RigFaults(slip=(Slip(tilt=8),)))
        count = solved(robot, 41, policy=policy).driven.finished
        assert robot.rig.is_solved
        played.append(count)
    assert played[0] < played[1] - 10


def test_a_plan_that_goes_well_is_looked_at_and_not_disturbed(new_robot: NewRobot) -> None:
    robot = new_robot(random_state(42))
    report = solved(robot, 42)
    assert robot.rig.is_solved
    assert remedies(report) == []


def test_what_goes_wrong_too_often_ends_with_a_sentence_that_helps(new_robot: NewRobot) -> None:
    slips = RigFaults(slip=(Slip(tilt=9), Slip(tilt=30)))
    robot = new_robot(random_state(43), rig_faults=slips)
    once = RecoveryPolicy(most_episodes=1)
    with pytest.raises(CubeUncertainError, match=r"One attempt to mend it did not help.*resume"):
        solved(robot, 43, policy=once)
    assert not robot.rig.is_solved
    assert robot.motors_are_idle
    run = interrupted_run(robot.journal)
    assert run.record.is_lost
    with pytest.raises(CubeUncertainError, match=f"resume {robot.journal} --state FACELETS"):
        run_job(resume(run, robot.robot))
    camera = CameraAbove(robot, level=1, seed=43)
    report = run_job(resume(interrupted_run(robot.journal), robot.robot, lambda: closing(camera)))
    assert robot.rig.is_solved
    assert report.seen is not None
    assert report.seen.target_reached


@pytest.mark.parametrize("port", [0, 1, 2])
def test_a_stall_that_a_retry_does_not_mend_is_mended_by_finding_home(
    new_robot: NewRobot, port: int
) -> None:
    robot = new_robot(random_state(8))
    robot = new_robot(random_state(8), faults=held(port, 6.0, robot.find_home() + 12.0))
    idle: list[bool] = []

    def on_event(event: RobotEvent) -> None:
        if isinstance(event, PrimitiveRetried | RecoveryBegan):
            idle.append(robot.motors_are_idle)

    report = solved(robot, 8, seen=False, on_event=on_event)
    assert robot.rig.is_solved
    assert Remedy.HOME in remedies(report)
    assert idle
    assert all(idle)
