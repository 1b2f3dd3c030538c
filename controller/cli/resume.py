"""`cuberobot resume`: go on with a run that was interrupted."""

from pathlib import Path
from typing import Annotated, Any

import typer

from controller.cli.options import (
    CalibrationOption,
    CameraOption,
    SearchTimeOption,
    SpeedOption,
    TraceOption,
    pocket_in,
)
from controller.cli.trace import start_trace
from solvers.foundation.command_line.app import JsonOption, print_json, stderr


def resume(
    journal: Annotated[
        Path | None,
        typer.Argument(help="The run's journal; the newest unfinished one if left out."),
    ] = None,
    brick: Annotated[
        str | None, typer.Option("--brick", help="Address of the brick if it has changed.")
    ] = None,
    state: Annotated[
        str | None,
        typer.Option(
            "--state",
            help="54 stickers (24 of a 2x2x2 cube), in any letters, as the cube lies now; plans "
            "anew from there.",
        ),
    ] = None,
    camera: CameraOption = None,
    search_s: SearchTimeOption = 1.0,
    calibration: CalibrationOption = None,
    speed: SpeedOption = 1.0,
    trace: TraceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Go on from the last certain state of the cube, and look at it as the run would have done.

    Examples:
      cuberobot resume
    """
    from controller.cli.views.job_view import RESTARTED, show_job
    from controller.cli.views.report_json import resume_report, robot_report
    from controller.job_events import ResumeReport, RobotReport
    from controller.opening import camera_called, robot_for
    from controller.resume_job import interrupted_run
    from controller.resume_job import resume as resumed
    from controller.robot_job import RobotJob, Task
    from controller.verdict import recoveries_as_text, verdict
    from solvers.foundation.clock import SystemClock
    from solvers.rubik.held_cube import read_stickers

    run = interrupted_run(journal)
    header = run.record.header
    pocket = pocket_in(state, camera=camera, target=None)
    known = pocket or (None if state is None else read_stickers(state).position)
    robot = robot_for(header, SystemClock(speed), brick=brick, calibration=calibration)
    start_trace(trace)
    looks = camera or header.camera
    opened = None if looks is None else camera_called(looks)
    total = len(header.primitives)
    stderr.print(
        f"{run.path}: {run.record.finished} of {total} primitives are done.",
        markup=False,
        highlight=False,
        soft_wrap=True,
    )
    result: dict[str, Any]
    if known is not None:
        task = Task(
            header.target,
            search_s=search_s,
            journal=run.path,
            camera=looks,
            corners_only=pocket is not None,
        )
        report = show_job(RobotJob(robot, task, SystemClock()).solve_known(known, opened))
        total = len(report.chosen.plan.primitives)
        done: RobotReport | ResumeReport = report
        result = {"resumed_at": 0, "finished": total, **robot_report(report)}
    else:
        task = Task(header.target, search_s=search_s, camera=looks)
        taken_up = show_job(resumed(run, robot, opened, task))
        total = taken_up.total
        done = taken_up
        notes = [RESTARTED] if taken_up.driven.after_restart else []
        result = resume_report(taken_up, notes)
    if as_json:
        print_json(result)
    else:
        word, why = verdict(done.seen, header.target, done.unseen)
        told = recoveries_as_text(done.driven.recoveries)
        print(f"{word}: all {total} primitives.\n{told}{why}")
    if done.is_doubtful:
        raise typer.Exit(1)
