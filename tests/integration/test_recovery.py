"""Recovery from faults of the rig, its line and its camera: it works, is reported, and ends."""

import os
import signal
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from controller.cli.job_view import show_job
from controller.errors import (
    CubeUncertainError,
    LinkLostError,
    MotorStalledError,
    StoppedError,
)
from controller.job_events import MarginsLoosened, RobotEvent, RobotReport, StageStarted
from controller.motion.executor import PrimitiveFinished, PrimitiveRetried
from controller.motion.journal import read_journal
from controller.motion.primitives import Tilt
from controller.motion.run_record import RecoveryAction, RecoveryStarted
from controller.recovery.escalation import RecoveryPolicy
from controller.rigs.rig import Earned
from controller.robot_jobs import RobotJob, Task, find_interrupted_run, resume, scan_by_robot
from controller.vision.errors import CameraLostError
from controller.vision.reading.result import Verdict
from controller.vision.scans.events import FaceCaptured
from hardware_sims.nxt_brick.faults import NO_FAULTS, Faults, Restart, Stall
from hardware_sims.rigs.cradle.faults import RigFaults
from hardware_sims.rigs.faults import Short, Skip, Slip, Yaw
from solvers.foundation.arrays import Image
from solvers.foundation.progress import run_job
from solvers.rubik.cubies import CubieCube
from tests.camera_above import CameraAbove, third_turn
from tests.virtual_robot import VirtualRobot, turned

NewRobot = Callable[..., VirtualRobot]
NO_LOOKS = RecoveryPolicy(max_views=0)
TURNS = 11  # half a drive: time enough for what goes wrong


def scrambled(seed: int) -> CubieCube:
    return turned(seed, TURNS)


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
        return run_job(job.solve_known(scrambled(seed)), on_event)
    eye = camera or CameraAbove(robot, level=1, seed=seed)
    return run_job(job.solve_seen(lambda: closing(eye)), on_event)


def actions(report: RobotReport) -> list[RecoveryAction]:
    return [recovery.action for recovery in report.driven.recoveries]


def held(port: int, seconds: float, time_s: float) -> Faults:
    return Faults(stalls=(Stall(port=port, seconds=seconds, time_s=time_s),))


@pytest.mark.parametrize("faults", [RigFaults(slip=(Slip(tilt=6),)), RigFaults(yaw=(Yaw(spin=4),))])
def test_what_moves_unseen_is_seen_and_planned_anew(new_robot: NewRobot, faults: RigFaults) -> None:
    learnt: list[int] = []
    robot = new_robot(scrambled(40), rig_faults=faults, learn=noted(learnt))
    report = solved(robot, 40)
    assert learnt == [1]
    assert robot.rig.is_solved
    assert report.seen is not None
    assert report.seen.target_reached
    assert RecoveryAction.SCAN in actions(report)
    assert read_journal(robot.journal)[0].recoveries
    assert robot.motors_are_idle


@pytest.mark.parametrize(
    "faults", [RigFaults(short=(Short(turn=5, degrees=12.0),)), RigFaults(skip=(Skip(turn=5),))]
)
def test_a_layer_that_is_askew_and_a_gear_that_skipped_are_put_right(
    new_robot: NewRobot, faults: RigFaults
) -> None:
    robot = new_robot(scrambled(8), rig_faults=faults)
    report = solved(robot, 8)
    assert robot.rig.is_solved
    assert RecoveryAction.HOME in actions(report)
    assert report.seen is not None
    assert report.seen.target_reached


def noted(learnt: list[int]) -> Callable[[int], str]:
    """Return what a run is to tell how often it changed the manner."""

    def learn(changes: int) -> str:
        learnt.append(changes)
        return f"{changes} is noted."

    return learn


@pytest.mark.parametrize("port", [1, None], ids=["a stopped tilt", "nothing"])
def test_a_run_tells_whether_it_had_to_move_the_cube_otherwise(
    new_robot: NewRobot, port: int | None
) -> None:
    learnt: list[int] = []
    time_s = new_robot(scrambled(42)).find_home() + 12.0
    faults = NO_FAULTS if port is None else held(port, 6.0, time_s)
    robot = new_robot(scrambled(42), faults=faults, learn=noted(learnt))
    assert (RecoveryAction.HOME in actions(solved(robot, 42, seen=False))) is (port is not None)
    assert learnt == [int(port is not None)]


