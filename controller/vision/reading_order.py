"""The nine cells of a face in reading order, and what turning its picture does to that order."""

import numpy as np

from solvers.foundation.arrays import Float64Array, Int64Array

# Column and row of the nine cells.
CELLS: Float64Array = np.array([[i % 3, i // 3] for i in range(9)], dtype=np.float64)

# Which cell is read where after the picture was turned clockwise by a quarter.
QUARTER_TURNED: Int64Array = np.array([6, 3, 0, 7, 4, 1, 8, 5, 2])


def turned_orders() -> Int64Array:
    """Return the reading orders of a picture turned clockwise by 0 to 3 quarters, (4, 9)."""
    orders = [np.arange(9)]
    for _ in range(3):
        orders.append(orders[-1][QUARTER_TURNED])
    return np.array(orders)
