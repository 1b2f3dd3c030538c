"""Motors off: runs that end in every way, and who is under power three seconds later

Stopped, interrupted, with a lost line and without a host: in the search for home, in scans, drives
and pauses, at random moments of virtual time. By a cube that stays stuck, which ends the run by
itself. Then commands and the dashboard as processes of their own, ended by signals.
`MOTORS_OFF=100 python -m tests.benchmarks motors_off` makes that number of them; the figures are
seconds of the robot.
"""

import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from itertools import count, islice, product
from multiprocessing import get_context
from pathlib import Path
from typing import Final

from controller.errors import RobotError
from hardware_sims.nxt_brick.brick import SimulatedBrick, warm_up
from hardware_sims.nxt_brick.server import BrickServer
from hardware_sims.rigs.cradle.faults import RigFaults, Stuck
from hardware_sims.rigs.cradle.rig import CubeRig
from hardware_sims.rigs.cubes import CradledCube
from solvers.foundation.clock import SystemClock
from solvers.foundation.progress import run_job
from solvers.rubik.facelets import format_facelets
from solvers.rubik.scramble import random_state
from tests.stops.vanishing import (
    Aftermath,
    End,
    aftermath,
    end_at,
    interrupt,
    lose_host,
    lose_line,
    scanning,
    stop,
)
from tests.virtual_robot import VirtualRobot

RUNS: Final = int(os.environ.get("MOTORS_OFF", "200"))
SPEED: Final = 4.0
PREPARED_S: Final = 1.5
"""What it takes at least until the first motor moves."""
FOUND_HOME_S: Final = 8.0
DRIVES: Final = ("program", "direct")
ENDS: Final[dict[str, End]] = {
    "stop": stop,
    "Ctrl-C": interrupt,
    "line cut": lose_line,
    "host gone": lose_host,
}
SHARES: Final = {"home": 6, "drive": 6, "pause": 5, "scan": 2}
"""Of two hundred runs, for each drive and end; with four that are sent each signal."""
STALLED: Final = 10
"""Of two hundred runs, for each drive, that end by themselves since the cube stays stuck."""
STUCK_CHANCE: Final = 0.3
"""Each time the arm leaves the cube; often enough that a run's retries are used up."""
SIGNALLED: Final = 4
AT_ONCE: Final = 2
TELEGRAMS: Final = (200, 800)
"""In the search for home, which begins once the program is installed, and in the drive."""
LATEST_S: Final = 200.0
FOR_EVER_S: Final = 100_000.0
SIGNALS: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL)

FIGURES: Final = ("power_s", "motion_s")
DASHBOARD: Final = "tests.stops.served_dashboard"


def run() -> str:
    """Return the section of RESULTS.md."""
    rows = [
        "| drive | ended by | in | runs | under power 3 s later | last power, s | last motion, s |",
        "|---|---|---|---:|---:|---:|---:|",
    ]
    on = total = 0
    for (drive, ended_by, work), left in (*_virtual(), *_processes()):
        on += sum(not each.is_off for each in left)
        total += len(left)
        power_s, motion_s = (max(getattr(each, name) for each in left) for name in FIGURES)
        under_power = sum(not each.is_off for each in left)
        rows.append(
            f"| {drive} | {ended_by} | {work} | {len(left)} | {under_power} "
            f"| {power_s:.1f} | {motion_s:.1f} |"
        )
    return "\n".join([f"Under power: **{on} of {total}**.", "", *rows])


def _virtual() -> Iterator[tuple[tuple[str, str, str], list[Aftermath]]]:
    """Yield what became of runs in virtual time, by drive, end and what was done."""
    keys = list(product(DRIVES, ENDS, SHARES))
    with ProcessPoolExecutor(AT_ONCE, get_context("spawn")) as pool:
        yield from zip(keys, pool.map(_all_ended, *zip(*keys, strict=True)), strict=True)
        yield from zip(
            [(drive, "stall", "drive") for drive in DRIVES],
            pool.map(_all_stalled, DRIVES),
            strict=True,
        )


