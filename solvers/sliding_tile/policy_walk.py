"""Solves the 8-puzzle by the policy table, as the board's programs do, in plain Python.

The table knows positions with the blank on an edge cell. Starts and goals with the blank in a
corner or in the centre are one move away from two or four of those; here every pair of them is
walked and the shortest path taken, where the board compares distances mod 3.
"""

from functools import cache

from solvers.sliding_tile.board import BLANK, MOVES, OPPOSITE, Board
from solvers.sliding_tile.hub_states import (
    EDGE_COUNT,
    IDENTITY,
    RING_CELLS,
    RING_SIZE,
    Hub,
    turn,
)
from solvers.sliding_tile.policy_table import (
    CLOCKWISE,
    THROUGH_CENTRE,
    TRIT_UNITS,
    PolicyTables,
    build_policy_tables,
)

CENTRE_CELL = 4
EDGE_CELLS = RING_CELLS[::2]
OUT_LETTERS = "urdl"
"""Moves of the blank from the centre to edges 0 to 3."""


@cache
def _tables() -> PolicyTables:
    return build_policy_tables()


def policy_moves(start: Board, goal: Board) -> str:
    """Return a shortest solution of a solvable pair of 3 x 3 boards."""
    if start == goal:
        return ""
    paths = (
        first + _between_edges(from_edge, to_edge) + OPPOSITE.get(last, "")
        for first, from_edge in _onto_edges(start)
        for last, to_edge in _onto_edges(goal)
    )
    return min(paths, key=len)


def _onto_edges(board: Board) -> list[tuple[str, Board]]:
    """Return the boards with the blank on an edge cell that are at most one move away."""
    if board.blank in EDGE_CELLS:
        return [("", board)]
    moves = [move for move in MOVES if board.target(board.blank, move) in EDGE_CELLS]
    return [(move, board.moved(move)) for move in moves]


def _between_edges(start: Board, goal: Board) -> str:
    """Walk down the policy from one edge state to another; seen from the goal's edge."""
    frame = EDGE_CELLS.index(goal.blank)
    edge = (EDGE_CELLS.index(start.blank) - frame) % EDGE_COUNT
    labels = {tile: label for label, tile in enumerate(_ring(goal, frame))}
    hub = tuple(labels[tile] for tile in _ring(start, frame))
    moves = ""

    def out(number: int) -> str:
        return OUT_LETTERS[(number + frame) % EDGE_COUNT]

    while hub != IDENTITY:
        ways = _ways(hub)
        if ways[edge] == THROUGH_CENTRE:
            exit_edge = next(q for q, way in enumerate(ways) if way != THROUGH_CENTRE)
            moves, edge = moves + out(edge + 2) + out(exit_edge), exit_edge
        clockwise = ways[edge] == CLOCKWISE
        beyond = edge + 1 if clockwise else edge - 1
        moves += out(beyond) + out(edge + 2)
        hub = turn(hub, edge if clockwise else beyond % EDGE_COUNT, clockwise)
        edge = beyond % EDGE_COUNT
    return moves + (out(edge + 2) + out(0) if edge else "")


def _ring(board: Board, frame: int) -> tuple[int, ...]:
    """Return the tiles round the centre from edge `frame` on, the blank moved into the centre."""
    cells = (RING_CELLS[(index + 2 * frame) % RING_SIZE] for index in range(RING_SIZE))
    tiles = (board.cells[cell] for cell in cells)
    return tuple(board.cells[CENTRE_CELL] if tile == BLANK else tile for tile in tiles)


def _ways(hub: Hub) -> list[int]:
    """Return the trits of the four edges of a hub state."""
    coset, element, flipped = _tables().cosets.split(hub)
    byte = _tables().policy[coset][element]
    ways = [byte // unit % 3 for unit in TRIT_UNITS]
    if not flipped:
        return ways
    # In the mirror edges 1 and 3 change places, and so do the two ways round a corner.
    return [way and 3 - way for way in (ways[0], ways[3], ways[2], ways[1])]
