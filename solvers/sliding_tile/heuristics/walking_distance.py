"""Walking distance: the moves needed if all tiles of a goal row looked the same.

For the vertical moves only the number of tiles of each goal row in each row matters. The table
holds, for every such distribution, its distance to the goal's; the horizontal moves are the same
problem with columns for rows (Takahashi, 1998). Both numbers add up to a lower bound; the search
takes it or Manhattan distance, whichever is greater.
"""

from collections import deque
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final, NamedTuple

import numpy as np

from solvers.foundation.arrays import Int32Array, Int64Array, UInt8Array
from solvers.foundation.compiled import kernel
from solvers.foundation.errors import InvalidInputError
from solvers.foundation.progress import Job, Progress
from solvers.sliding_tile.board import Placement
from solvers.sliding_tile.heuristics.additive import (
    SUM,
    AdditiveBounds,
    count_move,
    manhattan_bounds,
)
from solvers.sliding_tile.ida_star import WIDTH, Heuristic, Position, deepen, slide

LONGEST_SIDE = 4
"""A 4 x 4 board has 24 964 distributions; 5 x 5 would have 65 million."""

# Entries of `states`.
VERTICAL, HORIZONTAL = range(2)

Counts = tuple[tuple[int, ...], ...]
"""`counts[row][goal_row]`: tiles in `row` that belong in `goal_row`."""


@dataclass(frozen=True)
class WalkingTable:
    """Distributions by number: distance, and where a tile of a goal row moving up or down leads.

    `next_state[state, 0, goal_row]` is the state after the blank moved up, exchanged with a tile
    of `goal_row`; 1 is down. -1 where there is no such tile.
    """

    numbers: dict[Counts, int]
    distances: UInt8Array
    next_state: Int32Array


@lru_cache(maxsize=8)
def walking_table(rows: int, columns: int, blank_row: int) -> WalkingTable:
    """Return the table for boards of that shape whose goal has the blank in `blank_row`.

    Breadth-first from the goal; 4 x 4 takes about a quarter of a second of plain Python.
    """
    # Every goal row holds `columns` tiles of its own, the blank's row one fewer.
    goal = tuple(
        tuple(columns - (row == blank_row) if row == goal_row else 0 for goal_row in range(rows))
        for row in range(rows)
    )
    numbers, distances = {goal: 0}, [0]
    moves: list[list[list[int]]] = []
    queue = deque([(goal, blank_row)])
    while queue:
        counts, blank = queue.popleft()
        steps = [[-1] * rows, [-1] * rows]
        for direction, other in enumerate((blank - 1, blank + 1)):
            for goal_row in range(rows):
                if not 0 <= other < rows or not counts[other][goal_row]:
                    continue
                reached = _exchanged(counts, blank, other, goal_row)
                if reached not in numbers:
                    numbers[reached] = len(numbers)
                    distances.append(distances[numbers[counts]] + 1)
                    queue.append((reached, other))
                steps[direction][goal_row] = numbers[reached]
        moves.append(steps)
    return WalkingTable(
        numbers, np.array(distances, dtype=np.uint8), np.array(moves, dtype=np.int32)
    )


def _exchanged(counts: Counts, blank: int, other: int, goal_row: int) -> Counts:
    rows = list(counts)
    rows[other] = _changed(counts[other], goal_row, -1)
    rows[blank] = _changed(counts[blank], goal_row, 1)
    return tuple(rows)


@cache
def _changed(row: tuple[int, ...], goal_row: int, by: int) -> tuple[int, ...]:
    """Return a row with more or fewer tiles of one goal row; there are no more than 70 rows."""
    return (*row[:goal_row], row[goal_row] + by, *row[goal_row + 1 :])


def row_counts(task: Placement) -> Counts:
    """Return the distribution of a task's tiles over rows."""
    counts = [[0] * task.height for _ in range(task.height)]
    for cell, goal in enumerate(task.tiles):
        if goal != task.goal_blank:
            counts[cell // task.width][goal // task.width] += 1
    return tuple(tuple(row) for row in counts)


def column_counts(task: Placement) -> Counts:
    """Return the distribution of a task's tiles over columns."""
    counts = [[0] * task.width for _ in range(task.width)]
    for cell, goal in enumerate(task.tiles):
        if goal != task.goal_blank:
            counts[cell % task.width][goal % task.width] += 1
    return tuple(tuple(row) for row in counts)


class WalkingBounds(NamedTuple):
    """Manhattan distance, and the numbers of the two present distributions."""

    manhattan: AdditiveBounds
    states: Int64Array
    vertical_steps: Int32Array
    vertical_distances: UInt8Array
    horizontal_steps: Int32Array
    horizontal_distances: UInt8Array


@kernel(error_model="numpy")
def step(bounds: WalkingBounds, position: Position, direction: int) -> None:
    """Move the blank."""
    tile, to, origin = slide(position, direction)
    count_move(bounds.manhattan, tile, to, origin)
    states, width = bounds.states, position.numbers[WIDTH]
    # A vertical move changes no tile's column, and a horizontal one no tile's row.
    if direction < 2:
        states[VERTICAL] = bounds.vertical_steps[states[VERTICAL], direction, tile // width]
    else:
        steps = bounds.horizontal_steps
        states[HORIZONTAL] = steps[states[HORIZONTAL], direction - 2, tile % width]


@kernel(entry=True, error_model="numpy")
def estimate(bounds: WalkingBounds) -> int:
    """Return the lower bound on the moves from the present position."""
    vertical = np.int64(bounds.vertical_distances[bounds.states[VERTICAL]])
    horizontal = np.int64(bounds.horizontal_distances[bounds.states[HORIZONTAL]])
    # The two add up, since each move is either vertical or horizontal.
    return max(bounds.manhattan.numbers[SUM], vertical + horizontal)  # type: ignore[no-any-return]


@kernel(entry=True, error_model="numpy")
def search_slice(position: Position, bounds: WalkingBounds, bound: int, budget: int) -> int:
    """Search with these bounds; see `deepen`."""
    return deepen(position, bounds, step, estimate, bound, budget)


def _prepare(task: Placement) -> Job[Progress, WalkingBounds]:
    if max(task.width, task.height) > LONGEST_SIDE:
        raise InvalidInputError(
            f"The algorithm walking-distance takes boards of up to {LONGEST_SIDE} x "
            f"{LONGEST_SIDE} cells."
        )
    yield Progress("walking distances", 0, 2, "tables")
    vertical = walking_table(task.height, task.width, task.goal_blank // task.width)
    yield Progress("walking distances", 1, 2, "tables")
    horizontal = walking_table(task.width, task.height, task.goal_blank % task.width)
    states = [vertical.numbers[row_counts(task)], horizontal.numbers[column_counts(task)]]
    return WalkingBounds(
        manhattan_bounds(task),
        np.array(states, dtype=np.int64),
        vertical.next_state,
        vertical.distances,
        horizontal.next_state,
        horizontal.distances,
    )


WALKING_DISTANCE: Final = Heuristic(_prepare, estimate, search_slice)
