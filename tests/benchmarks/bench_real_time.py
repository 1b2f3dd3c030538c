"""Real time: the program on the brick at speed 1, beside virtual time

Three simulators, one a link, and three `cuberobot run` at once, each in a process of its own and
on the computer's clock: more than the two cores have room for, so that they disturb each other.
"""

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from statistics import mean
from typing import Any, Final

from controller.motion.executor import PrimitiveFinished
from hardware_sims.nxt_brick.faults import BLUETOOTH_LATENCY, NO_LATENCY, USB_LATENCY, Latency
from solvers.foundation.progress import run_job
from solvers.rubik.cubies import SOLVED, CubieCube
from solvers.rubik.facelets import format_facelets
from solvers.rubik.notation import parse_moves
from solvers.rubik.scramble import random_state
from solvers.rubik.two_phase.solver import prepare
from tests.virtual_robot import VirtualRobot

LINKS: Final = {"none": NO_LATENCY, "usb": USB_LATENCY, "bluetooth": BLUETOOTH_LATENCY}
SEEDS: Final = range(1, 6)
# Looks the same however it lies, so that a run towards it can be judged by its facelets.
SUPERFLIP: Final = SOLVED.apply(parse_moves("U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2"))
TIMEOUT_S: Final = 200.0


@dataclass(frozen=True, slots=True)
class Drive:
    """Seconds of one run on the computer's clock and in virtual time, and how it came out."""

    real_s: float
    virtual_s: float
    went_well: bool

    @property
    def longer(self) -> float:
        """By what share the run took longer than in virtual time."""
        return self.real_s / self.virtual_s - 1


class Brick:
    """A simulated brick in a process of its own, switched on until it is stopped."""

    def __init__(self, link: str, seed: int, folder: Path) -> None:
        self._journal = folder / f"{link}-{seed}.journal"
        self._process = subprocess.Popen(
            [_command("hwsim"), "nxt", "--json", "--link", link, "--seed", str(seed)],
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self._process.stdout is not None
        self._address = json.loads(self._process.stdout.readline())["address"]

    def run(self, start: CubieCube, target: CubieCube) -> float:
        """Drive from one position to another and return the seconds that took."""
        done = subprocess.run(
            [_command("cuberobot"), "run", "--brick", self._address, "--time", "0", "--json",
             "--state", format_facelets(start), "--target", format_facelets(target),
             "--drive", "program", "--journal", str(self._journal)],
            capture_output=True, text=True, check=False, timeout=TIMEOUT_S,
        )  # fmt: skip
        if done.returncode != 0:
            raise RuntimeError(done.stdout + done.stderr)
        self._journal.unlink()
        return float(json.loads(done.stdout)["measured_seconds"])

    def stop(self) -> dict[str, Any]:
        """Stop the simulator and return its last word."""
        self._process.send_signal(signal.SIGTERM)
        output, _ = self._process.communicate()
        last: dict[str, Any] = json.loads(output.splitlines()[-1])
        return last


def in_virtual_time(
    start: CubieCube, target: CubieCube, latency: Latency, journal: Path, drive: str = "program"
) -> float:
    """Return the seconds of the same run in virtual time."""
    robot = VirtualRobot(start, journal, latency=latency, drive=drive)
    events = robot.run(robot.header(target))
    journal.unlink()
    return sum(event.seconds for event in events if isinstance(event, PrimitiveFinished))


def drives(link: str, folder: Path) -> list[Drive]:
    """Solve the cubes on a new brick each, and twist and solve the last one once more."""
    found = []
    for seed in SEEDS:
        cube = random_state(seed)
        ways = [(cube, SOLVED)]
        if seed == SEEDS[-1]:
            ways += [(SOLVED, SUPERFLIP), (SUPERFLIP, SOLVED)]
        brick = Brick(link, seed, folder)
        seconds = [brick.run(*way) for way in ways]
        last_word = brick.stop()
        went_well = last_word["solved"] and not last_word["jams"]
        journal = folder / f"{link}-virtual.journal"
        found += [
            Drive(real_s, in_virtual_time(*way, LINKS[link], journal), went_well)
            for way, real_s in zip(ways, seconds, strict=True)
        ]
    return found


def run() -> str:
    """Return the section of RESULTS.md."""
    run_job(prepare())
    rows = [
        "| link | runs | solved without a jam | seconds, mean | in virtual time | longer, mean "
        "| longest |",
        "|---|---:|---:|---:|---:|---:|---:|",
    ]
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(len(LINKS)) as pool:
        first: Callable[[str], list[Drive]] = lambda link: drives(link, Path(folder))  # noqa: E731
        for link, found in zip(LINKS, pool.map(first, LINKS), strict=True):
            rows.append(
                f"| {link} | {len(found)} | {sum(each.went_well for each in found)} "
                f"| {mean(each.real_s for each in found):.2f} "
                f"| {mean(each.virtual_s for each in found):.2f} "
                f"| {mean(each.longer for each in found):.1%} "
                f"| {max(each.longer for each in found):.1%} |"
            )
    return "\n".join(
        [
            f"Cubes `random_state({SEEDS[0]})` to `random_state({SEEDS[-1]})`, first solutions; "
            "the last brick stays on for two more runs, to the superflip and back. All three "
            f"links at once, load {os.getloadavg()[0]:.1f} at the end, "
            f"finished {time.strftime('%Y-%m-%d')}.",
            "",
            *rows,
        ]
    )


def _command(name: str) -> str:
    return str(Path(sys.executable).with_name(name))
