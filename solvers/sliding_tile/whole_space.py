"""Distances of all positions of the 8-puzzle: 181 440 can be reached from every goal."""

from functools import lru_cache

import numpy as np

from solvers.foundation.arrays import Int8Array, Int64Array, UInt8Array
from solvers.sliding_tile.board import MOVES, Board, Placement

SIDE = 3
CELLS = SIDE * SIDE
POSITIONS = 362_880  # 9!
UNREACHED = 255
_EMPTY = Board(SIDE, SIDE, tuple(range(CELLS)))


@lru_cache(maxsize=CELLS)
def distances_to(goal_blank: int) -> UInt8Array:
    """Return the distance of each position to the goal with the blank in that cell.

    Positions are indexed by `rank` of their tiles, which are named by their goal cells; UNREACHED
    marks those of the other parity. Takes some 40 ms; nothing is compiled for it, which would take
    longer to load.
    """
    return _breadth_first(goal_blank)


def rank(tiles: tuple[int, ...]) -> int:
    """Return the number of a permutation of 0 to 8 in lexicographic order."""
    number = 0
    for index, tile in enumerate(tiles):
        later_smaller = sum(other < tile for other in tiles[index + 1 :])
        number = number * (len(tiles) - index) + later_smaller
    return number


def distance(task: Placement) -> int:
    """Return the optimal number of moves of a task on a 3 x 3 board."""
    return int(distances_to(task.goal_blank)[rank(task.tiles)])


def downhill(task: Placement) -> str:
    """Return an optimal solution: in every position a move to a smaller distance."""
    table = distances_to(task.goal_blank)
    tiles, blank = list(task.tiles), task.blank
    moves = ""
    # From every position but the goal some move leads one nearer, so no search is needed.
    for left in range(distance(task) - 1, -1, -1):
        for move in MOVES:
            target = _EMPTY.target(blank, move)
            if target is None:
                continue
            tiles[blank], tiles[target] = tiles[target], tiles[blank]
            if table[rank(tuple(tiles))] == left:
                moves, blank = moves + move, target
                break
            tiles[blank], tiles[target] = tiles[target], tiles[blank]
    return moves


def _breadth_first(goal_blank: int) -> UInt8Array:
    """Search breadth-first from the goal: all positions of one distance at once, a column each."""
    distances = np.full(POSITIONS, UNREACHED, dtype=np.uint8)
    column_of = np.zeros(POSITIONS, dtype=np.int64)
    ring = np.arange(CELLS, dtype=np.int8)[:, None]
    distances[0] = 0
    moves = 0
    while ring.shape[1]:
        moves += 1
        ring = _reached(ring, goal_blank)
        ranks, columns = _ranks(ring), np.arange(ring.shape[1])
        column_of[ranks] = columns
        # Of several moves to the same position the last column written is kept, the others dropped.
        new = (distances[ranks] == UNREACHED) & (column_of[ranks] == columns)
        distances[ranks[new]] = moves
        ring = ring[:, new]
    return distances


def _reached(ring: Int8Array, blank: int) -> Int8Array:
    """Return the positions one move from those in the columns of `ring`, some of them twice."""
    found = []
    for cell in range(CELLS):
        there = ring[:, ring[cell] == blank]
        for move in MOVES:
            target = _EMPTY.target(cell, move)
            if target is not None:
                moved = there.copy()
                moved[[cell, target]] = there[[target, cell]]
                found.append(moved)
    return np.concatenate(found, axis=1)


def _ranks(tiles: Int8Array) -> Int64Array:
    """Return `rank` of each column."""
    numbers = np.zeros(tiles.shape[1], dtype=np.int64)
    for index in range(CELLS):
        later_smaller = np.zeros(tiles.shape[1], dtype=np.int8)
        for later in range(index + 1, CELLS):
            later_smaller += tiles[later] < tiles[index]
        numbers = numbers * (CELLS - index) + later_smaller
    return numbers
