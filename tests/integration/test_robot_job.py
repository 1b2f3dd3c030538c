"""The whole job with a known cube, in virtual time: its events, its report, pause and stop."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

import pytest

from controller.cli.main import main
from controller.errors import BrickNotFoundError, StoppedError
from controller.job_events import DriveStarted, PlanChosen, RobotEvent, Stage, StageStarted
from controller.motion.executor import HomeFound, Paused, PrimitiveFinished, PrimitiveStarted
from controller.motion.journal import read_journal
from controller.motion.mechanism import Mechanism
from controller.motion.virtual_cube import VirtualCube
from controller.opening import Robot
from controller.robot_jobs import RobotJob, Task, find_interrupted_run, resume
from solvers.foundation.progress import run_job
from solvers.rubik.cubies import SOLVED
from solvers.rubik.notation import parse_moves
from solvers.rubik.pocket import as_whole_cube, has_solved_corners, read_pocket
from solvers.rubik.scramble import random_state
from tests.in_process import runner
from tests.virtual_robot import VirtualRobot

CUBE = random_state(31)


def job_of(robot: VirtualRobot, connectable: Robot | None = None) -> RobotJob:
    task = Task(search_s=0.0, journal=robot.journal)
    return RobotJob(connectable or robot.robot, task, robot.clock)


def test_events_and_report_of_a_solve(new_robot: Callable[..., VirtualRobot]) -> None:
    robot = new_robot(CUBE)
    events: list[RobotEvent] = []
    home_s: list[float] = []

    def note(event: RobotEvent) -> None:
        events.append(event)
        if isinstance(event, HomeFound):
            home_s.append(robot.clock.now())

    report = run_job(job_of(robot).solve_known(CUBE), note)
    assert robot.rig.cube.cube == SOLVED
    assert robot.motors_are_idle
    stages = [event.stage for event in events if isinstance(event, StageStarted)]
    assert stages == [Stage.PREPARE, Stage.SEARCH]
    (chosen,) = (event.chosen for event in events if isinstance(event, PlanChosen))
    (began,) = (event for event in events if isinstance(event, DriveStarted))
    total = len(chosen.plan.primitives)
    assert (began.total, began.journal) == (total, robot.journal)
    assert report.chosen == chosen
    assert report.driven.finished == total
    assert report.driven.measured_seconds == pytest.approx(robot.clock.now() - home_s[0], abs=3)
    assert (report.scan, report.seen) == (None, None)
    assert [each.stage for each in report.stages] == [Stage.SEARCH, Stage.DRIVE]
    assert find_interrupted_run(robot.journal).record.is_complete


def test_the_brick_is_connected_before_the_search(new_robot: Callable[..., VirtualRobot]) -> None:
    robot = new_robot(CUBE)

    @contextmanager
    def nobody() -> Iterator[Mechanism]:
        raise BrickNotFoundError("Nobody is there.")
        yield  # type: ignore[unreachable]  # makes it a generator

    events: list[RobotEvent] = []
    away = replace(robot.robot, connect=nobody)
    with pytest.raises(BrickNotFoundError):
        run_job(job_of(robot, away).solve_known(CUBE), events.append)
    assert events == []


def test_a_job_is_paused_and_goes_on(new_robot: Callable[..., VirtualRobot]) -> None:
    robot = new_robot(CUBE)
    job = job_of(robot)
    paused = []

    def on_event(event: RobotEvent) -> None:
        if isinstance(event, PrimitiveFinished) and event.index == 4:
            job.pause()
        if isinstance(event, Paused):
            paused.append((event.index, robot.motors_are_idle))
            record, _ = read_journal(robot.journal)
            assert (record.finished, event.is_within) == (event.index, record.is_under_way)
            done = VirtualCube(CUBE).after_all(record.header.primitives[: record.finished])
            assert event.is_within or robot.rig.cube.cube == done.position
            job.resume()

    run_job(job.solve_known(CUBE), on_event)
    ((index, are_idle),) = paused
    assert index >= 5  # what the brick had begun by itself is finished first
    assert are_idle
    assert robot.rig.is_solved


def test_a_job_that_is_stopped_in_mid_motion_is_resumed(
    new_robot: Callable[..., VirtualRobot],
) -> None:
    robot = new_robot(CUBE)
    job = job_of(robot)

    def on_event(event: RobotEvent) -> None:
        if isinstance(event, PrimitiveStarted) and event.index == 6:
            job.stop()

    with pytest.raises(StoppedError):
        run_job(job.solve_known(CUBE), on_event)
    assert robot.motors_are_idle
    record, _ = read_journal(robot.journal)
    assert (record.finished, record.is_under_way) == (6, True)
    report = run_job(resume(find_interrupted_run(robot.journal), robot.robot))
    assert robot.rig.is_solved
    assert report.resumed_at == 6
    assert report.driven.finished == report.total - 6


def test_a_job_is_stopped_in_its_search(new_robot: Callable[..., VirtualRobot]) -> None:
    robot = new_robot(CUBE)
    job = job_of(robot)

    def on_event(event: RobotEvent) -> None:
        if isinstance(event, StageStarted) and event.stage is Stage.SEARCH:
            job.stop()

    with pytest.raises(StoppedError):
        run_job(job.solve_known(CUBE), on_event)
    assert not robot.journal.exists()
    assert robot.rig.cube.cube == CUBE


def test_a_2x2x2_cube_is_driven_until_its_corners_are_solved(
    new_robot: Callable[..., VirtualRobot],
) -> None:
    start = as_whole_cube(read_pocket("WGWG RRRR GYGY YBYB OOOO WBWB")).apply(parse_moves("U F2 R"))
    robot = new_robot(start)
    task = Task(journal=robot.journal, corners_only=True)
    report = run_job(RobotJob(robot.robot, task, robot.clock).solve_known(start))
    after = robot.rig.cube.cube
    assert has_solved_corners(after)
    assert after == start.apply(report.chosen.plan.moves)
    assert robot.motors_are_idle
    record = find_interrupted_run(robot.journal).record
    assert record.is_complete
    assert record.header.target == after


def test_a_2x2x2_cube_goes_on_as_it_lies_after_a_stop(
    new_robot: Callable[..., VirtualRobot],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    start = as_whole_cube(read_pocket("WGWG RRRR GYGY YBYB OOOO WBWB")).apply(parse_moves("U F2 R"))
    robot = new_robot(start)
    job = RobotJob(robot.robot, Task(journal=robot.journal, corners_only=True), robot.clock)

    def on_event(event: RobotEvent) -> None:
        if isinstance(event, PrimitiveStarted) and event.index == 4:
            job.stop()

    with pytest.raises(StoppedError):
        run_job(job.solve_known(start), on_event)
    assert not has_solved_corners(robot.rig.cube.cube)
    monkeypatch.setattr("controller.opening.robot_for", lambda *_, **__: robot.robot)
    lies = "".join(robot.rig.facelets[9 * face + at] for face in range(6) for at in (0, 2, 6, 8))
    cuberobot = runner("cuberobot", main, monkeypatch, capsys)
    done = cuberobot("resume", str(robot.journal), "--state", lies, "--json")
    assert (done.code, has_solved_corners(robot.rig.cube.cube)) == (0, True), done.err
    assert done.data["finished"] > 0
    assert find_interrupted_run(robot.journal).record.is_complete
