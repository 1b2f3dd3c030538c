"""Tuning rigs in MuJoCo, against the best fixed margins

`cuberobot tune`'s tuner on rigs of `tests/physics` that were kept apart: the program on the
simulated brick drives arm and pusher, the cube pushes back, and an onlooker says what it did.
"""

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product
from math import inf
from multiprocessing import Pool
from pathlib import Path
from statistics import mean
from typing import Final, TypeAlias

from msgspec.structs import replace

from controller.motion.plan_choice import choose_plan
from controller.rigs.nxt_cradle.calibration.values import Tuning
from controller.rigs.nxt_cradle.choreography import MANNERS
from controller.rigs.nxt_cradle.margins import CradleMargins, as_tuned
from controller.rigs.nxt_cradle.rig import RIG as NXT_CRADLE
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
GRID: Final[Mapping[str, tuple[float, ...]]] = {
    "lift": (1.0, 1.4, 1.7),
    "back": (1.0, 1.3, 1.7),
    "arm_returns": (60.0, 90.0),
    "pusher_turns": (198.0, 190.0),
}
FIXED: Final[tuple[Mapping[str, float], ...]] = (
    *(dict(zip(GRID, values, strict=True)) for values in product(*GRID.values())),
    {"lift": 0.85, "back": 0.85, "arm_returns": 30.0, "pusher_leaves": 39.0},
    *({"manner": float(number)} for number in range(1, len(MANNERS) + 1)),
)
"""Where the best is searched: margins of the usual manner, its safest ones, and other manners."""
FASTEST: Final[Mapping[str, float]] = {
    each.name: each.values[-1] for each in CradleMargins(RIG, NXT_CRADLE).ladder
}
"""All margins at the end of their ladder: no cube is ever driven faster by tuning."""
CLOSE: Final = tuple(round(0.2 + 0.025 * step, 3) for step in range(11))
"""Frictions closer to each other than the family's: what works at its three may fail between."""
CUBES: Final = range(1, 21)
SEARCH_S: Final = 1.0


@dataclass
class Outcome:
    """What became of a rig."""

    name: str
    safe_before: int
    safe_after: int
    safe_close: int
    before_s: float
    after_s: float
    minutes: float
    ended: str
    values: Mapping[str, float]


@dataclass
class Best:
    """The fastest fixed setting on a rig, None if there is none, and its seconds of a trial."""

    trial_s: float
    values: Mapping[str, float] | None


Cubes: TypeAlias = Mapping[str, tuple[float, int]]
"""By the values of margins: mean seconds of a cube, and how many were solved."""


def fixed(values: Mapping[str, float]) -> dict[str, Earned]:
    """Return margins as if they had been earned."""
    return {name: Earned(value, value) for name, value in values.items()}


def judged(
    rig: TunedRig,
    earned: Mapping[str, Earned],
    frictions: Sequence[float] = FRICTIONS,
    longest_s: float | None = None,
) -> tuple[int, float]:
    """Return at how many frictions the trial works some times in a row, and its mean seconds.

    With `longest_s` no more are tried after one that fails or takes longer.
    """
    works, seconds = 0, []
    calibration = as_tuned(rig.margins.setup(earned).calibration)
    for friction in frictions:
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
    safe_close, _ = judged(rig, rig.saved, CLOSE)
    values = {name: each.value for name, each in rig.saved.items()}
    return Outcome(
        body.name,
        safe_before,
        safe_after,
        safe_close,
        before_s,
        after_s,
        minutes,
        ended,
        values,
    )


def works_fastest(body: Rig) -> int:
    """Return at how many of the family's frictions the trial works with all at their fastest."""
    works, _ = judged(TunedRig(body), fixed(FASTEST))
    return works


def best_fixed(body: Rig, frictions: Sequence[float]) -> Best:
    """Return the fastest fixed setting that works at all these frictions."""
    rig = TunedRig(body, frictions=FRICTIONS)
    best_s, best = inf, None
    for values in FIXED:
        works, seconds = judged(rig, fixed(values), frictions, 1.02 * best_s)
        if works == len(frictions) and seconds < best_s:
            best_s, best = seconds, values
    return Best(best_s, best)


def cube_s(values: Mapping[str, float]) -> tuple[float, int]:
    """Return the mean seconds of a cube driven with these margins, and how many are solved.

    The simulated rig has one geometry: there a tilt with another rig's margins may slip, which
    takes no other time.
    """
    run_job(prepare())
    calibration = calibrated(replace(RIG, tuning=Tuning("", **fixed(values))))
    seconds, solved = [], 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in CUBES:
            costs = calibration.seconds
            chosen = run_job(choose_plan(random_state(seed), SOLVED, costs, search_s=SEARCH_S))
            one = solve(seed, chosen.plan, Path(folder), calibration=calibration)
            seconds.append(one.taken_s)
            solved += one.is_solved
    return mean(seconds), solved


def cells(best: Best, cubes: Cubes) -> str:
    """Return the cells of a table: manner, seconds of a trial, and of a cube."""
    if best.values is None:
        return "none | |"
    manner = best.values.get("manner", 0)
    return f"{manner:g} | {best.trial_s:.2f} | {cubes[str(best.values)][0]:.1f}"


