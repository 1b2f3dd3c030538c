"""How a run has ended: what the page shows of its report, or of its error and its journal."""

from pathlib import Path
from typing import Any

from controller.dashboard.robot.view import Phase, Result
from controller.errors import CubeUncertainError, InvalidJournalError, StoppedError
from controller.job_events import ResumeReport, RobotReport
from controller.motion.driving.journal import read_journal
from controller.motion.driving.run_record import RunRecord
from controller.verdict import verdict
from solvers.foundation.errors import InvalidInputError, PuzzlerigError
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


def left_in(journal: Path | None) -> RunRecord | None:
    """Return what the journal of a run tells, None if nothing can be gone on with."""
    if journal is None:
        return None
    try:
        return read_journal(journal)[0]
    except InvalidJournalError:  # also one that was only named: no plan was made
        return None


def place_of(left: RunRecord | None) -> dict[str, Any]:
    """Return the fields of the view that say where a run ended: between primitives, or within one.

    Where nobody knows how the cube lies there is no such place.
    """
    within = left.under_way if left is not None and left.has_plan else None
    return {
        "can_resume": left is not None,
        "primitive": None if left is None or within is None else left.finished,
        "cut_off": "" if within is None else str(within),
    }


def check_lies_as_shown(cut_off: str) -> None:
    """Raise InvalidInputError if the cube lies within a motion, whatever its stickers are."""
    if cut_off:
        raise InvalidInputError(
            f"{cut_off.capitalize()} was cut off in its middle, and the cube lies in the midst of "
            "a motion. Go on, or let the camera look; or leave the robot, lay the cube straight "
            "and connect it again."
        )
