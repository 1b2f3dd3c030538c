"""MindCuber's sensor in uneven light: which readings are accepted, and which of these are wrong

Random cubes on the simulated machine in light of level 2: stickers of one colour differ by 6 %, the
lamps by 8 %, the room is brighter, and readings are noisier than in level 1. A doubtful cube is
read up to three times.
`MINDCUBER_CUBES=50 python -m tests.benchmarks mindcuber_light` reads 50.
"""

import os
import tempfile
from collections import Counter
from pathlib import Path
from statistics import mean
from typing import Final

from controller.opening import camera_opener
from controller.robot_jobs import scan_by_robot
from controller.vision.reading.result import Verdict
from hardware_sims.rigs.mindcuber.faults import Build, MindCuberFaults
from solvers.foundation.progress import run_job
from solvers.rubik.scramble import random_state
from tests.mindcuber_robot import VirtualMindCuber

CUBES: Final = int(os.environ.get("MINDCUBER_CUBES", "500"))
FACES: Final = 6


def read(seed: int, folder: Path) -> tuple[bool, bool, int, float]:
    """Return whether a cube was accepted, whether it was right, its tours, and seconds."""
    faults = MindCuberFaults(seed=seed, rig=Build(light=2))
    robot = VirtualMindCuber(random_state(seed), folder / "unused", machine_faults=faults)
    began_s = robot.clock.now()
    outcome = run_job(scan_by_robot(robot.robot, camera_opener("sensor"))).outcome
    is_accepted = outcome.result.verdict is Verdict.ACCEPTED
    is_right = outcome.result.facelets == robot.rig.facelets
    return is_accepted, is_right, len(outcome.views) // FACES, robot.clock.now() - began_s


def run() -> str:
    """Return the section of RESULTS.md."""
    with tempfile.TemporaryDirectory() as folder:
        readings = [read(seed, Path(folder)) for seed in range(1, CUBES + 1)]
    right = sum(accepted and right for accepted, right, _, _ in readings)
    wrong = sum(accepted and not right for accepted, right, _, _ in readings)
    tours = Counter(tours for _, _, tours, _ in readings)
    return "\n".join(
        [
            "| cubes | right and accepted | wrong and accepted | not accepted | read once "
            "| seconds, mean, home and all tours |",
            "|---:|---:|---:|---:|---:|---:|",
            f"| {CUBES} | {right} ({right / CUBES:.1%}) | {wrong} | {CUBES - right - wrong} "
            f"| {tours[1]} | {mean(seconds for *_, seconds in readings):.1f} |",
        ]
    )
