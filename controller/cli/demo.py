"""`cuberobot demo`: a scrambled cube is solved by a simulated rig."""

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from controller.cli import options
from controller.motion.planner import Planner
from solvers.foundation.clock import SystemClock
from solvers.foundation.command_line.app import Command, EnumChoice, json_option, print_json, stderr
from solvers.foundation.command_line.progress_view import show_progress, show_waiting
from solvers.foundation.progress import Job
from solvers.rubik.cubies import SOLVED
from solvers.rubik.notation import format_moves

if TYPE_CHECKING:
    from controller.job_events import RobotEvent, RobotReport
    from controller.robot_jobs import RobotJob
    from controller.simulator_process import SimulatorProcess

EASIEST_CAMERA: Final = "1"
LEVELS: Final = ("1", "2", "3")
SEEDS = 1_000_000


@click.command("demo", cls=Command)
@click.option("--seed", type=int, help="Scramble; random if left out.")
@click.option(
    "--speed",
    type=click.FloatRange(min=0.1, max=50.0),
    default=20.0,
    help="How much faster than real.",
)
@click.option(
    "--camera",
    is_flag=False,
    flag_value=EASIEST_CAMERA,
    metavar="[LEVEL|FILE]",
    help="Let the robot scan the cube, in light of level 1 (easy) to 3, or as FILE says.",
)
@click.option("--no-camera", is_flag=True, help="Give the robot the cube's position.")
@click.option("--planner", type=EnumChoice(Planner), default=Planner.OPTIMAL.value)
@options.search_time
@options.rig
@options.drive
@options.calibration
@options.trace
@json_option
def demo(
    seed: int | None,
    speed: float,
    camera: str | None,
    no_camera: bool,
    planner: Planner,
    search_s: float,
    rig: str,
    drive: str | None,
    calibration: Path | None,
    trace: Path | None,
    as_json: bool,
) -> None:
    """Solve a scrambled cube on a simulated brick, rig and camera.

    Examples:
      cuberobot demo
      cuberobot demo --camera --seed 7 --speed 5
      cuberobot demo --camera 3 --seed 7
    """
    import secrets

    from controller.cli.job_view import robot_report, show_job
    from controller.opening import robot_at
    from controller.rigs.registry import get_rig
    from controller.robot_jobs import RobotJob, Task
    from controller.simulator_process import running_simulator

    wall = SystemClock()
    own_eye = get_rig(rig).own_eye
    options.start_trace(trace)
    seed = secrets.randbelow(SEEDS) if seed is None else seed
    arguments = ["--listen", "127.0.0.1:0", "--seed", str(seed), "--speed", str(speed)]
    arguments += ["--rig", rig]
    if no_camera:
        camera = None
    if camera is not None:
        _check_camera(camera)
        arguments += ["--camera", camera]
    with running_simulator(arguments) as simulator:
        # Both compile at their first use, side by side.
        with simulator.kept_awake():
            scramble = _scramble(seed)
            stderr.print(f"seed {seed}, scramble {scramble}", highlight=False, soft_wrap=True)
            address = show_waiting(
                lambda: simulator.address, "starting the simulated brick (once 15 s)"
            )
        started_s = wall.now()
        clock = SystemClock(speed)
        robot = robot_at(address, clock, rig=rig, drive=drive, calibration=calibration)
        job = RobotJob(robot, Task(planner=planner, search_s=search_s, exact_tables=False), wall)
        looks = None if no_camera else own_eye
        if camera is not None:
            looks = str(simulator.greeting["camera"])
        report = show_job(_events(job, simulator, looks))
        last_word = simulator.stop()
    result = robot_report(report)
    result["stages"] = {"start": round(started_s, 3), **result["stages"]}
    is_solved = bool(last_word["solved"])
    result = {
        "simulator": {"solved": is_solved, "jams": last_word.get("jams", [])},
        "seed": seed,
        "scramble": scramble,
        **result,
        "wall_seconds": round(wall.now(), 3),
    }
    _show(result, report, as_json)
    if not is_solved or report.is_doubtful:
        raise click.exceptions.Exit(1)


def _check_camera(camera: str) -> None:
    """Refuse a level that there is not, before anything starts. Raises InvalidInputError."""
    from solvers.foundation.errors import InvalidInputError

    if camera not in LEVELS and not Path(camera).exists():
        raise InvalidInputError(
            f"{camera!r} is no camera: there are levels {', '.join(LEVELS)}, from easy to hard, "
            "and no file has that name."
        )


def _scramble(seed: int) -> str:
    from controller.robot_jobs import prepare_search
    from solvers.rubik.scramble import random_state
    from solvers.rubik.two_phase.solver import moves_to

    # The exact tables take longer to build than all the rest of a demo.
    show_progress(prepare_search(exact_tables=False), "preparing the search (once 10 s)")
    return format_moves(moves_to(random_state(seed)))


def _events(
    job: "RobotJob", simulator: "SimulatorProcess", looks: str | None
) -> "Job[RobotEvent, RobotReport]":
    from controller.opening import camera_opener
    from solvers.rubik.facelets import parse_facelets

    if looks is not None:
        return job.solve_seen(camera_opener(looks))
    return job.solve_known(parse_facelets(simulator.greeting["facelets"]))


def _show(result: dict[str, Any], report: "RobotReport", as_json: bool) -> None:
    from controller.job_events import format_recoveries, verdict

    if as_json:
        print_json(result)
        return
    word, why = verdict(report.seen, SOLVED, report.unseen)
    said = "is solved" if result["simulator"]["solved"] else "is NOT solved"
    print(
        f"{word}: {result['htm']} moves, {len(result['primitives'])} primitives, "
        f"{result['robot_seconds']} robot seconds planned, "
        f"{result['measured_seconds']} on the simulated rig.\n"
        f"{format_recoveries(report.driven.recoveries)}{why}\n"
        f"The simulator says that its cube {said}."
    )
