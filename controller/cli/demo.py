"""`cuberobot demo`: a scrambled cube is solved by a simulated rig."""

import secrets
import time
from typing import TYPE_CHECKING, Annotated, Any

import typer

from controller.cli.options import CalibrationOption, MotorControlOption, SearchTimeOption
from controller.motion.planner import Planner
from solvers.foundation.command_line.app import JsonOption, print_json, stderr

if TYPE_CHECKING:
    from controller.cli.robot_job import RobotJob
    from controller.cli.simulator_process import SimulatorProcess

SEEDS = 1_000_000


def demo(
    seed: Annotated[
        int | None, typer.Option("--seed", help="Scramble; random if left out.")
    ] = None,
    speed: Annotated[
        float, typer.Option("--speed", min=0.1, max=50.0, help="How much faster than real.")
    ] = 20.0,
    camera: Annotated[
        bool,
        typer.Option(
            "--camera/--no-camera", help="Let the robot scan the cube, or tell it how it lies."
        ),
    ] = False,
    planner: Annotated[Planner, typer.Option("--planner")] = Planner.OPTIMAL,
    search_s: SearchTimeOption = 1.0,
    motor_control: MotorControlOption = False,
    calibration: CalibrationOption = None,
    as_json: JsonOption = False,
) -> None:
    """Solve a scrambled cube on a simulated brick, rig and camera."""
    from controller.calibration.calibration_file import load_calibration
    from controller.cli.robot_job import RobotJob
    from controller.cli.simulator_process import running_simulator
    from solvers.foundation.clock import SystemClock
    from solvers.rubik.cubies import SOLVED

    began = time.monotonic()
    seed = secrets.randbelow(SEEDS) if seed is None else seed
    arguments = ["--listen", "127.0.0.1:0", "--seed", str(seed), "--speed", str(speed)]
    if camera:
        arguments += ["--camera", "1"]
    with running_simulator(arguments) as simulator:
        scramble = _scramble(seed)  # while the simulator starts
        stderr.print(f"seed {seed}, scramble {scramble}", highlight=False)
        with stderr.status("starting the simulated brick"):
            address = simulator.address
        started_s = time.monotonic() - began
        job = RobotJob(
            brick=address,
            target=SOLVED,
            rig=load_calibration(calibration),
            clock=SystemClock(speed),
            planner=planner,
            search_s=search_s,
            motor_control=motor_control,
        )
        result = _solve(job, simulator, camera=camera)
        last_word = simulator.stop()
    result["stages"] = {"start": round(started_s, 3), **result["stages"]}
    result = {
        "solved": bool(last_word["solved"]),
        "seed": seed,
        "scramble": scramble,
        **result,
        "wall_seconds": round(time.monotonic() - began, 3),
        "jams": last_word.get("jams", []),
    }
    _show(result, as_json)
    if not result["solved"]:
        raise typer.Exit(1)


def _scramble(seed: int) -> str:
    from solvers.foundation.command_line.progress_view import show_progress
    from solvers.rubik.notation import format_moves
    from solvers.rubik.scramble import random_state
    from solvers.rubik.two_phase.solver import moves_to, warm_up

    show_progress(warm_up(), "Preparing the search, once (10 s)")
    return format_moves(moves_to(random_state(seed)))


def _solve(job: "RobotJob", simulator: "SimulatorProcess", *, camera: bool) -> dict[str, Any]:
    from solvers.rubik.facelets import parse_facelets

    if not camera:
        return job.solve_known(parse_facelets(simulator.greeting["facelets"]))
    return job.solve_seen(simulator.greeting["camera"])


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
