"""The plan that is driven: the fastest of those found, for 3x3x3 and 2x2x2 cubes."""

import math
import random
from collections.abc import Callable, Iterator

import pytest

from controller.motion import plan_choice
from controller.motion.plan_choice import PlanFound, choose_plan, choose_pocket_plan
from controller.motion.planner import Planner, make_plan
from controller.motion.virtual_cube import VirtualCube
from controller.rigs.nxt_cradle.calibration.values import FILES
from solvers.foundation.progress import run_job
from solvers.rubik.cubies import SOLVED, CubieCube
from solvers.rubik.notation import Move, parse_moves
from solvers.rubik.pocket import MOVES, has_solved_corners, pocket_solutions
from solvers.rubik.scramble import random_state
from solvers.rubik.two_phase.solver import Solution

COSTS = FILES.default.seconds
SHORT, LONG = parse_moves("F2"), parse_moves("D D")  # a tilt and a half turn: dearer than two turns


@pytest.fixture
def two_solutions(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the search find a short solution, and a longer one if it is asked for such."""

    def solve(
        start: CubieCube,  # noqa: ARG001
        target: CubieCube,  # noqa: ARG001
        *,
        time_limit_s: float = math.inf,  # noqa: ARG001
        extra_moves: int = 0,
        clock: Callable[[], float],  # noqa: ARG001
    ) -> Iterator[Solution]:
        yield Solution(SHORT, 0.1)
        if extra_moves >= len(LONG) - len(SHORT):
            yield Solution(LONG, 0.2)

    monkeypatch.setattr(plan_choice, "solve", solve)


@pytest.mark.usefixtures("two_solutions")
def test_a_longer_plan_that_is_faster_is_chosen() -> None:
    chosen = run_job(choose_plan(SOLVED, SOLVED, COSTS))
    assert chosen.plan.moves == LONG
    assert (chosen.candidates, chosen.fewest_moves, chosen.search_seconds) == (2, 1, 0.2)


@pytest.mark.usefixtures("two_solutions")
def test_the_papers_planner_takes_the_first() -> None:
    chosen = run_job(choose_plan(SOLVED, SOLVED, COSTS, Planner.PAPER))
    assert chosen.plan.moves == SHORT
    assert chosen.candidates == 1


def test_the_search_itself_finds_several_and_the_fastest_is_taken() -> None:
    events: list[PlanFound] = []
    chosen = run_job(choose_plan(random_state(1), SOLVED, COSTS, search_s=0.5), events.append)
    assert chosen.candidates > 1
    assert chosen.plan.robot_seconds == min(event.plan.robot_seconds for event in events)
    for event in events:
        assert random_state(1).apply(event.plan.moves) == SOLVED


def test_without_time_the_first_solution_is_driven() -> None:
    chosen = run_job(choose_plan(random_state(2), random_state(3), COSTS, search_s=0.0))
    assert random_state(2).apply(chosen.plan.moves) == random_state(3)


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
