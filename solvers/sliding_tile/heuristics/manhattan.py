"""Manhattan distance: the rows and columns between every tile and its goal."""

from typing import Final

import numpy as np

from solvers.foundation.progress import Job, Progress
from solvers.sliding_tile.heuristics.additive import (
    AdditiveBounds,
    PatternTables,
    additive_bounds,
    estimate,
    search_slice,
)
from solvers.sliding_tile.heuristics.heuristic import Heuristic
from solvers.sliding_tile.placement import Placement


def manhattan_tables(task: Placement) -> PatternTables:
    """Return one table per tile: patterns of a single tile each."""
    width, cells = task.width, np.arange(task.cell_count)
    tiles = [cell for cell in range(task.cell_count) if cell != task.goal_blank]
    tables = tuple(
        (abs(cells // width - tile // width) + abs(cells % width - tile % width)).astype(np.uint8)
        for tile in tiles
    )
    return PatternTables(tuple((tile,) for tile in tiles), tables)


def manhattan_bounds(task: Placement) -> AdditiveBounds:
    """Return the distance at a task's start, to be kept up to date by `additive`."""
    return additive_bounds(task, manhattan_tables(task))


def _prepare(task: Placement) -> Job[Progress, AdditiveBounds]:
    yield from ()  # made in one go
    return manhattan_bounds(task)


MANHATTAN: Final = Heuristic(_prepare, estimate, search_slice)
