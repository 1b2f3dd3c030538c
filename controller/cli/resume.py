"""`cuberobot resume`: continue a run that was interrupted."""

from pathlib import Path
from typing import Any

import click

from controller.cli.options import (
    calibration_option,
    camera_option,
    pocket_in,
    search_time_option,
    speed_option,
    start_trace,
    trace_option,
)
from solvers.foundation.command_line.app import PATH, Command, json_option, print_json, stderr


@click.command("resume", cls=Command)
@click.argument(
    "journal",
    type=PATH,
    required=False,
    help="The run's journal; the newest unfinished one if left out.",
)
@click.option("--brick", help="Address of the brick if it has changed.")
@click.option(
    "--state",
    help="54 stickers (24 of a 2x2x2 cube), in any letters, of the cube now; plans again "
    "from there.",
)
@camera_option
@search_time_option
@calibration_option
@speed_option
@trace_option
@json_option
def resume(
    journal: Path | None,
    brick: str | None,
    state: str | None,
    camera: str | None,
    search_s: float,
    calibration: Path | None,
    speed: float,
    trace: Path | None,
    as_json: bool,
) -> None:
    """Continue from the last certain state of the cube, and verify it as the run would have done.

    Examples:
      cuberobot resume
    """
    from controller.cli.job_view import RESTARTED, resume_report, robot_report, show_job
    from controller.job_events import ResumeReport, RobotReport, format_recoveries, verdict
    from controller.opening import camera_opener, robot_for
    from controller.robot_jobs import RobotJob, Task, find_interrupted_run
    from controller.robot_jobs import resume as resumed
    from solvers.foundation.clock import SystemClock
    from solvers.rubik.held_cube import read_stickers

    run = find_interrupted_run(journal)
    header = run.record.header
    pocket = pocket_in(state, camera=camera, target=None)
    known = pocket or (None if state is None else read_stickers(state).position)
    robot = robot_for(header, SystemClock(speed), brick=brick, calibration=calibration)
    start_trace(trace)
    looks = camera or header.camera
    opened = None if looks is None else camera_opener(looks)
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
        recoveries = format_recoveries(done.driven.recoveries)
        print(f"{word}: all {total} primitives.\n{recoveries}{why}")
    if done.is_doubtful:
        raise click.exceptions.Exit(1)
