"""How a run has ended: what the page shows of its report, or of its error."""

from pathlib import Path

from controller.dashboard.robot.view import Phase, Result
from controller.errors import CubeUncertainError, StoppedError
from controller.job_events import ResumeReport, RobotReport
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


def has_lines(journal: Path | None) -> bool:
    """Return whether there is a journal that a run can be gone on with from."""
    return journal is not None and journal.exists() and journal.stat().st_size > 0
