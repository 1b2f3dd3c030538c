"""The program to be flashed: built from C on this computer, or opened from an Intel HEX file."""

import hashlib
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import msgspec

from controller.controls import Controls
from controller.dashboard.board.view import BuildRequest, Memory, ProgramView, TakeRequest
from controller.dashboard.jobs import DeviceJobs
from firmware_tools.board_job import Built, build_program
from firmware_tools.boards.facts import Board
from firmware_tools.bootloader.loader import LoaderProtocol
from firmware_tools.building.build import require_within_budget
from firmware_tools.building.program import application_names
from firmware_tools.errors import OverBudgetError
from firmware_tools.flashing.flasher import FlashPlan, plan_flash
from firmware_tools.flashing.image import Image, parse_image
from solvers.foundation.clock import SystemClock
from solvers.foundation.errors import InvalidInputError, PuzzlerigError
from solvers.foundation.progress import Job, Progress, with_cancellation

MOST_OPENED: Final = 8
APPLICATION, FOLDER, FILE = "application", "this computer", "dropped file"


@dataclass(frozen=True, slots=True)
class Chosen:
    """A program as the page shows it; `plan` is None if it cannot be flashed."""

    view: ProgramView
    plan: FlashPlan | None


class Opened:
    """Files that were dropped: bytes only, found again by their digest. The last few are kept."""

    def __init__(self) -> None:
        self._files: OrderedDict[str, bytes] = OrderedDict()

    def put(self, content: bytes) -> str:
        """Keep a file; return its digest."""
        digest = hashlib.sha256(content).hexdigest()
        self._files[digest] = content
        self._files.move_to_end(digest)
        while len(self._files) > MOST_OPENED:
            self._files.popitem(last=False)
        return digest

    def get(self, digest: str) -> bytes:
        """Return a file. Raises InvalidInputError if it is not kept any more."""
        if digest not in self._files:
            raise InvalidInputError("This file is no longer here; open it again.")
        return self._files[digest]


def building(board: Board, protocol: LoaderProtocol, program: str) -> Job[Progress, Chosen]:
    """Build an application, a folder or a C file. Raises what finding and building raise."""
    is_application = program in application_names()
    name = program if is_application else str(Path(program).expanduser())
    built = yield from build_program(board, [name])
    report = built.result.report
    view = ProgramView(
        name=report.program,
        source=APPLICATION if is_application else FOLDER,
        memory=tuple(Memory(row.name, row.used, row.limit, row.note) for row in report.rows),
        chain=() if report.stack is None else tuple(report.stack.chain),
        remarks=_remarks(built),
    )
    if built.image is not None:
        return _ready(view, built.image, board, protocol)
    try:
        require_within_budget(built.result)
    except OverBudgetError as error:
        view = failed(view, error)
    return Chosen(view, None)


def taken(board: Board, protocol: LoaderProtocol, content: bytes, name: str) -> Chosen:
    """Return what is in an Intel-HEX file called `name`. Raises InvalidImageError."""
    image = parse_image(content, name, board)
    code = Memory("code", len(image.data), board.memory.code_bytes)
    return _ready(ProgramView(name=name, source=FILE, memory=(code,)), image, board, protocol)


def failed(view: ProgramView, error: PuzzlerigError) -> ProgramView:
    """Return how a program is shown that cannot be flashed."""
    return msgspec.structs.replace(view, state="failed", error=str(error))


def _ready(view: ProgramView, image: Image, board: Board, protocol: LoaderProtocol) -> Chosen:
    plan = plan_flash(image, board, protocol)
    view = msgspec.structs.replace(
        view,
        state="ready",
        bytes=plan.programmed_bytes,
        blocks=len(plan.blocks),
        estimated_s=plan.estimated_s,
        crc32=f"{image.crc32:08X}",
    )
    return Chosen(view, plan)


def _remarks(built: Built) -> tuple[str, ...]:
    stack = built.result.report.stack
    walked = (
        []
        if stack is None
        else [
            *(f"Unbounded: recursion {cycle}" for cycle in stack.recursion),
            *(f"Unknown: {unknown}" for unknown in stack.unknown),
        ]
    )
    warnings = [f"{each.file}:{each.line}: {each.text}" for each in built.result.warnings]
    return (*walked, *warnings)


class ProgramChoice:
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

    def take(self, request: TakeRequest) -> None:
        """Choose a file that was opened; its name is shown and is nothing else."""
        if self._jobs.is_running:
            raise InvalidInputError("The board is at work; cancel that first, or wait.")
        content = self._opened.get(request.opened)
        self._choose(taken(self._facts, self._protocol, content, request.name))

    def build(self, request: BuildRequest) -> None:
        """Build a program and choose it."""
        if not request.program:
            raise InvalidInputError("Name a folder or a C file of this computer.")
        controls = Controls(SystemClock())
        shown = ProgramView(state="building", name=request.program)

        def job() -> Job[Progress, Chosen]:
            self._chosen = None
            self._show(shown)
            work = building(self._facts, self._protocol, request.program)
            return (yield from with_cancellation(work, controls.check))

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
