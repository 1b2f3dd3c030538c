"""Other batteries, bricks and plays: random cubes with a calibration of their own

The program on the brick over USB; in virtual time. Random rigs have a camera, and scan, solve and
verify by themselves. By forces, only rigs are tried on which the thesis' own order drives a whole
cube, at one of its speeds. `CONDITIONS_KEEP=FOLDER` keeps what is done of these and resumes from it
the next time; `CONDITIONS_CUBES=N` and `CONDITIONS_BY_FORCES=N` set the number of cubes on each.
"""

import os
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, Final

import msgspec

from controller.errors import RobotError
from controller.motion.primitives import Primitive
from controller.motion.virtual_cube import VirtualCube
from controller.rigs.nxt_brick.calibration import VERSION, Pace
from controller.rigs.nxt_brick.player import Player
from controller.rigs.nxt_brick.program_drive import ProgramMechanism
from controller.rigs.nxt_cradle.homing import Homing
from controller.vision.scans.tour import cheapest_tour
from hardware_sims.nxt_brick.brick import warm_up
from hardware_sims.nxt_brick.faults import Faults
from hardware_sims.rigs.cradle.faults import Build, RigFaults
from hardware_sims.rigs.cradle.geometry import Geometry
from hardware_sims.rigs.cradle.physical import PhysicalRig
from hardware_sims.rigs.cubes import CradledCube
from solvers.foundation.progress import run_job
from solvers.rubik.scramble import random_state
from solvers.rubik.two_phase.solver import prepare
from tests.benchmarks.bench_robot_solves import HEADER, SOME, calibrated, first_plans, row
from tests.benchmarks.bench_soak import Judged, kept
from tests.camera_above import CameraAbove
from tests.physics.driven import WholeThesisOrder, at_pace
from tests.physics.rigs import family, geometry_values
from tests.physics.trajectories import GENTLE_ARM
from tests.soak.judge import REPLY_TIMEOUT_S, Outcome, Verdict, judge
from tests.virtual_robot import RIG, VirtualRobot, play

VOLTS: Final = (6.8, 9)
INSTRUCTIONS_PER_MS: Final = (50, 130)
PLAYS_DEG: Final = (8, 12, 16, 20, 24)

KEEP: Final = os.environ.get("CONDITIONS_KEEP")
CUBES_EACH: Final = int(os.environ.get("CONDITIONS_CUBES", "200"))
BY_FORCES_EACH: Final = int(os.environ.get("CONDITIONS_BY_FORCES", "40"))
"""Fewer, since such a cube takes four times as long."""
AT_ONCE: Final = 5
RANDOM_RIGS: Final = range(10)
STIFFNESS: Final = (0.5, 3.0)
FRICTION: Final = (0.2, 0.45)
THESIS_SLOWER: Final = (1.0, 1.5, 2.0)
THESIS_PRESSES: Final = (100, 70)
"""Of the arm that holds a cube, in percent: the thesis has full power."""
PROCESSES: Final = 2


def with_play(play_deg: float) -> Mapping[str, Any]:
    """Return the options of a rig with another play, whose owner has measured it."""
    cradle = msgspec.structs.replace(RIG.cradle, slack_deg=float(play_deg))
    rig_faults = RigFaults(rig=Build(play_deg=play_deg))
    return {
        "rig_faults": rig_faults,
        "calibration": msgspec.structs.replace(RIG, cradle=cradle),
    }


def rigs() -> dict[str, dict[str, Any]]:
    """Return the options of each rig by its name."""
    return {
        **{f"{volts} V": {"faults": Faults(battery_mv=round(1000 * volts))} for volts in VOLTS},
        **{
            f"{speed} instructions/ms": {"instructions_per_ms": speed}
            for speed in INSTRUCTIONS_PER_MS
        },
        **{f"play {play} degrees": dict(with_play(play)) for play in PLAYS_DEG},
    }


