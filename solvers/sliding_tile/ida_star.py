"""IDA*: depth-first search below a bound on moves that grows until a solution fits (Korf, 1985).

The compiled kernel works in slices of a number of tries, so that a search can report how it is
going and be interrupted. All bounds are updated move by move: pattern tables by their index,
walking distances by their transitions, and linear conflicts in the two lines that a move changes.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from solvers.sliding_tile.ida_star_kernel import (
    ADDITIVE,
    BLANK,
    CONFLICTS,
    DEPTH,
    FOUND,
    GENERATED,
    HORIZONTAL,
    NEXT_BOUND,
    PAUSED,
    SCALARS,
    VERTICAL,
    Ints,
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
        weights, owner = _weights(task, patterns)
        self._search = SearchState(
            width=task.width,
            height=task.height,
            goal_blank=task.goal_blank,
            counts_conflicts=linear_conflicts,
            walks=walking,
            cells=task.cells().astype(np.int64),
            weights=weights,
            owner=owner,
            bases=np.cumsum([0, *map(len, patterns.tables)]).astype(np.int64),
            tables=np.concatenate(patterns.tables),
            indices=_indices(task, patterns),
            vertical_steps=vertical.next_state,
            vertical_distances=vertical.distances,
            horizontal_steps=horizontal.next_state,
            horizontal_distances=horizontal.distances,
            path=np.zeros((LONGEST_PATH, 2), dtype=np.int64),
            scalars=np.zeros(SCALARS, dtype=np.int64),
        )
        scalars = self._search.scalars
        scalars[BLANK] = task.blank
        scalars[ADDITIVE] = _additive(self._search)
        if linear_conflicts:
            scalars[CONFLICTS] = _all_conflicts(self._search)
        if walking:
            scalars[VERTICAL] = vertical.numbers[row_counts(task)]
            scalars[HORIZONTAL] = horizontal.numbers[column_counts(task)]

    @property
    def bound(self) -> int:
        """Return the lower bound on the moves from the current position."""
        return int(estimate(self._search))

    def run(self) -> Iterator[SearchProgress]:
        """Yield after every slice; the last one holds the solution."""
        bound, scalars = self.bound, self._search.scalars
        if bound == 0:
            yield SearchProgress(0, 0, "")
            return
        while True:
            scalars[DEPTH], scalars[NEXT_BOUND] = 0, LONGEST_PATH
            self._search.path[0, 1] = 0
            status = PAUSED
            while status == PAUSED:
                status = int(search_slice(self._search, bound, TRIES_PER_SLICE))
                moves = self._moves() if status == FOUND else None
                yield SearchProgress(bound, int(scalars[GENERATED]), moves)
            if status == FOUND:
                return
            bound = int(scalars[NEXT_BOUND])

    def _moves(self) -> str:
        length = int(self._search.scalars[DEPTH])
        return "".join(MOVE_LETTERS[direction] for direction in self._search.path[:length, 0])


_NO_WALKS = WalkingTable({}, np.zeros(1, dtype=np.uint8), np.zeros((1, 2, 1), dtype=np.int32))


def _walking_tables(task: Placement) -> tuple[WalkingTable, WalkingTable]:
    return (
        walking_table(task.height, task.width, task.goal_blank // task.width),
        walking_table(task.width, task.height, task.goal_blank % task.width),
    )


def _weights(task: Placement, patterns: PatternTables) -> tuple[Ints, Ints]:
    """Return for each tile the weight of its cell in its pattern's index, and the pattern."""
    weights = np.zeros(task.cell_count, dtype=np.int64)
    owner = np.zeros(task.cell_count, dtype=np.int64)
    for number, pattern in enumerate(patterns.patterns):
        for place, tile in enumerate(pattern):
            weights[tile], owner[tile] = task.cell_count**place, number
    return weights, owner


def _indices(task: Placement, patterns: PatternTables) -> Ints:
    return np.array(
        [
            sum(
                task.tiles.index(tile) * task.cell_count**place
                for place, tile in enumerate(pattern)
            )
            for pattern in patterns.patterns
        ],
        dtype=np.int64,
    )


def _additive(search: SearchState) -> int:
    starts = zip(search.bases, search.indices, strict=False)  # one base more: the end
    return sum(int(search.tables[base + index]) for base, index in starts)


def _all_conflicts(search: SearchState) -> int:
    lines = [(row, False) for row in range(search.height)]
    lines += [(column, True) for column in range(search.width)]
    return sum(int(conflicts_in_line(search, *line)) for line in lines)