def test_the_runs_after_two_that_needed_another_manner_start_in_it(
    new_robot: NewRobot, tmp_path: Path
) -> None:
    calibration = tmp_path / "cube_robot.toml"
    calibration.write_text("version = 1\n")
    time_s = new_robot(scrambled(42)).find_home() + 12.0
    manners = []
    for faults in (held(1, 6.0, time_s), held(1, 6.0, time_s), NO_FAULTS):
        robot = new_robot(scrambled(42), faults=faults)
        robot.keep_calibration(calibration)
        manners.append(robot.calibration.tuning.manner)
        solved(robot, 42, seen=False)
        assert robot.rig.is_solved
    assert manners == [None, Earned(0, 0, failed=1), Earned(1, 1, failed=2, failed_at=0)]


def test_a_look_on_the_way_saves_the_rest_of_a_drive_in_vain(new_robot: NewRobot) -> None:
    played = []
    for policy in (RecoveryPolicy(), NO_LOOKS):
        slips = RigFaults(slip=(Slip(tilt=7),))
        learnt: list[int] = []
        robot = new_robot(
            scrambled(41), rig_faults=slips, loosen=lambda: "Safer now.", learn=noted(learnt)
        )
        events: list[RobotEvent] = []
        driven = solved(robot, 41, policy=policy, on_event=events.append).driven
        assert events.count(MarginsLoosened("Safer now.")) == 1
        assert events[-1] == MarginsLoosened("1 is noted.")
        assert learnt == [1]
        assert robot.rig.is_solved
        played.append(driven.finished)
        # Finding home squares the cube, and changes the manner in which it is moved.
        assert any(recovery.action is RecoveryAction.HOME for recovery in driven.recoveries)
    assert played[0] < played[1] - 10


def test_a_plan_that_goes_well_is_looked_at_and_not_disturbed(new_robot: NewRobot) -> None:
    robot = new_robot(scrambled(42))
    report = solved(robot, 42)
    assert robot.rig.is_solved
    assert actions(report) == []


def test_what_goes_wrong_too_often_ends_with_a_sentence_that_helps(new_robot: NewRobot) -> None:
    slips = RigFaults(slip=(Slip(tilt=7), Slip(tilt=26)))
    robot = new_robot(scrambled(43), rig_faults=slips)
    once = RecoveryPolicy(max_episodes=1)
    with pytest.raises(CubeUncertainError, match=r"2 recovery actions did not help.*resume"):
        solved(robot, 43, policy=once)
    assert robot.motors_are_idle
    run = find_interrupted_run(robot.journal)
    assert run.record.is_lost
    with pytest.raises(CubeUncertainError, match=f"resume {robot.journal} --state FACELETS"):
        run_job(resume(run, robot.robot))
    camera = CameraAbove(robot, level=1, seed=43)
    report = run_job(
        resume(find_interrupted_run(robot.journal), robot.robot, lambda: closing(camera))
    )
    assert robot.rig.is_solved
    assert report.seen is not None
    assert report.seen.target_reached


@pytest.mark.parametrize("port", [0, 1, 2])
def test_a_stall_that_a_retry_does_not_mend_is_mended_by_finding_home(
    new_robot: NewRobot, port: int
) -> None:
    robot = new_robot(scrambled(8))
    robot = new_robot(scrambled(8), faults=held(port, 6.0, robot.find_home() + 12.2))
    idle: list[bool] = []

    def on_event(event: RobotEvent) -> None:
        if isinstance(event, PrimitiveRetried | RecoveryStarted):
            idle.append(robot.motors_are_idle)

    report = solved(robot, 8, seen=False, on_event=on_event)
    assert robot.rig.is_solved
    assert RecoveryAction.HOME in actions(report)
    assert idle
    assert all(idle)


def test_a_tilt_whose_pusher_was_held_just_before_the_cube_is_seen(new_robot: NewRobot) -> None:
    """To the driver it stands as if stopped by a cube that rolled early, as on some rigs."""
    robot = new_robot(scrambled(8))
    tilted_s: list[float] = []

    def on_event(event: RobotEvent) -> None:
        if isinstance(event, PrimitiveFinished) and isinstance(event.primitive, Tilt):
            tilted_s.append(robot.clock.now())

    solved(robot, 8, on_event=on_event)
    robot = new_robot(scrambled(8), faults=held(2, 6.0, tilted_s[3] - 0.14))
    report = solved(robot, 8)
    assert RecoveryAction.SCAN in actions(report)
    assert robot.rig.is_solved
    assert report.seen is not None
    assert report.seen.target_reached


