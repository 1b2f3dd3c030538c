"""`cuberobot resume`: go on with a run that was interrupted."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from controller.cli.drive_view import connected, newest_journal_path, show_run
from controller.cli.options import CalibrationOption, SearchTimeOption, SpeedOption
from solvers.foundation.command_line.app import JsonOption, print_json

if TYPE_CHECKING:
    from controller.calibration.calibration import Calibration
    from controller.motion.journal import RunRecord
    from solvers.foundation.clock import Clock


def resume(
    journal: Annotated[
        Path | None, typer.Argument(help="The run's journal; the newest if left out.")
    ] = None,
    brick: Annotated[
        str | None, typer.Option("--brick", help="Address of the brick if it has changed.")
    ] = None,
    state: Annotated[
        str | None,
        typer.Option(
            "--state", help="54 facelets as the cube lies in the rig now; plans anew from there."
        ),
    ] = None,
    search_s: SearchTimeOption = 1.0,
    calibration: CalibrationOption = None,
    speed: SpeedOption = 1.0,
    as_json: JsonOption = False,
) -> None:
    """Go on from the last certain state of the cube."""
    from controller.calibration.calibration_file import load_calibration
    from controller.motion.journal import read_journal
    from solvers.foundation.clock import SystemClock

    path = journal or newest_journal_path()
    record, valid_bytes = read_journal(path)
    rig = load_calibration(calibration)
    clock = SystemClock(speed)
    brick = brick or record.header.brick
    if state is not None:
        result = _plan_anew(record, state, brick, rig, clock, search_s)
    else:
        result = _go_on(record, path, valid_bytes, brick, rig, clock)
    if as_json:
        print_json(result)
    else:
        print(f"Done: {result['finished']} primitives, the cube is where the run was to take it.")


def _go_on(
    record: "RunRecord",
    path: Path,
    valid_bytes: int,
    brick: str,
    rig: "Calibration",
    clock: "Clock",
) -> dict[str, Any]:
    from controller.motion.executor import Executor
    from controller.motion.journal import Journal
    from controller.session import resume_run

    header = record.header
    with (
        connected(brick, header.motor_control, rig, clock) as mechanism,
        Journal(path, valid_bytes) as journal,
    ):
        executor = Executor(mechanism, journal, clock, rig.costs, rig.patience.retry_pause_s)
        summary = show_run(resume_run(record, executor), len(header.primitives), path)
    return {
        "resumed_at": record.finished,
        "finished": len(header.primitives),
        "measured_seconds": round(summary.measured_seconds, 3),
        "retries": summary.retries,
        "notes": summary.notes,
        "journal": str(path),
    }


def _plan_anew(
    record: "RunRecord",
    state: str,
    brick: str,
    rig: "Calibration",
    clock: "Clock",
    search_s: float,
) -> dict[str, Any]:
    from controller.cli.robot_job import RobotJob
    from solvers.rubik.facelets import parse_facelets

    job = RobotJob(
        brick=brick,
        target=parse_facelets(record.header.target),
        rig=rig,
        clock=clock,
        search_s=search_s,
        motor_control=record.header.motor_control,
    )
    result = job.solve_known(parse_facelets(state))
    return {"resumed_at": 0, "finished": len(result["primitives"]), **result}
