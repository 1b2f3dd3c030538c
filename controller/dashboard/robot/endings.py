"""How a run has ended: what the page shows of its report, or of its error and its journal."""

from contextlib import suppress
from pathlib import Path

from controller.dashboard.robot.view import Phase, Result
from controller.errors import CubeUncertainError, InvalidJournalError, StoppedError
from controller.job_events import ResumeReport, RobotReport
from controller.motion.driving.journal import read_journal
from controller.verdict import verdict
from solvers.foundation.errors import PuzzlerigError
from solvers.rubik.cubies import CubieCube


def result_of(report: RobotReport | ResumeReport, target: CubieCube) -> Result:
    """Return what a run to `target` came to."""
    word, why = verdict(report.seen, target, report.unseen)
    seen = report.seen.result.confidence if report.seen else None
    moves = len(report.chosen.plan.moves) if isinstance(report, RobotReport) else 0
    return Result(word, why, moves, report.driven.measured_seconds, seen)


def phase_after(error: PuzzlerigError) -> Phase:
    """Return the state in which an error leaves the robot."""
    match error:
        case StoppedError():
            return Phase.STOPPED
        case CubeUncertainError():
            return Phase.UNCERTAIN
        case _:
            return Phase.FAULT


def left_in(journal: Path | None) -> tuple[bool, str]:
    """Return whether a run can be gone on with from a journal, and the primitive it was cut in.

    The latter is "" where the cube lies as after those that are finished, or nobody knows how.
    """
    if journal is None or not journal.exists() or not journal.stat().st_size:
        return False, ""
    with suppress(InvalidJournalError):
        record, _ = read_journal(journal)
        if record.has_plan and record.is_under_way:
            return True, str(record.under_way)
    return True, ""
