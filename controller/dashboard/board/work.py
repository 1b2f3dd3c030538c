"""The board's jobs, which can be stopped at any moment, and the program that is chosen to flash.

firmware_tools does the work. Here it gets a line whose waits end with the job, a simulated board
that presses its own reset, and a last request to a boot loader whose work was interrupted.
"""

import hashlib
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeVar

import msgspec

from controller.controls import Controls
from controller.dashboard.board import view as views
from controller.dashboard.board.devices import BoardDevices
from controller.dashboard.jobs import DeviceJobs
from controller.errors import StoppedError
from firmware_tools import flashing
from firmware_tools.board_job import Built, board_info, build_program, flash_board, run_board
from firmware_tools.boards.facts import Board as BoardFacts
from firmware_tools.bootloader.loader import LoaderProtocol
from firmware_tools.building.build import require_within_budget
from firmware_tools.building.program import application_names
from firmware_tools.errors import BoardError, NoAnswerError, OverBudgetError
from firmware_tools.line.byte_link import ByteLink, CancellableLink
from firmware_tools.puzzle8.protocol import PUBLISHED, TIMER_CYCLES, Puzzle8Algorithm
from firmware_tools.puzzle8.session import GaveUpError, SessionReport, Task, solve_on_board
from solvers.foundation.clock import SystemClock
from solvers.foundation.errors import InvalidInputError, PuzzlerigError
from solvers.foundation.progress import Job, Progress, run_job, tap, with_cancellation
from solvers.sliding_tile.board import Board, InvalidBoardError, UnsolvableError, parse_board

Report = TypeVar("Report")

ALONE_S: Final = 900.0
SIDE_BY_SIDE_S: Final = 60.0
"""The longest wait for an answer: of one algorithm, and of each where several are compared."""
STEPS: Final = {
    Puzzle8Algorithm.IDDFS_V1: 1,
    Puzzle8Algorithm.IDDFS_V2: 1,
    Puzzle8Algorithm.ASTAR: 12,
}
"""Step widths with which the paper has times."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Found(Progress):
    """The boot loader's report on its flash after interrupted work; None if it is silent."""

    info: flashing.BoardInfo | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered(Progress):
    """What one algorithm has answered."""

    solution: views.Solution


def flash(
    devices: BoardDevices, controls: Controls, plan: flashing.FlashPlan, *, run: bool
) -> Job[Progress, flashing.FlashReport]:
    """Bring an image onto the board, verify it, and start it if asked."""
    with devices.line.acquire() as link:
        devices.make_listen()
        job = flash_board(CancellableLink(link, controls.check), devices.facts, plan, run=run)
        return (yield from _inquire_if_interrupted(devices, link, controls, job))


def inquire(devices: BoardDevices, controls: Controls) -> Job[Progress, flashing.BoardInfo]:
    """Ask the boot loader what is in flash."""
    with devices.line.acquire() as link:
        steered = CancellableLink(link, controls.check)
        return (yield from board_info(steered, devices.facts, devices.protocol))


def start_program(devices: BoardDevices, controls: Controls) -> Job[Progress, None]:
    """Start the program in flash."""
    with devices.line.acquire() as link:
        devices.make_listen()
        steered = CancellableLink(link, controls.check)
        yield from run_board(steered, devices.facts, devices.protocol)


def solve(
    devices: BoardDevices, controls: Controls, request: views.SolveRequest
) -> Job[Progress, tuple[views.Solution, ...]]:
    """Have the board solve a puzzle by each of the algorithms asked for.

    An algorithm that finds no way has a solution with an error; the next one is asked.
    """
    is_alone = len(request.algorithms) == 1
    timeout_s = ALONE_S if is_alone else SIDE_BY_SIDE_S
    solutions: list[views.Solution] = []
    for algorithm in request.algorithms:
        task = Task(_board(request.start), _board(request.goal), STEPS.get(algorithm))
        try:
            with devices.line.acquire() as link:
                job = solve_on_board(
                    CancellableLink(link, controls.check),
                    devices.facts,
                    algorithm,
                    task,
                    timeout_s,
                    devices.make_listen,
                )
                report = yield from _inquire_if_interrupted(devices, link, controls, job)
        except (GaveUpError, UnsolvableError, NoAnswerError) as error:
            if is_alone and isinstance(error, NoAnswerError):
                raise
            solution = views.Solution(algorithm=algorithm, error=str(error))
        else:
            solution = _solution(algorithm, request, report)
        solutions.append(solution)
        yield Answered(f"{algorithm} has answered", 1, 1, solution=solution)
    return tuple(solutions)


def _solution(
    algorithm: Puzzle8Algorithm, request: views.SolveRequest, report: SessionReport
) -> views.Solution:
    checked_answer = report.checked
    shortest, counted = checked_answer.optimal_length or 0, checked_answer.answer.cycles
    published = PUBLISHED.get(shortest)
    name, milliseconds = "", None
    if published is not None:
        own = (algorithm, STEPS.get(algorithm, 0))
        named = (own, (Puzzle8Algorithm.ASTAR, 12), (Puzzle8Algorithm.IDDFS_V2, 1))
        name, milliseconds = next(
            (f"{other}, step {step}", found)
            for other, step in named
            if (found := published.milliseconds(other, step)) is not None
        )
    return views.Solution(
        algorithm=algorithm,
        moves=checked_answer.answer.moves,
        shortest=shortest,
        is_optimal=checked_answer.is_optimal,
        cycles=max(0, counted - TIMER_CYCLES),
        timer_cycles=counted,
        milliseconds=report.milliseconds * (1 - TIMER_CYCLES / counted) if counted else 0.0,
        published=name,
        published_ms=milliseconds,
        is_published=published is not None
        and (request.start, request.goal) == (published.start, published.goal),
    )


