"""The product drives a simulated MindCuber: solves, resumes, recovers, jogs, is calibrated."""

from pathlib import Path
from typing import Literal, TypeVar

import pytest

from controller.errors import InvalidCalibrationError, LinkLostError, MotorStalledError
from controller.job_events import RobotEvent, RobotReport, verdict
from controller.motion.journal import read_journal
from controller.opening import camera_opener
from controller.rigs.mindcuber.calibration import FILES
from controller.rigs.mindcuber.rig import RIG
from controller.robot_jobs import RobotJob, Task, scan_by_hand, scan_by_robot
from controller.vision.reading.result import Verdict
from controller.vision.scans.events import FaceCaptured
from hardware_sims.nxt_brick.faults import Faults, Stall
from hardware_sims.nxt_brick.sensors.color import EXIT
from hardware_sims.nxt_brick.sensors.input_module import NO_SENSOR
from hardware_sims.rigs.faults import Double, Slip, Yaw
from hardware_sims.rigs.mindcuber.faults import Build, Dead, Glare, MindCuberFaults
from hardware_sims.rigs.mindcuber.sight import COLOR_PORT
from solvers.foundation.errors import InvalidInputError
from solvers.foundation.progress import Job
from solvers.rubik.cubies import SOLVED
from solvers.rubik.scramble import random_state
from tests.mindcuber_robot import VirtualMindCuber
from tests.virtual_robot import VirtualRobot, turned

Report = TypeVar("Report")


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
    searching_home_s = robot.find_home()  # from home, as the run does
    header = robot.header()
    planned_s = sum(
        robot.machine.seconds.price(primitive, before)
        for before, primitive in zip((None, *header.primitives), header.primitives, strict=False)
    )
    began_s = robot.clock.now()
    robot.run(header)
    assert robot.clock.now() - began_s - searching_home_s == pytest.approx(planned_s, rel=0.05)


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
    calibration = FILES.default
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
    seconds = FILES.default.seconds
    RIG.save_prices(seconds, file, "today, on Gustav")
    mine = FILES.load(file)
    assert (mine.table.quarter_deg, mine.table.held_play_deg) == (210, 57)
    assert mine.seconds.measured == "today, on Gustav"
    assert "the 8527 kit" in file.read_text()
    assert RIG.setup_from(RIG.setup_of(mine).data, "the journal").costs == mine.seconds


def test_a_calibration_of_another_version_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text("[table]\nquarter_deg = 210\n")
    with pytest.raises(InvalidCalibrationError, match="version"):
        FILES.load(file)
    with pytest.raises(InvalidCalibrationError, match="version"):
        FILES.save_seconds(file, FILES.default.seconds)


def test_a_motor_it_has_not_is_named(journal: Path) -> None:
    robot = VirtualMindCuber(turned(4, 2), journal)
    setup = RIG.setup_of(robot.machine)
    with pytest.raises(InvalidInputError, match=r"table \(A\), sensor arm \(B\) or tilt arm \(C\)"):
        setup.jog("usb", "pusher", 10, 30, robot.clock)


def finish(job: Job[RobotEvent, Report]) -> tuple[list[RobotEvent], Report]:
    """Return the events of a job, and its report."""
    events: list[RobotEvent] = []
    while True:
        try:
            events.append(next(job))
        except StopIteration as ended:
            report: Report = ended.value
            return events, report


def sensing(robot: VirtualMindCuber) -> Job[RobotEvent, RobotReport]:
    """Solve a cube by the machine's own sensor."""
    task = Task(search_s=0.0, journal=robot.journal, camera="sensor")
    return RobotJob(robot.robot, task, robot.clock).solve_seen(camera_opener("sensor"))


