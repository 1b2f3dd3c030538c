"""`cuberobot resume`: go on with a run that was interrupted."""

from pathlib import Path
from typing import Annotated, Any

import typer

from controller.cli.options import (
    CalibrationOption,
    SearchTimeOption,
    SpeedOption,
    TraceOption,
    start_trace,
)
from solvers.foundation.command_line.app import JsonOption, print_json


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
    trace: TraceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Go on from the last certain state of the cube."""
    from controller.cli.views.job_view import RESTARTED, show_job
    from controller.cli.views.report_json import resume_report, robot_report
    from controller.motion.driving.journals import newest_journal_path
    from controller.opening import robot_for
    from controller.resume_job import interrupted_run
    from controller.resume_job import resume as resumed
    from controller.robot_job import RobotJob, Task
    from solvers.foundation.clock import SystemClock
    from solvers.rubik.facelets import parse_facelets

    run = interrupted_run(journal or newest_journal_path())
    header = run.record.header
    known = None if state is None else parse_facelets(state)
    robot = robot_for(header, SystemClock(speed), brick=brick, calibration=calibration)
    start_trace(trace)
    result: dict[str, Any]
    if known is not None:
        task = Task(header.target, search_s=search_s)
        report = show_job(RobotJob(robot, task, SystemClock()).solve_known(known))
        total = len(report.chosen.plan.primitives)
        result = {"resumed_at": 0, "finished": total, **robot_report(report)}
    else:
        taken_up = show_job(resumed(run, robot))
        notes = [RESTARTED] if taken_up.driven.after_restart else []
        result = resume_report(taken_up, notes)
    if as_json:
        print_json(result)
    else:
        print(f"Done: {result['finished']} primitives, the cube is where the run was to take it.")
