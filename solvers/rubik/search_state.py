"""The arrays that hold a running search, so that it can stop and go on between two solutions.

The position is searched in six directions: turned so that each of the three axes is U-D in turn,
and the inverse of each. All six are searched to one length of phase 1 before the next length.
"""

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

DIRECTIONS: Final = 6
NEVER: Final = 99
"""More than any distance."""

MAX_LENGTH: Final = 40
"""Room for the moves of a solution; phase 1 needs at most 12, phase 2 at most 18."""

MAX_FOUND: Final = 64
"""Room for solutions found before the search is asked to stop."""

# Columns of a position on the path of phase 1. CLASS, SYMMETRY and TWIST are those of `flip_slice`,
# CORNERS and SLICE the order of eight and the four-edges coordinate of `coordinates`. DISTANCE is
# the distance to phase 2; with the small tables alone it is known only where NODE is.
CLASS: Final = 0
SYMMETRY: Final = 1
TWIST: Final = 2
DISTANCE: Final = 3
CORNERS: Final = 4
SLICE: Final = 5
NODE: Final = 6  # in the graph of `near_goal`, or -1
LAST_FACE: Final = 7  # of the move that led here, or -1
NEXT: Final = 8  # number of the next move, or of the next edge of NODE, to try
MOVE: Final = 9  # the move tried last
PROMISING: Final = 10  # mask of the moves after which the remaining ones can suffice
U_EDGES: Final = 11  # four-edges coordinates, at the start of a direction only
D_EDGES: Final = 12
COLUMNS: Final = 13

# Columns of a position on the path of phase 2; LAST_FACE, NEXT and MOVE would be the same numbers.
P2_CORNERS: Final = 0
P2_EDGES: Final = 1
P2_SLICE: Final = 2
P2_LAST_FACE: Final = 3
P2_NEXT: Final = 4
P2_MOVE: Final = 5
P2_COLUMNS: Final = 6

# Entries of `control`.
LENGTH: Final = 0  # of phase 1, now searched
DIRECTION: Final = 1  # now searched
DEPTH: Final = 2  # of the path of phase 1, -1 when the direction is finished
LIMIT: Final = 3  # longest solution still wanted
EXTRA: Final = 4  # the limit after a solution is its length plus this
FOUND: Final = 5  # number of solutions in `found`
WORK: Final = 6  # neighbours looked at
CONTROLS: Final = 7

# Columns of a solution: its direction, its length and then its moves, as seen in that direction.
FOUND_DIRECTION: Final = 0
FOUND_LENGTH: Final = 1
FOUND_MOVES: Final = 2


class SearchState(NamedTuple):
    """A running search; the columns of each array are named above."""

    control: npt.NDArray[np.int64]
    directions: npt.NDArray[np.int32]
    phase_1: npt.NDArray[np.int32]
    phase_2: npt.NDArray[np.int32]
    found: npt.NDArray[np.int32]


def new_search(limit: int, extra: int) -> SearchState:
    """Return a search that has not begun, for solutions of at most `limit` moves.

    After a solution of n moves the limit is n + `extra`.
    """
    control = np.zeros(CONTROLS, np.int64)
    control[DIRECTION] = -1
    control[DEPTH] = -1
    control[LIMIT] = limit
    control[EXTRA] = extra
    return SearchState(
        control,
        np.zeros((DIRECTIONS, COLUMNS), np.int32),
        np.zeros((MAX_LENGTH, COLUMNS), np.int32),
        np.zeros((MAX_LENGTH, P2_COLUMNS), np.int32),
        np.zeros((MAX_FOUND, FOUND_MOVES + MAX_LENGTH), np.int32),
    )
