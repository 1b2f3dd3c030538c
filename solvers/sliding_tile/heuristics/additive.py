"""Bounds that are sums of table entries, one table for each group of tiles.

Groups share no tile and move different tiles, so their numbers add up to a lower bound (Korf and
Felner, 2002). The index of a placement is the sum of cell * cell_count ** i over the group's
tiles i; a move changes one index.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from solvers.foundation.arrays import Int64Array, UInt8Array
from solvers.foundation.compiled import kernel
from solvers.sliding_tile.ida_star_kernel import Position, deepen, slide
from solvers.sliding_tile.placement import Placement

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
    """All tables behind one another, and the present bound."""

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
