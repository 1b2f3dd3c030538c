"""Goes on with a run that was interrupted."""

from dataclasses import dataclass
from pathlib import Path

from controller.job_events import DriveBegan, ResumeReport, RobotEvent
from controller.motion.driving.journal import Journal, RunRecord, read_journal
from controller.motion.driving.run import resume_run
from controller.opening import Robot
from controller.robot_job import executor_of
from solvers.foundation.progress import Job


@dataclass(frozen=True, slots=True)
class InterruptedRun:
    """A run as its journal tells it."""

    path: Path
    record: RunRecord
    valid_bytes: int


def interrupted_run(path: Path) -> InterruptedRun:
    """Read a journal. Raises InvalidJournalError."""
    record, valid_bytes = read_journal(path)
    return InterruptedRun(path, record, valid_bytes)


def resume(run: InterruptedRun, robot: Robot) -> Job[RobotEvent, ResumeReport]:
    """Drive what is missing of a run. Raises RobotError."""
    total = len(run.record.header.primitives)
    with robot.connect() as mechanism, Journal(run.path, run.valid_bytes) as journal:
        yield DriveBegan(total, run.path)
        driven = yield from resume_run(run.record, executor_of(robot, mechanism, journal))
    return ResumeReport(run.record.finished, total, driven, run.path)
