"""UInt8Array of all positions of the 8-puzzle at once: 181 440 can be reached from every goal."""

from functools import lru_cache

import numpy as np

from solvers.foundation.arrays import Int8Array, UInt8Array
from solvers.foundation.compiled import compiled
from solvers.sliding_tile.board import MOVES, Board
from solvers.sliding_tile.placement import Placement
from solvers.sliding_tile.steps import target_of

SIDE = 3
CELLS = SIDE * SIDE
POSITIONS = 362_880  # 9!
UNREACHED = 255


@lru_cache(maxsize=CELLS)
def distances_to(goal_blank: int) -> UInt8Array:
    """Return the distance of each position to the goal with the blank in that cell.

    Positions are indexed by `rank` of their tiles, which are named by their goal cells; UNREACHED
    marks those of the other parity. Takes some 20 ms, and 3 s to compile the first time.
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
    board = Board(SIDE, SIDE, tuple(range(CELLS)))
    moves = ""
    for left in range(distance(task) - 1, -1, -1):
        for move in MOVES:
            target = board.target(blank, move)
            if target is None:
                continue
            tiles[blank], tiles[target] = tiles[target], tiles[blank]
            if table[rank(tuple(tiles))] == left:
                moves, blank = moves + move, target
                break
            tiles[blank], tiles[target] = tiles[target], tiles[blank]
    return moves


@compiled
def _rank(tiles: Int8Array) -> int:
    number = 0
    for index in range(9):
        later_smaller = 0
        for other in range(index + 1, 9):
            if tiles[other] < tiles[index]:
                later_smaller += 1
        number = number * (9 - index) + later_smaller
    return number


@compiled
def _breadth_first(goal_blank: int) -> UInt8Array:
    distances = np.full(362_880, np.uint8(255), dtype=np.uint8)
    queue = np.empty((181_440, 9), dtype=np.int8)
    queue[0] = np.arange(9)
    distances[0] = 0
    read, write = 0, 1
    tiles = np.empty(9, dtype=np.int8)
    while read < write:
        tiles[:] = queue[read]
        read += 1
        here = distances[_rank(tiles)]
        blank = 0
        while tiles[blank] != goal_blank:
            blank += 1
        for direction in range(4):
            target = target_of(blank, direction, 3, 3)
            if target < 0:
                continue
            tiles[blank], tiles[target] = tiles[target], tiles[blank]
            reached = _rank(tiles)
            if distances[reached] == 255:
                distances[reached] = here + 1
                queue[write] = tiles
                write += 1
            tiles[blank], tiles[target] = tiles[target], tiles[blank]
    return distances
