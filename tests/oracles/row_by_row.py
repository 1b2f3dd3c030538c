"""Tilings of a rectangle by a plain count, cell by cell, with a number for each kind of tile."""

from collections import Counter
from collections.abc import Sequence

Tile = frozenset[tuple[int, int]]
Used = tuple[int, ...]


def count_tilings(height: int, width: int, kinds: Sequence[Sequence[Tile]]) -> Counter[Used]:
    """Return the number of tilings for each number of tiles of every kind.

    A kind is its tiles in all positions that are allowed, as cells (row, column) from 0, 0 on.
    """
    # What the first free cell can be covered by: cells relative to it.
    fitting = []
    for number, tiles in enumerate(kinds):
        for tile in tiles:
            row, column = min(tile)
            fitting.append((number, [(r - row, c - column) for r, c in tile]))
    # Free cells that were covered ahead, and the tiles used, with the number of ways to get there.
    ways: Counter[tuple[frozenset[tuple[int, int]], Used]] = Counter()
    ways[frozenset(), (0,) * len(kinds)] = 1
    for row in range(height):
        for column in range(width):
            after: Counter[tuple[frozenset[tuple[int, int]], Used]] = Counter()
            for (ahead, used), number in ways.items():
                if (row, column) in ahead:
                    after[ahead - {(row, column)}, used] += number
                    continue
                for kind, cells in fitting:
                    placed = frozenset((row + r, column + c) for r, c in cells)
                    inside = all(r < height and 0 <= c < width for r, c in placed)
                    if inside and not placed & ahead:
                        more = (*used[:kind], used[kind] + 1, *used[kind + 1 :])
                        after[(ahead | placed) - {(row, column)}, more] += number
            ways = after
    totals: Counter[Used] = Counter()
    for (_, used), number in ways.items():
        totals[used] += number
    return totals


def turned(cells: Sequence[tuple[int, int]]) -> list[Tile]:
    """Return a tile in its four positions, each once."""
    found = set()
    turning = list(cells)
    for _ in range(4):
        turning = [(column, -row) for row, column in turning]
        low = min(row for row, _ in turning), min(column for _, column in turning)
        found.add(frozenset((row - low[0], column - low[1]) for row, column in turning))
    return sorted(found, key=sorted)
