"""Bounds that are sums of table entries: Manhattan distance and additive pattern databases.

A pattern is a set of tiles, named by their goal cells. Its table holds, for every placement of
these tiles, the least number of *their* moves that brings them home, whatever the other tiles do.
Patterns share no tile and count different moves, so their numbers add up to a lower bound (Korf and
Felner, 2002). Manhattan distance, the rows and columns between every tile and its goal, is the
special case of patterns with a single tile.

The index of a placement is the sum of cell * cell_count ** i over the pattern's tiles i; a move
changes one index.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from solvers.foundation.arrays import Int64Array, UInt8Array
from solvers.foundation.compiled import compiled, kernel
from solvers.foundation.progress import Job, Progress
from solvers.foundation.table_cache import Building, load_or_build
from solvers.sliding_tile.board import Placement
from solvers.sliding_tile.ida_star import Heuristic, Position, deepen, slide, target_of

Pattern = tuple[int, ...]

# Entries of `numbers`: the bound, and from INDICES on the index of each pattern's placement.
SUM, INDICES = range(2)

# Columns of `tiles`: the factor of a tile's cell in its pattern's index, the entry of `numbers`
# with that index, and where the pattern's table starts.
WEIGHT, INDEX, BASE = range(3)


@dataclass(frozen=True)
class PatternTables:
    """Tables of patterns that share no tile and together cover all of them."""

    patterns: tuple[Pattern, ...]
    tables: tuple[UInt8Array, ...]


class AdditiveBounds(NamedTuple):
    """All tables, concatenated, and the present bound."""

    numbers: Int64Array
    tiles: Int64Array
    tables: UInt8Array


def additive_bounds(task: Placement, patterns: PatternTables) -> AdditiveBounds:
    """Return the bounds at a task's start."""
    indices = [
        sum(task.tiles.index(tile) * task.cell_count**place for place, tile in enumerate(pattern))
        for pattern in patterns.patterns
    ]
    placed = zip(patterns.tables, indices, strict=True)
    bound = sum(int(table[index]) for table, index in placed)
    numbers = np.array([bound, *indices], dtype=np.int64)
    return AdditiveBounds(numbers, _tiles(task, patterns), np.concatenate(patterns.tables))


def _tiles(task: Placement, patterns: PatternTables) -> Int64Array:
    tiles = np.zeros((task.cell_count, 3), dtype=np.int64)
    base = 0
    for number, (pattern, table) in enumerate(zip(patterns.patterns, patterns.tables, strict=True)):
        for place, tile in enumerate(pattern):
            tiles[tile] = task.cell_count**place, INDICES + number, base
        base += len(table)
    return tiles


@kernel(inlining="llvm", error_model="numpy")
def count_move(bounds: AdditiveBounds, tile: int, to: int, origin: int) -> None:
    """Bring the bound up to date after a tile moved from cell `origin` to cell `to`."""
    numbers = bounds.numbers
    index, base = bounds.tiles[tile, INDEX], bounds.tiles[tile, BASE]
    # Only the moved tile's pattern changes: its old entry is replaced by the new one in the sum.
    numbers[SUM] -= bounds.tables[base + numbers[index]]
    numbers[index] += (to - origin) * bounds.tiles[tile, WEIGHT]
    numbers[SUM] += bounds.tables[base + numbers[index]]


@kernel(error_model="numpy")
def step(bounds: AdditiveBounds, position: Position, direction: int) -> None:
    """Move the blank."""
    tile, to, origin = slide(position, direction)
    count_move(bounds, tile, to, origin)


@kernel(entry=True, error_model="numpy")
def estimate(bounds: AdditiveBounds) -> int:
    """Return the lower bound on the moves from the present position."""
    return bounds.numbers[SUM]  # type: ignore[no-any-return]


@kernel(entry=True, error_model="numpy")
def search_slice(position: Position, bounds: AdditiveBounds, bound: int, budget: int) -> int:
    """Search with these bounds; see `deepen`."""
    return deepen(position, bounds, step, estimate, bound, budget)


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
    """Return the distance at a task's start, kept up to date by `count_move`."""
    return additive_bounds(task, manhattan_tables(task))


def _prepare_manhattan(task: Placement) -> Job[Progress, AdditiveBounds]:
    yield from ()  # quick: no progress events
    return manhattan_bounds(task)


MANHATTAN: Final = Heuristic(_prepare_manhattan, estimate, search_slice)


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
    # Rotated by half a turn, the board with the blank in the last cell is one with it in the first.
    if goal_blank == last:
        return tuple(tuple(sorted(last - tile for tile in group)) for group in groups)
    return ()


def _prepare_patterns(task: Placement) -> Job[Progress, AdditiveBounds]:
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
        yield from ()  # quick: no progress events
        return build_table(task.width, task.height, task.goal_blank, pattern)

    tiles = "-".join(map(str, pattern))
    name = f"sliding-{task.width}x{task.height}-{task.goal_blank}-{tiles}"
    shape = (task.cell_count ** len(pattern),)
    return load_or_build(name, TABLE_VERSION, shape, np.uint8, build)


def build_table(width: int, height: int, goal_blank: int, pattern: Sequence[int]) -> UInt8Array:
    """Return the table of one pattern; entries of impossible placements are 255."""
    cells = width * height
    index = sum(tile * cells**place for place, tile in enumerate(pattern))
    # The search follows the blank, too, but the table is for any place of the blank: the least.
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
            # The state was reached again with fewer moves after it had been put into this list.
            if distances[state] != distance:
                continue
            for direction in range(4):
                target = target_of(state % cells, direction, width, height)
                if target < 0:
                    continue
                reached, cost = _reach(state, target, tiles, cells)
                if distances[reached] > distance + cost:
                    distances[reached] = distance + cost
                    # A 0-1 breadth-first search: a foreign tile's move costs nothing.
                    (after if cost else here).append(reached)
        here = after
        distance += 1
    return distances


PATTERN_DATABASE: Final = Heuristic(_prepare_patterns, estimate, search_slice)
