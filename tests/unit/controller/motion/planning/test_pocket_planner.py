"""Plans for 2x2x2 cubes: they solve the corners, and use that there are no centres."""

import random

import pytest

from controller.motion.planning.planner import make_plan
from controller.motion.planning.planner_name import Planner
from controller.motion.planning.pocket_planner import choose_pocket_plan
from controller.motion.planning.virtual_cube import VirtualCube
from controller.rigs.nxt_cradle.calibration.file import default_calibration
from solvers.foundation.progress import run_job
from solvers.rubik.cubies import SOLVED, CubieCube
from solvers.rubik.notation import Move, parse_moves
from solvers.rubik.pocket.pocket_cube import has_solved_corners
from solvers.rubik.pocket.pocket_solver import MOVES, pocket_solutions

COSTS = default_calibration().seconds


def scrambled(seed: int) -> CubieCube:
    return SOLVED.apply(random.Random(seed).choices(MOVES, k=9))


@pytest.mark.parametrize("planner", Planner)
@pytest.mark.parametrize("seed", range(4))
def test_a_plan_solves_the_corners_by_the_moves_it_tells(seed: int, planner: Planner) -> None:
    start = scrambled(seed)
    plan = run_job(choose_pocket_plan(start, COSTS, planner)).plan
    assert len(plan.moves) == len(next(pocket_solutions(start)))
    assert start.apply(plan.moves) == VirtualCube(start).after_all(plan.primitives).position
    assert has_solved_corners(start.apply(plan.moves))


def test_no_centres_are_worth_seconds() -> None:
    start = scrambled(1)
    free = run_job(choose_pocket_plan(start, COSTS)).plan
    bound = min(make_plan(moves, COSTS).robot_seconds for moves in pocket_solutions(start))
    assert free.robot_seconds < bound - 1


def test_the_layer_that_lies_below_is_turned_for_the_one_above() -> None:
    plan = run_job(choose_pocket_plan(SOLVED.apply(parse_moves("U'")), COSTS)).plan
    assert plan.moves == (Move.D1,)
    assert plan.tilts == 0


def test_solved_corners_are_told_from_others() -> None:
    assert has_solved_corners(SOLVED)
    assert has_solved_corners(SOLVED.apply(parse_moves("R L'")))
    assert not has_solved_corners(SOLVED.apply(parse_moves("R L")))
