"""End to end: 500 random cubes on the simulated rig.

Search, plan, nxt-python over TCP, the simulated firmware, motors and mechanics; in virtual time.
"""

import tempfile
import time
from pathlib import Path
from statistics import mean

from controller.motion.driving.executor import PrimitiveRetried
from controller.rigs.nxt_cradle.registry import DRIVES
from solvers.rubik.scramble import random_state
from tests.virtual_robot import VirtualRobot

CUBES = 500


def run() -> str:
    """Return a row; all cubes must be solved without jam or retry."""
    rows = [
        "| drive | solved | jams | retries | robot seconds | telegrams | CPU s each |",
        "|---|---:|---:|---:|---:|---:|---:|",
    ]
    for drive in DRIVES:
        began_s = time.process_time()
        robots, retries = [], 0
        with tempfile.TemporaryDirectory() as folder:
            for seed in range(CUBES):
                journal = Path(folder) / f"{seed}.journal"
                robot = VirtualRobot(random_state(seed), journal, drive=drive)
                retries += sum(isinstance(event, PrimitiveRetried) for event in robot.run())
                robots.append(robot)
        solved = sum(robot.rig.is_solved for robot in robots)
        jams = sum(len(robot.rig.jams) for robot in robots)
        cpu_s = (time.process_time() - began_s) / CUBES
        rows.append(
            f"| {drive} | {solved} of {CUBES} | {jams} | {retries} "
            f"| {mean(robot.clock.now() for robot in robots):.0f} "
            f"| {mean(robot.brick.telegrams for robot in robots):.0f} | {cpu_s:.2f} |"
        )
    return "\n".join(
        [
            f"Cubes: `random_state(0)` to `random_state({CUBES - 1})`. The first solution found is "
            "driven here; the choice of the fastest has its own section.",
            "",
            *rows,
        ]
    )
