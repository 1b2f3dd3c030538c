"""Goes on with a run that was interrupted."""

from dataclasses import dataclass
from pathlib import Path

from controller.errors import InvalidJournalError
from controller.job_events import DriveBegan, ResumeReport, RobotEvent
from controller.motion.driving.journal import Journal, RunRecord, read_journal
from controller.motion.driving.journals import journals_newest_first, no_journal
from controller.motion.driving.run import resume_run
from controller.opening import OpenCamera, Robot
from controller.robot_job import executor_of
from controller.scan_job import look_whether
from solvers.foundation.progress import Job


@dataclass(frozen=True, slots=True)
class InterruptedRun:
    """A run as its journal tells it."""

    path: Path
    record: RunRecord
    valid_bytes: int


def interrupted_run(path: Path | None = None) -> InterruptedRun:
    """Read a journal, or, without a path, find the newest whose run is not finished.

    A newer run on the same brick that was finished has moved the cube since, and so has one that
    was cut off in its scan. Raises InvalidJournalError.
    """
    if path is not None:
        return InterruptedRun(path, *read_journal(path))
    moved_since: set[str] = set()
    for candidate in journals_newest_first():
        if not candidate.stat().st_size:
            raise InvalidJournalError(
                f"The newest run ({candidate.name}) was cut off before it had a plan, and may have "
                "moved the cube. Straighten the rig and begin again: cuberobot run."
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
    run: InterruptedRun, robot: Robot, camera: "OpenCamera | None" = None
) -> Job[RobotEvent, ResumeReport]:
    """Drive what is missing of a run, and look at the cube where there is a camera.

    Raises RobotError, CameraError and ScanFailedError, with the motors off, and InvalidJournalError
    if there is nothing to do.
    """
    header = run.record.header
    total = len(header.primitives)
    if run.record.is_complete and camera is None:
        raise InvalidJournalError(
            f"The run of {run.path} is finished: all {total} primitives are done. "
            "With --camera the cube is looked at."
        )
    seen = None
    with robot.connect() as mechanism:
        with Journal(run.path, run.valid_bytes) as journal:
            yield DriveBegan(total, run.path)
            driven = yield from resume_run(run.record, executor_of(robot, mechanism, journal))
        if camera is not None:
            try:
                seen = yield from look_whether(header.target, camera, robot, mechanism)
            finally:
                mechanism.release()
    return ResumeReport(run.record.finished, total, driven, run.path, seen)
