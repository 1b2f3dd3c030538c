"""The compiled part of IDA*: one move with all bounds, and the search in slices."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from numba import njit

from solvers.sliding_tile.steps import target_of

Ints = npt.NDArray[np.int64]
Bytes = npt.NDArray[np.uint8]
Steps = npt.NDArray[np.int32]

EXHAUSTED, FOUND, PAUSED = range(3)

# Where the scalars of a search are kept between slices.
DEPTH, BLANK, ADDITIVE, VERTICAL, HORIZONTAL, CONFLICTS, NEXT_BOUND, GENERATED = range(8)
SCALARS = 8


class SearchState(NamedTuple):
    """A task, its tables, and where its search stands. Tiles are named by their goal cells."""

    width: int
    height: int
    goal_blank: int
    counts_conflicts: bool
    walks: bool
    cells: Ints  # tile in each cell
    weights: Ints  # by tile: factor of its cell in its pattern's index
    owner: Ints  # by tile: its pattern
    bases: Ints  # by pattern: where its table starts
    tables: Bytes
    indices: Ints  # by pattern: index of the current placement
    vertical_steps: Steps
    vertical_distances: Bytes
    horizontal_steps: Steps
    horizontal_distances: Bytes
    path: Ints  # by depth: the move taken (0 to 3), and the next one to try
    scalars: Ints


@njit(cache=True)
def estimate(search: SearchState) -> int:
    """Return the lower bound on the moves from the current position."""
    scalars = search.scalars
    bound = scalars[ADDITIVE] + 2 * scalars[CONFLICTS]
    if search.walks:
        vertical = np.int64(search.vertical_distances[scalars[VERTICAL]])
        horizontal = np.int64(search.horizontal_distances[scalars[HORIZONTAL]])
        bound = max(bound, vertical + horizontal)
    return int(bound)


@njit(cache=True)
def conflicts_in_line(search: SearchState, line: int, is_column: bool) -> int:
    """Return how many tiles must leave a row or column; heuristics.line_conflicts explains it."""
    width = search.width
    length = search.height if is_column else width
    places = np.empty(length, dtype=np.int64)
    rising = np.empty(length, dtype=np.int64)
    count, longest = 0, 0
    for i in range(length):
        goal = search.cells[i * width + line] if is_column else search.cells[line * width + i]
        goal_line = goal % width if is_column else goal // width
        if goal == search.goal_blank or goal_line != line:
            continue
        places[count] = goal // width if is_column else goal % width
        rising[count] = 1
        for j in range(count):
            if places[j] < places[count] and rising[j] + 1 > rising[count]:
                rising[count] = rising[j] + 1
        longest = max(longest, rising[count])
        count += 1
    return count - longest


@njit(cache=True)
def _both_lines(search: SearchState, direction: int, blank: int, target: int) -> int:
    """Return the conflicts in the two lines that a move changes.

    A vertical move changes which tiles stand in two rows, and the order of no column.
    """
    if not search.counts_conflicts:
        return 0
    if direction < 2:
        one, other = blank // search.width, target // search.width
    else:
        one, other = blank % search.width, target % search.width
    is_column = direction >= 2
    return conflicts_in_line(search, one, is_column) + conflicts_in_line(search, other, is_column)


@njit(cache=True)
def _move(search: SearchState, direction: int) -> None:
    """Move the blank, which has to be possible, and update every bound."""
    scalars, cells, width = search.scalars, search.cells, search.width
    blank = scalars[BLANK]
    target = target_of(blank, direction, width, search.height)
    tile = cells[target]
    scalars[CONFLICTS] -= _both_lines(search, direction, blank, target)
    cells[blank], cells[target] = tile, search.goal_blank
    scalars[BLANK] = target
    scalars[CONFLICTS] += _both_lines(search, direction, blank, target)
    pattern = search.owner[tile]
    base = search.bases[pattern]
    scalars[ADDITIVE] -= search.tables[base + search.indices[pattern]]
    search.indices[pattern] += (blank - target) * search.weights[tile]
    scalars[ADDITIVE] += search.tables[base + search.indices[pattern]]
    if search.walks:
        if direction < 2:
            scalars[VERTICAL] = search.vertical_steps[scalars[VERTICAL], direction, tile // width]
        else:
            state = scalars[HORIZONTAL]
            scalars[HORIZONTAL] = search.horizontal_steps[state, direction - 2, tile % width]


@njit(cache=True)
def search_slice(search: SearchState, bound: int, budget: int) -> int:
    """Go on for `budget` tries; return EXHAUSTED, FOUND or PAUSED."""
    path, scalars = search.path, search.scalars
    depth = scalars[DEPTH]
    for _ in range(budget):
        while path[depth, 1] == 4:
            if depth == 0:
                return EXHAUSTED
            depth -= 1
            _move(search, path[depth, 0] ^ 1)
        direction = path[depth, 1]
        path[depth, 1] += 1
        if depth > 0 and path[depth - 1, 0] == direction ^ 1:
            continue
        if target_of(scalars[BLANK], direction, search.width, search.height) < 0:
            continue
        _move(search, direction)
        scalars[GENERATED] += 1
        path[depth, 0] = direction
        rest = estimate(search)
        if rest == 0:
            scalars[DEPTH] = depth + 1
            return FOUND
        if depth + 1 + rest > bound:
            scalars[NEXT_BOUND] = min(scalars[NEXT_BOUND], depth + 1 + rest)
            _move(search, direction ^ 1)
        else:
            depth += 1
            path[depth, 1] = 0
    scalars[DEPTH] = depth
    return PAUSED
