"""`cuberobot run`: solve the cube in the rig; `cuberobot resume`: continue an interrupted run."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from controller.cli import options
from controller.motion.planner import Planner
from solvers.foundation.clock import SystemClock
from solvers.foundation.command_line import app
from solvers.foundation.wording import counted
from solvers.rubik.cubies import SOLVED, CubieCube
from solvers.rubik.held_cube import HeldCube, read_position
from solvers.rubik.notation import format_moves

if TYPE_CHECKING:
    from controller.job_events import PlanReport, RobotReport


DEFAULT_CAMERA = "0"


@click.command("run", cls=app.Command)
@options.brick
@click.option(
    "--state",
    help="54 stickers of the cube in the rig, in any letters, or moves from solved; the 24 "
    "of a 2x2x2 cube; scanned if left out (camera 0 if none).",
)
@options.camera
@click.option("--target", help="Stickers or moves to reach instead of solved.")
@click.option("--planner", type=app.EnumChoice(Planner), default=Planner.OPTIMAL.value)
@options.search_time
@options.rig
@options.drive
@options.calibration
@options.journal
@options.speed
@click.option("--dry-run", is_flag=True, help="Search and plan, but move nothing.")
@options.trace
@app.json_option
def run(
    brick: str,
    state: str | None,
    camera: str | None,
    target: str | None,
    planner: Planner,
    search_s: float,
    rig: str,
    drive: str | None,
    calibration: Path | None,
    journal: Path | None,
    speed: float,
    dry_run: bool,
    trace: Path | None,
    as_json: bool,
) -> None:
    """Solve the cube in the rig: scan, search, plan, drive, look again.

    Examples:
      cuberobot run --brick usb --camera 0
      cuberobot run --dry-run --state UUFUUFUUFRRRRRRRRRFFDFFDFFDDDBDDBDDBLLLLLLLLLUBBUBBUBB
    """
    from controller.cli.job_view import show_job
    from controller.opening import camera_opener, robot_at
    from controller.rigs.registry import get_rig
    from controller.robot_jobs import RobotJob, Task
    from solvers.foundation.errors import InvalidInputError

    if dry_run and state is None:
        raise InvalidInputError("A dry run moves nothing and so cannot scan; give it --state.")
    options.start_trace(trace)
    pocket = options.pocket_in(state, camera=camera, target=target)
    held = None if state is None or pocket else read_position(state)
    known = held.position if held else pocket
    wanted = SOLVED if target is None else read_position(target).held_like(held or HeldCube(SOLVED))
    usual = get_rig(rig).own_eye or DEFAULT_CAMERA
    looks = camera or (usual if known is None else None)
    robot = robot_at(brick, SystemClock(speed), rig=rig, drive=drive, calibration=calibration)
    task = Task(wanted, planner, search_s, journal, looks, corners_only=pocket is not None)
    job = RobotJob(robot, task, SystemClock())
    if dry_run:
        assert known is not None
        _show_plan(show_job(job.plan_known(known)), as_json)
        return
    opened = None if looks is None else camera_opener(looks)
    if known is None:
        assert opened is not None
        report = show_job(job.solve_seen(opened))
    else:
        report = show_job(job.solve_known(known, opened))
    _show(report, wanted, as_json)
    if report.is_doubtful:
        raise click.exceptions.Exit(1)


def _show_plan(report: "PlanReport", as_json: bool) -> None:
    from controller.cli.job_view import plan_report

    if as_json:
        app.print_json({"dry_run": True, "verified": False, **plan_report(report)})
        return
    plan = report.chosen.plan
    if not plan.moves:
        print("Nothing to do: the cube is there already. Nothing was moved.")
        return
    print(
        f"Planned: {counted(len(plan.moves), 'move')} ({format_moves(plan.moves)}), "
        f"about {plan.robot_seconds:.1f} robot seconds. Nothing was moved."
    )


def _show(report: "RobotReport", target: CubieCube, as_json: bool) -> None:
    from controller.cli.job_view import robot_report
    from controller.job_events import format_recoveries, verdict

    if as_json:
        app.print_json(robot_report(report))
        return
    word, why = verdict(report.seen, target, report.unseen)
    moves = report.chosen.plan.moves
    print(
        f"{word}: {counted(len(moves), 'move')} ({format_moves(moves)}) in "
        f"{report.driven.measured_seconds:.1f} robot seconds.\n"
        f"{format_recoveries(report.driven.recoveries)}{why}"
    )


@click.command("resume", cls=app.Command)
@click.argument(
    "journal",
    type=app.PATH,
    required=False,
    help="The run's journal; the newest unfinished one if left out.",
)
@click.option("--brick", help="Address of the brick if it has changed.")
@click.option(
    "--state",
    help="54 stickers of the cube as it is now, in any letters, or moves from solved; the 24 "
    "of a 2x2x2 cube; plans again from there.",
)
@options.camera
@options.search_time
@options.calibration
@options.speed
@options.trace
@app.json_option
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

    run = find_interrupted_run(journal)
    header = run.record.header
    pocket = options.pocket_in(state, camera=camera, target=None)
    known = pocket or (None if state is None else read_position(state).position)
    robot = robot_for(header, SystemClock(speed), brick=brick, calibration=calibration)
    options.start_trace(trace)
    looks = camera or header.camera
    opened = None if looks is None else camera_opener(looks)
    total = len(header.primitives)
    app.stderr.print(
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
        resumed_report = show_job(resumed(run, robot, opened, task))
        total = resumed_report.total
        done = resumed_report
        notes = [RESTARTED] if resumed_report.driven.after_restart else []
        result = resume_report(resumed_report, notes)
    if as_json:
        app.print_json(result)
    else:
        word, why = verdict(done.seen, header.target, done.unseen)
        recoveries = format_recoveries(done.driven.recoveries)
        print(f"{word}: all {total} primitives.\n{recoveries}{why}")
    if done.is_doubtful:
        raise click.exceptions.Exit(1)