def test_a_motor_that_stays_stalled_ends_with_a_sentence(new_robot: NewRobot) -> None:
    robot = new_robot(scrambled(8))
    robot = new_robot(scrambled(8), faults=held(0, 1000.0, robot.find_home() + 12.0))
    with pytest.raises(MotorStalledError, match=r"resume .* continues"):
        solved(robot, 8, seen=False)
    assert robot.motors_are_idle
    assert robot.clock.now() < 150


def telegram_at(new_robot: NewRobot, seed: int, primitive: int) -> int:
    """Return the telegram at which a usual run without a camera has come to a primitive."""
    robot = new_robot(scrambled(seed))
    with closing(robot.running(robot.header())) as events:
        for event in events:
            if isinstance(event, PrimitiveFinished) and event.index == primitive:
                break
        return robot.brick.telegrams + 2


@pytest.mark.parametrize("primitive", [None, 10])
def test_a_lost_link_is_made_again(new_robot: NewRobot, primitive: int | None) -> None:
    telegram = 40 if primitive is None else telegram_at(new_robot, 9, primitive)
    robot = new_robot(scrambled(9), faults=Faults(drop_at=(telegram,)))
    report = solved(robot, 9, seen=False)
    assert robot.rig.is_solved
    assert actions(report) == [RecoveryAction.RECONNECT]
    assert robot.rig.jams == []
    assert robot.journal.read_text().count('"event":"home"') == 1, (
        "a home that is still known is not news"
    )


def test_a_link_that_stays_lost_is_given_up_within_a_minute_and_a_half(
    new_robot: NewRobot,
) -> None:
    silent = Faults(silent_from=telegram_at(new_robot, 9, 5))
    robot = new_robot(scrambled(9), faults=silent, reply_timeout_s=0.2)
    began: list[float] = []

    def on_event(event: RobotEvent) -> None:
        if isinstance(event, RecoveryStarted):
            began.append(robot.clock.now())

    with pytest.raises(LinkLostError, match=r"tries in \d+ s to reconnect failed"):
        solved(robot, 9, seen=False, on_event=on_event)
    assert robot.clock.now() - began[0] < RecoveryPolicy().reconnect_s + 30
    record, _ = read_journal(robot.journal)
    assert record.has_plan


def test_a_restarted_brick_is_looked_at_or_asked_about(new_robot: NewRobot) -> None:
    """With the program nobody knows what was done of what had been sent ahead."""
    telegram = telegram_at(new_robot, 12, 10)
    restart = Faults(restarts=(Restart(off_s=5.0, telegram=telegram),))
    robot = new_robot(scrambled(12), faults=restart)
    with pytest.raises(CubeUncertainError, match="--state FACELETS"):
        solved(robot, 12, seen=False)
    home_s = new_robot(scrambled(12)).find_home()
    restart = Faults(restarts=(Restart(off_s=5.0, time_s=home_s + 15.0),))
    robot = new_robot(scrambled(12), faults=restart)
    report = solved(robot, 12)
    assert robot.rig.is_solved
    assert {RecoveryAction.RECONNECT, RecoveryAction.SCAN} <= set(actions(report))


@pytest.mark.parametrize("fault", ["link", "arm", "pusher"])
def test_a_scan_goes_on_after_a_lost_link_and_after_a_stall(
    new_robot: NewRobot, fault: str
) -> None:
    time_s, telegram = third_turn(new_robot(scrambled(14)))
    faults = {
        "link": Faults(drop_at=(telegram,)),
        "arm": held(1, 5.0, time_s),
        "pusher": held(2, 5.0, time_s),
    }
    robot = new_robot(scrambled(14), faults=faults[fault])
    camera = CameraAbove(robot, level=1, seed=14)
    events: list[RobotEvent] = []
    scan = scan_by_robot(robot.robot, lambda: closing(camera))
    result = run_job(scan, events.append).outcome.result
    assert any(isinstance(event, RecoveryStarted) for event in events)
    again = [type(event) for event in reversed(events)]
    again = again[: again.index(StageStarted)]
    assert RecoveryStarted not in again, "a scan that starts over says so"
    assert again.count(FaceCaptured) == 6
    assert result.verdict is Verdict.ACCEPTED
    assert result.facelets == robot.rig.facelets
    assert robot.motors_are_idle


class FailingCamera(CameraAbove):
    """A camera that gives no picture for a while, from a moment on."""

    lost_from_s = float("inf")
    lost_for_s = 0.0

    def read(self) -> Image:
        if 0 < self._robot.clock.now() - self.lost_from_s < self.lost_for_s:
            raise CameraLostError("The camera is gone.")
        return super().read()


