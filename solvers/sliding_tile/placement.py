"""A task in the form the searches work with: tiles numbered by the cell where they belong.

Numbering tiles by their goal makes every goal with the blank in the same cell the same goal, so
tables made once serve all of them.
"""

from dataclasses import dataclass

import numpy as np

from solvers.foundation.arrays import Int64Array
from solvers.sliding_tile.board import BLANK, Board


@dataclass(frozen=True)
class Placement:
    """`tiles[cell]` is the goal cell of the tile there; the blank's is `goal_blank`."""

    width: int
    height: int
    goal_blank: int
    tiles: tuple[int, ...]

    @property
    def blank(self) -> int:
        """Return the cell of the blank."""
        return self.tiles.index(self.goal_blank)

    @property
    def cell_count(self) -> int:
        """Return the number of cells."""
        return self.width * self.height

    def cells(self) -> Int64Array:
        """Return the tiles as an array that a search may change."""
        return np.array(self.tiles, dtype=np.int64)


def place(start: Board, goal: Board) -> Placement:
    """Return the task of leading `start` to `goal`, boards of the same size."""
    cell_of = {tile: cell for cell, tile in enumerate(goal.cells)}
    tiles = tuple(cell_of[tile] for tile in start.cells)
    return Placement(start.width, start.height, cell_of[BLANK], tiles)
