"""The one search of the Cube page, in a process that is compiled and loaded before it is needed."""

from contextlib import suppress
from typing import Any, Final

import msgspec

from controller.dashboard.beside.child import compiling_sentence
from controller.dashboard.beside.ending import Ending
from controller.dashboard.beside.worker import Worker
from controller.dashboard.cube.position import ends_of
from controller.dashboard.cube.requests import Method, Solve
from controller.dashboard.cube.searcher import (
    Answered,
    Found,
    InStages,
    Question,
    SearchEvent,
    answer,
    ready,
)
from controller.dashboard.cube.view import SearchState, SearchView, SolutionView, StageView
from controller.dashboard.hub import Hub
from controller.dashboard.jobs import NO_SWITCH, DeviceBusyError, DeviceJobs
from controller.rigs.registry import DEFAULT_RIG, rig_called
from solvers.foundation.clock import time_of_day
from solvers.foundation.errors import PuzzlerigError
from solvers.foundation.progress import Job, Progress

SEARCH: Final = "cube-search"
PREPARING: Final = "cube-preparing"
"""What is being compiled or built, which is needed before the first search of all; or ""."""
ENDING_S: Final = 10.0
MOST_SHOWN: Final = 8


class CubeSearch:
    """Begins searches, and tells what they find."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._jobs = DeviceJobs("search", time_of_day)
        self._preparations = DeviceJobs("search's preparation", time_of_day)
        self._is_ready = False
        self._worker = Worker("search", hear=self._compiling)
        self._view = SearchView()
        self._show()
        self._prepare("")

    def solve(self, request: Solve) -> None:
        """Search for ever better solutions. Raises what is wrong, and DeviceBusyError."""
        start, target = ends_of(request.facelets, request.target, request.alphabet.notation)
        is_layers = request.method is Method.LAYERS
        # The prices with which the Robot page drives.
        costs = rig_called(DEFAULT_RIG).setup().costs
        question = Question(start, target, costs, None if is_layers else request.search_s)
        view = SearchView(
            facelets=request.facelets,
            target=request.target,
            method=str(request.method),
            state=SearchState.RUNNING,
            of_s=request.search_s,
        )

        child = self._worker.child
        ending = Ending(child)

        def job() -> Job[SearchEvent, Answered]:
            self._view = view
            self._show(sentence="Beginning the search.")
            return (yield from child.run(answer, question))

        self._jobs.start(
            "searching",
            ending,
            job,
            on_event=self._see,
            on_report=self._answered,
            on_error=lambda error: self._failed(error, is_stopped=ending.was_used),
        )

    def prepare(self) -> None:
        """Compile and load the search, unless it is there; what is asked meanwhile waits for it."""
        child = self._worker.child
        if self._is_ready or self._jobs.is_running:
            return
        with suppress(DeviceBusyError):
            self._preparations.start(
                "preparing the search",
                NO_SWITCH,
                lambda: child.run(ready),
                on_event=lambda event: self._prepare(_words(event)),
                on_report=lambda _: self._prepare("", is_ready=True),
                on_error=lambda _: self._prepare(""),  # the next search does it, and tells why not
            )

    def stop(self) -> None:
        """End the search; what it has found stays."""
        self._jobs.stop()

    def close(self) -> None:
        """End the search and its process."""
        self.stop()
        self._worker.close()
        self._jobs.wait(ENDING_S)
        self._preparations.wait(ENDING_S)

    def wait(self, seconds: float) -> bool:
        """Return whether search and preparation have ended, each within `seconds`."""
        return self._preparations.wait(seconds) and self._jobs.wait(seconds)

    def _see(self, event: SearchEvent) -> None:
        match event:
            case Progress():
                self._show(sentence=_words(event))
            case Found():
                self._prepare("")
                moves = tuple(map(str, event.moves))
                found = SolutionView(moves, event.robot_s, event.search_s)
                solutions = sorted((*self._view.solutions, found), key=_seconds_then_moves)
                shown = _with_shortest(solutions)
                self._show(solutions=shown, spent_s=event.search_s, sentence="")
            case InStages():
                stages = tuple(
                    StageView(each.name, each.purpose, tuple(map(str, each.moves)))
                    for each in event.stages
                )
                all_moves = tuple(move for stage in stages for move in stage.moves)
                self._show(stages=stages, solutions=(SolutionView(all_moves, event.robot_s),))

    def _answered(self, report: Answered) -> None:
        self._prepare("")
        self._show(
            state=SearchState.DONE,
            sentence="",
            candidates=report.candidates,
            spent_s=report.search_s,
        )

    def _failed(self, error: PuzzlerigError, *, is_stopped: bool) -> None:
        self._prepare("")
        if is_stopped:
            self._show(state=SearchState.STOPPED, sentence="The search was stopped.")
        else:
            self._show(state=SearchState.FAULT, sentence=str(error))

    def _compiling(self, name: str) -> None:
        if name:  # what comes next is told soon, or that all is there
            self._prepare(compiling_sentence(name))

    def _prepare(self, sentence: str, *, is_ready: bool = False) -> None:
        self._is_ready |= is_ready
        self._hub.tell(PREPARING, sentence)

    def _show(self, **fields: Any) -> None:
        self._view = msgspec.structs.replace(self._view, **fields)
        self._hub.tell(SEARCH, self._view)


def _words(progress: Progress) -> str:
    """Return what is said of a table that is being built."""
    share = "" if progress.share is None else f", {progress.share:.0%}"
    return f"Building a table, once on this computer: {progress.task}{share}."


def _seconds_then_moves(solution: SolutionView) -> tuple[float, int]:
    return solution.robot_s, len(solution.moves)


def _with_shortest(solutions: list[SolutionView]) -> tuple[SolutionView, ...]:
    """Return the fastest few, the shortest among them."""
    shortest = min(solutions, key=lambda each: (len(each.moves), each.robot_s))
    shown = solutions[:MOST_SHOWN]
    return tuple(shown if shortest in shown else [*shown[:-1], shortest])
