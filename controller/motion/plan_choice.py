"""Picks the plan that a robot should drive: the fastest is often not the shortest."""

from collections.abc import Callable
from dataclasses import dataclass

from controller.motion.cost_model import CostModel
from controller.motion.planner import Plan, Planner, make_plan
from solvers.rubik.cubies import CubieCube
from solvers.rubik.two_phase.solver import solve


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
    *,
    clock: Callable[[], float],
) -> ChosenPlan:
    """Return the plan from `start` to `target` with the least robot seconds.

    All solutions that the search finds in `search_s` seconds by `clock` with at most one move more
    than the best are priced. The paper's planner takes the first solution, as the thesis did.
    """
    first = next(solve(start, target, clock=clock))
    solutions = [first]
    if planner is Planner.OPTIMAL:
        solutions += solve(start, target, time_limit_s=search_s, extra_moves=1, clock=clock)
    plans = [make_plan(solution.moves, costs, planner) for solution in solutions]
    return ChosenPlan(
        plan=min(plans, key=lambda plan: plan.robot_seconds),
        candidates=len(set(plans)),
        fewest_moves=min(len(plan.moves) for plan in plans),
        search_seconds=solutions[-1].seconds,
    )
