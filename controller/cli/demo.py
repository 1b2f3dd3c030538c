"""`cuberobot demo`: a scrambled cube is solved by a simulated rig."""

import secrets
import time
from typing import Annotated, Any

import typer

from controller.cli.options import CalibrationOption, MotorControlOption, SearchTimeOption
from controller.motion.planner import Planner
from solvers.cli.command_line import JsonOption, print_json, stderr

SEEDS = 1_000_000


def demo(
    seed: Annotated[
        int | None, typer.Option("--seed", help="Scramble; random if left out.")
    ] = None,
    speed: Annotated[
        float, typer.Option("--speed", min=0.1, max=50.0, help="How much faster than real.")
    ] = 20.0,
    planner: Annotated[Planner, typer.Option("--planner")] = Planner.OPTIMAL,
    search_s: SearchTimeOption = 1.0,
    motor_control: MotorControlOption = False,
    calibration: CalibrationOption = None,
    as_json: JsonOption = False,
) -> None:
    """Solve a scrambled cube on a simulated brick and rig."""
    from controller.calibration.calibration_file import load_calibration
    from controller.cli.run import solve_and_drive
    from controller.cli.simulator_process import running_simulator
    from controller.clock import SystemClock
    from solvers.rubik.cubies import SOLVED
    from solvers.rubik.facelets import parse_facelets
    from solvers.rubik.notation import format_moves
    from solvers.rubik.scramble import random_state
    from solvers.rubik.two_phase import solve

    began = time.monotonic()
    rig = load_calibration(calibration)
    seed = secrets.randbelow(SEEDS) if seed is None else seed
    scramble = format_moves(next(solve(SOLVED, random_state(seed), time_limit_s=search_s)).moves)
    arguments = ["--listen", "127.0.0.1:0", "--scramble", scramble, "--speed", str(speed)]
    stderr.print(f"seed {seed}, scramble {scramble}", highlight=False)
    with stderr.status("starting the simulated brick"):
        simulator = running_simulator(arguments)
    with simulator as process:
        started_s = time.monotonic() - began
        state = parse_facelets(process.greeting["facelets"])
        result = solve_and_drive(
            state,
            SOLVED,
            planner,
            search_s,
            process.address,
            motor_control,
            rig,
            SystemClock(speed),
            None,
        )
        last_word = process.stop()
    result["stages"] = {"start": round(started_s, 3), **result["stages"]}
    result = {
        "solved": bool(last_word["solved"]),
        "seed": seed,
        "scramble": scramble,
        **result,
        "wall_seconds": round(time.monotonic() - began, 3),
        "planner": planner.value,
        "jams": last_word.get("jams", []),
    }
    _show(result, as_json)
    if not result["solved"]:
        raise typer.Exit(1)


def _show(result: dict[str, Any], as_json: bool) -> None:
    if as_json:
        print_json(result)
        return
    verdict = "The cube is solved" if result["solved"] else "The cube is NOT solved"
    print(
        f"{verdict}: {result['htm']} moves, {len(result['primitives'])} primitives, "
        f"{result['robot_seconds']} robot seconds planned, "
        f"{result['measured_seconds']} on the simulated rig."
    )
