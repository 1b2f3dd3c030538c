"""Lower bounds on the number of moves, as plain functions.

The searches compute the same bounds step by step in compiled code; these are what they are tested
against, and what explains them.
"""

from solvers.sliding_tile.placement import Placement


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
