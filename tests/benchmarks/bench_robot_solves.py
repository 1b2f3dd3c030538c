"""End to end: random cubes on the simulated rig

Search, plan, nxt-python over TCP, the program or direct commands, the simulated firmware, motors
and mechanics; in virtual time.
"""

import tempfile
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import mean
from typing import Any, Final

import msgspec

from controller.motion.executor import PrimitiveFinished, PrimitiveRetried
from controller.motion.plan_choice import choose_plan
from controller.motion.planner import Plan
from controller.rigs.nxt_brick.calibration import Seconds, TimedMechanism, measure_seconds
from controller.rigs.nxt_cradle.calibration.values import Calibration
from hardware_sims.nxt_brick.faults import BLUETOOTH_LATENCY, USB_LATENCY
from solvers.foundation.progress import run_job
from solvers.rubik.cubies import SOLVED
from solvers.rubik.scramble import random_state
from solvers.rubik.two_phase.solver import prepare
from tests.virtual_robot import RIG, VirtualRobot

MANY: Final = range(500)
SOME: Final = range(100)
LINES: Final = {"USB": USB_LATENCY, "Bluetooth": BLUETOOTH_LATENCY}
HEADER: Final = (
    "| cubes | solved | jams | retries | seconds, mean | planned, mean | error, mean | worst "
    "| CPU s each |\n|---|---:|---:|---:|---:|---:|---:|---:|---:|"
)


@dataclass(frozen=True, slots=True)
class Solve:
    """How one cube came out; the seconds are simulated ones, without the search."""

    is_solved: bool
    jams: int
    retries: int
    planned_s: float
    taken_s: float
    simulation_cpu_s: float

    @property
    def error(self) -> float:
        """By what share the plan was wrong."""
        return abs(self.taken_s / self.planned_s - 1)


def calibrated(calibration: Calibration, **options: Any) -> Calibration:
    """Return a calibration with the seconds that are measured on such a rig, in one round."""
    with tempfile.TemporaryDirectory() as folder:
        journal = Path(folder) / "unused.journal"
        robot = VirtualRobot(SOLVED, journal, calibration=calibration, **options)
        with robot.mechanism() as mechanism:
            assert isinstance(mechanism, TimedMechanism)
            mechanism.set_home()
            seconds = run_job(measure_seconds(mechanism, rounds=1))
            mechanism.release()
    return msgspec.structs.replace(calibration, seconds=seconds)


def first_plans(seeds: Iterable[int], costs: Seconds = RIG.seconds) -> dict[int, Plan]:
    """Return the first plan found for each cube, by its seed."""
    return {
        seed: run_job(choose_plan(random_state(seed), SOLVED, costs, search_s=0.0)).plan
        for seed in seeds
    }


def solve(seed: int, plan: Plan, folder: Path, **options: Any) -> Solve:
    """Drive a plan for one cube."""
    journal = folder / "run.journal"
    journal.unlink(missing_ok=True)
    began_s = time.process_time()
    robot = VirtualRobot(random_state(seed), journal, **options)
    header = robot.header_of(plan)
    events = robot.run(header)
    cpu_s = time.process_time() - began_s
    return Solve(
        robot.rig.is_solved,
        len(robot.rig.jams),
        sum(isinstance(event, PrimitiveRetried) for event in events),
        robot.planned_s(header),
        sum(event.seconds for event in events if isinstance(event, PrimitiveFinished)),
        cpu_s,
    )


def row(name: str, plans: Mapping[int, Plan], **options: Any) -> str:
    """Drive the plans of cubes by their seeds and return their line of the table."""
    with tempfile.TemporaryDirectory() as folder:
        solves = [solve(seed, plan, Path(folder), **options) for seed, plan in plans.items()]
    solved = sum(each.is_solved for each in solves)
    line = (
        f"| {name} | {solved} of {len(solves)} | {sum(each.jams for each in solves)} "
        f"| {sum(each.retries for each in solves)} | {mean(each.taken_s for each in solves):.1f} "
        f"| {mean(each.planned_s for each in solves):.1f} "
        f"| {mean(each.error for each in solves):.1%} "
        f"| {max(each.error for each in solves):.1%} "
        f"| {mean(each.simulation_cpu_s for each in solves):.2f} |"
    )
    print(line, flush=True)
    return line


def direct_row(line: str, plans: Mapping[int, Plan]) -> str:
    """Drive plans by direct commands, planned seconds being those measured with them."""
    options: dict[str, Any] = {"drive": "direct", "latency": LINES[line]}
    own = calibrated(RIG, **options)
    return row(f"direct commands, {line}", plans, calibration=own, **options)


def run() -> str:
    """Return the section of RESULTS.md."""
    run_job(prepare())
    plans = first_plans(MANY)
    some = {seed: plans[seed] for seed in SOME}
    rows = [row(f"program, {name}", plans, latency=latency) for name, latency in LINES.items()]
    rows += [direct_row(name, some) for name in LINES]
    return "\n".join(
        [
            f"Cubes: `random_state(0)` to `random_state({MANY[-1]})`, first solutions; the choice "
            "of the fastest has its own section. Seconds are of the robot, the way home included; "
            "planned ones are those of the default calibration, which are the program's at 8 V; "
            "for direct commands those of one round of `cuberobot calibrate` with them. CPU is the "
            "simulation's and the driver's.",
            "",
            HEADER,
            *rows,
        ]
    )
