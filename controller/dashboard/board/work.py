"""What is done on a board that the dashboard has: jobs that can be ended at any moment.

The work itself is firmware_tools'; here it gets a line whose waits can be ended, a simulated board
that presses its own reset, and a last question to a boot loader whose work was cut off.
"""

from dataclasses import dataclass
from typing import Final, TypeVar

from controller.controls import Controls
from controller.dashboard.board.devices import BoardDevices
from controller.dashboard.board.view import Solution, SolveRequest
from controller.errors import StoppedError
from firmware_tools.board_job import board_info, flash_board, run_board
from firmware_tools.errors import BoardError, NoAnswerError
from firmware_tools.flashing.flasher import BoardInfo, FlashPlan, FlashReport, Phase
from firmware_tools.line.byte_link import ByteLink, CancellableLink
from firmware_tools.puzzle8.protocol import TIMER_CYCLES, Puzzle8Algorithm
from firmware_tools.puzzle8.published import PUBLISHED
from firmware_tools.puzzle8.session import GaveUpError, SessionReport, Task, solve_on_board
from solvers.foundation.progress import Job, Progress, run_job, tap, with_cancellation
from solvers.sliding_tile.board import Board, InvalidBoardError, UnsolvableError, parse_board

Report = TypeVar("Report")

ALONE_S: Final = 900.0
SIDE_BY_SIDE_S: Final = 60.0
"""So long an answer is waited for: of one algorithm, and of each where several are compared."""
STEPS: Final = {
    Puzzle8Algorithm.IDDFS_V1: 1,
    Puzzle8Algorithm.IDDFS_V2: 1,
    Puzzle8Algorithm.ASTAR: 12,
}
"""Step widths with which the paper has times."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Found(Progress):
    """What the boot loader says of its flash after work that was cut off; None: nothing."""

    info: BoardInfo | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered(Progress):
    """What one algorithm has answered."""

    solution: Solution


def flashing(
    devices: BoardDevices, controls: Controls, plan: FlashPlan, *, run: bool
) -> Job[Progress, FlashReport]:
    """Bring an image onto the board, verify it, and start it if asked."""
    with devices.line.taken() as link:
        devices.make_listen()
        job = flash_board(CancellableLink(link, controls.check), devices.facts, plan, run=run)
        return (yield from _cut_off_in_order(devices, link, controls, job))


def asking(devices: BoardDevices, controls: Controls) -> Job[Progress, BoardInfo]:
    """Ask the boot loader what is in flash."""
    with devices.line.taken() as link:
        steered = CancellableLink(link, controls.check)
        return (yield from board_info(steered, devices.facts, devices.protocol))


def starting(devices: BoardDevices, controls: Controls) -> Job[Progress, None]:
    """Start the program in flash."""
    with devices.line.taken() as link:
        devices.make_listen()
        steered = CancellableLink(link, controls.check)
        yield from run_board(steered, devices.facts, devices.protocol)


def solving(
    devices: BoardDevices, controls: Controls, request: SolveRequest
) -> Job[Progress, tuple[Solution, ...]]:
    """Have the board solve a puzzle by each of the algorithms asked for.

    An algorithm that finds no way has a solution with an error; the next one is asked.
    """
    is_alone = len(request.algorithms) == 1
    timeout_s = ALONE_S if is_alone else SIDE_BY_SIDE_S
    solutions: list[Solution] = []
    for algorithm in request.algorithms:
        task = Task(_board(request.start), _board(request.goal), STEPS.get(algorithm))
        try:
            with devices.line.taken() as link:
                job = solve_on_board(
                    CancellableLink(link, controls.check),
                    devices.facts,
                    algorithm,
                    task,
                    timeout_s,
                    devices.make_listen,
                )
                report = yield from _cut_off_in_order(devices, link, controls, job)
        except (GaveUpError, UnsolvableError, NoAnswerError) as error:
            if is_alone and isinstance(error, NoAnswerError):
                raise
            solution = Solution(algorithm=algorithm, error=str(error))
        else:
            solution = _solution(algorithm, request, report)
        solutions.append(solution)
        yield Answered(f"{algorithm} has answered", 1, 1, solution=solution)
    return tuple(solutions)


def _solution(
    algorithm: Puzzle8Algorithm, request: SolveRequest, report: SessionReport
) -> Solution:
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
    return Solution(
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


def _cut_off_in_order(
    devices: BoardDevices, link: ByteLink, controls: Controls, job: Job[Progress, Report]
) -> Job[Progress, Report]:
    """Run a job that can be stopped; if the flash is in doubt then, ask the board about it."""
    in_doubt = False

    def note(event: Progress) -> None:
        nonlocal in_doubt
        if event.task == Phase.ERASE:
            in_doubt = True
        elif event.task == Phase.VERIFY and event.share == 1:
            in_doubt = False

    try:
        return (yield from with_cancellation(tap(job, note), controls.check))
    except (StoppedError, BoardError):
        if in_doubt:
            yield Found("asking what is in flash", 0, None, info=_info(devices, link))
        raise


def _info(devices: BoardDevices, link: ByteLink) -> BoardInfo | None:
    try:
        return run_job(board_info(link, devices.facts, devices.protocol))
    except BoardError:
        return None
