"""The whole wait: a cube put in, scanned, solved, driven and seen to be solved

The whole job in virtual time: rendered frames, nxt-python, the simulated brick and its mechanics.
"""

import tempfile
import time
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from statistics import mean
from typing import Final

from msgspec.structs import replace

from controller.job_events import Stage
from controller.rigs.nxt_cradle.calibration.values import Calibration, Tuning
from controller.rigs.rig import Earned
from controller.robot_jobs import RobotJob, Task
from solvers.foundation.progress import run_job
from solvers.rubik.scramble import random_state
from solvers.rubik.two_phase.solver import prepare
from tests.benchmarks.bench_robot_solves import calibrated
from tests.camera_above import CameraAbove
from tests.virtual_robot import RIG, VirtualRobot

CUBES: Final = range(1, 13)
TIGHTER: Final = {"lift": 1.2, "back": 1.3, "arm_returns": 90.0}
"""Margins one step tighter than the default's."""


@dataclass(frozen=True, slots=True)
class Wait:
    """One cube's wait; all but the search in robot seconds."""

    went_well: bool
    home_s: float
    scan_s: float
    search_s: float
    drive_s: float
    verify_s: float
    cpu_s: float

    @property
    def whole_s(self) -> float:
        """From when home was found to the report."""
        return self.scan_s + self.search_s + self.drive_s + self.verify_s


def tuned() -> Calibration:
    """Return a calibration with tighter margins, as `cuberobot tune` saves them, and its prices."""
    earned = {name: Earned(value, value) for name, value in TIGHTER.items()}
    return calibrated(replace(RIG, tuning=Tuning("", **earned)))


def wait(seed: int, level: int, calibration: Calibration, folder: Path) -> Wait:
    """Do the whole job for one cube, with a camera of a level."""
    journal = folder / "run.journal"
    journal.unlink(missing_ok=True)
    robot = VirtualRobot(random_state(seed), journal, calibration=calibration)
    camera = CameraAbove(robot, level, seed, binning=1)
    job = RobotJob(robot.robot, Task(journal=journal), robot.clock)
    began_s = time.process_time()
    report = run_job(job.solve_seen(lambda: closing(camera)))
    cpu_s = time.process_time() - began_s
    seconds = {each.stage: each.seconds for each in report.stages}
    return Wait(
        went_well=robot.rig.is_solved and not report.is_doubtful and not robot.rig.jams,
        home_s=robot.clock.now() - sum(seconds.values()),
        scan_s=seconds[Stage.SCAN],
        search_s=report.chosen.search_seconds,
        drive_s=seconds[Stage.DRIVE],
        verify_s=seconds[Stage.VERIFY],
        cpu_s=cpu_s,
    )


def row(name: str, level: int, calibration: Calibration) -> str:
    """Let all cubes wait and return their line of the table."""
    with tempfile.TemporaryDirectory() as folder:
        waits = [wait(seed, level, calibration, Path(folder)) for seed in CUBES]
    parts = (
        mean(getattr(each, part) for each in waits)
        for part in ("home_s", "scan_s", "search_s", "drive_s", "verify_s", "whole_s")
    )
    line = (
        f"| {name}, camera level {level} | {sum(each.went_well for each in waits)} of {len(waits)} "
        f"| {' | '.join(f'{part:.1f}' for part in parts)} "
        f"| {max(each.whole_s for each in waits):.1f} "
        f"| {mean(each.cpu_s - each.search_s for each in waits):.1f} |"
    )
    print(line, flush=True)
    return line


def run() -> str:
    """Return the section of RESULTS.md."""
    run_job(prepare())
    rows = [row("default", level, RIG) for level in (1, 2)]
    rows.append(row("tuned", 1, tuned()))
    tighter = ", ".join(f"`{name}` {value:g}" for name, value in TIGHTER.items())
    return "\n".join(
        [
            f"Cubes `random_state({CUBES[0]})` to `random_state({CUBES[-1]})`, the program on the "
            "brick over USB, a battery of 8.0 V with 1.2 ohm, views during the drive included. The "
            "search has 1 s of CPU, which counts; all else is robot seconds, means but for the "
            "longest. To find home, before the scan, does not count. `tuned` has margins one step "
            f"tighter than the default's ({tighter}): what a rig has to earn.",
            "",
            "| margins | solved and seen to be solved | home | scan | search | drive | last look "
            "| **whole wait** | longest | CPU s each, without the search |",
            "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|",
            *rows,
        ]
    )
