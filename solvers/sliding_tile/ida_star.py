"""IDA*: depth-first search below a bound on moves that grows until a solution fits (Korf, 1985).

The compiled kernel works in slices of a number of tries, so that a search can report how it is
going and be interrupted. All bounds are updated move by move: pattern tables by their index,
walking distances by their transitions, and linear conflicts in the two lines that a move changes.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from solvers.foundation.arrays import Int64Array
from solvers.sliding_tile.ida_star_kernel import (
    ADDITIVE,
    BLANK,
    CONFLICTS,
    COUNTS_CONFLICTS,
    DEPTH,
    FOUND,
    GENERATED,
    GOAL_BLANK,
    HEIGHT,
    HORIZONTAL,
    INDICES,
    NEXT_BOUND,
    PAUSED,
    VERTICAL,
    WALKS,
    WIDTH,
    SearchState,
    conflicts_in_line,
    estimate,
    search_slice,
)
from solvers.sliding_tile.pattern_database import PatternTables
from solvers.sliding_tile.placement import Placement
from solvers.sliding_tile.walking_distance import (
    WalkingTable,
    column_counts,
    row_counts,
    walking_table,
)

MOVE_LETTERS = "udlr"
TRIES_PER_SLICE = 5_000_000
LONGEST_PATH = 400
"""Room for a path; the longest optimal solution of the 24-puzzle is shorter than 210 moves."""


@dataclass(frozen=True)
class SearchProgress:
    """`moves` is None until the solution is found."""

    bound: int
    generated: int
    moves: str | None


class IdaStar:
    """One task and its bounds: pattern tables, and if wanted conflicts or walking distance."""

    def __init__(
        self,
        task: Placement,
        patterns: PatternTables,
        *,
        linear_conflicts: bool = False,
        walking: bool = False,
    ) -> None:
        vertical, horizontal = _walking_tables(task) if walking else (_NO_WALKS, _NO_WALKS)
        self._search = SearchState(
            numbers=_numbers(task, patterns),
            cells=task.cells().astype(np.int64),
            tiles=_tiles(task, patterns),
            tables=np.concatenate(patterns.tables),
            vertical_steps=vertical.next_state,
            vertical_distances=vertical.distances,
            horizontal_steps=horizontal.next_state,
            horizontal_distances=horizontal.distances,
            path=np.zeros((LONGEST_PATH, 2), dtype=np.int64),
        )
        numbers = self._search.numbers
        numbers[COUNTS_CONFLICTS], numbers[WALKS] = linear_conflicts, walking
        if linear_conflicts:
            numbers[CONFLICTS] = _all_conflicts(task, self._search)
        if walking:
            numbers[VERTICAL] = vertical.numbers[row_counts(task)]
            numbers[HORIZONTAL] = horizontal.numbers[column_counts(task)]

    @property
    def bound(self) -> int:
        """Return the lower bound on the moves from the current position."""
        search = self._search
        distances = search.vertical_distances, search.horizontal_distances
        return int(estimate(search.numbers, *distances))

    def run(self) -> Iterator[SearchProgress]:
        """Yield after every slice; the last one holds the solution."""
        bound, numbers = self.bound, self._search.numbers
        if bound == 0:
            yield SearchProgress(0, 0, "")
            return
        while True:
            numbers[DEPTH], numbers[NEXT_BOUND] = 0, LONGEST_PATH
            self._search.path[0, 1] = 0
            status = PAUSED
            while status == PAUSED:
                status = int(search_slice(self._search, bound, TRIES_PER_SLICE))
                moves = self._moves() if status == FOUND else None
                yield SearchProgress(bound, int(numbers[GENERATED]), moves)
            if status == FOUND:
                return
            bound = int(numbers[NEXT_BOUND])

    def _moves(self) -> str:
        length = int(self._search.numbers[DEPTH])
        return "".join(MOVE_LETTERS[direction] for direction in self._search.path[:length, 0])


_NO_WALKS = WalkingTable({}, np.zeros(1, dtype=np.uint8), np.zeros((1, 2, 1), dtype=np.int32))


def _walking_tables(task: Placement) -> tuple[WalkingTable, WalkingTable]:
    return (
        walking_table(task.height, task.width, task.goal_blank // task.width),
        walking_table(task.width, task.height, task.goal_blank % task.width),
    )


def _tiles(task: Placement, patterns: PatternTables) -> Int64Array:
    """Return for each tile its weight, and where its pattern's index and table are."""
    tiles = np.zeros((task.cell_count, 3), dtype=np.int64)
    base = 0
    for number, (pattern, table) in enumerate(zip(patterns.patterns, patterns.tables, strict=True)):
        for place, tile in enumerate(pattern):
            tiles[tile] = task.cell_count**place, INDICES + number, base
        base += len(table)
    return tiles


def _numbers(task: Placement, patterns: PatternTables) -> Int64Array:
    """Return the kernel's numbers at the start, without conflicts and walks."""
    indices = [
        sum(task.tiles.index(tile) * task.cell_count**place for place, tile in enumerate(pattern))
        for pattern in patterns.patterns
    ]
    numbers = np.array([0] * INDICES + indices, dtype=np.int64)
    numbers[WIDTH], numbers[HEIGHT] = task.width, task.height
    numbers[GOAL_BLANK], numbers[BLANK] = task.goal_blank, task.blank
    placed = zip(patterns.tables, indices, strict=True)
    numbers[ADDITIVE] = sum(int(table[index]) for table, index in placed)
    return numbers


def _all_conflicts(task: Placement, search: SearchState) -> int:
    lines = [(row, False) for row in range(task.height)]
    lines += [(column, True) for column in range(task.width)]
    return sum(int(conflicts_in_line(search.numbers, search.cells, *line)) for line in lines)
