"""The compiled part of IDA*: the board, one move on it, and the search in slices.

Which lower bound is searched with is the caller's: `deepen` becomes part of a kernel in each
heuristic's own module, compiled for the two functions it is given.
"""

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from solvers.foundation.arrays import Int64Array
from solvers.foundation.compiled import kernel
from solvers.sliding_tile.steps import target_of

EXHAUSTED, FOUND, PAUSED = range(3)

# Entries of `numbers`: the task, and where the search stands.
WIDTH, HEIGHT, GOAL_BLANK, BLANK, DEPTH, NEXT_BOUND, GENERATED = range(7)

# Columns of `path`: the move taken (0 to 3), and the next one to try.
TAKEN, NEXT = range(2)

ALL_MOVES: Final = 4


class Position(NamedTuple):
    """A task and where its search stands. Tiles are named by their goal cells."""

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
    """Go on for `budget` tries with paths of at most `bound` moves.

    Returns EXHAUSTED, FOUND or PAUSED. `step(bounds, position, direction)` moves the blank and
    brings the bounds up to date; `estimate(bounds)` is the lower bound, 0 at the goal alone.
    """
    numbers, path = position.numbers, position.path
    depth = numbers[DEPTH]
    for _ in range(budget):
        while path[depth, NEXT] == ALL_MOVES:
            if depth == 0:
                return EXHAUSTED
            depth -= 1
            step(bounds, position, path[depth, TAKEN] ^ 1)
        direction = path[depth, NEXT]
        path[depth, NEXT] += 1
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
            numbers[NEXT_BOUND] = min(numbers[NEXT_BOUND], depth + 1 + rest)
            step(bounds, position, direction ^ 1)
        else:
            depth += 1
            path[depth, NEXT] = 0
    numbers[DEPTH] = depth
    return PAUSED
