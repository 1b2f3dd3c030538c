"""Plans for 2x2x2 cubes: the rig is the same, and such a cube has no centres.

Turning either of two opposite layers comes to the same but for the way the whole cube then lies,
and a solved cube may lie in any way. In a plan the cube is the corners of a 3x3x3 one.
"""

from collections.abc import Iterable
from itertools import islice
from typing import Final

from controller.errors import InvalidPlanError
from controller.motion.cost_model import CostModel
from controller.motion.planning.optimal_translation import cheapest_primitives
from controller.motion.planning.paper_translation import paper_primitives
from controller.motion.planning.plan_choice import ChosenPlan, PlanFound
from controller.motion.planning.planner import Plan, priced
from controller.motion.planning.planner_name import Planner
from controller.motion.planning.virtual_cube import VirtualCube, moves_made
from controller.motion.primitives import Primitive
from solvers.foundation.clock import cpu_seconds
from solvers.foundation.progress import Job
from solvers.rubik.cubies import CubieCube
from solvers.rubik.notation import Move
from solvers.rubik.pocket.pocket_cube import has_solved_corners
from solvers.rubik.pocket.pocket_solver import pocket_solutions

MOST_COMPARED: Final = 100
"""Shortest solutions of which the fastest to drive is taken."""


def choose_pocket_plan(
    start: CubieCube, costs: CostModel, planner: Planner = Planner.OPTIMAL
) -> Job[PlanFound, ChosenPlan]:
    """Find, of the shortest solutions of the corners of `start`, the one that is driven fastest.

    `start` has the corner at DBL at home. The plan's moves are those that the rig makes of it; the
    corners are then solved and lie in any way.
    """
    began = cpu_seconds()
    plans: list[Plan] = []
    for moves in _compared(start, planner):
        plans.append(_plan(start, _primitives(moves, costs, planner), costs))
        yield PlanFound(plans[-1], cpu_seconds() - began)
    return ChosenPlan(
        plan=min(plans, key=lambda plan: plan.robot_seconds),
        candidates=len(plans),
        fewest_moves=min(len(plan.moves) for plan in plans),
        search_seconds=cpu_seconds() - began,
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
