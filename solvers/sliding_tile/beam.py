"""Beam search: from the boards at each distance only the most promising are expanded.

A board is promising if a lower bound of its moves is small: the sum of its tiles' distances from
home (Manhattan distance), plus two for each tile that must leave its line to let others pass
(Hansson, Mayer and Yung, 1992). A board that was in the beam before does not enter it again, so the
search never runs in circles; it can end without a solution.
"""

from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np

from solvers.foundation.arrays import Int32Array, Int64Array, UInt8Array
from solvers.foundation.progress import Job, Progress
from solvers.sliding_tile.board import MOVES, Board, Placement

LETTERS: Final = "udlr"
SEEN_BITS: Final = 16
"""Bits, for each board that can be in the beam, in the table of boards seen. Of two boards with the
same bit the later one is lost: at most one of 16. With two bits most narrow beams died out."""

MOST_BYTES: Final = 600_000_000
BYTES_PER_BOARD: Final = 2 * SEEN_BITS // 8 + 5
"""The table of boards seen, whose length is a power of two, and the way back from each board."""

NOISE: Final = 2.5
"""Random weight added to a distance. A little more than one step: sums of distances at the same
depth differ by two."""

LONGEST_LINE: Final = 6
"""Of longer lines there are too many patterns for a table."""

_NO_MOVE: Final = -1
_BITS: Final = np.left_shift(1, np.arange(8)).astype(np.uint8)


class Moves(NamedTuple):
    """The moves to the boards of one depth, a row each; `marks` are Zobrist hashes (Zobrist, 1970).

    `from_row` is the board before, `blank` where the blank is after the move, `came_by` the move.
    """

    from_row: Int64Array
    blank: Int64Array
    came_by: Int64Array
    distance: Int64Array
    marks: Int64Array

    def select(self, rows: Int64Array) -> "Moves":
        """Return some of them."""
        return Moves(*(column[rows] for column in self))


def widest_beam(most: int) -> int:
    """Return the width of the widest beam for fewer than `most` moves, by its memory."""
    return MOST_BYTES // (BYTES_PER_BOARD * max(most, 1))


