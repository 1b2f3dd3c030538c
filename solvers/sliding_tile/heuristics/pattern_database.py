"""Additive pattern databases: exact move counts of a few tiles at a time, which may be added.

A pattern is a set of tiles, named by their goal cells. Its table holds, for every placement of
these tiles, the least number of *their* moves that brings them home, whatever the other tiles do.
Manhattan distance is the special case of patterns with a single tile; see `additive`.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np

from solvers.foundation.arrays import UInt8Array
from solvers.foundation.compiled import compiled
from solvers.foundation.progress import Job, Progress
from solvers.foundation.table_cache import Building, load_or_build
from solvers.sliding_tile.heuristics.additive import (
    AdditiveBounds,
    Pattern,
    PatternTables,
    additive_bounds,
    estimate,
    search_slice,
)
from solvers.sliding_tile.heuristics.heuristic import Heuristic
from solvers.sliding_tile.heuristics.manhattan import manhattan_bounds
from solvers.sliding_tile.placement import Placement
from solvers.sliding_tile.steps import target_of

TABLE_VERSION = 1

# Patterns by board size, for goals with the blank in the first or the last cell, as goal cells
# counted from the end where the blank is: contiguous groups keep the tiles' conflicts together.
_GROUPS = {
    (3, 3): ((1, 2, 4, 5), (3, 6, 7, 8)),
    (4, 4): ((1, 2, 3, 6, 7), (4, 5, 8, 9, 12), (10, 11, 13, 14, 15)),
}


def patterns_for(width: int, height: int, goal_blank: int) -> tuple[Pattern, ...]:
    """Return the patterns of a board; () if its size, or its goal's blank, has none."""
    groups = _GROUPS.get((width, height), ())
    last = width * height - 1
    if goal_blank == 0:
        return groups
    if goal_blank == last:
        return tuple(tuple(sorted(last - tile for tile in group)) for group in groups)
    return ()


def _prepare(task: Placement) -> Job[Progress, AdditiveBounds]:
    """Get the tables from the cache or build them (4 x 4: some seconds, 3 MB).

    Boards and goals without patterns of their own get the tables of Manhattan distance.
    """
    patterns = patterns_for(task.width, task.height, task.goal_blank)
    if not patterns:
        return manhattan_bounds(task)
    tables = []
    for pattern in patterns:
        tables.append((yield from _table(task, pattern)))
    return additive_bounds(task, PatternTables(patterns, tuple(tables)))


def _table(task: Placement, pattern: Pattern) -> Building:
    def build() -> Building:
        yield from ()  # made in one go
        return build_table(task.width, task.height, task.goal_blank, pattern)

    tiles = "-".join(map(str, pattern))
    name = f"sliding-{task.width}x{task.height}-{task.goal_blank}-{tiles}"
    shape = (task.cell_count ** len(pattern),)
    return load_or_build(name, TABLE_VERSION, shape, np.uint8, build)


def build_table(width: int, height: int, goal_blank: int, pattern: Sequence[int]) -> UInt8Array:
    """Return the table of one pattern; entries of impossible placements are 255."""
    cells = width * height
    index = sum(tile * cells**place for place, tile in enumerate(pattern))
    with_blank = _distances(width, height, index * cells + goal_blank, len(pattern))
    return np.asarray(with_blank.reshape(-1, cells).min(axis=1), dtype=np.uint8)


@compiled
def _reach(state: int, target: int, tiles: int, cells: int) -> tuple[int, int]:
    """Return the state after the blank moved to `target`, and 1 if that moved a pattern's tile.

    A state is its placement's index * cells + the blank's cell.
    """
    blank = state % cells
    reached, cost, weight, rest = state - blank + target, 0, cells, state // cells
    for _ in range(tiles):
        if rest % cells == target:
            reached += (blank - target) * weight
            cost = 1
        rest //= cells
        weight *= cells
    return reached, cost


@compiled
def _distances(width: int, height: int, start: int, tiles: int) -> UInt8Array:
    """Breadth-first over placements and the blank; only moves of the pattern's tiles count.

    States of the current distance stand in one list. A move of a foreign tile leads to the same
    distance, one of the pattern's to the next.
    """
    cells = width * height
    distances = np.full(cells ** (tiles + 1), np.uint8(255), dtype=np.uint8)
    distances[start] = 0
    here = [start]
    distance = 0
    while len(here) > 0:
        after = [state for state in here if state < 0]  # empty, of the same type
        read = 0
        while read < len(here):
            state = here[read]
            read += 1
            if distances[state] != distance:
                continue
            for direction in range(4):
                target = target_of(state % cells, direction, width, height)
                if target < 0:
                    continue
                reached, cost = _reach(state, target, tiles, cells)
                if distances[reached] > distance + cost:
                    distances[reached] = distance + cost
                    (after if cost else here).append(reached)
        here = after
        distance += 1
    return distances


PATTERN_DATABASE: Final = Heuristic(_prepare, estimate, search_slice)
