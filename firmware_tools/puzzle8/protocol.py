"""Lines that the puzzle8 programs read and write, and the times published for them.

apps/puzzle8/README.md lists the lines.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from firmware_tools.errors import BoardError

IDENTITY_QUERY = b"?\n"
PROTOCOL = "1"
ENCODING = "ascii"
TIMER_CYCLES = 5
"""Overhead in the board's count: the call of the solver and reading the timer."""


class Puzzle8Algorithm(StrEnum):
    """The programs of apps/puzzle8, by the name that they give themselves."""

    POLICY = "policy"
    POLICY_C = "policy-c"
    POLICY_SMALL = "policy-small"
    IDDFS_V1 = "iddfs_v1"
    IDDFS_V2 = "iddfs_v2"
    ASTAR = "astar"
    ASTAR_REPEATED = "astar-repeated"
    NEURAL = "neural"


class UnexpectedAnswerError(BoardError):
    """The board sent a line that no puzzle8 program sends."""


class MalformedTaskError(BoardError):
    """The board refused a task as malformed."""


@dataclass(frozen=True)
class Identity:
    """Identity that a program sends; `tables` is the checksum of its tables, or "none"."""

    algorithm: str
    protocol: str
    tables: str


class Outcome(StrEnum):
    """How a task ended; the first word of the answer."""

    PATH = "path"
    UNSOLVABLE = "unsolvable"
    GAVE_UP = "gave-up"


@dataclass(frozen=True)
class Answer:
    """`moves` is empty unless a path was found; `cycles` is 0 where nothing counts them."""

    outcome: Outcome
    moves: str
    milliseconds: float
    cycles: int


def task_line(start: str, goal: str, step_width: int | None, *, parent_heuristic: bool) -> bytes:
    """Return the line with a task; boards are nine letters."""
    words = [start, goal]
    if step_width is not None:
        words.append(str(step_width))
    if parent_heuristic:
        words.append("p")
    return (" ".join(words) + "\n").encode(ENCODING)


def parse_identity(line: str) -> Identity | None:
    """Return the identity in a line, or None if it holds none."""
    match line.split():
        case ["puzzle8", algorithm, protocol, tables]:
            return Identity(algorithm, protocol, tables)
    return None


def parse_answer(line: str) -> Answer:
    """Read the answer to a task. Raises MalformedTaskError, UnexpectedAnswerError."""
    try:
        match line.split():
            case ["path", count, letters, milliseconds, cycles]:
                moves = "" if letters == "-" else letters
                if len(moves) == int(count) and not set(moves) - set("udlr"):
                    return Answer(Outcome.PATH, moves, float(milliseconds), int(cycles))
            case ["unsolvable" | "gave-up" as outcome, milliseconds, cycles]:
                return Answer(Outcome(outcome), "", float(milliseconds), int(cycles))
            case ["malformed", part]:
                raise MalformedTaskError(f"The board calls the task malformed: its {part}.")
    except ValueError:
        pass  # a damaged number: the line is not an answer
    raise UnexpectedAnswerError(
        f"The board answered {line!r}, which is no answer to a task. Is the line disturbed?"
    )


# Times from the paper on the 8-puzzle board, for comparison.


@dataclass(frozen=True, slots=True)
class PublishedRun:
    """Start and goal of one of the paper's instances, and its times in ms; None: not given.

    `iddfs_v1_ms` and `iddfs_v2_ms` are with step width 1, `astar_12_ms` and `astar_1_ms` with
    that of their names.
    """

    start: str
    goal: str
    iddfs_v1_ms: int | None
    iddfs_v2_ms: int | None
    astar_12_ms: int | None
    astar_1_ms: int | None

    def milliseconds(self, algorithm: Puzzle8Algorithm, step_width: int) -> int | None:
        """Return what the paper measured for one of its algorithms with a step width."""
        return {
            (Puzzle8Algorithm.IDDFS_V1, 1): self.iddfs_v1_ms,
            (Puzzle8Algorithm.IDDFS_V2, 1): self.iddfs_v2_ms,
            (Puzzle8Algorithm.ASTAR, 12): self.astar_12_ms,
            (Puzzle8Algorithm.ASTAR, 1): self.astar_1_ms,
        }.get((algorithm, step_width))


PUBLISHED: Final = {
    8: PublishedRun("abcdefgho", "bdcaefgho", 27_691, 1_100, 1_021, 8_052),
    9: PublishedRun("gaefdboch", "doefgbcah", 44_348, 1_650, 1_072, 14_736),
    10: PublishedRun("decfogbha", "dheaocfbg", 126_567, 4_276, 843, 32_962),
    11: PublishedRun("cgaofehdb", "hcgfbadeo", 209_477, 6_503, 1_649, 53_325),
    12: PublishedRun("ofdgbheca", "fbdcaegho", 346_442, 10_467, 1_016, 86_176),
    18: PublishedRun("hfdobegca", "aofdhbgec", None, 384_025, None, None),
}
"""By the moves of a shortest solution: from the paper, boards from the comments in its published
source (JonasKappa/Schiebepuzzle). It timed iddfs_v1 at length 12 on another instance, whose start
is misprinted there.
"""
