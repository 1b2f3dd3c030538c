"""Tuning rigs in MuJoCo, against the best fixed margins

`cuberobot tune`'s tuner on rigs of `tests/physics` that were kept apart: the program on the
simulated brick drives arm and pusher, the cube pushes back, and an onlooker says what it did.
"""

import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product
from math import inf
from multiprocessing import Pool
from pathlib import Path
from statistics import mean
from typing import Final

from msgspec.structs import replace

from controller.motion.plan_choice import choose_plan
from controller.rigs.nxt_cradle.calibration.values import Tuning
from controller.rigs.nxt_cradle.margins import as_tuned
from controller.rigs.rig import Earned
from solvers.foundation.errors import PuzzlerigError
from solvers.foundation.progress import run_job
from solvers.rubik.cubies import SOLVED
from solvers.rubik.scramble import random_state
from solvers.rubik.two_phase.solver import prepare
from tests.benchmarks.bench_driven_tilts import PROCESSES
from tests.benchmarks.bench_robot_solves import calibrated, solve
from tests.physics import FRICTIONS, Rig, family
from tests.physics.driven import driven
from tests.physics.tuned import TunedRig
from tests.virtual_robot import RIG

REPEATS: Final = 3
GRIDS: Final = 2
"""Number of rigs with safe default margins on which the best fixed ones are searched, too."""
GRID: Final[Mapping[str, tuple[float, ...]]] = {
    "lift": (1.0, 1.4, 1.7),
    "back": (1.0, 1.3, 1.7),
    "arm_returns": (60.0, 90.0),
    "pusher_turns": (198.0, 190.0),
}
CUBES: Final = range(1, 21)
SEARCH_S: Final = 1.0


@dataclass
class Outcome:
    """What became of a rig; `best_s` is None where it was not searched."""

    name: str
    safe_before: int
    safe_after: int
    before_s: float
    after_s: float
    minutes: float
    ended: str
    values: Mapping[str, float]
    best_s: float | None = None


def judged(
    rig: TunedRig, earned: Mapping[str, Earned], longest_s: float | None = None
) -> tuple[int, float]:
    """Return at how many frictions the trial works some times in a row, and its mean seconds.

    With `longest_s` no more are tried after one that fails or takes longer.
    """
    works, seconds = 0, []
    calibration = as_tuned(rig.margins.setup(earned).calibration)
    for friction in FRICTIONS:
        with driven(calibration) as robot:
            outcome = robot.judge(rig.body, friction, rig.margins.trial, REPEATS)
        seconds += [robot.took_s] if robot.took_s else []
        if longest_s is not None and (not outcome.works or robot.took_s > longest_s):
            break
        works += outcome.works
    return works, mean(seconds) if seconds else inf


def tuned(body: Rig) -> Outcome:
    """Tune one rig, and judge what came of it."""
    rig = TunedRig(body, frictions=FRICTIONS)
    safe_before, before_s = judged(rig, {})
    ended = "done"
    began_s = rig.robot.clock.now()
    try:
        report = run_job(rig.tune())
        ended = "done" if report.is_complete else "time was over"
    except PuzzlerigError as error:
        ended = type(error).__name__
    minutes = (rig.robot.clock.now() - began_s) / 60
    safe_after, after_s = judged(rig, rig.saved)
    values = {name: each.value for name, each in rig.saved.items()}
    return Outcome(body.name, safe_before, safe_after, before_s, after_s, minutes, ended, values)


def best_s(body: Rig) -> float:
    """Return the seconds of the fastest fixed margins of the grid that always work."""
    rig = TunedRig(body, frictions=FRICTIONS)
    best = inf
    for values in product(*GRID.values()):
        earned = {name: Earned(value, value) for name, value in zip(GRID, values, strict=True)}
        works, seconds = judged(rig, earned, 1.02 * best)
        if works == len(FRICTIONS):
            best = min(best, seconds)
    return best


