"""`cuberobot run`: solve the cube that lies in the rig."""

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from controller.cli.drive_view import DriveSummary, connected, new_journal_path, show_run
from controller.cli.options import (
    BrickOption,
    CalibrationOption,
    JournalOption,
    MotorControlOption,
    SearchTimeOption,
    SpeedOption,
)
from controller.motion.planner import Planner
from solvers.cli.command_line import JsonOption, print_json, stderr

if TYPE_CHECKING:
    from controller.calibration.calibration import Calibration
    from controller.clock import Clock
    from controller.motion.plan_choice import ChosenPlan
    from solvers.rubik.cubies import CubieCube


def run(
    state: Annotated[
        str, typer.Option("--state", help="54 facelets U R F D L B, as the cube lies in the rig.")
    ],
    brick: BrickOption = "usb",
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
    """Solve the cube: search, plan, drive."""
    from controller.calibration.calibration_file import load_calibration
    from controller.clock import ImmediateClock, SystemClock
    from solvers.rubik.cubies import SOLVED
    from solvers.rubik.facelets import parse_facelets

    if dry_run:
        brick = "dry-run"
    rig = load_calibration(calibration)
    start = parse_facelets(state)
    goal = SOLVED if target is None else parse_facelets(target)
    clock = ImmediateClock() if dry_run else SystemClock(speed)
    result = solve_and_drive(
        start, goal, planner, search_s, brick, motor_control, rig, clock, journal
    )
    if as_json:
        print_json(result)
    else:
        print(
            f"Done: {result['htm']} moves ({result['moves']}) in "
            f"{result['measured_seconds']:.1f} robot seconds."
        )


def solve_and_drive(
    start: "CubieCube",
    goal: "CubieCube",
    planner: Planner,
    search_s: float,
    brick: str,
    motor_control: bool,
    rig: "Calibration",
    clock: "Clock",
    journal_path: Path | None,
) -> dict[str, Any]:
    """Search, plan and drive; return what the commands report as JSON."""
    from controller.motion.executor import Executor
    from controller.motion.journal import Journal
    from controller.session import run_header, start_run

    began = time.monotonic()
    stages: dict[str, float] = {}
    chosen = choose_with_progress(start, goal, rig, planner, search_s)
    stages["search"] = time.monotonic() - began
    journal_path = journal_path or new_journal_path()
    header = run_header(start, goal, chosen, brick, motor_control)
    with connected(brick, motor_control, rig, clock) as mechanism:
        stages["connect"] = time.monotonic() - began - sum(stages.values())
        with Journal(journal_path) as journal:
            executor = Executor(mechanism, journal, clock, rig.costs, rig.patience.retry_pause_s)
            summary = show_run(start_run(header, executor), len(header.primitives), journal_path)
    stages["drive"] = time.monotonic() - began - sum(stages.values())
    return report(chosen, header.primitives, summary, stages, journal_path)


def choose_with_progress(
    start: "CubieCube",
    goal: "CubieCube",
    rig: "Calibration",
    planner: Planner,
    search_s: float,
) -> "ChosenPlan":
    """Search for the fastest plan while a spinner says so."""
    from controller.motion.plan_choice import choose_plan

    with stderr.status(f"searching for the fastest plan ({search_s:g} s)"):
        return choose_plan(start, goal, rig.costs, planner, search_s)


def report(
    chosen: "ChosenPlan",
    primitives: tuple[str, ...],
    summary: DriveSummary,
    stages: dict[str, float],
    journal_path: Path,
) -> dict[str, Any]:
    """Return the JSON of a finished run."""
    from solvers.rubik.notation import format_moves

    return {
        "moves": format_moves(chosen.plan.moves),
        "htm": len(chosen.plan.moves),
        "fewest_moves_found": chosen.fewest_moves,
        "solutions_compared": chosen.candidates,
        "primitives": list(primitives),
        "robot_seconds": round(chosen.plan.robot_seconds, 3),
        "measured_seconds": round(summary.measured_seconds, 3),
        "retries": summary.retries,
        "wall_seconds": round(sum(stages.values()), 3),
        "stages": {name: round(seconds, 3) for name, seconds in stages.items()},
        "journal": str(journal_path),
    }
