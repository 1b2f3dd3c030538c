"""`cuberobot run`: solve the cube that lies in the rig."""

from typing import TYPE_CHECKING, Annotated

import typer

from controller.cli.options import (
    BrickOption,
    CalibrationOption,
    CameraOption,
    DriveOption,
    JournalOption,
    RigOption,
    SearchTimeOption,
    SpeedOption,
    TraceOption,
    pocket_in,
)
from controller.cli.trace import start_trace
from controller.motion.planning.planner_name import Planner
from controller.rigs.registry import DEFAULT_RIG
from solvers.foundation.command_line.app import JsonOption, print_json

if TYPE_CHECKING:
    from controller.job_events import PlanReport, RobotReport
    from solvers.rubik.cubies import CubieCube

DEFAULT_CAMERA = "0"


def run(
    brick: BrickOption = "usb",
    state: Annotated[
        str | None,
        typer.Option(
            "--state",
            help="54 stickers of the cube as it lies, in any letters, or moves from solved; the 24 "
            "of a 2x2x2 cube; scanned if left out (camera 0 if none).",
        ),
    ] = None,
    camera: CameraOption = None,
    target: Annotated[
        str | None,
        typer.Option("--target", help="Stickers or moves to reach instead of solved."),
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
    """Solve the cube in the rig: scan, search, plan, drive, look again.

    Examples:
      cuberobot run --brick usb --camera 0
      cuberobot run --dry-run --state UUFUUFUUFRRRRRRRRRFFDFFDFFDDDBDDBDDBLLLLLLLLLUBBUBBUBB
    """
    from controller.cli.views.job_view import show_job
    from controller.opening import camera_called, robot_at
    from controller.robot_job import RobotJob, Task
    from solvers.foundation.clock import SystemClock
    from solvers.foundation.errors import InvalidInputError
    from solvers.rubik.cubies import SOLVED
    from solvers.rubik.held_cube import HeldCube, read_position

    if dry_run and state is None:
        raise InvalidInputError("A dry run moves nothing and so cannot scan; give it --state.")
    start_trace(trace)
    pocket = pocket_in(state, camera=camera, target=target)
    lying = None if state is None or pocket else read_position(state)
    known = lying.position if lying else pocket
    wanted = (
        SOLVED if target is None else read_position(target).in_hold_of(lying or HeldCube(SOLVED))
    )
    looks = camera or (DEFAULT_CAMERA if known is None else None)
    robot = robot_at(brick, SystemClock(speed), rig=rig, drive=drive, calibration=calibration)
    task = Task(wanted, planner, search_s, journal, looks, corners_only=pocket is not None)
    job = RobotJob(robot, task, SystemClock())
    if dry_run:
        assert known is not None
        _show_plan(show_job(job.plan_known(known)), as_json)
        return
    opened = None if looks is None else camera_called(looks)
    if known is None:
        assert opened is not None
        report = show_job(job.solve_seen(opened))
    else:
        report = show_job(job.solve_known(known, opened))
    _show(report, wanted, as_json)
    if report.is_doubtful:
        raise typer.Exit(1)


def _show_plan(report: "PlanReport", as_json: bool) -> None:
    from controller.cli.views.report_json import plan_report
    from solvers.foundation.wording import counted
    from solvers.rubik.notation import format_moves

    if as_json:
        print_json({"dry_run": True, "verified": False, **plan_report(report)})
        return
    plan = report.chosen.plan
    if not plan.moves:
        print("Nothing to do: the cube is there already. Nothing was moved.")
        return
    print(
        f"Planned: {counted(len(plan.moves), 'move')} ({format_moves(plan.moves)}), "
        f"about {plan.robot_seconds:.1f} robot seconds. Nothing was moved."
    )


def _show(report: "RobotReport", target: "CubieCube", as_json: bool) -> None:
    from controller.cli.views.report_json import robot_report
    from controller.verdict import recoveries_as_text, verdict
    from solvers.foundation.wording import counted
    from solvers.rubik.notation import format_moves

    if as_json:
        print_json(robot_report(report))
        return
    word, why = verdict(report.seen, target, report.unseen)
    moves = report.chosen.plan.moves
    print(
        f"{word}: {counted(len(moves), 'move')} ({format_moves(moves)}) in "
        f"{report.driven.measured_seconds:.1f} robot seconds.\n"
        f"{recoveries_as_text(report.driven.recoveries)}{why}"
    )