def cube_s(values: Mapping[str, float]) -> tuple[float, int]:
    """Return the mean seconds of a cube driven with these margins, and how many are solved.

    The simulated rig has one geometry: there a tilt with another rig's margins may slip, which
    takes no other time.
    """
    run_job(prepare())
    tuning = Tuning("", **{name: Earned(value, value) for name, value in values.items()})
    calibration = calibrated(replace(RIG, tuning=tuning))
    seconds, solved = [], 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in CUBES:
            costs = calibration.seconds
            chosen = run_job(choose_plan(random_state(seed), SOLVED, costs, search_s=SEARCH_S))
            one = solve(seed, chosen.plan, Path(folder), calibration=calibration)
            seconds.append(one.taken_s)
            solved += one.is_solved
    return mean(seconds), solved


def run() -> str:
    """Return the section of RESULTS.md."""
    apart = [rig for rig in family() if rig.kept_apart]
    with Pool(PROCESSES, maxtasksperchild=1) as pool:
        outcomes = []
        for outcome in pool.imap(tuned, apart):
            outcomes.append(outcome)
            print(outcome, flush=True)
        judged_rigs = zip(apart, outcomes, strict=True)
        safe = [rig for rig, each in judged_rigs if each.safe_before == len(FRICTIONS)]
        names = [rig.name for rig in safe[:GRIDS]]
        found = dict(zip(names, pool.map(best_s, safe[:GRIDS], chunksize=1), strict=True))
        default: Mapping[str, float] = {}
        margins = {str(values): values for values in (default, *(e.values for e in outcomes))}
        driven_cubes = pool.map(cube_s, margins.values(), chunksize=1)
        cubes = dict(zip(margins, driven_cubes, strict=True))
        print(cubes, flush=True)
    default_s, _ = cubes[str(default)]
    cubes_s = [cubes[str(each.values)][0] for each in outcomes]
    solved = sum(cubes[str(each.values)][1] for each in outcomes)
    lines = []
    for each, one_s in zip(outcomes, cubes_s, strict=True):
        best = found.get(each.name)
        shown = "" if best is None else f"{best:.2f} ({each.after_s / best - 1:+.0%})"
        manner = each.values.get("manner", 0)
        lines.append(
            f"| {each.name} | {each.safe_before} | {each.safe_after} | {each.before_s:.2f} | "
            f"{each.after_s:.2f} | {shown} | {each.minutes:.1f} | {manner:g} | "
            f"{one_s:.1f} | {each.ended} |"
        )
    worse = sum(each.safe_after < each.safe_before for each in outcomes)
    better = sum(each.safe_after > each.safe_before for each in outcomes)
    grid = len(list(product(*GRID.values())))
    return "\n".join(
        [
            "Rigs kept apart. Before and after tuning the trial is played "
            f"{REPEATS} times in a row at each of the frictions "
            f"{', '.join(map(str, FRICTIONS))}, the battery 8.0 V with 1.2 ohm; `safe` says at how "
            "many of them all goes well. While it is tuned, the friction is one of these, drawn "
            "again before each look. Rigs that cannot hold a cube for a layer turn are tried with "
            "a spin in its place. Seconds are of one trial, four tilts, where it came to its end; "
            f"the best is the fastest of {grid} fixed settings that is safe at all frictions, "
            "found with the cases it is judged by. The default margins are safe on "
            f"{len(safe)} of {len(apart)} rigs. Rigs on which tuning ends safer than it began: "
            f"{better}; less safe: {worse}.",
            "",
            f"Cubes: `random_state({CUBES[0]})` to `random_state({CUBES[-1]})`, driven on the "
            "simulated rig, whose angles are its own, with the margins that tuning left, priced by "
            f"one round of `cuberobot calibrate` with these and planned in {SEARCH_S:g} s of CPU "
            "time. Mean over the rigs: "
            f"**{mean(cubes_s):.1f} s**; with the default margins {default_s:.1f} s. There "
            f"{solved} of {len(CUBES) * len(outcomes)} are solved: with the margins of a rig whose "
            "cube rolls earlier, tilts slip, which takes no other time.",
            "",
            "| rig | safe | safe after | s before | s after | best fixed | minutes | manner | "
            "s a cube | ended |",
            "|---|---:|---:|---:|---:|---:|---:|---:|---:|---|",
            *lines,
        ]
    )
