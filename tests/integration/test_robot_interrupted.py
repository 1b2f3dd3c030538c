"""Runs that are cut off end with a clear error, idle motors and a journal that goes on."""

import contextlib
from collections.abc import Callable
from typing import Any

import pytest

from controller.drivers.brick_link import BrickLink
from controller.drivers.rig_steps import Motor
from controller.errors import CubeUncertainError, LinkLostError, MotorStalledError
from controller.motion.executor import PrimitiveFinished, PrimitiveRetried
from controller.motion.journal import Journal, read_journal
from controller.motion.virtual_cube import VirtualCube
from controller.session import HomeTaken, start_run
from hardware_sims.nxt_brick.faults import NO_FAULTS, Faults, Stall
from solvers.rubik.facelets import parse_facelets
from solvers.rubik.scramble import random_state

DROPS = [30, 400, 1111, 2000, 2222, 3001]


@pytest.mark.parametrize("telegram", DROPS)
def test_a_pulled_plug_is_an_error_and_resume_solves(
    new_robot: Callable[..., Any], telegram: int
) -> None:
    robot = new_robot(random_state(telegram), faults=Faults(drop_at=(telegram,)))
    with pytest.raises(LinkLostError, match="resume"):
        robot.run()
    assert not robot.rig.is_solved
    events = robot.resume()
    assert robot.rig.is_solved
    assert isinstance(events[-1], PrimitiveFinished)
    assert robot.motors_are_idle


def test_a_brick_that_falls_silent_is_given_up(new_robot: Callable[..., Any]) -> None:
    robot = new_robot(random_state(7), faults=Faults(silent_from=500), reply_timeout_s=0.3)
    with pytest.raises(LinkLostError, match="not answered"):
        robot.run()


@pytest.mark.parametrize("port", [0, 1, 2])
def test_a_motor_that_stalls_for_two_seconds_is_tried_again(
    new_robot: Callable[..., Any], port: int
) -> None:
    stalls = (Stall(port=port, seconds=2.0, time_s=12.0),)
    robot = new_robot(random_state(8), faults=Faults(stalls=stalls))
    events = robot.run()
    assert robot.rig.is_solved
    assert sum(isinstance(event, PrimitiveRetried) for event in events) <= 1


def test_a_motor_that_stays_stalled_ends_the_run(new_robot: Callable[..., Any]) -> None:
    stalls = (Stall(port=0, seconds=1000.0, time_s=12.0),)
    robot = new_robot(random_state(8), faults=Faults(stalls=stalls))
    with pytest.raises(MotorStalledError, match=r"Motor A \(cradle\)"):
        robot.run()
    assert robot.motors_are_idle


def test_replies_that_come_late_do_no_harm(new_robot: Callable[..., Any]) -> None:
    faults = Faults(delay_s=0.06)
    robot = new_robot(random_state(9), faults=faults)
    robot.run()
    assert robot.rig.is_solved
    assert robot.rig.jams == []


def test_a_weak_battery_takes_longer_and_solves(new_robot: Callable[..., Any]) -> None:
    strong, weak = (
        new_robot(random_state(10), faults=Faults(battery_mv=volts)) for volts in (8500, 6600)
    )
    for robot in (strong, weak):
        robot.run()
        assert robot.rig.is_solved
    assert weak.clock.now() > strong.clock.now()


def run_until(robot: Any, finished: int) -> None:
    """Stop a run when so many primitives are finished."""
    header = robot.header()
    with robot.mechanism() as mechanism, Journal(robot.journal) as journal:
        events = start_run(header, robot.executor(mechanism, journal))
        for event in events:
            if isinstance(event, PrimitiveFinished) and event.index + 1 == finished:
                break
        events.close()


@pytest.mark.parametrize("finished", [1, 2, 17])
def test_stopping_between_primitives_leaves_a_certain_cube(
    new_robot: Callable[..., Any], finished: int
) -> None:
    robot = new_robot(random_state(11))
    run_until(robot, finished)
    assert robot.motors_are_idle
    record, _ = read_journal(robot.journal)
    assert record.finished == finished
    done = record.header.parsed_primitives()[:finished]
    certain = VirtualCube(parse_facelets(record.header.state)).after_all(done)
    assert certain.position == robot.rig.cube.cube
    robot.resume()
    assert robot.rig.is_solved


@pytest.mark.parametrize("step", range(5))
def test_ctrl_c_in_the_middle_of_a_primitive_is_completed(
    new_robot: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, step: int
) -> None:
    """Interrupt the driver at every step of one primitive of each kind."""
    original = Journal.step
    for seed in range(3):
        robot = new_robot(random_state(20 + seed))
        header = robot.header()
        seen = 0

        def interrupt(journal: Journal, primitive: int, number: int) -> None:
            nonlocal seen
            original(journal, primitive, number)
            seen += number == step
            if seen == 4:
                raise KeyboardInterrupt

        with monkeypatch.context() as patch:
            patch.setattr(Journal, "step", interrupt)
            with pytest.raises(KeyboardInterrupt):
                robot.run(header)
        assert robot.motors_are_idle
        robot.resume()
        assert robot.rig.is_solved, f"seed {seed}"


@pytest.mark.parametrize("look", range(200, 2600, 300))
def test_ctrl_c_in_the_middle_of_a_motion_is_completed(
    new_robot: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, look: int
) -> None:
    """Interrupt the driver while a motor turns; `look` counts its looks at the tachos."""
    original = BrickLink.tacho
    looks = 0

    def interrupt(link: BrickLink, motor: Motor) -> int:
        nonlocal looks
        looks += 1
        if looks == look:
            raise KeyboardInterrupt
        return original(link, motor)

    robot = new_robot(random_state(look))
    with monkeypatch.context() as patch:
        patch.setattr(BrickLink, "tacho", interrupt)
        with contextlib.suppress(KeyboardInterrupt):  # a short run ends before
            robot.run()
    assert robot.motors_are_idle
    robot.resume()
    assert robot.rig.is_solved


def test_a_restarted_brick_between_primitives_takes_a_new_home(
    new_robot: Callable[..., Any],
) -> None:
    robot = new_robot(random_state(12))
    run_until(robot, finished=9)
    robot.reboot()
    events = robot.resume()
    assert isinstance(events[0], HomeTaken)
    assert robot.rig.is_solved


def test_a_restarted_brick_within_a_primitive_asks_how_the_cube_lies(
    new_robot: Callable[..., Any],
) -> None:
    robot = new_robot(random_state(12), faults=Faults(drop_at=(900,)))
    with pytest.raises(LinkLostError):
        robot.run()
    robot.reboot()
    with pytest.raises(CubeUncertainError, match="--state FACELETS"):
        robot.resume()
    robot.run()  # plans anew from the facelets that the owner sees
    assert robot.rig.is_solved


def test_resuming_a_finished_run_does_nothing(new_robot: Callable[..., Any]) -> None:
    robot = new_robot(random_state(13), faults=NO_FAULTS)
    robot.run()
    assert robot.resume() == []
    assert robot.rig.is_solved
