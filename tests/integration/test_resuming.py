"""Which run is resumed, what it continues with, and that the cube is verified in the end."""

import json
import zlib
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.errors import CubeUncertainError, InvalidJournalError, LinkLostError
from controller.motion.journal import Journal, new_journal_path, read_journal
from controller.motion.primitives import Spin, Tilt
from controller.motion.run_record import RunHeader
from controller.opening import robot_for
from controller.recovery.escalation import NO_RECOVERY
from controller.rigs.nxt_cradle.calibration.values import FILES, Calibration
from controller.rigs.nxt_cradle.rig import RIG
from controller.robot_jobs import RobotJob, Task, find_interrupted_run, resume
from hardware_sims.clock import VirtualClock
from hardware_sims.nxt_brick.faults import NO_FAULTS, Faults
from solvers.foundation.errors import PuzzlerigError
from solvers.foundation.progress import run_job
from solvers.rubik.cubies import SOLVED
from solvers.rubik.notation import Move
from solvers.rubik.scramble import random_state
from tests.camera_above import CameraAbove, third_turn
from tests.in_process import Run
from tests.virtual_robot import VirtualRobot

HEADER = RunHeader(
    start=random_state(1),
    target=SOLVED,
    moves=(Move.R1,),
    primitives=(Spin(1), Tilt()),
    rig="nxt-cradle",
    drive="direct",
    brick="usb",
    calibration=RIG.setup_of(FILES.default).data,
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("controller.motion.journal.user_state_path", lambda _: tmp_path)
    return tmp_path / "journals"


def keep(finished: int, brick: str = "usb") -> Path:
    """Keep the journal of a run of two primitives."""
    path = new_journal_path()
    with Journal(path) as journal:
        journal.start(replace(HEADER, brick=brick))
        for index, primitive in enumerate(HEADER.primitives[:finished]):
            journal.record_finished(index, primitive, 1.0, {})
    return path


@pytest.mark.usefixtures("folder")
def test_without_any_it_says_where_it_looked() -> None:
    with pytest.raises(InvalidJournalError, match=r"no journal of an unfinished run in .*journals"):
        find_interrupted_run()


def test_finished_runs_and_foreign_files_are_skipped(folder: Path) -> None:
    keep(0)
    interrupted = keep(1)
    keep(2, brick="bluetooth")
    (folder / "run-000009.journal").write_text("my diary\n")
    (folder / "notes.journal").write_text("my diary\n")
    assert find_interrupted_run().path == interrupted


@pytest.mark.usefixtures("folder")
def test_a_run_is_over_once_a_newer_one_on_its_brick_is_finished() -> None:
    keep(1)
    keep(2)
    with pytest.raises(InvalidJournalError, match="no journal of an unfinished run"):
        find_interrupted_run()


@pytest.mark.usefixtures("folder")
def test_the_position_is_read_as_in_every_other_command(cuberobot: Run) -> None:
    keep(1, brick="devfile:/dev/null")
    for state in ("checkerboard", "R U2 F'", "W" * 9 + "R" * 9 + "G" * 9 + "Y" * 9 + "OB" * 9):
        is_cube = "OB" not in state
        result = cuberobot("resume", "--state", state, "--json")
        assert result.code == (1 if is_cube else 2)
        assert ("devfile:/dev/null" if is_cube else "no edge") in result.data["error"]


@pytest.mark.usefixtures("folder")
def test_after_a_run_that_was_cut_off_as_it_began_no_older_one_is_taken() -> None:
    keep(1)
    new_journal_path()
    with pytest.raises(InvalidJournalError, match="cut off as it started"):
        find_interrupted_run()


@pytest.mark.usefixtures("folder")
def test_a_run_that_was_cut_off_in_its_scan_is_resumed_by_looking(
    new_robot: Callable[..., VirtualRobot],
) -> None:
    keep(1)
    _, telegram = third_turn(new_robot(random_state(3)))
    robot = new_robot(random_state(3), faults=Faults(drop_at=(telegram,)))
    camera = CameraAbove(robot, level=1, seed=3)
    job = RobotJob(robot.robot, Task(search_s=0.0, policy=NO_RECOVERY), robot.clock)
    with pytest.raises(LinkLostError, match=r"resume .*run-000002.journal` scans"):
        run_job(job.solve_seen(lambda: closing(camera)))
    assert robot.rig.tilts > 0
    run = find_interrupted_run()
    assert not run.record.has_plan
    with pytest.raises(CubeUncertainError, match="--state FACELETS"):
        run_job(resume(run, robot.robot))
    report = run_job(resume(find_interrupted_run(), robot.robot, lambda: closing(camera)))
    assert robot.rig.is_solved
    assert report.seen is not None
    assert report.seen.target_reached
    assert (report.resumed_at, report.total) == (0, report.driven.finished)
    assert not report.driven.after_restart


def test_it_goes_on_with_the_calibration_that_the_run_began_with(tmp_path: Path) -> None:
    calibration = FILES.default
    slower = replace_arm_power(calibration, 55)
    header = replace(HEADER, calibration=RIG.setup_of(slower).data)
    path = tmp_path / "run.journal"
    with Journal(path) as journal:
        journal.start(header)
    record, _ = read_journal(path)
    robot = robot_for(record.header, VirtualClock())
    assert robot.calibration["arm"]["power"] == 55
    own = tmp_path / "own.toml"
    own.write_text("version = 1\n[arm]\npower = 66\n")
    told = robot_for(record.header, VirtualClock(), calibration=own)
    assert told.calibration["arm"]["power"] == 66


def replace_arm_power(calibration: Calibration, power: int) -> Calibration:
    arm = msgspec.structs.replace(calibration.arm, power=power)
    return msgspec.structs.replace(calibration, arm=arm)


def test_a_calibration_that_cannot_be_is_a_sentence() -> None:
    with pytest.raises(InvalidJournalError, match="calibration in the journal"):
        robot_for(replace(HEADER, calibration={"arm": 3}), VirtualClock())


def test_a_resumed_run_is_verified_only_by_looking(
    new_robot: Callable[..., VirtualRobot],
) -> None:
    robot = new_robot(random_state(4), faults=Faults(drop_at=(700,)))
    with pytest.raises(LinkLostError):
        robot.run()
    robot.faults = NO_FAULTS
    run = find_interrupted_run(robot.journal)
    camera = CameraAbove(robot, level=1, seed=4)
    report = run_job(resume(run, robot.robot, lambda: closing(camera)))
    assert robot.rig.is_solved
    assert report.seen is not None
    assert report.seen.target_reached
    assert robot.motors_are_idle
    finished = find_interrupted_run(robot.journal)
    with pytest.raises(InvalidJournalError, match="is finished"):
        run_job(resume(finished, robot.robot))
    again = run_job(resume(finished, robot.robot, lambda: closing(camera)))
    assert again.seen is not None
    assert again.seen.target_reached


def test_a_journal_does_not_take_the_place_of_another_file(
    new_robot: Callable[..., VirtualRobot],
) -> None:
    robot = new_robot(random_state(4))
    robot.journal.write_text("my diary\n")
    job = RobotJob(robot.robot, Task(search_s=0.0, journal=robot.journal), robot.clock)
    with pytest.raises(InvalidJournalError, match="is no journal, so it is not overwritten"):
        run_job(job.solve_known(random_state(4)))
    assert robot.journal.read_text() == "my diary\n"
    assert robot.rig.cube.cube == random_state(4)


def line(body: bytes) -> bytes:
    return b"%08x %s\n" % (zlib.crc32(body), body)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)
