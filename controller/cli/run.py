"""`cuberobot run`: solve the cube that lies in the rig."""

from typing import TYPE_CHECKING, Annotated

import typer

from controller.cli.options import (
    BrickOption,
    CalibrationOption,
    DriveOption,
    JournalOption,
    RigOption,
    SearchTimeOption,
    SpeedOption,
    TraceOption,
    start_trace,
)
from controller.motion.planning.planner import Planner
from controller.rigs.registry import DEFAULT_RIG
from solvers.foundation.command_line.app import JsonOption, print_json

if TYPE_CHECKING:
    from controller.job_events import RobotReport


def run(
    brick: BrickOption = "usb",
    state: Annotated[
        str | None,
        typer.Option("--state", help="54 facelets U R F D L B; scanned if left out."),
    ] = None,
    camera: Annotated[
        str, typer.Option("--camera", metavar="SOURCE", help="Camera that scans: number or URL.")
    ] = "0",
    target: Annotated[
        str | None, typer.Option("--target", help="54 facelets to reach instead of solved.")
    ] = None,
    planner: Annotated[Planner, typer.Option("--planner")] = Planner.OPTIMAL,
    search_s: SearchTimeOption = 1.0,
    rig: RigOption = DEFAULT_RIG,
    drive: DriveOption = None,
    calibration: CalibrationOption = None,
    journal: JournalOption = None,
    speed: SpeedOption = 1.0,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Search and plan, but move nothing.")
    ] = False,
    trace: TraceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Solve the cube in the rig: scan, search, plan, drive, look again."""
    from controller.cli.views.job_view import show_job
    from controller.opening import camera_called, dry_robot, robot_at
    from controller.robot_job import RobotJob, Task
    from solvers.foundation.clock import SystemClock
    from solvers.foundation.errors import InvalidInputError
    from solvers.rubik.cubies import SOLVED
    from solvers.rubik.facelets import parse_facelets

    if dry_run and state is None:
        raise InvalidInputError("A dry run moves nothing and so cannot scan; give it --state.")
    start_trace(trace)
    known = None if state is None else parse_facelets(state)
    wanted = SOLVED if target is None else parse_facelets(target)
    if dry_run:
        robot = dry_robot(rig=rig, calibration=calibration)
    else:
        clock = SystemClock(speed)
        robot = robot_at(brick, clock, rig=rig, drive=drive, calibration=calibration)
    job = RobotJob(robot, Task(wanted, planner, search_s, journal), SystemClock())
    events = job.solve_seen(camera_called(camera)) if known is None else job.solve_known(known)
    report = show_job(events)
    _show(report, as_json)
    if report.target_reached is False:
        raise typer.Exit(1)


def _show(report: "RobotReport", as_json: bool) -> None:
    from controller.cli.views.report_json import robot_report
    from solvers.rubik.notation import format_moves

    if as_json:
        print_json(robot_report(report))
        return
    moves = report.chosen.plan.moves
    print(
        f"Done: {len(moves)} moves ({format_moves(moves)}) in "
        f"{report.driven.measured_seconds:.1f} robot seconds."
    )
    if report.target_reached is not None:
        reached = report.target_reached
        print("The camera sees that it is done." if reached else "The camera does NOT see it done.")
