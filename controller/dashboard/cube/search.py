"""The one search of the Cube page, in a process that is compiled and loaded before it is needed.

A search in a thread would delay a driver, because kernels keep the interpreter for a millisecond
at a time and prices are plain Python: 10 ms of sleep took 42 ms more in one case of twenty, and
8 ms with a process (`python -m tests.benchmarks search_process`).
"""

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import Final, TypeAlias

from controller.dashboard.cube import view as views
from controller.dashboard.cube.position import ends_of
from controller.dashboard.hub import Hub, Topic
from controller.dashboard.jobs import NULL_CONTROLS, DeviceBusyError, DeviceJobs
from controller.dashboard.worker import RestartingWorker, WorkerRunner, compiling_sentence
from controller.motion.plan_choice import PlanFound, choose_plan
from controller.motion.planner import make_plan
from controller.motion.primitives import CostModel
from controller.rigs.registry import DEFAULT_RIG, get_rig
from solvers.foundation.clock import time_of_day
from solvers.foundation.errors import PuzzlerigError
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
    """A solution that is shorter than all before, or among the fastest few for the robot."""

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
    """The end of a search: the number of solutions that were compared."""

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
    return (yield from worth_showing(search))


def ready() -> Job[Progress, None]:
    """Compile and load what a search needs: most of a minute, once on a computer."""
    yield from warm_up()
    yield from prepare()


MOST_SHOWN: Final = 8


def worth_showing(search: Iterable[PlanFound]) -> Job[Found, Answered]:
    """Report each solution that is, when found, the shortest or one of the fastest few."""
    fewest, spent_s, candidates = 1_000, 0.0, 0
    fastest: list[float] = []
    seen: set[tuple[Move, ...]] = set()
    for found in search:
        plan, spent_s = found.plan, found.search_seconds
        candidates += 1
        is_fast = len(fastest) < MOST_SHOWN or plan.robot_seconds < fastest[-1]
        if plan.moves not in seen and (is_fast or len(plan.moves) < fewest):
            seen.add(plan.moves)
            fewest = min(fewest, len(plan.moves))
            fastest = sorted([*fastest, plan.robot_seconds])[:MOST_SHOWN]
            yield Found(plan.moves, plan.robot_seconds, spent_s)
    return Answered(candidates, spent_s)


SEARCH: Final = "cube-search"
PREPARING: Final = "cube-preparing"
"""What is being compiled or built, which is needed before the first search of all; or ""."""
ENDING_S: Final = 10.0


class CubeSearch:
    """Runs searches and publishes what they find."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._topic = Topic(hub, SEARCH, views.SearchView())
        self._runner = WorkerRunner("search")
        self._preparations = DeviceJobs("search's preparation", time_of_day)
        self._is_ready = False
        self._worker = RestartingWorker("search", on_compile=self._compiling)
        self._prepare("")

    def solve(self, request: views.SolveRequest) -> None:
        """Search for ever better solutions. Raises what is wrong, and DeviceBusyError."""
        start, target = ends_of(request.facelets, request.target, request.alphabet.notation)
        is_layers = request.method is views.Method.LAYERS
        # The prices with which the Robot page drives.
        costs = get_rig(DEFAULT_RIG).setup().costs
        question = Question(start, target, costs, None if is_layers else request.search_s)
        view = views.SearchView(
            facelets=request.facelets,
            target=request.target,
            method=str(request.method),
            state=views.SearchState.RUNNING,
            of_s=request.search_s,
            sentence="Starting the search.",
        )

        process = self._worker.process

        def job() -> Job[SearchEvent, Answered]:
            self._topic.show(view)
            return (yield from process.run(answer, question))

        self._runner.start(
            "searching",
            process,
            job,
            on_event=self._see,
            on_report=self._answered,
            on_stop=self._stopped,
            on_error=self._failed,
        )

    def prepare(self) -> None:
        """Compile and load the search, unless it is there; what is asked meanwhile waits for it."""
        process = self._worker.process
        if self._is_ready or self._runner.is_running:
            return
        with suppress(DeviceBusyError):
            self._preparations.start(
                "preparing the search",
                NULL_CONTROLS,
                lambda: process.run(ready),
                on_event=lambda event: self._prepare(_words(event)),
                on_report=lambda _: self._prepare("", is_ready=True),
                on_error=lambda _: self._prepare(""),  # the next search reports why not
            )

    def stop(self) -> None:
        """End the search; what it has found stays."""
        self._runner.stop()

    def close(self) -> None:
        """End the search and its process."""
        self.stop()
        self._worker.close()
        self._runner.wait(ENDING_S)
        self._preparations.wait(ENDING_S)

    def wait(self, seconds: float) -> bool:
        """Return whether search and preparation have ended, each within `seconds`."""
        return self._preparations.wait(seconds) and self._runner.wait(seconds)

    def _see(self, event: SearchEvent) -> None:
        match event:
            case Progress():
                self._topic.change(sentence=_words(event))
            case Found():
                self._prepare("")
                moves = tuple(map(str, event.moves))
                found = views.SolutionView(moves, event.robot_s, event.search_s)
                solutions = sorted((*self._topic.view.solutions, found), key=_seconds_then_moves)
                shown = _with_shortest(solutions)
                self._topic.change(solutions=shown, spent_s=event.search_s, sentence="")
            case InStages():
                stages = tuple(
                    views.StageView(each.name, each.purpose, tuple(map(str, each.moves)))
                    for each in event.stages
                )
                all_moves = tuple(move for stage in stages for move in stage.moves)
                self._topic.change(
                    stages=stages, solutions=(views.SolutionView(all_moves, event.robot_s),)
                )

    def _answered(self, report: Answered) -> None:
        self._prepare("")
        self._topic.change(
            state=views.SearchState.DONE,
            sentence="",
            candidates=report.candidates,
            spent_s=report.search_s,
        )

    def _stopped(self) -> None:
        self._prepare("")
        self._topic.change(state=views.SearchState.STOPPED, sentence="The search was stopped.")

    def _failed(self, error: PuzzlerigError) -> None:
        self._prepare("")
        self._topic.change(state=views.SearchState.FAULT, sentence=str(error))

    def _compiling(self, name: str) -> None:
        if name:  # the end of all compiling is published by the search
            self._prepare(compiling_sentence(name))

    def _prepare(self, sentence: str, *, is_ready: bool = False) -> None:
        self._is_ready |= is_ready
        self._hub.publish(PREPARING, sentence)


def _words(progress: Progress) -> str:
    """Return what is said of a table that is being built."""
    share = "" if progress.share is None else f", {progress.share:.0%}"
    return f"Building a table, once on this computer: {progress.task}{share}."


def _seconds_then_moves(solution: views.SolutionView) -> tuple[float, int]:
    return solution.robot_s, len(solution.moves)


def _with_shortest(solutions: list[views.SolutionView]) -> tuple[views.SolutionView, ...]:
    """Return the fastest few, the shortest among them."""
    shortest = min(solutions, key=lambda each: (len(each.moves), each.robot_s))
    shown = solutions[:MOST_SHOWN]
    return tuple(shown if shortest in shown else [*shown[:-1], shortest])
