"""Manhattan distance plus two moves for each tile that must leave its line.

Two tiles that belong in the line they are in, in the other order, cannot pass each other: one has
to step aside and back (Hansson, Mayer and Yung, 1992). A move changes the conflicts of two lines.
"""

from typing import Final, NamedTuple

import numpy as np

from solvers.foundation.arrays import Int64Array
from solvers.foundation.compiled import kernel
from solvers.foundation.progress import Job, Progress
from solvers.sliding_tile import ida_star
from solvers.sliding_tile.board import Placement
from solvers.sliding_tile.heuristics.additive import (
    SUM,
    AdditiveBounds,
    count_move,
    manhattan_bounds,
)


class ConflictBounds(NamedTuple):
    """Manhattan distance, and in `conflicts[0]` the tiles that must leave a line.

    `places` and `rising` are scratch space for one line: the goal places along it of its own tiles
    so far, and the length of the longest increasing subsequence that ends at each.
    """

    manhattan: AdditiveBounds
    conflicts: Int64Array
    places: Int64Array
    rising: Int64Array


@kernel(error_model="numpy")
def conflicts_in_line(
    bounds: ConflictBounds, numbers: Int64Array, cells: Int64Array, line: int, is_column: bool
) -> int:
    """Return how many tiles must leave a row or column so that the others are in order."""
    width = numbers[ida_star.WIDTH]
    length = numbers[ida_star.HEIGHT] if is_column else width
    places, rising = bounds.places, bounds.rising
    count, longest = 0, 0
    for i in range(length):
        goal = cells[i * width + line] if is_column else cells[line * width + i]
        goal_line = goal % width if is_column else goal // width
        # The blank is no tile, and tiles of other lines leave this one anyhow.
        if goal == numbers[ida_star.GOAL_BLANK] or goal_line != line:
            continue
        places[count] = goal // width if is_column else goal % width
        rising[count] = 1
        for j in range(count):
            if places[j] < places[count] and rising[j] + 1 > rising[count]:
                rising[count] = rising[j] + 1
        # Tiles in an increasing subsequence can stay; the longest one leaves the fewest to move.
        longest = max(longest, rising[count])
        count += 1
    return count - longest


@kernel(error_model="numpy")
def _both_lines(
    bounds: ConflictBounds, position: ida_star.Position, direction: int, blank: int, target: int
) -> int:
    """Return the conflicts in the two lines that a move changes.

    A vertical move changes which tiles stand in two rows, and the order of no column.
    """
    numbers, cells = position.numbers, position.cells
    width = numbers[ida_star.WIDTH]
    # A tile that moves within its column passes nothing there: the blank was next to it.
    is_column = direction >= 2
    one = blank % width if is_column else blank // width
    other = target % width if is_column else target // width
    return conflicts_in_line(bounds, numbers, cells, one, is_column) + conflicts_in_line(
        bounds, numbers, cells, other, is_column
    )


@kernel(error_model="numpy")
def step(bounds: ConflictBounds, position: ida_star.Position, direction: int) -> None:
    """Move the blank."""
    numbers = position.numbers
    blank = numbers[ida_star.BLANK]
    target = ida_star.target_of(blank, direction, numbers[ida_star.WIDTH], numbers[ida_star.HEIGHT])
    before = _both_lines(bounds, position, direction, blank, target)
    tile, to, origin = ida_star.slide(position, direction)
    count_move(bounds.manhattan, tile, to, origin)
    after = _both_lines(bounds, position, direction, blank, target)
    bounds.conflicts[0] += after - before


@kernel(entry=True, error_model="numpy")
def estimate(bounds: ConflictBounds) -> int:
    """Return the lower bound on the moves from the present position."""
    return bounds.manhattan.numbers[SUM] + 2 * bounds.conflicts[0]  # type: ignore[no-any-return]


@kernel(entry=True, error_model="numpy")
def search_slice(
    position: ida_star.Position, bounds: ConflictBounds, bound: int, budget: int
) -> int:
    """Search with these bounds; see `deepen`."""
    return ida_star.deepen(position, bounds, step, estimate, bound, budget)


def _prepare(task: Placement) -> Job[Progress, ConflictBounds]:
    yield from ()  # quick: no progress events
    longest = max(task.width, task.height)
    room = np.zeros((2, longest), dtype=np.int64)
    bounds = ConflictBounds(manhattan_bounds(task), np.zeros(1, dtype=np.int64), room[0], room[1])
    numbers = np.zeros(ida_star.GOAL_BLANK + 1, dtype=np.int64)
    numbers[ida_star.WIDTH], numbers[ida_star.HEIGHT], numbers[ida_star.GOAL_BLANK] = (
        task.width,
        task.height,
        task.goal_blank,
    )
    lines = [(row, False) for row in range(task.height)]
    lines += [(column, True) for column in range(task.width)]
    cells = np.array(task.tiles, np.int64)
    bounds.conflicts[0] = sum(conflicts_in_line(bounds, numbers, cells, *line) for line in lines)
    return bounds


LINEAR_CONFLICT: Final = ida_star.Heuristic(_prepare, estimate, search_slice)
