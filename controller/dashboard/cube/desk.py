"""What can be asked of the Cube page: the cube itself is the page's own, in its address."""

import secrets
from typing import Any, Final

import msgspec

from controller.dashboard.cube.patterns import PATTERNS
from controller.dashboard.cube.position import ends_of, legal, position_of
from controller.dashboard.cube.readings import Readings
from controller.dashboard.cube.requests import Aim, Check, Mend, Method, Nothing, Scramble, Solve
from controller.dashboard.cube.search_process import SearchProcess, SearchStoppedError
from controller.dashboard.cube.searcher import Answered, Found, InStages, Question, SearchEvent
from controller.dashboard.cube.view import (
    PatternNames,
    PositionView,
    ReadingView,
    SearchState,
    SearchView,
    SolutionView,
    StageView,
)
from controller.dashboard.desk import Commands, Served
from controller.dashboard.hub import Hub
from controller.dashboard.jobs import DeviceJobs
from controller.rigs.registry import DEFAULT_RIG, rig_called
from solvers.foundation.clock import time_of_day
from solvers.foundation.errors import PuzzlerigError
from solvers.foundation.progress import Job, Progress
from solvers.rubik.held_cube import HeldCube, read_stickers
from solvers.rubik.scramble import random_state

SEARCH: Final = "cube-search"
SEEDS: Final = 1_000_000
ENDING_S: Final = 10.0
MOST_SHOWN: Final = 8


class CubeDesk:
    """Checks cubes, draws them, and searches; any thread may ask."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._jobs = DeviceJobs("search", time_of_day)
        self._process = SearchProcess()
        self._view = SearchView()
        self.readings = Readings(hub)
        self._show()

    def ask(self, command: str, words: bytes) -> object:
        """Carry out a command of the page. Raises InvalidInputError for one that there is not."""
        return _COMMANDS.carry_out(self, command, words)

    def file(self, _: str) -> Served | None:
        """Return nothing: this page has no files."""
        return None

    def check(self, request: Check) -> PositionView:
        """Say whether stickers, or moves, make a cube. Raises NotationError."""
        return position_of(request.text, request.alphabet.notation)

    def scramble(self, request: Scramble) -> PositionView:
        """Return a position, and the seed that gives it again."""
        seed = secrets.randbelow(SEEDS) if request.seed is None else request.seed
        return legal(HeldCube(random_state(seed)), seed)

    def aim(self, request: Aim) -> PositionView:
        """Return the target as the cube is held. Raises FaceletError or NotationError."""
        _, target = ends_of(request.facelets, request.target, request.alphabet.notation)
        return legal(HeldCube(target, read_stickers(request.facelets).centres))

    def patterns(self, _: Nothing) -> PatternNames:
        """Return the names that a target may have."""
        return PatternNames(tuple(PATTERNS))

    def mend(self, request: Mend) -> ReadingView:
        """Read the last scan again, with what somebody has seen on the cube."""
        return self.readings.mended(request.number, request.fixes)

    def solve(self, request: Solve) -> None:
        """Search for ever better solutions; the topic tells of them."""
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

        def job() -> Job[SearchEvent, Answered]:
            self._view = view
            self._show(sentence="Beginning the search.")
            return (yield from self._process.ask(question))

        self._jobs.start(
            "searching",
            self._process,
            job,
            on_event=self._see,
            on_report=self._answered,
            on_error=self._failed,
        )

    def halt(self, _: Nothing) -> None:
        """End the search, and nothing else."""
        self.stop()

    def stop(self) -> None:
        """End the search; what it has found stays."""
        self._jobs.stop()

    def close(self) -> None:
        """End the search and its process."""
        self.stop()
        self._jobs.wait(ENDING_S)
        self._process.close()

    def wait(self, seconds: float) -> bool:
        """Return whether the search has ended within `seconds`."""
        return self._jobs.wait(seconds)

    def _see(self, event: SearchEvent) -> None:
        match event:
            case Progress():
                share = "" if event.share is None else f" {event.share:.0%}"
                self._show(sentence=f"{event.task}{share}")
            case Found():
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
        self._show(
            state=SearchState.DONE,
            sentence="",
            candidates=report.candidates,
            spent_s=report.search_s,
        )

    def _failed(self, error: PuzzlerigError) -> None:
        is_stopped = isinstance(error, SearchStoppedError)
        state = SearchState.STOPPED if is_stopped else SearchState.FAULT
        self._show(state=state, sentence=str(error))

    def _show(self, **fields: Any) -> None:
        self._view = msgspec.structs.replace(self._view, **fields)
        self._hub.tell(SEARCH, self._view)


def _seconds_then_moves(solution: SolutionView) -> tuple[float, int]:
    return solution.robot_s, len(solution.moves)


def _with_shortest(solutions: list[SolutionView]) -> tuple[SolutionView, ...]:
    """Return the fastest few, the shortest among them."""
    shortest = min(solutions, key=lambda each: (len(each.moves), each.robot_s))
    shown = solutions[:MOST_SHOWN]
    return tuple(shown if shortest in shown else [*shown[:-1], shortest])


_COMMANDS: Final[Commands[CubeDesk]] = Commands(
    "cube",
    {
        "check": (Check, CubeDesk.check),
        "aim": (Aim, CubeDesk.aim),
        "scramble": (Scramble, CubeDesk.scramble),
        "solve": (Solve, CubeDesk.solve),
        "halt": (Nothing, CubeDesk.halt),
        "patterns": (Nothing, CubeDesk.patterns),
        "mend": (Mend, CubeDesk.mend),
    },
)