def beside(found: Sequence[Best], tuned_s: Sequence[float], cubes: Cubes) -> str:
    """Return the mean seconds of a cube with the best settings, beside what tuning left."""
    both = [
        (cubes[str(best.values)][0], one_s)
        for best, one_s in zip(found, tuned_s, strict=True)
        if best.values is not None
    ]
    best_s, ours_s = (f"{mean(column):.1f} s" for column in zip(*both, strict=True))
    return f"{best_s} on the {len(both)} rigs that have one, where tuning left {ours_s}"


def run() -> str:
    """Return the section of RESULTS.md."""
    apart = [rig for rig in family() if rig.kept_apart]
    with Pool(PROCESSES, maxtasksperchild=1) as pool:
        outcomes = []
        for outcome in pool.imap(tuned, apart):
            outcomes.append(outcome)
            print(outcome, flush=True)
        found: dict[Sequence[float], list[Best]] = {FRICTIONS: [], CLOSE: []}
        for frictions, best in found.items():
            for each in pool.imap(partial(best_fixed, frictions=frictions), apart):
                best.append(each)
                print(len(frictions), each, flush=True)
        at_fastest = pool.map(works_fastest, apart, chunksize=1)
        default: Mapping[str, float] = {}
        best_values = [
            each.values for best in found.values() for each in best if each.values is not None
        ]
        settings = (default, FASTEST, *(each.values for each in outcomes), *best_values)
        margins = {str(values): values for values in settings}
        driven_cubes = pool.map(cube_s, margins.values(), chunksize=1)
        cubes = dict(zip(margins, driven_cubes, strict=True))
        print(cubes, flush=True)
    default_s, _ = cubes[str(default)]
    fastest_s, _ = cubes[str(FASTEST)]
    tuned_s = [cubes[str(each.values)][0] for each in outcomes]
    solved = sum(cubes[str(each.values)][1] for each in outcomes)
    lines = [
        f"| {each.name} | {each.safe_before} | {each.safe_after} | {each.safe_close} | "
        f"{each.before_s:.2f} | {each.values.get('manner', 0):g} | {each.after_s:.2f} | "
        f"{one_s:.1f} | {cells(best, cubes)} | {cells(best_close, cubes)} | "
        f"{each.minutes:.1f} | {each.ended} |"
        for each, one_s, best, best_close in zip(outcomes, tuned_s, *found.values(), strict=True)
    ]
    worse = sum(each.safe_after < each.safe_before for each in outcomes)
    better = sum(each.safe_after > each.safe_before for each in outcomes)
    safe = sum(each.safe_before == len(FRICTIONS) for each in outcomes)
    return "\n".join(
        [
            "Rigs kept apart. Before and after tuning the trial is played "
            f"{REPEATS} times in a row at each of the frictions "
            f"{', '.join(map(str, FRICTIONS))}, the battery 8.0 V with 1.2 ohm; `safe` says at how "
            "many of them all goes well. While it is tuned, the friction is one of these, drawn "
            "again before each look. Rigs that cannot hold a cube for a layer turn are tried with "
            "a spin in its place. Seconds of a trial, four tilts, where it came to its end. "
            f"The default margins are safe on {safe} of {len(apart)} rigs. Rigs on which tuning "
            f"ends safer than it began: {better}; less safe: {worse}.",
            "",
            f"The best is the fastest of {len(FIXED)} fixed settings, "
            f"{len(FIXED) - len(MANNERS)} of the margins in the usual manner and each other "
            "manner, that is safe: first at the family's frictions, then at "
            f"{len(CLOSE)} from {CLOSE[0]} to {CLOSE[-1]}. Both were found with the cases they "
            "are judged by, which flatters them: of a setting with which 36 tilts go well, 8 % may "
            "go wrong (at 95 %); with 132, 2 %.",
            "",
            f"Cubes: `random_state({CUBES[0]})` to `random_state({CUBES[-1]})`, driven on the "
            "simulated rig, whose angles are its own, with the margins that tuning left, priced by "
            f"one round of `cuberobot calibrate` with these and planned in {SEARCH_S:g} s of CPU "
            f"time. Mean over the rigs: **{mean(tuned_s):.1f} s**; with the default margins "
            f"{default_s:.1f} s; with the best fixed setting at the family's frictions "
            f"{beside(found[FRICTIONS], tuned_s, cubes)}; with the best at {len(CLOSE)} frictions "
            f"{beside(found[CLOSE], tuned_s, cubes)}. With all margins at their fastest, which no "
            f"tuning can go beyond, it takes {fastest_s:.1f} s, and the trial works at "
            f"{sum(at_fastest)} of {len(apart) * len(FRICTIONS)} pairs of rig and friction. "
            f"With what tuning left {solved} of "
            f"{len(CUBES) * len(outcomes)} are solved: with the margins of a rig whose cube rolls "
            "earlier, tilts slip, which takes no other time.",
            "",
            f"| rig | safe | safe after | of {len(CLOSE)} | s before | manner | s after | s a cube "
            f"| best fixed: manner | s | s a cube | at {len(CLOSE)}: manner | s | s a cube | "
            "minutes | ended |",
            "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---|",
            *lines,
        ]
    )
