"""Fifty solves in a row on one brick that stays on, with scans in between and without

Each drive over each link, in virtual time, without faults.
"""

import tempfile
import time
from contextlib import closing
from pathlib import Path
from typing import Final

from controller.robot_jobs import RobotJob, Task, scan_by_robot
from hardware_sims.nxt_brick.faults import BLUETOOTH_LATENCY, NO_LATENCY, USB_LATENCY, Latency
from solvers.foundation.errors import PuzzlerigError
from solvers.foundation.progress import run_job
from solvers.rubik.facelets import parse_facelets
from solvers.rubik.scramble import random_state
from solvers.rubik.two_phase.solver import prepare
from tests.camera_above import CameraAbove
from tests.virtual_robot import VirtualRobot

CUBES: Final = 50
SCAN_EVERY: Final = 5
DRIVES: Final = ("program", "direct")
LINKS: Final = {"none": NO_LATENCY, "usb": USB_LATENCY, "bluetooth": BLUETOOTH_LATENCY}


def row(drive: str, name: str, latency: Latency, folder: Path, *, scans: bool = True) -> str:
    """Solve cube after cube on one brick and return their line of the table."""
    began_s = time.process_time()
    journal = folder / f"{drive}-{name}.journal"
    robot = VirtualRobot(random_state(0), journal, latency=latency, drive=drive)
    camera = CameraAbove(robot, level=1, seed=0)
    scanned = solved = 0
    ended = ""
    for seed in range(CUBES):
        robot.put_in(random_state(seed))
        job = RobotJob(robot.robot, Task(search_s=0.0, journal=journal), robot.clock)
        try:
            if scans and seed % SCAN_EVERY == 0:
                scan = run_job(scan_by_robot(robot.robot, lambda: closing(camera)))
                scanned += scan.outcome.result.facelets == robot.rig.facelets
            run_job(job.solve_known(parse_facelets(robot.rig.facelets)))
        except PuzzlerigError as error:
            ended = f" {type(error).__name__} at cube {seed}"
            break
        solved += robot.rig.is_solved
    line = (
        f"| {drive} | {name} | {solved} of {CUBES} "
        f"| {scanned} of {CUBES // SCAN_EVERY if scans else 0} "
        f"| {len(robot.rig.jams)} | {robot.brick.seconds / 60:.0f} "
        f"| {time.process_time() - began_s:.0f} |{ended} |"
    )
    print(line, flush=True)
    return line


def run() -> str:
    """Return the section of RESULTS.md."""
    run_job(prepare())
    with tempfile.TemporaryDirectory() as folder:
        rows = [
            row(drive, name, latency, Path(folder))
            for drive in DRIVES
            for name, latency in LINKS.items()
        ]
        # A scan finds home with the program ended, and may hide what run after run adds up.
        rows += [row(drive, "usb", USB_LATENCY, Path(folder), scans=False) for drive in DRIVES]
    return "\n".join(
        [
            "Before every fifth solve there is a scan, but not in the last two rows. "
            "The first error ends a row.",
            "",
            "| drive | link | solved | scanned | jams | minutes on | CPU s | ended by |",
            "|---|---|---:|---:|---:|---:|---:|---|",
            *rows,
        ]
    )
