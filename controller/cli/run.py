"""`cuberobot run`: solve the cube that lies in the rig."""

from typing import Annotated, Any

import typer

from controller.cli.drive_view import DRY_RUN, new_journal_path
from controller.cli.options import (
    BrickOption,
    CalibrationOption,
    JournalOption,
    MotorControlOption,
    SearchTimeOption,
    SpeedOption,
)
from controller.motion.planner import Planner
from solvers.foundation.command_line.app import JsonOption, print_json


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
    motor_control: MotorControlOption = False,
    calibration: CalibrationOption = None,
    journal: JournalOption = None,
    speed: SpeedOption = 1.0,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Search and plan, but move nothing.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Solve the cube in the rig: scan, search, plan, drive, look again."""
    from controller.calibration.calibration_file import load_calibration
    from controller.cli.robot_job import RobotJob
    from solvers.foundation.clock import ImmediateClock, SystemClock
    from solvers.foundation.errors import InvalidInputError
    from solvers.rubik.cubies import SOLVED
    from solvers.rubik.facelets import parse_facelets

    if dry_run and state is None:
        raise InvalidInputError("A dry run moves nothing and so cannot scan; give it --state.")
    job = RobotJob(
        brick=DRY_RUN if dry_run else brick,
        target=SOLVED if target is None else parse_facelets(target),
        rig=load_calibration(calibration),
        clock=ImmediateClock() if dry_run else SystemClock(speed),
        planner=planner,
        search_s=search_s,
        motor_control=motor_control,
        journal_path=journal or new_journal_path(),
    )
    known = None if state is None else parse_facelets(state)
    result = job.solve_seen(camera) if known is None else job.solve_known(known)
    _show(result, as_json)
    if not result.get("seen", {}).get("target_reached", True):
        raise typer.Exit(1)


def _show(result: dict[str, Any], as_json: bool) -> None:
    if as_json:
        print_json(result)
        return
    print(
        f"Done: {result['htm']} moves ({result['moves']}) in "
        f"{result['measured_seconds']:.1f} robot seconds."
    )
    if "seen" in result:
        reached = result["seen"]["target_reached"]
        print("The camera sees that it is done." if reached else "The camera does NOT see it done.")
