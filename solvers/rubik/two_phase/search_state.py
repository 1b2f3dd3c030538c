"""The arrays that hold a running search, so that it can stop and go on between two solutions.

The position is searched in six directions: turned so that each of the three axes is U-D in turn,
and the inverse of each. Hard ones are also searched in 48 more: each of the six with one of the
eight moves that are not in phase 2 put before it. It then is the last move of the solution: if
P G S is solved, so is G S P. All directions are searched to one length of phase 1, the move before
included, before the next length.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final, NamedTuple

import numpy as np

from solvers.foundation.arrays import Int8Array, Int32Array, Int64Array
from solvers.rubik.cubies import CubieCube

DIRECTIONS: Final = 6
ALL_DIRECTIONS: Final = DIRECTIONS * 9
FIRST_LENGTH_WITH_MOVE_BEFORE: Final = 10
"""Most positions are solved by then, and need not set up 48 directions."""

NEVER: Final = 99
"""More than any distance."""

CUBE_SIZE: Final = 40
"""A cube as one array: corner permutation, corner twist, edge permutation, edge flip."""

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
U_EDGES: Final = 11  # four-edges coordinates, down to the depth EDGES_KNOWN alone
D_EDGES: Final = 12
MOVE_BEFORE: Final = 13  # the move put before this direction, or -1
COLUMNS: Final = 14

# Columns of a position on the path of phase 2.
P2_CORNERS: Final = 0
P2_EDGES: Final = 1
P2_SLICE: Final = 2
P2_LAST_FACE: Final = 3
P2_NEXT: Final = 4
P2_MOVE: Final = 5
P2_COLUMNS: Final = 6

# Entries of `control`.
LENGTH: Final = 0  # of phase 1 and the move before it, now searched
DIRECTION: Final = 1  # now searched
DEPTH: Final = 2  # of the path of phase 1, -1 when the direction is finished
LIMIT: Final = 3  # longest solution still wanted
EXTRA: Final = 4  # the limit after a solution is its length plus this
FOUND: Final = 5  # number of solutions in `found`
WORK: Final = 6  # neighbours looked at
PHASE_1_LENGTH: Final = 7  # LENGTH without the move before
STAGE: Final = 8  # one of the three below
EDGES_KNOWN: Final = 9  # depth down to which the path of phase 1 has U_EDGES and D_EDGES
CONTROLS: Final = 10

NEW: Final = 0
RUNNING: Final = 1
UNSOLVABLE: Final = 2  # no turning leads from start to target

# Columns of a solution: its direction, its length and then its moves, as seen in that direction;
# when the kernel hands it out, the moves as they are and whether a replay led to the target.
FOUND_DIRECTION: Final = 0
FOUND_LENGTH: Final = 1
FOUND_VERIFIED: Final = 2
FOUND_MOVES: Final = 3


class SearchState(NamedTuple):
    """A running search; the columns of each array are named above.

    ends: start and target, shape (2, 40).
    cubes: the first six directions, shape (6, 40); scratch: room for three others.
    runs: room for a solution while it is brought to normal form.
    """

    control: Int64Array
    ends: Int8Array
    cubes: Int8Array
    scratch: Int8Array
    directions: Int32Array
    phase_1: Int32Array
    phase_2: Int32Array
    found: Int32Array
    runs: Int32Array


def new_search(start: CubieCube, target: CubieCube, limit: int, extra: int) -> SearchState:
    """Return a search that has not begun, for solutions of at most `limit` moves.

    After a solution of n moves the limit is n + `extra`.
    """
    state = SearchState(
        np.empty(CONTROLS, np.int64),
        np.empty((2, CUBE_SIZE), np.int8),
        np.empty((DIRECTIONS, CUBE_SIZE), np.int8),
        np.empty((3, CUBE_SIZE), np.int8),
        np.empty((ALL_DIRECTIONS, COLUMNS), np.int32),
        np.empty((MAX_LENGTH, COLUMNS), np.int32),
        np.empty((MAX_LENGTH, P2_COLUMNS), np.int32),
        np.empty((MAX_FOUND, FOUND_MOVES + MAX_LENGTH), np.int32),
        np.empty((MAX_LENGTH, 3), np.int32),
    )
    _begin_anew(state, start, target, limit, extra)
    return state


def _begin_anew(
    state: SearchState, start: CubieCube, target: CubieCube, limit: int, extra: int
) -> None:
    """Make a search in the same arrays that has not begun; see `new_search`."""
    state.ends[:] = start.numbers(), target.numbers()
    state.directions.fill(-1)
    control = state.control
    control.fill(0)
    control[DIRECTION] = -1
    control[DEPTH] = -1
    control[LIMIT] = limit
    control[EXTRA] = extra


_idle_searches: Final[list[SearchState]] = []
"""Arrays of searches that are over; making them takes as long as an easy cube's search."""


@contextmanager
def lent_search(
    start: CubieCube, target: CubieCube, limit: int, extra: int
) -> Iterator[SearchState]:
    """Lend a search that has not begun; its arrays are kept for a later one."""
    try:
        state = _idle_searches.pop()
        _begin_anew(state, start, target, limit, extra)
    except IndexError:
        state = new_search(start, target, limit, extra)
    try:
        yield state
    finally:
        _idle_searches.append(state)
