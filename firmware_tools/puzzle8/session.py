"""A whole session with a puzzle8 program: find it, flash it where it is missing, ask, check."""

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from typing import Final

from firmware_tools.board_job import flash_program
from firmware_tools.boards.facts import Board
from firmware_tools.building.program import find_program
from firmware_tools.errors import NoAnswerError
from firmware_tools.line.byte_link import ByteLink
from firmware_tools.puzzle8.client import CheckedAnswer, Puzzle8Client, Task
from firmware_tools.puzzle8.host import HostLink, host_program
from firmware_tools.puzzle8.protocol import PROTOCOL, Identity, Outcome, Puzzle8Algorithm
from solvers.foundation.errors import PuzzlerigError
from solvers.foundation.progress import Job, Progress
from solvers.sliding_tile.board import UnsolvableError, format_board

_IDENTITY_QUESTIONS: Final = 5  # a program that has just been started shows its example first


class GaveUpError(PuzzlerigError):
    """The search reached the limits of its depth or its agenda."""


@dataclass(frozen=True, slots=True)
class SessionReport:
    """Who answered what; `milliseconds` and cycles are 0 on the host, where nothing counts them."""

    identity: Identity
    checked: CheckedAnswer
    milliseconds: float


def solve_on_board(
    link: ByteLink,
    board: Board,
    algorithm: Puzzle8Algorithm,
    task: Task,
    timeout_s: float,
    before_flashing: Callable[[], object] = lambda: None,
) -> Job[Progress, SessionReport]:
    """Have the board solve a task; flash `algorithm` first if the board runs another program.

    `before_flashing` may press its reset, where that needs no hand. Raises NoAnswerError if no boot
    loader listens then, GaveUpError, UnsolvableError, and what flashing and asking raise.
    """
    client = Puzzle8Client(link)
    yield Progress("ask which program runs", 0, None)
    identity = client.identity()
    if identity is None or not _is_wanted(identity, algorithm):
        yield from _flash(link, board, algorithm, identity, before_flashing)
        identity = _identity_after_start(client)
    checked = yield from client.solve(task, timeout_s)
    milliseconds = 1000 * checked.answer.cycles / board.mcu.cycles_per_second
    return _report(task, SessionReport(identity, checked, milliseconds))


def solve_on_host(
    algorithm: Puzzle8Algorithm, task: Task, timeout_s: float
) -> Job[Progress, SessionReport]:
    """Have the same C files solve a task on this computer. Raises as `solve_on_board`."""
    yield Progress("compile the program", 0, None)
    with closing(HostLink(host_program(algorithm))) as link:
        client = Puzzle8Client(link)
        identity = client.identity()
        if identity is None:
            raise NoAnswerError("The host program does not answer.")
        checked = yield from client.solve(task, timeout_s)
    return _report(task, SessionReport(identity, checked, 0.0))


def _is_wanted(identity: Identity, algorithm: Puzzle8Algorithm) -> bool:
    generated = find_program([f"puzzle8-{algorithm}"]).generated
    tables = identity.tables == "none" or any(
        identity.tables in text for text in generated.values()
    )
    return (identity.algorithm, identity.protocol) == (algorithm, PROTOCOL) and tables


def _flash(
    link: ByteLink,
    board: Board,
    algorithm: Puzzle8Algorithm,
    running: Identity | None,
    before: Callable[[], object],
) -> Job[Progress, None]:
    try:
        yield from flash_program(link, board, f"puzzle8-{algorithm}", before)
    except NoAnswerError as error:
        if running is None:
            raise
        raise NoAnswerError(
            f"The board runs puzzle8 {running.algorithm}, not {algorithm}. To flash another "
            "program, set the mode switch to red, press reset, and repeat the command."
        ) from error


def _identity_after_start(client: Puzzle8Client) -> Identity:
    for _ in range(_IDENTITY_QUESTIONS):
        identity = client.identity()
        if identity is not None:
            return identity
    raise NoAnswerError("The program was flashed and started, but does not answer: press reset.")


def _report(task: Task, report: SessionReport) -> SessionReport:
    """Return the report of a path. Raises for every other outcome."""
    checked = report.checked
    boards = f"{format_board(task.start)} to {format_board(task.goal)}"
    if checked.answer.outcome is Outcome.UNSOLVABLE:
        if checked.optimal_length is not None:
            raise PuzzlerigError(f"The board calls {boards} unsolvable, which is wrong.")
        raise UnsolvableError(f"The board finds no moves from {boards}, and there are none.")
    if checked.answer.outcome is Outcome.GAVE_UP:
        raise GaveUpError(
            f"{report.identity.algorithm} reached its limits on the way from {boards}, which takes "
            f"{checked.optimal_length} moves. The algorithm policy solves every position."
        )
    return report
