"""Choosing a program: built as the board's one job, or taken from a file that was dropped."""

from collections.abc import Callable

from controller.controls import Controls
from controller.dashboard.board.program import Chosen, Opened, building, failed, taken
from controller.dashboard.board.requests import Build, Take
from controller.dashboard.board.view import ProgramView
from controller.dashboard.jobs import DeviceJobs
from firmware_tools.boards.facts import Board
from firmware_tools.bootloader.loader import LoaderProtocol
from firmware_tools.flashing.plan import FlashPlan
from solvers.foundation.clock import SystemClock
from solvers.foundation.errors import InvalidInputError
from solvers.foundation.progress import Job, Progress, checked


class ProgramDesk:
    """At most one program is chosen at a time."""

    def __init__(
        self,
        jobs: DeviceJobs,
        facts: Board,
        protocol: LoaderProtocol,
        show: Callable[[ProgramView], object],
    ) -> None:
        self._jobs = jobs
        self._facts = facts
        self._protocol = protocol
        self._show = show
        self._opened = Opened()
        self._chosen: Chosen | None = None

    @property
    def plan(self) -> FlashPlan:
        """What flashing the chosen program will do. Raises InvalidInputError if there is none."""
        plan = None if self._chosen is None else self._chosen.plan
        if plan is None:
            raise InvalidInputError("Choose a program first: build one, or open an .ihx file.")
        return plan

    def open(self, content: bytes) -> str:
        """Keep a file's bytes until it is taken; return its digest."""
        return self._opened.put(content)

    def take(self, request: Take) -> None:
        """Choose a file that was opened; its name is shown and is nothing else."""
        if self._jobs.is_running:
            raise InvalidInputError("The board is at work; cancel that first, or wait.")
        content = self._opened.get(request.opened)
        self._choose(taken(self._facts, self._protocol, content, request.name))

    def build(self, request: Build) -> None:
        """Build a program and choose it."""
        if not request.program:
            raise InvalidInputError("Name a folder or a C file of this computer.")
        controls = Controls(SystemClock())
        shown = ProgramView(state="building", name=request.program)

        def job() -> Job[Progress, Chosen]:
            self._chosen = None
            self._show(shown)
            work = building(self._facts, self._protocol, request.program)
            return (yield from checked(work, controls.check))

        self._jobs.start(
            f"building {request.program}",
            controls,
            job,
            on_event=lambda _: None,
            on_report=self._choose,
            on_error=lambda error: self._show(failed(shown, error)),
        )

    def _choose(self, chosen: Chosen) -> None:
        self._chosen = chosen
        self._show(chosen.view)
