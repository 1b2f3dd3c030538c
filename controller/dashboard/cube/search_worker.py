"""The searches of the Cube page, as jobs for a `Child`.

A search in a thread would make a driver wait, because kernels keep the interpreter for a
millisecond at a time and prices are plain Python. Beside one, 10 ms of sleep took 42 ms more in one
case of twenty; with a process 8 (`python -m tests.benchmarks search_process`).
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

from controller.motion.plan_choice import PlanFound, choose_plan
from controller.motion.planner import make_plan
from controller.motion.primitives import CostModel
from solvers.foundation.progress import Job, Progress
from solvers.rubik.beginner import Stage, solve_by_layers
from solvers.rubik.cubies import CubieCube
from solvers.rubik.notation import Move, cancel
from solvers.rubik.two_phase.solver import prepare, warm_up


@dataclass(frozen=True, slots=True)
class Question:
    """From where to where, and what each primitive costs the robot.

    `search_s` are the CPU seconds to spend; None asks for the stages of the beginner's method.
    """

    start: CubieCube
    target: CubieCube
    costs: CostModel
    search_s: float | None


@dataclass(frozen=True, slots=True)
class Found:
    """A solution that is shorter than all before, or faster for the robot."""

    moves: tuple[Move, ...]
    robot_s: float
    search_s: float


@dataclass(frozen=True, slots=True)
class InStages:
    """The beginner's solution, and what it costs the robot."""

    stages: tuple[Stage, ...]
    robot_s: float


@dataclass(frozen=True, slots=True)
class Answered:
    """The question is answered: of so many solutions the best were told."""

    candidates: int
    search_s: float


SearchEvent: TypeAlias = Progress | Found | InStages


def answer(question: Question) -> Job[SearchEvent, Answered]:
    """Answer one question, as a job."""
    if question.search_s is None:
        stages = solve_by_layers(question.start, question.target)
        moves = cancel(move for stage in stages for move in stage.moves)
        yield InStages(stages, make_plan(moves, question.costs).robot_seconds)
        return Answered(1, 0.0)
    yield from ready()
    search = choose_plan(
        question.start, question.target, question.costs, search_s=question.search_s
    )
    return (yield from ever_better(search))


def ready() -> Job[Progress, None]:
    """Compile and load what a search needs: most of a minute, once on a computer."""
    yield from warm_up()
    yield from prepare()


def ever_better(search: Iterable[PlanFound]) -> Job[Found, Answered]:
    """Hand on what is shorter than all before, or faster for the robot."""
    fewest, fastest, spent_s, candidates = 1_000, float("inf"), 0.0, 0
    for found in search:
        plan, spent_s = found.plan, found.search_seconds
        candidates += 1
        if len(plan.moves) < fewest or plan.robot_seconds < fastest:
            fewest = min(fewest, len(plan.moves))
            fastest = min(fastest, plan.robot_seconds)
            yield Found(plan.moves, plan.robot_seconds, spent_s)
    return Answered(candidates, spent_s)
