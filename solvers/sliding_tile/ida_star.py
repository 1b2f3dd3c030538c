"""IDA*: depth-first search below a bound on moves that grows until a solution fits (Korf, 1985).

The compiled kernel works in slices of a number of tries, so that a search can report how it is
going and be stopped. Which lower bound it searches with is the caller's choice: `deepen` becomes
part of a kernel in each heuristic's own module, compiled for the two functions it is given, and
keeps the bound up to date move by move.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np

from solvers.foundation.arrays import Int64Array
from solvers.foundation.compiled import kernel
from solvers.foundation.progress import Job, Progress
from solvers.sliding_tile.board import Placement

NOWHERE = -1


@kernel(inlining="llvm", error_model="numpy")
def target_of(blank: int, direction: int, width: int, height: int) -> int:
    """Return the cell that the blank moves to, or NOWHERE if it would leave the board."""
    # Opposite directions differ in the last bit alone, so that `direction ^ 1` undoes a move.
    if direction == 0:
        return blank - width if blank >= width else -1
    if direction == 1:
        return blank + width if blank < width * (height - 1) else -1
    if direction == 2:
        return blank - 1 if blank % width > 0 else -1
    return blank + 1 if blank % width < width - 1 else -1


EXHAUSTED, FOUND, PAUSED = range(3)

# Entries of `numbers`: the task, and the state of the search.
WIDTH, HEIGHT, GOAL_BLANK, BLANK, DEPTH, NEXT_BOUND, GENERATED = range(7)

# Columns of `path`: the move taken (0 to 3), and the next one to try.
TAKEN, NEXT = range(2)

ALL_MOVES: Final = 4


class Position(NamedTuple):
    """A task and the state of its search. Tiles are named by their goal cells."""

    numbers: Int64Array
    cells: Int64Array  # tile in each cell
    path: Int64Array  # one row for each move of the longest path, and one more


@kernel(inlining="llvm", error_model="numpy")
def slide(position: Position, direction: int) -> tuple[int, int, int]:
    """Move the blank, which has to be possible; return the tile moved, where to and where from."""
    numbers, cells = position.numbers, position.cells
    blank = numbers[BLANK]
    target = target_of(blank, direction, numbers[WIDTH], numbers[HEIGHT])
    tile = cells[target]
    cells[blank], cells[target] = tile, numbers[GOAL_BLANK]
    numbers[BLANK] = target
    return tile, blank, target


@kernel(inlining="numba", error_model="numpy")
def deepen(
    position: Position,
    bounds: Any,
    step: Callable[[Any, Position, int], None],
    estimate: Callable[[Any], int],
    bound: int,
    budget: int,
) -> int:
    """Continue for `budget` tries with paths of at most `bound` moves.

    Returns EXHAUSTED, FOUND or PAUSED. `step(bounds, position, direction)` moves the blank and
    brings the bounds up to date; `estimate(bounds)` is the lower bound, 0 at the goal alone.
    """
    numbers, path = position.numbers, position.path
    depth = numbers[DEPTH]
    for _ in range(budget):
        # All moves from here are tried: step back to the last position with one left.
        while path[depth, NEXT] == ALL_MOVES:
            if depth == 0:
                return EXHAUSTED
            depth -= 1
            step(bounds, position, path[depth, TAKEN] ^ 1)
        direction = path[depth, NEXT]
        path[depth, NEXT] += 1
        # No shortest path undoes its last move. Longer cycles are not looked for.
        if depth > 0 and path[depth - 1, TAKEN] == direction ^ 1:
            continue
        if target_of(numbers[BLANK], direction, numbers[WIDTH], numbers[HEIGHT]) < 0:
            continue
        step(bounds, position, direction)
        numbers[GENERATED] += 1
        path[depth, TAKEN] = direction
        rest = estimate(bounds)
        if rest == 0:
            numbers[DEPTH] = depth + 1
            return FOUND
        if depth + 1 + rest > bound:
            # The least bound that was exceeded is the next one: nothing shorter exists.
            numbers[NEXT_BOUND] = min(numbers[NEXT_BOUND], depth + 1 + rest)
            step(bounds, position, direction ^ 1)
        else:
            depth += 1
            path[depth, NEXT] = 0
    numbers[DEPTH] = depth
    return PAUSED


@dataclass(frozen=True, slots=True)
class Heuristic:
    """A lower bound and the search that is compiled for it.

    `prepare` makes the tables and returns them with the bound of the task's start, as a NamedTuple
    of arrays that the two compiled functions share; it raises InvalidInputError for boards that
    it does not take. `estimate(bounds)` is the bound of the present position, 0 at the goal alone
    and never above the moves that are needed. `search_slice(position, bounds, bound, budget)` is
    `ida_star_kernel.deepen` with the heuristic's own step.
    """

    prepare: Callable[[Placement], Job[Progress, Any]]
    estimate: Callable[[Any], int]
    search_slice: Callable[[Position, Any, int, int], int]


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
    return Position(numbers, np.array(task.tiles, np.int64), np.zeros((0, 2), dtype=np.int64))


def _deeper(position: Position, bound: int) -> Position:
    """Return the position with its search reset, and room for paths of `bound` moves."""
    # The blank is back at the start: an exhausted search has undone all its moves.
    position.numbers[DEPTH], position.numbers[NEXT_BOUND] = 0, _NO_BOUND
    path = np.zeros((bound + 1, 2), dtype=np.int64)
    path[0, NEXT] = 0
    return position._replace(path=path)


def _moves(position: Position) -> str:
    taken = position.path[: int(position.numbers[DEPTH]), TAKEN]
    return "".join(MOVE_LETTERS[direction] for direction in taken)
