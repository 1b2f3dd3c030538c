"""Fifty cubes scanned, solved, driven and looked at again

The whole job in virtual time: rendered frames, nxt-python, the simulated brick and its mechanics.
"""

import tempfile
import time
from pathlib import Path

import numpy as np

from solvers.rubik.scramble import random_state
from tests.integration.test_scan_solve_verify import solve_and_look
from tests.virtual_robot import VirtualRobot

CUBES = 50


def demo(level: int, seed: int, folder: Path) -> tuple[bool, float]:
    """Do the whole job for one cube; return whether all of it went well, and robot seconds."""
    robot = VirtualRobot(random_state(seed), folder / f"{level}-{seed}.journal")
    after = solve_and_look(robot, level, seed).seen
    seen = after is not None and after.target_reached
    went_well = robot.rig.is_solved and seen and not robot.rig.jams
    return went_well, robot.clock.now()


def run() -> str:
    """Return the section of RESULTS.md."""
    rows = [
        "| camera level | solved and seen to be solved | robot seconds | CPU s each |",
        "|---|---|---|---|",
    ]
    with tempfile.TemporaryDirectory() as folder:
        for level in (1, 2):
            start = time.process_time()
            results = [demo(level, seed, Path(folder)) for seed in range(CUBES)]
            cpu_s = (time.process_time() - start) / CUBES
            well = sum(went_well for went_well, _ in results)
            seconds = np.mean([robot_s for _, robot_s in results])
            rows.append(f"| {level} | {well}/{CUBES} | {seconds:.0f} | {cpu_s:.1f} |")
    return "\n".join(rows)