def _all_ended(drive: str, name: str, work: str) -> list[Aftermath]:
    runs = max(1, SHARES[work] * RUNS // 200)
    with tempfile.TemporaryDirectory() as folder:
        seeds = (f"{drive} {name} {work} {number}" for number in range(runs))
        return [_ended(Path(folder), drive, ENDS[name], work, seed) for seed in seeds]


def _ended(folder: Path, drive: str, end: End, work: str, seed: str) -> Aftermath:
    dice = random.Random(seed)
    journal = folder / "run.journal"
    journal.unlink(missing_ok=True)
    robot = VirtualRobot(random_state(dice.randrange(10**6)), journal, drive=drive)
    if work == "scan":
        return end_at(robot, scanning(robot, 1), dice.uniform(FOUND_HOME_S, 14), end)
    after_s = dice.uniform(PREPARED_S, FOUND_HOME_S)
    if work != "home":
        after_s = dice.uniform(FOUND_HOME_S, 35)
    job = robot.running(robot.header())
    return end_at(robot, job, after_s, end, paused=work == "pause")


def _all_stalled(drive: str) -> list[Aftermath]:
    runs = max(1, STALLED * RUNS // 200)
    with tempfile.TemporaryDirectory() as folder:
        journal = Path(folder) / "run.journal"
        left = (_stalled(journal, drive, f"{drive} stall {number}") for number in count())
        return list(islice((each for each in left if each), runs))


def _stalled(journal: Path, drive: str, seed: str) -> Aftermath | None:
    """Return what became of a run that could not free the cube; None if it could."""
    dice = random.Random(seed)
    journal.unlink(missing_ok=True)
    stuck = Stuck(chance=STUCK_CHANCE, seconds=FOR_EVER_S)
    robot = VirtualRobot(
        random_state(dice.randrange(10**6)),
        journal,
        drive=drive,
        rig_faults=RigFaults(seed=dice.randrange(10**6), stuck=(stuck,)),
    )
    try:
        run_job(robot.running(robot.header()))
    except RobotError:
        return aftermath(robot.brick, robot.clock, robot.clock.now())
    return None


def _processes() -> Iterator[tuple[tuple[str, str, str], list[Aftermath]]]:
    """Yield what became of commands and dashboards that were sent a signal."""
    runs = max(1, SIGNALLED * RUNS // 200)
    with ThreadPoolExecutor(AT_ONCE) as pool:
        for what, number in product((*DRIVES, "dashboard"), SIGNALS):
            seeds = [f"{what} {number} {run}" for run in range(runs)]
            left = list(pool.map(_signalled, [what] * runs, [number] * runs, seeds))
            is_dashboard = what == "dashboard"
            drive, place = ("program", what) if is_dashboard else (what, "run")
            yield (drive, number.name, place), left


def _signalled(what: str, number: signal.Signals, seed: str) -> Aftermath:
    """Send a signal to a process after some telegrams, and watch the brick's motors."""
    dice = random.Random(seed)
    cube = random_state(dice.randrange(10**6))
    rig = CubeRig(CradledCube(cube))
    warm_up(rig)
    clock = SystemClock(SPEED)
    brick = SimulatedBrick(clock, rig, instructions_per_ms=100)
    facelets = format_facelets(cube)
    with tempfile.TemporaryDirectory() as folder, BrickServer(brick) as server:
        if what == "dashboard":
            command = [sys.executable, "-m", DASHBOARD, server.address, facelets, str(SPEED)]
        else:
            command = [
                str(Path(sys.executable).with_name("cuberobot")), "run", "--state", facelets,
                "--brick", server.address, "--drive", what, "--speed", str(SPEED), "--time", "0",
            ]  # fmt: skip
        environment = {**os.environ, "XDG_STATE_HOME": folder}
        quiet = subprocess.DEVNULL
        process = subprocess.Popen(command, env=environment, stdout=quiet, stderr=quiet)
        telegrams = dice.randrange(*TELEGRAMS)
        # A run that is over, or waits for its owner, sends no more telegrams.
        while brick.telegrams < telegrams and clock.now() < LATEST_S and process.poll() is None:
            time.sleep(0.01)
        assert process.poll() is None, f"{seed}: it ended before it was sent the signal"
        process.send_signal(number)
        process.wait(60)
        return aftermath(brick, clock, clock.now())
