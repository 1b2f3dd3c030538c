"""The product drives a simulated MindCuber: solves, resumes, recovers, jogs, is calibrated."""

from pathlib import Path

import pytest

from controller.errors import InvalidCalibrationError, LinkLostError, MotorStalledError
from controller.motion.journal import read_journal
from controller.rigs.mindcuber.calibration import (
    default_calibration,
    load_calibration,
    save_seconds,
)
from controller.rigs.mindcuber.rig import RIG, MindCuberSetup
from hardware_sims.nxt_brick.faults import Faults, Stall
from hardware_sims.rigs.mindcuber.faults import Build, MindCuberFaults
from solvers.foundation.errors import InvalidInputError
from solvers.rubik.scramble import random_state
from tests.mindcuber_robot import VirtualMindCuber
from tests.virtual_robot import turned


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    return tmp_path / "run.journal"


def test_it_solves_a_random_cube(journal: Path) -> None:
    robot = VirtualMindCuber(random_state(1), journal)
    robot.run()
    assert robot.rig.is_solved
    assert robot.rig.jams == []
    assert robot.motors_are_idle


def test_a_run_takes_as_long_as_it_was_planned(journal: Path) -> None:
    robot = VirtualMindCuber(turned(3, 6), journal)
    robot.find_home()
    header = robot.header()
    planned_s = sum(
        robot.machine.seconds.price(primitive, before)
        for before, primitive in zip((None, *header.primitives), header.primitives, strict=False)
    )
    began_s = robot.clock.now()
    robot.run(header)
    searching_home_s = 3.5
    assert robot.clock.now() - began_s - searching_home_s == pytest.approx(planned_s, rel=0.15)


@pytest.mark.parametrize("telegram", [150, 260, 400])
def test_a_run_is_resumed_after_the_link_was_lost(journal: Path, telegram: int) -> None:
    robot = VirtualMindCuber(turned(4, 6), journal, Faults(drop_at=(telegram,)))
    with pytest.raises(LinkLostError):
        robot.run()
    robot.resume()
    assert read_journal(journal)[0].is_complete
    assert robot.rig.is_solved
    assert robot.rig.jams == []
    assert robot.motors_are_idle


def test_another_play_is_a_matter_of_calibration(journal: Path) -> None:
    calibration = default_calibration()
    table = type(calibration.table)(270, 10, 48, 87)
    machine = type(calibration)(
        version=1,
        table=table,
        sensor=calibration.sensor,
        tilt=calibration.tilt,
        pauses=calibration.pauses,
        seconds=calibration.seconds,
        patience=calibration.patience,
    )
    faults = MindCuberFaults(rig=Build(grip_deg=38))
    robot = VirtualMindCuber(turned(5, 5), journal, machine=machine, machine_faults=faults)
    robot.run()
    assert robot.rig.is_solved
    assert robot.rig.jams == []


def test_a_motor_that_is_held_is_named_by_what_it_moves(journal: Path) -> None:
    stall = Stall(port=2, seconds=60.0, time_s=6.0)
    robot = VirtualMindCuber(turned(4, 6), journal, Faults(stalls=(stall,)))
    with pytest.raises(MotorStalledError, match=r"Motor C \(tilt arm\)"):
        robot.run()
    assert robot.motors_are_idle


def test_home_is_found_wherever_the_arms_stand(journal: Path) -> None:
    robot = VirtualMindCuber(turned(4, 2), journal)
    robot.find_home()
    robot.reboot()
    robot.find_home()
    pose = robot.rig.pose
    assert pose.tilt_deg == pytest.approx(25, abs=3)  # type: ignore[attr-defined]
    assert pose.sensor_deg == pytest.approx(200, abs=3)  # type: ignore[attr-defined]


def test_prices_are_put_into_a_file_of_its_own(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text("version = 1\n[table]\nquarter_deg = 210  # the 8527 kit\n")
    seconds = default_calibration().seconds
    RIG.save_prices(seconds, file, "today, on Gustav")
    mine = load_calibration(file)
    assert (mine.table.quarter_deg, mine.table.held_play_deg) == (210, 57)
    assert mine.seconds.measured == "today, on Gustav"
    assert "the 8527 kit" in file.read_text()
    assert RIG.setup_from(MindCuberSetup(mine).data, "the journal").costs == mine.seconds


def test_a_calibration_of_another_version_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text("[table]\nquarter_deg = 210\n")
    with pytest.raises(InvalidCalibrationError, match="version"):
        load_calibration(file)
    with pytest.raises(InvalidCalibrationError, match="version"):
        save_seconds(file, default_calibration().seconds)


def test_a_motor_it_has_not_is_named(journal: Path) -> None:
    robot = VirtualMindCuber(turned(4, 2), journal)
    setup = MindCuberSetup(robot.machine)
    with pytest.raises(InvalidInputError, match=r"table \(A\), sensor arm \(B\) or tilt arm \(C\)"):
        setup.jog("usb", "pusher", 10, 30, robot.clock)