def beam_search(task: Placement, width: int, most: int) -> Job[Progress, str | None]:
    """Search for a solution of fewer than `most` moves, keeping `width` boards at each depth.

    Returns the moves, or None. The larger the width, the shorter they are. The memory grows with
    width times `most`; see `widest_beam`.
    """
    # Seeded by its arguments: the same board gets the same solution on every machine.
    draw = np.random.default_rng((width, most))
    tables = _tables(task, draw)
    boards, moves = _start(task, tables)
    # The boards seen are as many as the beam can hold, so the table grows with the beam.
    seen = np.zeros(_power_of_two(SEEN_BITS * width * most) // 8 or 1, dtype=np.uint8)
    latest = np.empty(_power_of_two(4 * width), dtype=np.int32)
    back: list[tuple[Int32Array, UInt8Array]] = []
    for made in range(most):
        if not len(moves.distance):
            return None
        nearest = int(moves.distance.argmin())
        if moves.distance[nearest] == 0:
            return _moves_to(nearest, back)
        yield Progress(f"keeping {width} boards", made, None, "moves")
        moves = _next(boards, moves, tables, seen, latest)
        if len(moves.distance) > width:
            # Noise decides among boards that are about equal; otherwise all would descend from one.
            worth = moves.distance + NOISE * draw.random(len(moves.distance), dtype=np.float32)
            moves = moves.select(np.argpartition(worth, width)[:width])
        np.bitwise_or.at(seen, moves.marks >> 3 & (len(seen) - 1), _BITS[moves.marks & 7])
        back.append((moves.from_row.astype(np.int32), moves.came_by.astype(np.uint8)))
        boards = _moved(boards, moves, tables)
    return None


def _power_of_two(least: int) -> int:
    return 1 << max(0, least - 1).bit_length()


class _Boards(NamedTuple):
    """Boards of one depth: what is on their cells, and the pattern of each row and column.

    A pattern numbers the goal places along a line of those of its tiles that belong in it.
    """

    cells: UInt8Array
    patterns: Int32Array


class _Tables(NamedTuple):
    """`target` (4, cells) is where the blank goes; `cost` and `mark` (tiles, cells) a tile's.

    `line` (2, cells) is the row and the column of a cell, `share` (2, tiles, cells) what a tile
    there adds to their patterns, and `conflicts` the moves that a pattern costs.
    """

    target: Int64Array
    cost: Int64Array
    mark: Int64Array
    line: Int64Array
    share: Int32Array
    conflicts: Int64Array
    blank: int


def _tables(task: Placement, draw: np.random.Generator) -> _Tables:
    cells = task.cell_count
    board = Board(task.width, task.height, tuple(range(cells)))
    targets = [[board.target(cell, move) for cell in range(cells)] for move in MOVES]
    rows, columns = np.divmod(np.arange(cells), task.width)
    cost = abs(rows[:, None] - rows) + abs(columns[:, None] - columns)
    mark = draw.integers(0, 1 << 62, size=(cells, cells))
    longest = max(task.width, task.height)
    base = longest + 1 if longest <= LONGEST_LINE else 0
    in_row = (rows[:, None] == rows) * (columns[:, None] + 1) * base**columns
    in_column = (columns[:, None] == columns) * (rows[:, None] + 1) * base**rows
    share = np.array([in_row, in_column], dtype=np.int32) * (base > 0)
    # The blank counts neither as a distance nor as a part of what distinguishes boards.
    cost[task.goal_blank] = mark[task.goal_blank] = share[:, task.goal_blank] = 0
    target = np.array([[_NO_MOVE if to is None else to for to in each] for each in targets])
    line = np.array([rows, task.height + columns])
    return _Tables(target, cost, mark, line, share, _conflicts(longest), task.goal_blank)


@lru_cache(maxsize=LONGEST_LINE)
def _conflicts(length: int) -> Int64Array:
    """Return twice the tiles that must leave a line of each pattern so that others can pass."""
    if length > LONGEST_LINE:
        return np.zeros(1, dtype=np.int64)
    places = np.arange((length + 1) ** length)[:, None] // (length + 1) ** np.arange(length)
    places %= length + 1
    # The longest increasing subsequence can stay; here the longest that ends at each tile.
    rising = (places > 0).astype(np.int64)
    for after in range(1, length):
        for before in range(after):
            follows = (places[:, before] > 0) & (places[:, before] < places[:, after])
            longer = np.where(follows, rising[:, before] + 1, 0)
            np.maximum(rising[:, after], longer, out=rising[:, after])
    return np.asarray(2 * ((places > 0).sum(axis=1) - rising.max(axis=1)))


def _start(task: Placement, tables: _Tables) -> tuple[_Boards, Moves]:
    """Return the one board of the start, and how it is reached: by no move."""
    tiles, places = np.array(task.tiles), np.arange(task.cell_count)
    patterns = np.zeros((1, task.width + task.height), dtype=np.int32)
    for along in range(2):
        np.add.at(patterns[0], tables.line[along], tables.share[along, tiles, places])
    distance = tables.cost[tiles, places].sum() + tables.conflicts[patterns[0]].sum()
    marks = np.bitwise_xor.reduce(tables.mark[tiles, places])
    none = np.array([_NO_MOVE])
    moves = Moves(none, np.array([task.blank]), none, np.array([distance]), np.array([marks]))
    return _Boards(tiles.astype(np.uint8)[None], patterns), moves


def _next(
    boards: _Boards, moves: Moves, tables: _Tables, seen: UInt8Array, latest: Int32Array
) -> Moves:
    """Return the moves from some boards to new ones, each reached once.

    `latest` is room for finding boards that are reached twice.
    """
    cells, patterns, conflicts = *boards, tables.conflicts
    found = []
    for direction in range(len(LETTERS)):
        targets = tables.target[direction, moves.blank]
        # The move back to where a board came from is left out.
        rows = np.flatnonzero((targets >= 0) & (moves.came_by != direction ^ 1))
        blank, target = moves.blank[rows], targets[rows]
        tile = cells[rows, target]
        marks = moves.marks[rows] ^ tables.mark[tile, blank] ^ tables.mark[tile, target]
        new = np.flatnonzero(seen[marks >> 3 & (len(seen) - 1)] & _BITS[marks & 7] == 0)
        rows, blank, target, tile = rows[new], blank[new], target[new], tile[new]
        distance = moves.distance[rows] + tables.cost[tile, blank] - tables.cost[tile, target]
        # Up and down the tile changes its row, and passes no other in its column.
        along = direction // 2
        for cell, sign in ((target, -1), (blank, 1)):
            before = patterns[rows, tables.line[along, cell]]
            after = before + sign * tables.share[along, tile, cell]
            distance += conflicts[after] - conflicts[before]
        found.append((rows, target, np.full(len(new), direction), distance, marks[new]))
    every = Moves(*(np.concatenate(column) for column in zip(*found, strict=True)))
    # Different boards reach the same one, which stays once: where its hash was written last. Other
    # boards with the same entry stay too.
    entries, numbers = every.marks & (len(latest) - 1), np.arange(len(every.marks), dtype=np.int32)
    latest[entries] = numbers
    last = latest[entries]
    return every.select(np.flatnonzero((last == numbers) | (every.marks[last] != every.marks)))


def _moved(boards: _Boards, moves: Moves, tables: _Tables) -> _Boards:
    """Return the boards after their moves."""
    cells, patterns = boards.cells[moves.from_row], boards.patterns[moves.from_row]
    rows = np.arange(len(moves.blank))
    before = tables.target[moves.came_by ^ 1, moves.blank]
    tile = cells[rows, moves.blank]
    for along in range(2):
        patterns[rows, tables.line[along, moves.blank]] -= tables.share[along, tile, moves.blank]
        patterns[rows, tables.line[along, before]] += tables.share[along, tile, before]
    cells[rows, before] = tile
    cells[rows, moves.blank] = tables.blank
    return _Boards(cells, patterns)


def _moves_to(row: int, back: list[tuple[Int32Array, UInt8Array]]) -> str:
    backwards = []
    for from_row, came_by in reversed(back):
        backwards.append(LETTERS[came_by[row]])
        row = int(from_row[row])
    return "".join(reversed(backwards))
