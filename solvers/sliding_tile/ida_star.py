"""IDA*: depth-first search below a bound on moves that grows until a solution fits (Korf, 1985).

The compiled kernel works in slices of a number of positions, so that a search can report how it
is going and be interrupted. All bounds are updated move by move: pattern tables by their index,
walking distances by their transitions, and linear conflicts in the two lines that a move changes.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from numba import njit

from solvers.sliding_tile.pattern_database import PatternTables
from solvers.sliding_tile.placement import Placement
from solvers.sliding_tile.steps import target_of
from solvers.sliding_tile.walking_distance import (
    WalkingTable,
    column_counts,
    row_counts,
    walking_table,
)

MOVE_LETTERS = "udlr"
POSITIONS_PER_SLICE = 5_000_000
LONGEST_PATH = 400
"""Room for a path; the longest optimal solution of the 24-puzzle is shorter than 210 moves."""

EXHAUSTED, FOUND, PAUSED = range(3)

# Where the kernel keeps its scalars between slices.
DEPTH, BLANK, ADDITIVE, VERTICAL, HORIZONTAL, CONFLICTS, NEXT_BOUND, GENERATED = range(8)

Ints = npt.NDArray[np.int64]


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
        self._task = task
        self._linear_conflicts = linear_conflicts
        self._cells = task.cells().astype(np.int64)
        self._weights, self._owner = _weights(task, patterns)
        self._bases = np.cumsum([0, *(len(table) for table in patterns.tables)]).astype(np.int64)
        self._tables = np.concatenate(patterns.tables)
        self._indices = _indices(task, patterns)
        self._scalars = np.zeros(8, dtype=np.int64)
        self._path = np.zeros((LONGEST_PATH, 2), dtype=np.int64)
        self._walks = _no_walks() if not walking else _walks(task)
        self._set_bounds(walking)

    def _set_bounds(self, walking: bool) -> None:
        scalars = self._scalars
        scalars[BLANK] = self._task.blank
        scalars[ADDITIVE] = sum(
            int(self._tables[base + index])
            for base, index in zip(self._bases, self._indices, strict=False)
        )
        if self._linear_conflicts:
            task = self._task
            lines = [(row, False) for row in range(task.height)]
            lines += [(column, True) for column in range(task.width)]
            scalars[CONFLICTS] = sum(
                _line_conflicts(self._cells, task.width, task.height, task.goal_blank, *line)
                for line in lines
            )
        if walking:
            vertical, horizontal = _walking_tables(self._task)
            scalars[VERTICAL] = vertical.numbers[row_counts(self._task)]
            scalars[HORIZONTAL] = horizontal.numbers[column_counts(self._task)]

    @property
    def bound(self) -> int:
        """Return the lower bound on the moves from the current position."""
        return int(_estimate(self._scalars, self._walks[1], self._walks[3]))

    def run(self) -> Iterator[SearchProgress]:
        """Yield after every slice; the last one holds the solution."""
        bound, scalars = self.bound, self._scalars
        if bound == 0:
            yield SearchProgress(0, 0, "")
            return
        while True:
            scalars[DEPTH], scalars[NEXT_BOUND] = 0, LONGEST_PATH
            self._path[0, 1] = 0
            status = PAUSED
            while status == PAUSED:
                status = self._slice(bound)
                moves = self._moves() if status == FOUND else None
                yield SearchProgress(bound, int(scalars[GENERATED]), moves)
            if status == FOUND:
                return
            bound = int(scalars[NEXT_BOUND])

    def _slice(self, bound: int) -> int:
        task = self._task
        status = _search(
            self._cells,
            task.width,
            task.height,
            task.goal_blank,
            self._weights,
            self._owner,
            self._bases,
            self._tables,
            self._indices,
            self._walks,
            self._linear_conflicts,
            self._path,
            self._scalars,
            bound,
            POSITIONS_PER_SLICE,
        )
        return int(status)

    def _moves(self) -> str:
        length = int(self._scalars[DEPTH])
        return "".join(MOVE_LETTERS[direction] for direction in self._path[:length, 0])


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


Walks = tuple[
    npt.NDArray[np.int32], npt.NDArray[np.uint8], npt.NDArray[np.int32], npt.NDArray[np.uint8]
]


def _no_walks() -> Walks:
    steps, distances = np.zeros((0, 2, 1), dtype=np.int32), np.zeros(1, dtype=np.uint8)
    return steps, distances, steps, distances


def _walking_tables(task: Placement) -> tuple[WalkingTable, WalkingTable]:
    return (
        walking_table(task.height, task.width, task.goal_blank // task.width),
        walking_table(task.width, task.height, task.goal_blank % task.width),
    )


def _walks(task: Placement) -> Walks:
    vertical, horizontal = _walking_tables(task)
    return vertical.next_state, vertical.distances, horizontal.next_state, horizontal.distances


@njit(cache=True)
def _estimate(scalars: Ints, vertical: npt.NDArray[np.uint8], horizontal: npt.NDArray[np.uint8]):  # type: ignore[no-untyped-def]
    walking = np.int64(vertical[scalars[VERTICAL]]) + np.int64(horizontal[scalars[HORIZONTAL]])
    return max(scalars[ADDITIVE] + 2 * scalars[CONFLICTS], walking)


@njit(cache=True)
def _line_conflicts(
    cells: Ints, width: int, height: int, goal_blank: int, line: int, is_column: bool
) -> int:
    """Return how many tiles must leave a row or column; heuristics.line_conflicts explains it."""
    length = height if is_column else width
    places = np.empty(length, dtype=np.int64)
    rising = np.empty(length, dtype=np.int64)
    count, longest = 0, 0
    for i in range(length):
        goal = cells[i * width + line] if is_column else cells[line * width + i]
        goal_line = goal % width if is_column else goal // width
        if goal == goal_blank or goal_line != line:
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
def _move(  # type: ignore[no-untyped-def]
    direction: int,
    cells: Ints,
    width: int,
    height: int,
    goal_blank: int,
    weights: Ints,
    owner: Ints,
    bases: Ints,
    tables: npt.NDArray[np.uint8],
    indices: Ints,
    walks,
    conflicts: bool,
    scalars: Ints,
) -> None:
    """Move the blank up, down, left or right (0 to 3) and update every bound."""
    blank = scalars[BLANK]
    offset = (-width, width, -1, 1)[direction]
    target = blank + offset
    tile = cells[target]
    one, other = (
        (blank // width, target // width) if direction < 2 else (blank % width, target % width)
    )
    # A vertical move changes which tiles stand in two rows, and no column's order.
    is_column = direction >= 2
    if conflicts:
        scalars[CONFLICTS] -= _line_conflicts(cells, width, height, goal_blank, one, is_column)
        scalars[CONFLICTS] -= _line_conflicts(cells, width, height, goal_blank, other, is_column)
    cells[blank], cells[target] = tile, goal_blank
    scalars[BLANK] = target
    if conflicts:
        scalars[CONFLICTS] += _line_conflicts(cells, width, height, goal_blank, one, is_column)
        scalars[CONFLICTS] += _line_conflicts(cells, width, height, goal_blank, other, is_column)
    pattern = owner[tile]
    scalars[ADDITIVE] -= tables[bases[pattern] + indices[pattern]]
    indices[pattern] -= offset * weights[tile]
    scalars[ADDITIVE] += tables[bases[pattern] + indices[pattern]]
    if len(walks[0]) > 0:
        if direction < 2:
            scalars[VERTICAL] = walks[0][scalars[VERTICAL], direction, tile // width]
        else:
            scalars[HORIZONTAL] = walks[2][scalars[HORIZONTAL], direction - 2, tile % width]


@njit(cache=True)
def _search(  # type: ignore[no-untyped-def]
    cells: Ints,
    width: int,
    height: int,
    goal_blank: int,
    weights: Ints,
    owner: Ints,
    bases: Ints,
    tables: npt.NDArray[np.uint8],
    indices: Ints,
    walks,
    conflicts: bool,
    path: Ints,
    scalars: Ints,
    bound: int,
    budget: int,
) -> int:
    """Go on for `budget` positions. path[depth] is the move taken and the next one to try."""
    depth = scalars[DEPTH]
    for _ in range(budget):
        while path[depth, 1] == 4:
            if depth == 0:
                return EXHAUSTED
            depth -= 1
            back = path[depth, 0] ^ 1
            _move(back, cells, width, height, goal_blank, weights, owner, bases, tables, indices,
                  walks, conflicts, scalars)  # fmt: skip
        direction = path[depth, 1]
        path[depth, 1] += 1
        if depth > 0 and path[depth - 1, 0] == direction ^ 1:
            continue
        if target_of(scalars[BLANK], direction, width, height) < 0:
            continue
        _move(direction, cells, width, height, goal_blank, weights, owner, bases, tables, indices,
              walks, conflicts, scalars)  # fmt: skip
        scalars[GENERATED] += 1
        path[depth, 0] = direction
        rest = _estimate(scalars, walks[1], walks[3])
        if rest == 0:
            scalars[DEPTH] = depth + 1
            return FOUND
        if depth + 1 + rest > bound:
            scalars[NEXT_BOUND] = min(scalars[NEXT_BOUND], depth + 1 + rest)
            _move(direction ^ 1, cells, width, height, goal_blank, weights, owner, bases, tables,
                  indices, walks, conflicts, scalars)  # fmt: skip
        else:
            depth += 1
            path[depth, 1] = 0
    scalars[DEPTH] = depth
    return PAUSED