def _board(text: str) -> Board:
    board = parse_board(text)
    if (board.width, board.height) != (3, 3):
        raise InvalidBoardError(f"The board {text!r} is not one of 3 x 3 cells.")
    return board


def _inquire_if_interrupted(
    devices: BoardDevices, link: ByteLink, controls: Controls, job: Job[Progress, Report]
) -> Job[Progress, Report]:
    """Run a job that can be stopped; if the flash is in doubt then, ask the board about it."""
    in_doubt = False

    def note(event: Progress) -> None:
        nonlocal in_doubt
        if event.task == flashing.Phase.ERASE:
            in_doubt = True
        elif event.task == flashing.Phase.VERIFY and event.share == 1:
            in_doubt = False

    try:
        return (yield from with_cancellation(tap(job, note), controls.check))
    except (StoppedError, BoardError):
        if in_doubt:
            yield Found("asking what is in flash", 0, None, info=_info(devices, link))
        raise


def _info(devices: BoardDevices, link: ByteLink) -> flashing.BoardInfo | None:
    try:
        return run_job(board_info(link, devices.facts, devices.protocol))
    except BoardError:
        return None


MOST_OPENED: Final = 8
APPLICATION, FOLDER, FILE = "application", "this computer", "dropped file"


@dataclass(frozen=True, slots=True)
class Chosen:
    """A program as the page shows it; `plan` is None if it cannot be flashed."""

    view: views.ProgramView
    plan: flashing.FlashPlan | None


class Opened:
    """Files that were dropped: bytes only, found again by their digest. The last few stay."""

    def __init__(self) -> None:
        self._files: OrderedDict[str, bytes] = OrderedDict()

    def put(self, content: bytes) -> str:
        """Store a file; return its digest."""
        digest = hashlib.sha256(content).hexdigest()
        self._files[digest] = content
        self._files.move_to_end(digest)
        while len(self._files) > MOST_OPENED:
            self._files.popitem(last=False)
        return digest

    def get(self, digest: str) -> bytes:
        """Return a file. Raises InvalidInputError if it was dropped since."""
        if digest not in self._files:
            raise InvalidInputError("This file is no longer here; open it again.")
        return self._files[digest]


def build(board: BoardFacts, protocol: LoaderProtocol, program: str) -> Job[Progress, Chosen]:
    """Build an application, a folder or a C file. Raises what finding and building raise."""
    is_application = program in application_names()
    name = program if is_application else str(Path(program).expanduser())
    built = yield from build_program(board, [name])
    report = built.result.report
    view = views.ProgramView(
        name=report.program,
        source=APPLICATION if is_application else FOLDER,
        memory=tuple(views.Memory(row.name, row.used, row.limit, row.note) for row in report.rows),
        chain=() if report.stack is None else tuple(report.stack.chain),
        remarks=_remarks(built),
    )
    if built.image is not None:
        return _ready(view, built.image, board, protocol)
    try:
        require_within_budget(built.result)
    except OverBudgetError as error:
        view = as_failed(view, error)
    return Chosen(view, None)


def open_image(board: BoardFacts, protocol: LoaderProtocol, content: bytes, name: str) -> Chosen:
    """Return what is in an Intel-HEX file called `name`. Raises InvalidImageError."""
    image = flashing.parse_image(content, name, board)
    code = views.Memory("code", len(image.data), board.memory.code_bytes)
    return _ready(views.ProgramView(name=name, source=FILE, memory=(code,)), image, board, protocol)


def as_failed(view: views.ProgramView, error: PuzzlerigError) -> views.ProgramView:
    """Return how a program is shown that cannot be flashed."""
    return msgspec.structs.replace(view, state="failed", error=str(error))


def _ready(
    view: views.ProgramView, image: flashing.Image, board: BoardFacts, protocol: LoaderProtocol
) -> Chosen:
    plan = flashing.plan_flash(image, board, protocol)
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
        facts: BoardFacts,
        protocol: LoaderProtocol,
        show: Callable[[views.ProgramView], object],
    ) -> None:
        self._jobs = jobs
        self._facts = facts
        self._protocol = protocol
        self._show = show
        self._opened = Opened()
        self._chosen: Chosen | None = None

    @property
    def plan(self) -> flashing.FlashPlan:
        """What flashing the chosen program will do. Raises InvalidInputError if there is none."""
        plan = None if self._chosen is None else self._chosen.plan
        if plan is None:
            raise InvalidInputError("Choose a program first: build one, or open an .ihx file.")
        return plan

    def open(self, content: bytes) -> str:
        """Store a file's bytes until it is chosen; return its digest."""
        return self._opened.put(content)

    def take(self, request: views.TakeRequest) -> None:
        """Choose a file that was opened; its name is shown and is nothing else."""
        if self._jobs.is_running:
            raise InvalidInputError("The board is at work; cancel that first, or wait.")
        content = self._opened.get(request.opened)
        self._choose(open_image(self._facts, self._protocol, content, request.name))

    def build(self, request: views.BuildRequest) -> None:
        """Build a program and choose it."""
        if not request.program:
            raise InvalidInputError("Name a folder or a C file of this computer.")
        controls = Controls(SystemClock())
        shown = views.ProgramView(state="building", name=request.program)

        def job() -> Job[Progress, Chosen]:
            self._chosen = None
            self._show(shown)
            work = build(self._facts, self._protocol, request.program)
            return (yield from with_cancellation(work, controls.check))

        self._jobs.start(
            f"building {request.program}",
            controls,
            job,
            on_event=lambda _: None,
            on_report=self._choose,
            on_error=lambda error: self._show(as_failed(shown, error)),
        )

    def _choose(self, chosen: Chosen) -> None:
        self._chosen = chosen
        self._show(chosen.view)
