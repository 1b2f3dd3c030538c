"""Goes on with a run that was interrupted."""

from dataclasses import dataclass
from pathlib import Path

from controller.errors import InvalidJournalError
from controller.job_events import ResumeReport, RobotEvent
from controller.looking import Eyes
from controller.motion.driving.journal import Journal, read_journal
from controller.motion.driving.journals import journals_newest_first, no_journal
from controller.motion.driving.run_record import RunRecord
from controller.opening import OpenCamera, Robot
from controller.recovery.careful_run import CarefulRun
from controller.recovery.connection import Connection
from controller.recovery.times import StageTimes
from controller.robot_job import Task, choosing
from solvers.foundation.progress import Job


@dataclass(frozen=True, slots=True)
class InterruptedRun:
    """A run as its journal tells it."""

    path: Path
    record: RunRecord
    valid_bytes: int


def interrupted_run(path: Path | None = None) -> InterruptedRun:
    """Read a journal, or, without a path, find the newest whose run is not finished.

    A newer run on the same brick that was finished has moved the cube since. Raises
    InvalidJournalError.
    """
    if path is not None:
        return InterruptedRun(path, *read_journal(path))
    moved_since: set[str] = set()
    for candidate in journals_newest_first():
        if not candidate.stat().st_size:
            raise InvalidJournalError(
                f"The newest run ({candidate.name}) was cut off as it began. Straighten the rig "
                "and begin again: cuberobot run."
            )
        try:
            run = InterruptedRun(candidate, *read_journal(candidate))
        except InvalidJournalError:  # of another version, damaged, or somebody else's file
            continue
        if run.record.header.brick in moved_since:
            continue
        if not run.record.is_complete:
            return run
        moved_since.add(run.record.header.brick)
    raise no_journal()


def resume(
    run: InterruptedRun,
    robot: Robot,
    camera: "OpenCamera | None" = None,
    task: Task | None = None,
) -> Job[RobotEvent, ResumeReport]:
    """Do what is missing of a run, and look at the cube where there is a camera.

    If nobody knows how the cube lies the camera looks first, and the rest is planned anew as `task`
    says. Raises RobotError, CameraError and ScanFailedError, with the motors off, and
    InvalidJournalError if there is nothing to do.
    """
    record = run.record
    task = task or Task(record.header.target)
    if record.is_complete and camera is None:
        raise InvalidJournalError(
            f"The run of {run.path} is finished: all {len(record.header.primitives)} primitives "
            "are done. With --camera the cube is looked at."
        )
    times = StageTimes(robot.controls)
    eyes = Eyes(camera, robot) if camera else None
    if eyes is not None:
        eyes.find_camera()
    with (
        Connection(robot, task.policy) as connection,
        Journal(run.path, run.valid_bytes) as journal,
    ):
        if record.has_plan and not record.is_complete:
            connection.known, connection.under_way = record.state, record.under_way
        careful = CarefulRun(
            robot,
            connection,
            journal,
            eyes,
            lambda start: choosing(robot, task, start, times),
            task.policy,
            times,
        )
        outcome = yield from careful.carry_out()
        total = len(journal.record.header.primitives)
    return ResumeReport(
        record.finished, total, outcome.driven, run.path, outcome.seen, outcome.unseen
    )
