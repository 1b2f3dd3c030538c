"""Robot seconds: the thesis' way beside ours.

Every plan is priced with the default calibration, which is measured with the program on the brick.
The seconds are of the simulated rig; the benchmark `physics` says on how many plausible rigs its
tilts would land.
The thesis takes the first solution and translates it by a fixed routine that turns the cradle one
way only. The plans of the longest search are driven, too.
"""

from itertools import islice
from statistics import mean

from controller.motion.plan_choice import ChosenPlan, choose_plan
from controller.motion.planner import Planner, make_plan
from controller.rigs.nxt_cradle.calibration.values import FILES
from solvers.foundation.progress import run_job
from solvers.rubik.cubies import SOLVED
from solvers.rubik.scramble import random_state
from solvers.rubik.two_phase.solver import prepare
from tests.benchmarks.bench_robot_solves import HEADER, LINES, direct_row
from tests.benchmarks.bench_robot_solves import row as drive

CUBES = 200
FIRST_SEED = 1
SEARCH_S = (0.1, 1.0)
BY_COMMANDS = 50
"""As many are driven by direct commands, too, which take seven times as long to simulate."""


def run() -> str:
    """Return a table of means over the cubes."""
    run_job(prepare())
    costs = FILES.default.seconds
    cubes = [random_state(seed) for seed in range(FIRST_SEED, FIRST_SEED + CUBES)]
    papers = [run_job(choose_plan(cube, SOLVED, costs, Planner.PAPER)) for cube in cubes]
    translated = [make_plan(chosen.plan.moves, costs) for chosen in papers]
    rows = [
        _row("first solution, the thesis' translation", papers),
        f"| first solution, our translation | {mean(len(p.moves) for p in translated):.2f} "
        f"| {mean(p.robot_seconds for p in translated):.1f} "
        f"| {mean(p.tilts for p in translated):.1f} | 1 | |",
    ]
    for search_s in SEARCH_S:
        ours = [run_job(choose_plan(cube, SOLVED, costs, search_s=search_s)) for cube in cubes]
        for paper, own in zip(papers, ours, strict=True):
            assert own.plan.robot_seconds <= paper.plan.robot_seconds
        longer = mean(len(chosen.plan.moves) > chosen.fewest_moves for chosen in ours)
        rows.append(_row(f"best of all up to best + 1 moves, {search_s:g} s", ours, longer))
    plans = {FIRST_SEED + index: chosen.plan for index, chosen in enumerate(ours)}
    driven = [drive(f"program, {name}", plans, latency=each) for name, each in LINES.items()]
    some = {seed: plans[seed] for seed in islice(plans, BY_COMMANDS)}
    driven += [direct_row(name, some) for name in LINES]
    return "\n".join(
        [
            f"Cubes: `random_state({FIRST_SEED})` to `random_state({FIRST_SEED + CUBES - 1})`; "
            "CPU time; both exact tables.",
            "",
            "Seconds of the simulated rig: they compare ways of planning and forecast no robot.",
            "",
            "| way | moves | robot seconds | tilts | plans priced | not the shortest |",
            "|---|---:|---:|---:|---:|---:|",
            *rows,
            "",
            f"The plans of the {SEARCH_S[-1]:g} s search, driven in virtual time "
            "(planned seconds of direct commands are those measured with them):",
            "",
            HEADER,
            *driven,
        ]
    )


def _row(name: str, chosen: list[ChosenPlan], longer: float | None = None) -> str:
    plans = [each.plan for each in chosen]
    priced = mean(each.candidates for each in chosen)
    share = "" if longer is None else f"{longer:.0%}"
    return (
        f"| {name} | {mean(len(plan.moves) for plan in plans):.2f} "
        f"| {mean(plan.robot_seconds for plan in plans):.1f} "
        f"| {mean(plan.tilts for plan in plans):.1f} | {priced:.0f} | {share} |"
    )
