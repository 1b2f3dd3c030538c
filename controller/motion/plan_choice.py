"""Choice of the plan that a robot drives: the fastest is often not the shortest.

A 2x2x2 cube is the corners of a 3x3x3 one in its plan, and has no centres: turning either of two
opposite layers differs only in the orientation of the whole cube, which does not matter in the end.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Final

from controller.errors import InvalidPlanError
from controller.motion.planner import Plan, Planner, make_plan, priced
from controller.motion.primitives import CostModel, Primitive
from controller.motion.translation import cheapest_primitives, paper_primitives
from controller.motion.virtual_cube import VirtualCube, moves_made
from solvers.foundation.clock import cpu_seconds
from solvers.foundation.progress import Job
from solvers.rubik.cubies import CubieCube
from solvers.rubik.notation import Move
from solvers.rubik.pocket import has_solved_corners, pocket_solutions
from solvers.rubik.two_phase.solver import Solution, solve

NEAR_BEST_MOVES = 1
"""How many moves more than the shortest solution a plan may have that is still compared."""


@dataclass(frozen=True, slots=True)
class PlanFound:
    """A plan was priced; `search_seconds` are CPU seconds of search until then."""

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


MOST_COMPARED: Final = 100
"""Shortest solutions of which the fastest to drive is taken."""


def choose_pocket_plan(
    start: CubieCube, costs: CostModel, planner: Planner = Planner.OPTIMAL
) -> Job[PlanFound, ChosenPlan]:
    """Find, of the shortest solutions of the corners of `start`, the one that is driven fastest.

    `start` has the corner at DBL at home. The plan's moves are those that the rig makes of it; the
    corners are then solved, in any orientation.
    """
    started = cpu_seconds()
    plans: list[Plan] = []
    for moves in _compared(start, planner):
        plans.append(_plan(start, _primitives(moves, costs, planner), costs))
        yield PlanFound(plans[-1], cpu_seconds() - started)
    return ChosenPlan(
        plan=min(plans, key=lambda plan: plan.robot_seconds),
        candidates=len(plans),
        fewest_moves=min(len(plan.moves) for plan in plans),
        search_seconds=cpu_seconds() - started,
    )


def _compared(start: CubieCube, planner: Planner) -> Iterable[tuple[Move, ...]]:
    return islice(pocket_solutions(start), MOST_COMPARED if planner is Planner.OPTIMAL else 1)


def _primitives(
    moves: tuple[Move, ...], costs: CostModel, planner: Planner
) -> tuple[Primitive, ...]:
    if planner is Planner.PAPER:
        return paper_primitives(moves)
    return cheapest_primitives(moves, costs, has_centres=False)


def _plan(start: CubieCube, primitives: tuple[Primitive, ...], costs: CostModel) -> Plan:
    """Return the plan. Raises InvalidPlanError if it does not solve the cube."""
    if not has_solved_corners(VirtualCube(start).after_all(primitives).position):
        raise InvalidPlanError(
            "The plan does not solve this 2x2x2 cube; nothing was moved. Please report this with "
            "its stickers."
        )
    return Plan(moves_made(primitives), primitives, priced(primitives, costs))
