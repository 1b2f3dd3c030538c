"""Picks the plan that a robot should drive: the fastest is often not the shortest."""

from dataclasses import dataclass

from controller.motion.cost_model import CostModel
from controller.motion.planner import Plan, Planner, make_plan
from solvers.rubik.cubies import CubieCube
from solvers.rubik.two_phase import solve


@dataclass(frozen=True, slots=True)
class ChosenPlan:
    """A plan, out of how many, the fewest moves among them, and the seconds spent searching."""

    plan: Plan
    candidates: int
    fewest_moves: int
    search_seconds: float


def choose_plan(
    start: CubieCube,
    target: CubieCube,
    costs: CostModel,
    planner: Planner = Planner.OPTIMAL,
    search_s: float = 1.0,
) -> ChosenPlan:
    """Return the plan from `start` to `target` with the least robot seconds.

    All solutions that the search finds in `search_s` seconds of CPU time with at most one move
    more than the best are priced. The paper's planner takes the first solution, as the thesis did.
    """
    extra_moves = 1 if planner is Planner.OPTIMAL else 0
    best: Plan | None = None
    candidates, fewest_moves, search_seconds = 0, 0, 0.0
    for solution in solve(start, target, time_limit_s=search_s, extra_moves=extra_moves):
        plan = make_plan(solution.moves, costs, planner)
        candidates += 1
        fewest_moves = len(plan.moves) if best is None else min(fewest_moves, len(plan.moves))
        search_seconds = solution.seconds
        if best is None or plan.robot_seconds < best.robot_seconds:
            best = plan
        if planner is Planner.PAPER:
            break
    assert best is not None, "the search yields at least one solution"
    return ChosenPlan(best, candidates, fewest_moves, search_seconds)
