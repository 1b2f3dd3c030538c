"""Beam search: from the boards at each distance only the most promising are expanded.

A board is promising if the sum of its tiles' distances from home (Manhattan distance) is small. A
board that was in the beam before does not enter it again, so the search never runs in circles; it
can end without a solution.
"""

from typing import Final, NamedTuple

import numpy as np

from solvers.foundation.arrays import BoolArray, Int64Array, UInt8Array
from solvers.foundation.progress import Job, Progress
from solvers.sliding_tile.board import MOVES, Board, Placement

LETTERS: Final = "udlr"
SEEN_BITS: Final = 22
"""Size of the table of boards seen; of two boards with the same entry the later one is lost."""

NOISE: Final = 2.5
"""Random weight added to a distance. A little more than one step: sums of distances at the same
depth differ by two."""

_NO_MOVE: Final = -1


class Boards(NamedTuple):
    """The boards of one depth, a row each; `marks` are Zobrist hashes (Zobrist, 1970)."""

    cells: UInt8Array
    blank: Int64Array
    came_by: Int64Array
    distance: Int64Array
    marks: Int64Array

    def select(self, rows: Int64Array) -> "Boards":
        """Return some of them."""
        cells, *others = self
        return Boards(cells[rows], *(column[rows] for column in others))


def beam_search(task: Placement, width: int, most: int) -> Job[Progress, str | None]:
    """Search for a solution of fewer than `most` moves, keeping `width` boards at each depth.

    Returns the moves, or None. The larger the width, the shorter they are.
    """
    # Seeded by its arguments: the same board gets the same solution on every machine.
    draw = np.random.default_rng((width, most))
    tables = _tables(task, draw)
    boards = _start(task, tables)
    seen = np.zeros(1 << SEEN_BITS, dtype=bool)
    parents: list[Int64Array] = []
    taken: list[Int64Array] = []
    for made in range(most):
        if not len(boards.distance):
            return None
        nearest = int(boards.distance.argmin())
        if boards.distance[nearest] == 0:
            return _moves_to(nearest, parents, taken)
        yield Progress(f"keeping {width} boards", made, None, "moves")
        from_row, boards = _next(boards, tables, seen)
        if len(from_row) > width:
            # Noise decides among boards that are about equal; otherwise all would descend from one.
            worth = boards.distance + NOISE * draw.random(len(from_row))
            best = np.argpartition(worth, width)[:width]
            from_row, boards = from_row[best], boards.select(best)
        seen[boards.marks & (len(seen) - 1)] = True
        parents.append(from_row)
        taken.append(boards.came_by)
        boards = boards._replace(cells=_moved(boards, tables))
    return None


class _Tables(NamedTuple):
    """`target` (4, cells) is where the blank goes; `cost` and `mark` (tiles, cells) a tile's."""

    target: Int64Array
    cost: Int64Array
    mark: Int64Array
    blank: int


def _tables(task: Placement, draw: np.random.Generator) -> _Tables:
    cells = task.cell_count
    board = Board(task.width, task.height, tuple(range(cells)))
    targets = [[board.target(cell, move) for cell in range(cells)] for move in MOVES]
    rows, columns = np.divmod(np.arange(cells), task.width)
    cost = abs(rows[:, None] - rows) + abs(columns[:, None] - columns)
    mark = draw.integers(0, 1 << 62, size=(cells, cells))
    # The blank counts neither as a distance nor as a part of what distinguishes boards.
    cost[task.goal_blank] = mark[task.goal_blank] = 0
    target = np.array([[_NO_MOVE if to is None else to for to in each] for each in targets])
    return _Tables(target, cost, mark, task.goal_blank)


def _start(task: Placement, tables: _Tables) -> Boards:
    tiles, places = np.array(task.tiles), np.arange(task.cell_count)
    return Boards(
        tiles.astype(np.uint8)[None],
        np.array([task.blank]),
        np.array([_NO_MOVE]),
        np.array([tables.cost[tiles, places].sum()]),
        np.array([np.bitwise_xor.reduce(tables.mark[tiles, places])]),
    )


def _next(boards: Boards, tables: _Tables, seen: BoolArray) -> tuple[Int64Array, Boards]:
    """Return the rows that were expanded and their successors; `cells` are not yet moved."""
    found = []
    for direction in range(len(LETTERS)):
        targets = tables.target[direction, boards.blank]
        # The move back to where a board came from is left out.
        rows = np.flatnonzero((targets >= 0) & (boards.came_by != direction ^ 1))
        blank, target = boards.blank[rows], targets[rows]
        tile = boards.cells[rows, target]
        distance = boards.distance[rows] + tables.cost[tile, blank] - tables.cost[tile, target]
        marks = boards.marks[rows] ^ tables.mark[tile, blank] ^ tables.mark[tile, target]
        found.append((rows, target, np.full(len(rows), direction), distance, marks))
    columns = (np.concatenate(column) for column in zip(*found, strict=True))
    rows, target, came_by, distance, marks = columns
    # Different boards reach the same one; its first occurrence stays.
    _, once = np.unique(marks, return_index=True)
    new = once[~seen[marks[once] & (len(seen) - 1)]]
    rows = rows[new]
    moved = Boards(boards.cells, target[new], came_by[new], distance[new], marks[new])
    return rows, moved._replace(cells=boards.cells[rows])


def _moved(boards: Boards, tables: _Tables) -> UInt8Array:
    """Return the cells after the last move of each board."""
    cells, rows = boards.cells, np.arange(len(boards.blank))
    before = tables.target[boards.came_by ^ 1, boards.blank]
    cells[rows, before] = cells[rows, boards.blank]
    cells[rows, boards.blank] = tables.blank
    return cells


def _moves_to(row: int, parents: list[Int64Array], taken: list[Int64Array]) -> str:
    backwards = []
    for from_row, came_by in zip(reversed(parents), reversed(taken), strict=True):
        backwards.append(LETTERS[came_by[row]])
        row = int(from_row[row])
    return "".join(reversed(backwards))
