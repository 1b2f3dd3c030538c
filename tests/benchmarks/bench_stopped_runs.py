"""Runs that are ended early, in virtual time: what is shown then, and what becomes of the rest

A short run of random primitives is ended by Stop (at a moment, again and again, at an event) or by
Ctrl-C, which is raised in a random line of the controller's sources or in two. Then the twin must
show the simulator's cube, or the page must say which primitive was cut off; the rest is driven, no
primitive is told twice or left out, and the cube lies as planned. `STOPPED=1000 python -m
tests.benchmarks stopped_runs` does so a thousand times for each drive.
"""

import os
import tempfile
from collections import Counter
from pathlib import Path
from typing import Final

from hardware_sims.nxt_brick.faults import LATENCIES
from solvers.rubik.scramble import random_state
from tests.stops.endings import ENDINGS
from tests.stops.stopped_run import some_run
from tests.virtual_robot import VirtualRobot

STOPPED: Final = int(os.environ.get("STOPPED", "300"))
LINKS: Final = ("usb", "usb", "bluetooth")
COUNT: Final = 12


def run() -> str:
    """Return the section of RESULTS.md."""
    rows = [
        "| drive | ended by | runs | cut off within a primitive | wrong | |",
        "|---|---|---:|---:|---:|---|",
    ]
    with tempfile.TemporaryDirectory() as folder:
        for drive in ("program", "direct"):
            for ending in ENDINGS:
                rows.append(_row(Path(folder), drive, ending, STOPPED // len(ENDINGS)))
    return "\n".join(rows)


def _row(folder: Path, drive: str, ending: str, runs: int) -> str:
    found: Counter[str] = Counter()
    wrong: list[str] = []
    for seed in range(runs):
        latency = LATENCIES[LINKS[seed % len(LINKS)]]
        journal = folder / "run.journal"
        journal.unlink(missing_ok=True)
        robot = VirtualRobot(random_state(seed), journal, drive=drive, latency=latency)
        run = some_run(robot, seed, COUNT)
        try:
            found["cut off"] += bool(ENDINGS[ending](run, f"{ending} {drive} {seed}").cut_off)
            run.resume()
        except (Exception, KeyboardInterrupt) as error:  # whatever it is, it is counted
            wrong.append(f"{seed}: {type(error).__name__} {error}")
    told = "; ".join(wrong[:3])
    return f"| {drive} | {ending} | {runs} | {found['cut off']} | {len(wrong)} | {told} |"
