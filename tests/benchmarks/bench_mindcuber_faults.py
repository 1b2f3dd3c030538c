"""MindCuber with faults: what is called solved, and which motors stay on

Random cubes on the simulated machine, scanned, driven and verified by its own sensor in light of
level 1 or 2. Each run has one to three faults at random moments: tilts that slip, roll twice or
throw the cube, spins too far, layers that end short, skipped teeth, glare, a sensor whose cable
comes off; every third run a line that is cut or a motor that is held, too.
`MINDCUBER_RUNS=30 python -m tests.benchmarks mindcuber_faults` makes 30 runs.
"""

import os
import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, Final

from controller.opening import camera_opener
from controller.robot_jobs import RobotJob, Task
from hardware_sims.nxt_brick.faults import Faults, Stall
from hardware_sims.rigs.faults import Double, Short, Skip, Slip, Throw, Yaw
from hardware_sims.rigs.mindcuber.faults import Build, Dead, Glare, MindCuberFaults
from solvers.foundation.errors import PuzzlerigError
from solvers.foundation.progress import run_job
from solvers.rubik.scramble import random_state
from solvers.rubik.two_phase.solver import prepare
from tests.mindcuber_robot import VirtualMindCuber

RUNS: Final = int(os.environ.get("MINDCUBER_RUNS", "300"))
KINDS: Final = ("slip", "double", "throw", "yaw", "short", "skip", "glare", "dead")
LIGHTS: Final = (1, 2)


@dataclass(frozen=True, slots=True)
class Run:
    """What became of a run: the fault kinds, its verdict, and the truth."""

    kinds: tuple[str, ...]
    said: str
    is_solved: bool
    is_short_check: bool
    is_off: bool

    @property
    def is_false(self) -> bool:
        """Whether a cube was called solved that is not."""
        return self.said == "solved" and not self.is_solved


def draw(kind: str, dice: Random) -> Any:
    """Return a fault at a random moment of scan, drive or verification."""
    tilt, spin, turn = dice.randrange(1, 32), dice.randrange(1, 70), dice.randrange(1, 28)
    match kind:
        case "slip":
            return Slip(tilt=tilt)
        case "double":
            return Double(tilt=tilt)
        case "throw":
            return Throw(tilt=tilt, quarters=dice.choice((-1, 1, 2)))
        case "yaw":
            return Yaw(spin=spin)
        case "short":
            return Short(turn=turn, degrees=dice.choice((10.0, 20.0, 45.0, 90.0, 180.0)))
        case "skip":
            return Skip(turn=turn, motor_deg=dice.choice((22.5, 90.0, 180.0)))
        case "glare":
            return Glare(view=dice.randrange(1, 90), light=dice.uniform(300, 1023))
        case _:
            return Dead(sensor="color", time=dice.uniform(5, 110))


def attempt(seed: int, folder: Path) -> Run:
    """Let ours do the whole job once."""
    dice = Random(f"mindcuber {seed}")
    kinds = tuple(dice.choice(KINDS) for _ in range(dice.choice((1, 1, 2, 3))))
    drawn = {kind: tuple(draw(kind, dice) for each in kinds if each == kind) for kind in kinds}
    build = Build(light=dice.choice(LIGHTS))
    brick = Faults()
    if seed % 3 == 0:
        stall = Stall(
            port=dice.randrange(3), seconds=dice.uniform(1, 20), time_s=dice.uniform(5, 90)
        )
        cut = Faults(drop_at=(dice.randrange(100, 1500),))
        brick = dice.choice((cut, Faults(stalls=(stall,))))
    robot = VirtualMindCuber(
        random_state(seed),
        folder / f"{seed}.journal",
        brick,
        machine_faults=MindCuberFaults(seed=seed, rig=build, **drawn),
    )
    task = Task(search_s=0.0, journal=robot.journal, camera="sensor")
    is_short = False
    try:
        report = run_job(
            RobotJob(robot.robot, task, robot.clock).solve_seen(camera_opener("sensor"))
        )
    except PuzzlerigError:
        said = "ended with a sentence"
    else:
        said = "not verified"
        if report.seen is not None and report.seen.target_reached and not report.unseen:
            said, is_short = "solved", bool(report.seen.evidence)
    robot.clock.sleep(3.0)
    return Run(kinds, said, robot.rig.is_solved, is_short, robot.motors_are_idle)


def run() -> str:
    """Return the section of RESULTS.md."""
    run_job(prepare())
    with tempfile.TemporaryDirectory() as folder:
        runs = [attempt(seed, Path(folder)) for seed in range(1, RUNS + 1)]
    said = Counter((each.said, each.is_solved) for each in runs)
    short = sum(each.is_short_check for each in runs)
    false, left_on = (sum(each.is_false for each in runs), sum(not each.is_off for each in runs))
    rows = [
        f"| {name} | {'solved' if solved else 'not solved'} | {number} |"
        for (name, solved), number in sorted(said.items())
    ]
    kinds = Counter(kind for each in runs for kind in each.kinds)
    return "\n".join(
        [
            f'False "solved": **{false} of {RUNS}**. Motors left on: **{left_on}**. '
            f"{short} were verified by few faces, the others by all six.",
            "",
            "| said | the cube is | runs |",
            "|---|---|---:|",
            *rows,
            "",
            "Faults drawn: "
            + ", ".join(f"{name} {number}" for name, number in sorted(kinds.items()))
            + ".",
        ]
    )
