"""A rig of another make goes all the way: plan, drive, journal, resume, without a line edited."""

from pathlib import Path

import pytest

from controller.diagnosis import diagnose
from controller.errors import InvalidAddressError, LinkLostError
from controller.motion.planner import make_plan
from controller.motion.run_record import RecoveryAction
from controller.opening import Robot, robot_at, robot_for
from controller.recovery.escalation import NO_RECOVERY
from controller.rigs import registry
from controller.rigs.nxt_cradle.calibration.values import assumed_seconds
from controller.robot_jobs import RobotJob, Task, calibrate, find_interrupted_run, resume
from hardware_sims.clock import VirtualClock
from solvers.foundation.errors import InvalidInputError
from solvers.foundation.progress import run_job
from solvers.rubik.cubies import SOLVED
from solvers.rubik.notation import parse_moves
from solvers.rubik.scramble import random_state
from tests.two_servo_rig import rig as two_servos
from tests.two_servo_rig.rig import ServoPrices, TwoServoRig
from tests.two_servo_rig.servos import Servos

NAME = "two-servos"


@pytest.fixture
def rig(monkeypatch: pytest.MonkeyPatch) -> TwoServoRig:
    """Register the rig by its one line."""
    rig = TwoServoRig()
    monkeypatch.setattr(two_servos, "RIG", rig)
    monkeypatch.setitem(registry.RIGS, NAME, "tests.two_servo_rig.rig")
    return rig


def robot_with(rig: TwoServoRig, servos: Servos) -> Robot:
    rig.boards["board"] = servos
    return robot_at("board", VirtualClock(), rig=NAME)


@pytest.mark.parametrize("seed", range(5))
def test_it_solves_a_cube(rig: TwoServoRig, tmp_path: Path, seed: int) -> None:
    servos = Servos.with_cube(random_state(seed))
    robot = robot_with(rig, servos)
    task = Task(search_s=0.0, journal=tmp_path / "run.journal")
    report = run_job(RobotJob(robot, task, VirtualClock()).solve_known(random_state(seed)))
    assert servos.cube.cube == SOLVED
    assert not servos.is_powered
    assert report.driven.finished == len(report.chosen.plan.primitives)
    assert report.driven.measured_seconds > 0


def test_a_line_that_breaks_is_connected_again(rig: TwoServoRig, tmp_path: Path) -> None:
    servos = Servos.with_cube(random_state(7), fail_at=30)
    task = Task(search_s=0.0, journal=tmp_path / "run.journal")
    robot = robot_with(rig, servos)
    report = run_job(RobotJob(robot, task, VirtualClock()).solve_known(random_state(7)))
    assert servos.cube.cube == SOLVED
    assert not servos.is_powered
    assert [recovery.action for recovery in report.driven.recoveries] == [RecoveryAction.RECONNECT]


@pytest.mark.parametrize("word", [*range(4, 30), 61, 99])
def test_a_run_that_was_cut_off_at_any_word_is_resumed(
    rig: TwoServoRig, tmp_path: Path, word: int
) -> None:
    servos = Servos.with_cube(random_state(7), fail_at=word)
    robot = robot_with(rig, servos)
    task = Task(search_s=0.0, journal=tmp_path / "run.journal", policy=NO_RECOVERY)
    with pytest.raises(LinkLostError, match="resume"):
        run_job(RobotJob(robot, task, VirtualClock()).solve_known(random_state(7)))
    assert servos.cube.cube != SOLVED
    run = find_interrupted_run(tmp_path / "run.journal")
    assert (run.record.header.rig, run.record.header.drive) == (NAME, "words")
    taken_up = robot_for(run.record.header, VirtualClock())
    report = run_job(resume(run, taken_up))
    assert servos.cube.cube == SOLVED
    assert report.resumed_at + report.driven.finished == report.total
    assert find_interrupted_run(tmp_path / "run.journal").record.is_complete


def test_its_prices_give_other_plans(rig: TwoServoRig) -> None:
    own, nxt = rig.setup().costs, assumed_seconds()
    assert own == ServoPrices()
    lists = [parse_moves(text) for text in ("R U F' L2 D B", "B2 U' R L F D2", "F R B L U2 D")]
    plans = [(make_plan(moves, own), make_plan(moves, nxt)) for moves in lists]
    for here, there in plans:
        assert here.robot_seconds < there.robot_seconds
    assert any(here.primitives != there.primitives for here, there in plans)


def test_it_is_calibrated_and_examined_as_any_other(rig: TwoServoRig) -> None:
    rig.boards["board"] = Servos.with_cube(SOLVED)
    job = calibrate(
        "board",
        VirtualClock(),
        rig=NAME,
        drive=None,
        calibration=None,
        output=None,
        rounds=2,
    )
    report = run_job(job)
    assert rig.saved == [report.prices]
    assert isinstance(report.prices, ServoPrices)
    assert report.prices.flip == pytest.approx(0.8)
    assert not rig.boards["board"].is_powered
    assert diagnose(registry.get_rig(NAME), ["board"]).a_machine_answers
    assert not diagnose(registry.get_rig(NAME), ["bored"]).a_machine_answers


def test_a_dry_run_needs_no_machine(rig: TwoServoRig, tmp_path: Path) -> None:
    rig.boards["board"] = servos = Servos.with_cube(random_state(1), fail_at=0)
    task = Task(search_s=0.0, journal=tmp_path / "run.journal")
    robot = robot_at("board", VirtualClock(), rig=NAME)
    report = run_job(RobotJob(robot, task, VirtualClock()).plan_known(random_state(1)))
    assert report.chosen.plan.robot_seconds > 0
    assert servos.cube.cube == random_state(1)
    assert not (tmp_path / "run.journal").exists()


@pytest.mark.usefixtures("rig")
def test_unknown_names_are_refused_with_those_there_are() -> None:
    with pytest.raises(InvalidInputError, match=r"no rig 'three-servos'.*nxt-cradle.*two-servos"):
        robot_at("board", VirtualClock(), rig="three-servos")
    with pytest.raises(InvalidInputError, match=r"no drive 'direct'.*words"):
        robot_at("board", VirtualClock(), rig=NAME, drive="direct")
    with pytest.raises(InvalidAddressError, match="no servo board"):
        robot_at("bored", VirtualClock(), rig=NAME)
