"""Picks the plan that a robot should drive: the fastest is often not the shortest."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from controller.motion.cost_model import CostModel
from controller.motion.planning.planner import Plan, make_plan
from controller.motion.planning.planner_name import Planner
from solvers.foundation.clock import cpu_seconds
from solvers.foundation.progress import Job
from solvers.rubik.cubies import CubieCube
from solvers.rubik.two_phase.solver import Solution, solve

NEAR_BEST_MOVES = 1
"""How many moves more than the shortest solution a plan may have that is still compared."""


@dataclass(frozen=True, slots=True)
class PlanFound:
    """A plan was priced, after so many CPU seconds of search."""

    plan: Plan
    search_seconds: float


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
    clock: Callable[[], float] = cpu_seconds,
) -> Job[PlanFound, ChosenPlan]:
    """Find the plan from `start` to `target` with the least robot seconds.

    All solutions that the search finds in `search_s` seconds by `clock` with at most one move
    more than the best are priced. The paper's planner takes the first solution, as the thesis did.
    """
    plans: list[Plan] = []
    search_seconds = 0.0
    for solution in _solutions(start, target, planner, search_s, clock):
        plans.append(make_plan(solution.moves, costs, planner))
        search_seconds = solution.seconds
        yield PlanFound(plans[-1], search_seconds)
    return ChosenPlan(
        plan=min(plans, key=lambda plan: plan.robot_seconds),
        candidates=len(set(plans)),
        fewest_moves=min(len(plan.moves) for plan in plans),
        search_seconds=search_seconds,
    )


def _solutions(
    start: CubieCube,
    target: CubieCube,
    planner: Planner,
    search_s: float,
    clock: Callable[[], float],
) -> Iterator[Solution]:
    yield next(solve(start, target, clock=clock))
    if planner is Planner.OPTIMAL:
        yield from solve(
            start, target, time_limit_s=search_s, extra_moves=NEAR_BEST_MOVES, clock=clock
        )
