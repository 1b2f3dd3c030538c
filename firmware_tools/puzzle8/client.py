"""Talks to a puzzle8 program, on the board or on the host."""

from collections.abc import Iterator
from dataclasses import dataclass

from firmware_tools.errors import BoardError, NoAnswerError
from firmware_tools.line.byte_link import ByteLink
from firmware_tools.puzzle8.protocol import (
    ENCODING,
    IDENTITY_QUERY,
    Answer,
    Identity,
    Outcome,
    parse_answer,
    parse_identity,
    task_line,
)
from solvers.foundation.progress import Job, Progress, run_job
from solvers.sliding_tile.board import Board, InvalidBoardError, format_board
from solvers.sliding_tile.placement import place

IDENTITY_TIMEOUT_S = 1.0
EXAMPLE_TIMEOUT_S = 60.0
"""The paper's slowest program took 44 s for the example that a program solves unasked."""
ATTEMPTS = 3
LONGEST_LINE = 80
MOST_NOISE_LINES = 25
MOST_NOISE_BYTES = 2000
"""What may come before a line is complete, two seconds at 9600 baud: some lines never stop."""
_POLL_S = 0.2


class WrongPathError(BoardError):
    """The moves that the board sent do not lead from start to goal."""


@dataclass(frozen=True)
class Task:
    """What to solve. `step_width` None leaves it to the program."""

    start: Board
    goal: Board
    step_width: int | None = None
    parent_heuristic: bool = False


@dataclass(frozen=True)
class CheckedAnswer:
    """An answer replayed on the host; `optimal_length` is None for an unsolvable task."""

    answer: Answer
    optimal_length: int | None

    @property
    def is_optimal(self) -> bool:
        """Return whether the path found is a shortest one."""
        found = self.answer.outcome is Outcome.PATH
        return found and len(self.answer.moves) == self.optimal_length


class Puzzle8Client:
    """Requests and answers over one open line."""

    def __init__(self, link: ByteLink) -> None:
        self._link = link

    def identity(self) -> Identity | None:
        """Return what the program says of itself, or None if no puzzle8 program answers.

        Two seconds after its start a program says it unasked, solves an example, and is deaf
        meanwhile. So its word counts when the next question is answered by the same and nothing
        came between; else what comes next might be taken for the answer to a task.
        """
        for _ in range(ATTEMPTS):
            self._link.discard_input()
            # The first line end makes a complete line of whatever noise the program may have read.
            self._link.write(b"\n" + IDENTITY_QUERY)
            heard = list(self._heard_until_identity())
            if not heard:
                return None
            if identity := parse_identity(heard[-1]):
                self._link.write(IDENTITY_QUERY)
                again = run_job(self._line("identity", EXAMPLE_TIMEOUT_S))
                if again is not None and parse_identity(again) == identity:
                    return identity
            self._hear_out()
        return None

    def _heard_until_identity(self) -> Iterator[str]:
        for _ in range(MOST_NOISE_LINES):
            line = run_job(self._line("identity", IDENTITY_TIMEOUT_S))
            if line is None:
                return
            yield line
            if parse_identity(line):
                return

    def _hear_out(self) -> None:
        """Wait until the program says no more."""
        for _ in range(MOST_NOISE_LINES):
            if not self._link.read(LONGEST_LINE, _POLL_S):
                return

    def solve(self, task: Task, timeout_s: float) -> Job[Progress, CheckedAnswer]:
        """Return the board's answer, replayed and compared with the shortest solution.

        Events tell the seconds waited. Raises NoAnswerError after `timeout_s`, WrongPathError if
        the path leads elsewhere.
        """
        self._link.discard_input()  # an earlier answer that came too late is not this one's
        self._link.write(
            task_line(
                format_board(task.start),
                format_board(task.goal),
                task.step_width,
                parent_heuristic=task.parent_heuristic,
            )
        )
        line = yield from self._line("search", timeout_s)
        if line is None:
            raise NoAnswerError(
                f"No answer came in {timeout_s:g} s. The search may take longer (allow it more "
                "with --timeout), or the program has stopped: press reset and start again."
            )
        return check(task, parse_answer(line))

    def _line(self, what: str, timeout_s: float) -> Job[Progress, str | None]:
        """Return the next line, or None if none is complete in time, or there are only ends."""
        received, waited_s, noise = bytearray(), 0.0, 0
        while waited_s < timeout_s and len(received) < LONGEST_LINE and noise < MOST_NOISE_BYTES:
            data = self._link.read(1, _POLL_S)
            noise += len(data)
            if not data:
                waited_s += _POLL_S
                yield Progress(what, waited_s, timeout_s, "s")
            elif data in b"\r\n":
                if received:
                    return received.decode(ENCODING, errors="replace")
            else:
                received += data
        return None


def check(task: Task, answer: Answer) -> CheckedAnswer:
    """Replay an answer and look up the length of a shortest solution."""
    from solvers.sliding_tile.whole_space import UNREACHED, distance

    shortest = distance(place(task.start, task.goal))
    if answer.outcome is Outcome.PATH:
        try:
            reached = task.start.moved(answer.moves)
        except InvalidBoardError as error:
            raise WrongPathError(f"The board's path {answer.moves} is wrong: {error}") from error
        if reached != task.goal:
            raise WrongPathError(
                f"The board's path {answer.moves} leads to {format_board(reached)}, "
                f"not to {format_board(task.goal)}."
            )
    return CheckedAnswer(answer, None if shortest == UNREACHED else shortest)
