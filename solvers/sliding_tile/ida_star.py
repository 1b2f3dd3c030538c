"""IDA*: depth-first search below a bound on moves that grows until a solution fits (Korf, 1985).

The compiled kernel works in slices of a number of tries, so that a search can report how it is
going and be stopped. The bound is kept up to date move by move.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from solvers.foundation.progress import Job, Progress
from solvers.sliding_tile.heuristics.heuristic import Heuristic
from solvers.sliding_tile.ida_star_kernel import (
    BLANK,
    DEPTH,
    EXHAUSTED,
    FOUND,
    GENERATED,
    GOAL_BLANK,
    HEIGHT,
    NEXT,
    NEXT_BOUND,
    PAUSED,
    TAKEN,
    WIDTH,
    Position,
)
from solvers.sliding_tile.placement import Placement

MOVE_LETTERS: Final = "udlr"
TRIES_PER_SLICE: Final = 1_000_000  # a few tenths of a second

_NO_BOUND: Final = np.iinfo(np.int64).max


@dataclass(frozen=True, slots=True)
class Deepening(Progress):
    """Every solution has at least `bound` moves; none of that length is known yet."""

    bound: int = 0


@dataclass(frozen=True, slots=True)
class Path:
    """Moves of the blank, and the positions that were made to find them."""

    moves: str
    generated: int


def ida_star(task: Placement, heuristic: Heuristic) -> Job[Progress, Path]:
    """Find a shortest solution of a solvable task."""
    bounds = yield from heuristic.prepare(task)
    bound = int(heuristic.estimate(bounds))
    position = _position(task)
    if bound == 0:
        return Path("", 0)
    while True:
        position = _deeper(position, bound)
        status = PAUSED
        while status == PAUSED:
            generated = int(position.numbers[GENERATED])
            yield Deepening(f"trying {bound} moves", generated, None, "positions", bound)
            status = int(heuristic.search_slice(position, bounds, bound, TRIES_PER_SLICE))
        if status == FOUND:
            return Path(_moves(position), int(position.numbers[GENERATED]))
        assert status == EXHAUSTED
        bound = int(position.numbers[NEXT_BOUND])


def _position(task: Placement) -> Position:
    numbers = np.zeros(GENERATED + 1, dtype=np.int64)
    numbers[WIDTH], numbers[HEIGHT] = task.width, task.height
    numbers[GOAL_BLANK], numbers[BLANK] = task.goal_blank, task.blank
    return Position(numbers, task.cells(), np.zeros((0, 2), dtype=np.int64))


def _deeper(position: Position, bound: int) -> Position:
    """Return the position with its search to begin again, and room for paths of that length."""
    position.numbers[DEPTH], position.numbers[NEXT_BOUND] = 0, _NO_BOUND
    path = np.zeros((bound + 1, 2), dtype=np.int64)
    path[0, NEXT] = 0
    return position._replace(path=path)


def _moves(position: Position) -> str:
    taken = position.path[: int(position.numbers[DEPTH]), TAKEN]
    return "".join(MOVE_LETTERS[direction] for direction in taken)