class RandomRig(msgspec.Struct, frozen=True):
    """A rig, its cube and its brick, all drawn from one number."""

    number: int
    geometry: Geometry
    build: Build
    brick: Faults

    def robot(self, seed: int, folder: Path, *, by_forces: bool) -> VirtualRobot:
        """Return a robot with cube number `seed` in the rig."""
        cube, faults = random_state(seed), RigFaults(seed=seed, rig=self.build)
        robot = VirtualRobot(
            cube,
            folder / f"{seed}.journal",
            faults=self.brick,
            rig_faults=faults,
            reply_timeout_s=REPLY_TIMEOUT_S,
        )
        if by_forces:
            warm_up(PhysicalRig(self.geometry))
            robot.put_on(PhysicalRig(self.geometry, CradledCube(cube), faults))
        return robot


def random_rig(number: int) -> RandomRig:
    """Draw one; its geometry is of the family's rigs that can hold a cube for a layer turn.

    The first ten have different ones.
    """
    clamping = [rig for rig in family() if rig.clamps]
    chance = Random(number)
    if number in RANDOM_RIGS:
        chosen = Random(0).sample(clamping, len(RANDOM_RIGS))[number]
    else:
        chosen = chance.choice(clamping)
    values = {**geometry_values(chosen), "friction": round(chance.uniform(*FRICTION), 3)}
    build = Build(
        play_deg=round(chance.uniform(14, 18), 1),
        stiffness=round(chance.uniform(*STIFFNESS), 2),
        wear_deg=chance.uniform(0, 0.005),
    )
    brick = Faults(battery_mv=chance.randint(7200, 9000), battery_ohm=chance.uniform(0.2, 1.2))
    return RandomRig(number, msgspec.convert(values, Geometry), build, brick)


def thesis_works(rig: RandomRig) -> bool:
    """Return whether the thesis' order scans a cube and drives a plan, by forces, at some speed."""
    plan = first_plans((0,), RIG.seconds)[0].primitives
    tour = [motion for stop in cheapest_tour(RIG.seconds) for motion in stop.motions]
    return any(
        _drives(rig, (*tour, *plan), slower, press)
        for press in THESIS_PRESSES
        for slower in THESIS_SLOWER
    )


def _drives(rig: RandomRig, primitives: Sequence[Primitive], slower: float, press: int) -> bool:
    """Return whether the thesis' order, at a speed and press, does to a cube what it means to."""
    pace = GENTLE_ARM.slower(slower)
    calibration = at_pace(RIG, Pace(pace.speed, pace.acceleration))
    arm = msgspec.structs.replace(calibration.arm, press_power=press)
    calibration = msgspec.structs.replace(calibration, arm=arm)
    with tempfile.TemporaryDirectory() as folder:
        robot = rig.robot(0, Path(folder), by_forces=True)
        with robot.link() as link:
            player = Player(link, robot.controls, calibration.powers)
            homing = Homing(link, robot.controls, calibration, player.beat)
            choreographer = WholeThesisOrder(calibration)
            mechanism = ProgramMechanism(player, choreographer, robot.controls, homing)
            try:
                mechanism.set_home()
                play(mechanism, primitives)
            except RobotError:
                return False
            finally:
                mechanism.release()
                robot.brick.advance()
    return robot.rig.cube.cube == VirtualCube(robot.cube).after_all(primitives).position


def possible_rigs() -> tuple[list[int], int]:
    """Return the numbers of as many rigs as are tried by forces, and how many were refused."""
    found: list[int] = []
    drawn = 0
    while len(found) < len(RANDOM_RIGS):
        if thesis_works(random_rig(drawn)):
            found.append(drawn)
        drawn += 1
    return found, drawn - len(found)


def judge_some(number: int, seeds: Iterable[int], *, by_forces: bool) -> list[Outcome]:
    """Give cubes to this rig, whose owner keeps what his robot learns of it, and judge."""
    rig, outcomes = random_rig(number), []
    with tempfile.TemporaryDirectory() as folder:
        calibration = Path(folder) / "cube_robot.toml"
        calibration.write_text(f"version = {VERSION}\n")
        for seed in seeds:
            robot = rig.robot(seed, Path(folder), by_forces=by_forces)
            robot.keep_calibration(calibration)
            camera = CameraAbove(robot, 1 + seed % 2, seed)
            outcomes.append(judge(seed, (), robot, camera))
    return outcomes