@pytest.mark.parametrize("light", [1, 2])
def test_its_own_sensor_reads_the_cube(journal: Path, light: Literal[1, 2]) -> None:
    faults = MindCuberFaults(seed=light, rig=Build(light=light))
    robot = VirtualMindCuber(random_state(light), journal, machine_faults=faults)
    events, report = finish(scan_by_robot(robot.robot, camera_opener("sensor")))
    result = report.outcome.result
    assert (result.verdict, result.facelets) == (Verdict.ACCEPTED, robot.rig.facelets)
    assert [each.number for each in events if isinstance(each, FaceCaptured)] == [1, 2, 3, 4, 5, 6]
    assert robot.rig.jams == []
    assert robot.motors_are_idle
    lamp = robot.brick.machine.inputs.io_map["sensor_type"][COLOR_PORT]
    assert lamp in (NO_SENSOR, EXIT)


def test_a_cube_is_scanned_solved_and_verified_without_a_camera(journal: Path) -> None:
    robot = VirtualMindCuber(turned(6, 5), journal)
    _, report = finish(sensing(robot))
    assert robot.rig.is_solved
    assert report.seen is not None
    assert report.seen.target_reached
    assert report.seen.result.cube == SOLVED
    word, why = verdict(report.seen, SOLVED)
    assert word == "Solved"
    assert why.startswith("The sensor sees the expected cube. It read 18 of the 54 stickers, of")
    assert robot.rig.jams == []
    assert robot.motors_are_idle


@pytest.mark.parametrize(
    "faults",
    [
        MindCuberFaults(double=(Double(tilt=14),)),
        MindCuberFaults(yaw=(Yaw(spin=33),)),
    ],
    ids=["double", "yaw"],  # `python -m tests.benchmarks mindcuber_faults` has all kinds
)
def test_what_went_wrong_unseen_shows_in_few_stickers(
    journal: Path, faults: MindCuberFaults
) -> None:
    robot = VirtualMindCuber(random_state(3), journal, machine_faults=faults)
    events, report = finish(sensing(robot))
    faces = sum(isinstance(each, FaceCaptured) for each in events)
    assert faces == 6 + 2 + 6 + 6  # the scan, two that are wrong, all, and all of the second drive
    assert report.driven.recoveries
    assert report.seen is not None
    assert (robot.rig.is_solved, report.seen.target_reached) == (True, True)
    assert report.seen.evidence == ""


def test_a_tilt_that_slips_is_noticed_and_the_cube_solved_all_the_same(journal: Path) -> None:
    faults = MindCuberFaults(slip=(Slip(tilt=9),))  # the scan tilts six times
    robot = VirtualMindCuber(turned(6, 5), journal, machine_faults=faults)
    _, report = finish(sensing(robot))
    assert report.driven.recoveries
    assert report.seen is not None
    assert (robot.rig.is_solved, report.seen.target_reached) == (True, True)


def test_glare_on_a_sticker_is_read_again(journal: Path) -> None:
    glares = tuple(Glare(view=view, light=1000) for view in (20, 24, 28))
    faults = MindCuberFaults(glare=glares, rig=Build(light=2))
    robot = VirtualMindCuber(random_state(2), journal, machine_faults=faults)
    _, report = finish(scan_by_robot(robot.robot, camera_opener("sensor")))
    result = report.outcome.result
    if result.verdict is Verdict.ACCEPTED:
        assert result.facelets == robot.rig.facelets
    assert len(report.outcome.views) >= 6


def test_a_dead_sensor_is_no_cube(journal: Path) -> None:
    faults = MindCuberFaults(dead=(Dead(sensor="color"),))
    robot = VirtualMindCuber(random_state(2), journal, machine_faults=faults)
    _, report = finish(scan_by_robot(robot.robot, camera_opener("sensor")))
    assert report.outcome.result.verdict is not Verdict.ACCEPTED


def test_a_rig_without_a_sensor_says_so(tmp_path: Path) -> None:
    robot = VirtualRobot(turned(2, 2), tmp_path / "run.journal")
    with pytest.raises(InvalidInputError, match="no colour sensor of its own"):
        finish(scan_by_robot(robot.robot, camera_opener("sensor")))
    assert robot.motors_are_idle


def test_a_sensor_shows_no_pictures_to_a_hand() -> None:
    with pytest.raises(InvalidInputError, match="gives no pictures"):
        finish(scan_by_hand(camera_opener("sensor")))
