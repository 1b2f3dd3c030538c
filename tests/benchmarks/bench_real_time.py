"""Real time: the robot with its camera at speed 1, beside virtual time

Three simulators, one a way to drive, and three `cuberobot run` at once, each in a process of its
own and on the computer's clock: more than the two cores have room for, so that they disturb each
other.
"""

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import mean
from typing import Any, Final

from controller.job_events import Stage
from controller.robot_jobs import RobotJob, Task
from hardware_sims.nxt_brick.faults import BLUETOOTH_LATENCY, USB_LATENCY
from solvers.foundation.progress import run_job
from solvers.rubik.scramble import random_state
from solvers.rubik.two_phase.solver import prepare
from tests.camera_above import CameraAbove
from tests.virtual_robot import VirtualRobot

WAYS: Final = {
    "program, usb": USB_LATENCY,
    "program, bluetooth": BLUETOOTH_LATENCY,
    "direct, usb": USB_LATENCY,
}
SEEDS: Final = range(1, 6)
LEVEL: Final = 1
STAGES: Final = (Stage.SCAN, Stage.DRIVE, Stage.VERIFY)
TIMEOUT_S: Final = 600.0


@dataclass(frozen=True, slots=True)
class Solve:
    """Scan, drive and last look at one cube: seconds on the computer's clock and in virtual time.

    `failure` is what went wrong, empty if the cube was solved and seen to be.
    """

    real_s: float
    virtual_s: float
    recoveries: int
    failure: str

    @property
    def longer(self) -> float:
        """By what share it took longer than in virtual time."""
        return self.real_s / self.virtual_s - 1


@contextmanager
def brick(link: str, seed: int) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Switch a simulated brick on; yield what it says first, and at the end last, as JSON."""
    process = subprocess.Popen(
        [_command("hwsim"), "nxt", "--json", "--link", link, "--seed", str(seed),
         "--camera", str(LEVEL)],
        stdout=subprocess.PIPE,
        text=True,
    )  # fmt: skip
    assert process.stdout is not None
    last_word: dict[str, Any] = {}
    try:
        yield json.loads(process.stdout.readline()), last_word
    finally:
        process.send_signal(signal.SIGTERM)
        output, _ = process.communicate()
        last_word.update(json.loads(output.splitlines()[-1]))


def in_virtual_time(seed: int, way: str, journal: Path) -> float:
    """Return the seconds that the same takes in virtual time."""
    drive, _ = way.split(", ")
    robot = VirtualRobot(random_state(seed), journal, latency=WAYS[way], drive=drive)
    camera = CameraAbove(robot, LEVEL, seed, binning=1)
    job = RobotJob(robot.robot, Task(search_s=0.0, journal=journal), robot.clock)
    report = run_job(job.solve_seen(lambda: closing(camera)))
    journal.unlink()
    return sum(each.seconds for each in report.stages if each.stage in STAGES)


def solve(seed: int, way: str, folder: Path) -> Solve:
    """Solve a cube on a new brick."""
    drive, link = way.split(", ")
    journal = folder / f"{drive}-{link}.journal"
    with brick(link, seed) as (first_word, last_word):
        done = subprocess.run(
            [_command("cuberobot"), "run", "--brick", first_word["address"], "--time", "0",
             "--camera", first_word["camera"], "--drive", drive, "--json",
             "--journal", str(journal)],
            capture_output=True, text=True, check=False, timeout=TIMEOUT_S,
        )  # fmt: skip
    journal.unlink(missing_ok=True)
    virtual_s = in_virtual_time(seed, way, journal)
    if done.returncode != 0:
        return Solve(virtual_s, virtual_s, 0, done.stderr.strip() or done.stdout.strip())
    report = json.loads(done.stdout)
    failure = "" if report["verified"] else "not verified"
    if not last_word["solved"]:
        failure = "falsely called solved" if report["verified"] else "not solved"
    real_s = sum(report["stages"][stage] for stage in STAGES)
    return Solve(real_s, virtual_s, len(report["recoveries"]), failure)


def row(way: str, solves: list[Solve]) -> str:
    """Return a line of the table."""
    went_well = [each for each in solves if not each.failure]
    line = f"| {way} | {len(solves)} | {len(went_well)} "
    line += f"| {sum(each.recoveries for each in solves)} "
    if not went_well:
        return f"{line}| | | | |"
    return (
        f"{line}| {mean(each.real_s for each in went_well):.1f} "
        f"| {mean(each.virtual_s for each in went_well):.1f} "
        f"| {mean(each.longer for each in went_well):.1%} "
        f"| {max(each.longer for each in went_well):.1%} |"
    )


def run() -> str:
    """Return the section of RESULTS.md."""
    run_job(prepare())
    lines = [
        "| way | cubes | solved and seen to be solved | recoveries | seconds, mean "
        "| in virtual time | longer, mean | longest |",
        "|---|---:|---:|---:|---:|---:|---:|---:|",
    ]
    failures = []
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(len(WAYS)) as pool:

        def all_of(way: str) -> list[Solve]:
            return [solve(seed, way, Path(folder)) for seed in SEEDS]

        for way, solves in zip(WAYS, pool.map(all_of, WAYS), strict=True):
            lines.append(row(way, solves))
            print(lines[-1], flush=True)
            for seed, each in zip(SEEDS, solves, strict=True):
                if each.failure:
                    failures.append(f"Cube {seed}, {way}: {each.failure}")
    return "\n".join(
        [
            f"Cubes `random_state({SEEDS[0]})` to `random_state({SEEDS[-1]})` on a new brick each, "
            f"first solutions, camera of level {LEVEL}. Seconds are those of scan, drive and last "
            f"look. All three ways at once, load {os.getloadavg()[0]:.1f} at the end, "
            f"finished {time.strftime('%Y-%m-%d')}.",
            "",
            *lines,
            *(["", *failures] if failures else []),
        ]
    )


def _command(name: str) -> str:
    return str(Path(sys.executable).with_name(name))