def tasks(
    name: str, numbers: Iterable[int], cubes: int, at_once: int, *, by_forces: bool
) -> dict[Callable[[], Judged], int]:
    """Return what is to be done and the number of its rig, all rigs in turn."""
    found: dict[Callable[[], Judged], int] = {}
    for first in range(1, cubes + 1, at_once):
        for number in numbers:
            seeds = range(first, min(first + at_once, cubes + 1))
            some = partial(judge_some, number, seeds, by_forces=by_forces)
            found[partial(kept, f"{name}-{number}-{first}", some, KEEP)] = number
    return found


def random_rows(
    name: str,
    numbers: Sequence[int],
    cubes: int,
    at_once: int,
    commits: set[str],
    *,
    by_forces: bool,
) -> list[str]:
    """Return the lines of a table with what became of the cubes on each of the random rigs."""
    outcomes: dict[int, list[Outcome]] = {number: [] for number in numbers}
    with ProcessPoolExecutor(PROCESSES) as pool:
        wanted = tasks(name, numbers, cubes, at_once, by_forces=by_forces)
        running = {pool.submit(task): number for task, number in wanted.items()}
        for done in as_completed(running):
            judged = done.result()
            outcomes[running[done]] += judged.outcomes
            commits.add(judged.commit)
            counts = Counter(each.verdict.name for some in outcomes.values() for each in some)
            print(f"{name}: {counts}", flush=True)
    return [_random_row(random_rig(number), some) for number, some in outcomes.items()]


def _random_row(rig: RandomRig, outcomes: list[Outcome]) -> str:
    counts = Counter(each.verdict for each in outcomes)
    itself, false = counts[Verdict.SOLVED], counts[Verdict.FALSE]
    else_named = ", ".join(
        f"{count} {verdict}"
        for verdict, count in counts.items()
        if verdict not in (Verdict.SOLVED, Verdict.FALSE)
    )
    build, volts = rig.build, rig.brick.battery_mv / 1000
    return (
        f"| {rig.number} | {rig.geometry.name} | {build.stiffness} | {rig.geometry.friction} "
        f"| {build.play_deg} | {volts:.1f} V, {rig.brick.battery_ohm:.1f} ohm | {len(outcomes)} "
        f"| {itself} | {false} | {else_named} |"
    )


RANDOM_HEADER: Final = (
    "| rig | geometry | stiffness | friction | play | battery | cubes | by itself | false | else |"
    "\n|---:|---|---:|---:|---:|---|---:|---:|---:|---|"
)


def run() -> str:
    """Return the section of RESULTS.md."""
    run_job(prepare())
    rows = []
    for name, options in rigs().items():
        options["calibration"] = calibrated(options.pop("calibration", RIG), **options)
        plans = first_plans(SOME, options["calibration"].seconds)
        rows.append(row(name, plans, **options))
    commits: set[str] = set()
    by_angles = random_rows("angles", RANDOM_RIGS, CUBES_EACH, AT_ONCE, commits, by_forces=False)
    possible, refused = possible_rigs()
    few = BY_FORCES_EACH
    by_forces = random_rows("possible", possible, few, few, commits, by_forces=True)
    return "\n".join(
        [
            f"Cubes: `random_state({SOME[0]})` to `random_state({SOME[-1]})`, first solutions. The "
            "seconds were measured on each rig with one round of `cuberobot calibrate`; the play "
            "is how far motor A turns from its middle to its end.",
            "",
            HEADER,
            *rows,
            "",
            "Random rigs with a camera: a cube is put in, scanned, solved, driven and seen to be "
            f"solved, without a person; cubes from `random_state(1)`, the default calibration. "
            f"Judged at {', '.join(sorted(commits))}. Where angles of the motors decide what the "
            "cube does, geometry and friction of plastic play no part:",
            "",
            RANDOM_HEADER,
            *by_angles,
            "",
            "By forces, as `hwsim nxt --rig FILE` has them, rigs that are possible: on which the "
            "thesis' order, one motion after the other, scans a cube and drives a plan right under "
            f"the conditions drawn, the arm at {GENTLE_ARM.speed:.0f} deg/s or "
            f"{' or '.join(f'{each:g}' for each in THESIS_SLOWER[1:])} times slower and pressing "
            f"with {' or '.join(map(str, THESIS_PRESSES))} %. {refused} of "
            f"{refused + len(possible)} draws were refused because it does not. The owner of a rig "
            "gives it one cube after the other and keeps what the robot learns of it:",
            "",
            RANDOM_HEADER,
            *by_forces,
        ]
    )