EVENTS = st.fixed_dictionaries(
    {"event": st.sampled_from(["home", "reached", "finished", "flown"])},
    optional={
        "primitive": st.integers(-1, 3) | JSON,
        "state": st.dictionaries(st.text(), JSON) | JSON,
        "name": st.text(),
        "seconds": JSON,
    },
)


@given(bodies=st.lists(EVENTS | JSON, max_size=4), tail=st.binary(max_size=40))
def test_odd_lines_are_sentences(
    tmp_path_factory: pytest.TempPathFactory, bodies: list[Any], tail: bytes
) -> None:
    path = tmp_path_factory.mktemp("odd") / "run.journal"
    with Journal(path) as journal:
        journal.start(HEADER)
    lines = [line(json.dumps(body).encode()) for body in bodies]
    path.write_bytes(path.read_bytes() + b"".join(lines) + tail)
    try:
        record, _ = read_journal(path)
    except PuzzlerigError as error:
        assert str(path) in str(error)  # noqa: PT017 - either way it must not be a traceback
    else:
        assert record.header.primitives == HEADER.primitives


def test_a_journal_cut_off_at_any_byte_is_read_or_refused(tmp_path: Path) -> None:
    path = tmp_path / "run.journal"
    with Journal(path) as journal:
        journal.start(HEADER)
        journal.record_home({"home": [0, 0, 0]})
        journal.record_finished(0, Spin(1), 1.0, {})
    whole = path.read_bytes()
    first = whole.index(b"\n") + 1
    for length in range(len(whole)):
        path.write_bytes(whole[:length])
        if length < first:
            with pytest.raises(InvalidJournalError):
                read_journal(path)
        else:
            assert read_journal(path)[1] <= length