@pytest.mark.parametrize("lost_for_s", [3.0, 10_000.0])
def test_a_camera_that_is_lost_in_the_scan_is_given_some_time(
    new_robot: NewRobot, lost_for_s: float
) -> None:
    robot = new_robot(scrambled(15))
    camera = FailingCamera(robot, level=1, seed=15)
    camera.lost_from_s, camera.lost_for_s = third_turn(new_robot(scrambled(15)))[0], lost_for_s
    if lost_for_s < 10:
        report = solved(robot, 15, camera=camera)
        assert robot.rig.is_solved
        assert RecoveryAction.CAMERA in actions(report)
    else:
        with pytest.raises(CameraLostError, match=r"resume .* scans it"):
            solved(robot, 15, camera=camera)
        assert robot.rig.cube.cube == scrambled(15)
    assert robot.motors_are_idle


def test_without_its_camera_a_drive_ends_driven_and_says_why(new_robot: NewRobot) -> None:
    robot = new_robot(scrambled(16))
    camera = FailingCamera(robot, level=1, seed=16)

    def on_event(event: RobotEvent) -> None:
        if isinstance(event, PrimitiveFinished) and event.index == 0:
            camera.lost_from_s, camera.lost_for_s = robot.clock.now(), 1e9

    report = solved(robot, 16, camera=camera, on_event=on_event)
    assert robot.rig.is_solved
    assert report.seen is None
    assert "The camera is gone." in report.unseen
    assert report.is_doubtful
    assert robot.motors_are_idle


@pytest.mark.parametrize("index", [2, 17])
def test_the_motors_are_off_within_a_second_of_a_stop(new_robot: NewRobot, index: int) -> None:
    robot = new_robot(scrambled(17))
    job = RobotJob(robot.robot, Task(search_s=0.0, journal=robot.journal), robot.clock)
    stopped_s: list[float] = []

    def on_event(event: RobotEvent) -> None:
        if isinstance(event, PrimitiveFinished) and event.index == index:
            stopped_s.append(robot.clock.now())
            job.stop()

    with pytest.raises(StoppedError):
        run_job(job.solve_known(scrambled(17)), on_event)
    assert robot.motors_are_idle
    assert robot.clock.now() - stopped_s[0] <= 1.0 + 0.2  # the look at the motors takes 0.2


@pytest.mark.parametrize(
    ("number", "after_s"), [(signal.SIGINT, 3.1), (signal.SIGTERM, 3.4), (signal.SIGHUP, 9.2)]
)
def test_the_motors_are_off_within_a_second_of_a_signal_however_often_it_comes(
    new_robot: NewRobot, number: signal.Signals, after_s: float
) -> None:
    robot = new_robot(scrambled(17))
    end_s = robot.find_home() + after_s
    robot = new_robot(scrambled(17))
    job = RobotJob(robot.robot, Task(search_s=0.0, journal=robot.journal), robot.clock)
    sent_s: list[float] = []

    def send() -> None:
        if threading.current_thread() is threading.main_thread() and robot.clock.now() >= end_s:
            sent_s.append(robot.clock.now())
            os.kill(os.getpid(), number)

    before = signal.signal(number, signal.SIG_DFL)  # a suite in the background may ignore it
    robot.clock.before_sleep.append(send)
    try:
        with pytest.raises(StoppedError, match="the motors are off"):
            show_job(job.solve_known(scrambled(17)))
    finally:
        robot.clock.before_sleep.remove(send)
        signal.signal(number, before)
    assert len(sent_s) > 1, "one more came while the motors were switched off"
    assert robot.motors_are_idle
    assert robot.clock.now() - sent_s[0] <= 1.0 + 0.2  # the look at the motors takes 0.2


def test_the_journal_tells_what_the_report_tells(new_robot: NewRobot) -> None:
    telegram = telegram_at(new_robot, 18, 12)
    robot = new_robot(scrambled(18), faults=Faults(drop_at=(telegram,)))
    report = solved(robot, 18, seen=False)
    (told,) = report.driven.recoveries
    (kept,) = read_journal(robot.journal)[0].recoveries
    assert told.action is RecoveryAction.RECONNECT
    assert told.primitive is not None
    assert 0 < told.seconds < 10
    assert (kept.action, kept.primitive, kept.reason) == (told.action, told.primitive, told.reason)
    assert kept.seconds == pytest.approx(told.seconds, abs=0.001)
