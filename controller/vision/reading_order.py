"""The cells of a face in reading order, and what turning its picture does to that order."""

import numpy as np

from solvers.foundation.arrays import Float64Array, Int64Array


def cells_of_face(side: int) -> Float64Array:
    """Return column and row of each cell of a face with `side` stickers a row."""
    return np.array([[i % side, i // side] for i in range(side * side)], dtype=np.float64)


CELLS: Float64Array = cells_of_face(3)

# Which cell is read where after the picture was turned clockwise by a quarter.
QUARTER_TURNED: Int64Array = np.array([6, 3, 0, 7, 4, 1, 8, 5, 2])


def turned_orders(side: int = 3) -> Int64Array:
    """Return the reading orders of a picture turned clockwise by 0 to 3 quarters, (4, side²)."""
    cells = np.arange(side * side).reshape(side, side)
    return np.array([np.rot90(cells, -quarters).ravel() for quarters in range(4)])
