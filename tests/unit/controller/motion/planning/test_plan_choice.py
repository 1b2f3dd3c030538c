"""The plan that is driven is the fastest of all that are near the shortest."""

import math
from collections.abc import Callable, Iterator

import pytest

from controller.motion.planning import plan_choice
from controller.motion.planning.plan_choice import PlanFound, choose_plan
from controller.motion.planning.planner_name import Planner
from controller.rigs.nxt_cradle.calibration.file import default_calibration
from solvers.foundation.progress import run_job
from solvers.rubik.cubies import SOLVED, CubieCube
from solvers.rubik.notation import parse_moves
from solvers.rubik.scramble import random_state
from solvers.rubik.two_phase.solver import Solution

COSTS = default_calibration().seconds
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
