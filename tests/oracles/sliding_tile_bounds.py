"""Lower bounds and distances as plain functions, which the compiled ones are tested against."""

from collections import deque

from solvers.sliding_tile.board import MOVES, Board, Placement
from solvers.sliding_tile.heuristics.walking_distance import (
    column_counts,
    row_counts,
    walking_table,
)


def manhattan(task: Placement) -> int:
    """Return the sum over all tiles of the rows and columns between a tile and its goal."""
    return sum(
        abs(cell // task.width - goal // task.width) + abs(cell % task.width - goal % task.width)
        for cell, goal in enumerate(task.tiles)
        if goal != task.goal_blank
    )


def linear_conflict(task: Placement) -> int:
    """Return Manhattan distance plus two moves for each tile that must leave its line.

    Two tiles that belong in the line they are in, in the other order, cannot pass each other: one
    has to step aside and back (Hansson, Mayer and Yung, 1992).
    """
    width, height, blank = task.width, task.height, task.goal_blank
    rows = [
        line_conflicts(
            [
                goal % width
                for goal in task.tiles[row * width : (row + 1) * width]
                if goal != blank and goal // width == row
            ]
        )
        for row in range(height)
    ]
    columns = [
        line_conflicts(
            [
                goal // width
                for goal in task.tiles[column::width]
                if goal != blank and goal % width == column
            ]
        )
        for column in range(width)
    ]
    return manhattan(task) + 2 * (sum(rows) + sum(columns))


def line_conflicts(places: list[int]) -> int:
    """Return how many tiles of a line have to leave it so that the others are in order.

    `places` are the goal places, along the line, of the tiles that belong in it.
    """
    rising: list[int] = []
    for index, place in enumerate(places):
        before = [rising[i] for i in range(index) if places[i] < place]
        rising.append(1 + max(before, default=0))
    return len(places) - max(rising, default=0)


def walking_distance(task: Placement) -> int:
    """Return the sum of both walking tables' distances."""
    vertical = walking_table(task.height, task.width, task.goal_blank // task.width)
    horizontal = walking_table(task.width, task.height, task.goal_blank % task.width)
    return int(
        vertical.distances[vertical.numbers[row_counts(task)]]
        + horizontal.distances[horizontal.numbers[column_counts(task)]]
    )


def plain_distances(goal_blank: int) -> dict[tuple[int, ...], int]:
    """Return the same distances by permutation, from a plain breadth-first search (a second)."""
    board = Board(3, 3, tuple(range(9)))
    start = tuple(range(9))
    found = {start: 0}
    queue = deque([start])
    while queue:
        tiles = queue.popleft()
        blank = tiles.index(goal_blank)
        for move in MOVES:
            target = board.target(blank, move)
            if target is None:
                continue
            swapped = list(tiles)
            swapped[blank], swapped[target] = swapped[target], swapped[blank]
            reached = tuple(swapped)
            if reached not in found:
                found[reached] = found[tiles] + 1
                queue.append(reached)
    return found
