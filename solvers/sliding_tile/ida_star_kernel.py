"""The compiled part of IDA*: one move with all bounds, and the search in slices.

The functions take single arrays and not the tuple that holds them: numba counts a reference for
every array it takes out of a tuple, which made the search three times as slow.
"""

from typing import NamedTuple

import numpy as np

from solvers.foundation.arrays import Int32Array, Int64Array, UInt8Array
from solvers.foundation.compiled import compiled
from solvers.sliding_tile.steps import target_of

EXHAUSTED, FOUND, PAUSED = range(3)

# Entries of `numbers`: the task, where the search stands, and from INDICES on the index of each
# pattern's placement.
WIDTH, HEIGHT, GOAL_BLANK, COUNTS_CONFLICTS, WALKS = range(5)
DEPTH, BLANK, ADDITIVE, VERTICAL, HORIZONTAL, CONFLICTS, NEXT_BOUND, GENERATED = range(5, 13)
INDICES = 13

# Columns of `tiles`: the factor of a tile's cell in its pattern's index, the entry of `numbers`
# with that index, and where the pattern's table starts.
WEIGHT, INDEX, BASE = range(3)


class SearchState(NamedTuple):
    """A task, its tables, and where its search stands. Tiles are named by their goal cells."""

    numbers: Int64Array
    cells: Int64Array  # tile in each cell
    tiles: Int64Array
    tables: UInt8Array
    vertical_steps: Int32Array
    vertical_distances: UInt8Array
    horizontal_steps: Int32Array
    horizontal_distances: UInt8Array
    path: Int64Array  # by depth: the move taken (0 to 3), and the next one to try


@compiled
def estimate(
    numbers: Int64Array, vertical_distances: UInt8Array, horizontal_distances: UInt8Array
) -> int:
    """Return the lower bound on the moves from the current position."""
    bound = numbers[ADDITIVE] + 2 * numbers[CONFLICTS]
    if numbers[WALKS]:
        vertical = np.int64(vertical_distances[numbers[VERTICAL]])
        horizontal = np.int64(horizontal_distances[numbers[HORIZONTAL]])
        bound = max(bound, vertical + horizontal)
    return int(bound)


@compiled
def conflicts_in_line(numbers: Int64Array, cells: Int64Array, line: int, is_column: bool) -> int:
    """Return how many tiles must leave a row or column; heuristics.line_conflicts explains it."""
    width = numbers[WIDTH]
    length = numbers[HEIGHT] if is_column else width
    places = np.empty(length, dtype=np.int64)
    rising = np.empty(length, dtype=np.int64)
    count, longest = 0, 0
    for i in range(length):
        goal = cells[i * width + line] if is_column else cells[line * width + i]
        goal_line = goal % width if is_column else goal // width
        if goal == numbers[GOAL_BLANK] or goal_line != line:
            continue
        places[count] = goal // width if is_column else goal % width
        rising[count] = 1
        for j in range(count):
            if places[j] < places[count] and rising[j] + 1 > rising[count]:
                rising[count] = rising[j] + 1
        longest = max(longest, rising[count])
        count += 1
    return count - longest


@compiled
def _both_lines(
    numbers: Int64Array, cells: Int64Array, direction: int, blank: int, target: int
) -> int:
    """Return the conflicts in the two lines that a move changes.

    A vertical move changes which tiles stand in two rows, and the order of no column.
    """
    width = numbers[WIDTH]
    is_column = direction >= 2
    one = blank % width if is_column else blank // width
    other = target % width if is_column else target // width
    return conflicts_in_line(numbers, cells, one, is_column) + conflicts_in_line(
        numbers, cells, other, is_column
    )


@compiled
def _move(
    numbers: Int64Array,
    cells: Int64Array,
    tiles: Int64Array,
    tables: UInt8Array,
    vertical_steps: Int32Array,
    horizontal_steps: Int32Array,
    direction: int,
) -> None:
    """Move the blank, which has to be possible, and update every bound."""
    width, blank = numbers[WIDTH], numbers[BLANK]
    target = target_of(blank, direction, width, numbers[HEIGHT])
    tile = cells[target]
    if numbers[COUNTS_CONFLICTS]:
        numbers[CONFLICTS] -= _both_lines(numbers, cells, direction, blank, target)
    cells[blank], cells[target] = tile, numbers[GOAL_BLANK]
    numbers[BLANK] = target
    if numbers[COUNTS_CONFLICTS]:
        numbers[CONFLICTS] += _both_lines(numbers, cells, direction, blank, target)
    index, base = tiles[tile, INDEX], tiles[tile, BASE]
    numbers[ADDITIVE] -= tables[base + numbers[index]]
    numbers[index] += (blank - target) * tiles[tile, WEIGHT]
    numbers[ADDITIVE] += tables[base + numbers[index]]
    if numbers[WALKS]:
        if direction < 2:
            numbers[VERTICAL] = vertical_steps[numbers[VERTICAL], direction, tile // width]
        else:
            state = numbers[HORIZONTAL]
            numbers[HORIZONTAL] = horizontal_steps[state, direction - 2, tile % width]


@compiled
def search_slice(search: SearchState, bound: int, budget: int) -> int:
    """Go on for `budget` tries; return EXHAUSTED, FOUND or PAUSED."""
    numbers, cells, tiles, tables = search.numbers, search.cells, search.tiles, search.tables
    down, across, path = search.vertical_steps, search.horizontal_steps, search.path
    down_distances, across_distances = search.vertical_distances, search.horizontal_distances
    width, height = numbers[WIDTH], numbers[HEIGHT]
    depth = numbers[DEPTH]
    for _ in range(budget):
        while path[depth, 1] == 4:
            if depth == 0:
                return EXHAUSTED
            depth -= 1
            _move(numbers, cells, tiles, tables, down, across, path[depth, 0] ^ 1)
        direction = path[depth, 1]
        path[depth, 1] += 1
        if depth > 0 and path[depth - 1, 0] == direction ^ 1:
            continue
        if target_of(numbers[BLANK], direction, width, height) < 0:
            continue
        _move(numbers, cells, tiles, tables, down, across, direction)
        numbers[GENERATED] += 1
        path[depth, 0] = direction
        rest = estimate(numbers, down_distances, across_distances)
        if rest == 0:
            numbers[DEPTH] = depth + 1
            return FOUND
        if depth + 1 + rest > bound:
            numbers[NEXT_BOUND] = min(numbers[NEXT_BOUND], depth + 1 + rest)
            _move(numbers, cells, tiles, tables, down, across, direction ^ 1)
        else:
            depth += 1
            path[depth, 1] = 0
    numbers[DEPTH] = depth
    return PAUSED
