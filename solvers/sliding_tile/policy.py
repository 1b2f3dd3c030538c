"""The policy table of the 8-puzzle, one byte for every hub state, and the walk along it.

The byte holds one trit for each of the four edge states of the hub state, and its own distance:

    byte = 81 * (distance of the hub state in plies mod 3) + sum of trit[q] * 3**q
    trit 0: go through the centre; 1: clockwise round the next corner; 2: counter-clockwise

The distance of edge state q is that of the hub state plus 1 where the trit is 0, minus 1 elsewhere:
they are one ply apart, and the way through the centre is only taken where it helps. The goal's
own hub state holds the byte 243. So one look-up serves all crossings of the centre from one edge to
another, no move is ever tried out, and distances of neighbours can be compared mod 3.

The table knows positions with the blank on an edge cell. Starts and goals with the blank in a
corner or in the centre are one move away from two or four of those; `policy_moves` walks every pair
of them and takes the shortest path, where the board's programs compare distances mod 3.
"""

from dataclasses import dataclass
from functools import cache

from solvers.sliding_tile import hub_states
from solvers.sliding_tile.board import BLANK, MOVES, OPPOSITE, Board

THROUGH_CENTRE, CLOCKWISE, COUNTER_CLOCKWISE = range(3)
TRIT_UNITS = (1, 3, 9, 27)
DISTANCE_UNIT = 81
GOAL_BYTE = 3 * DISTANCE_UNIT


@dataclass(frozen=True)
class PolicyTables:
    """Coset tables and, for each coset and element, the byte of the module's docstring."""

    cosets: hub_states.CosetTables
    policy: tuple[bytes, ...]


def build_policy_tables() -> PolicyTables:
    """Compute the tables from nothing: about 1 s of plain Python, the same on every machine."""
    cosets = hub_states.CosetTables()
    distances = hub_states.edge_distances()
    policy = tuple(
        bytes(
            policy_byte(cosets.join(coset, element), distances)
            for element in range(len(cosets.elements))
        )
        for coset in range(len(cosets.shapes))
    )
    return PolicyTables(cosets, policy)


def policy_byte(hub: hub_states.Hub, distances: dict[tuple[hub_states.Hub, int], int]) -> int:
    """Return the byte of one hub state, given the distances of all edge states."""
    if hub == hub_states.IDENTITY:
        return GOAL_BYTE
    nearest = min(distances[hub, edge] for edge in range(hub_states.EDGE_COUNT))
    trits = sum(unit * _trit(hub, edge, nearest, distances) for edge, unit in enumerate(TRIT_UNITS))
    return DISTANCE_UNIT * ((nearest + 1) % 3) + trits


def _trit(
    hub: hub_states.Hub, edge: int, nearest: int, distances: dict[tuple[hub_states.Hub, int], int]
) -> int:
    if distances[hub, edge] > nearest:
        return THROUGH_CENTRE
    beyond = hub_states.turn(hub, edge, True), (edge + 1) % hub_states.EDGE_COUNT
    return CLOCKWISE if distances[beyond] < nearest else COUNTER_CLOCKWISE


CENTRE_CELL = 4
EDGE_CELLS = hub_states.RING_CELLS[::2]
OUT_LETTERS = "urdl"
"""Moves of the blank from the centre to edges 0 to 3."""


@cache
def _policy_tables() -> PolicyTables:
    return build_policy_tables()


def policy_moves(start: Board, goal: Board) -> str:
    """Return a shortest solution of a solvable pair of 3 x 3 boards."""
    if start == goal:  # in a corner or the centre the paths below would leave and come back
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
    edge = (EDGE_CELLS.index(start.blank) - frame) % hub_states.EDGE_COUNT
    labels = {tile: label for label, tile in enumerate(_ring(goal, frame))}
    hub = tuple(labels[tile] for tile in _ring(start, frame))
    moves = ""

    def out(number: int) -> str:
        return OUT_LETTERS[(number + frame) % hub_states.EDGE_COUNT]

    while hub != hub_states.IDENTITY:
        ways = _ways(hub)
        # All edges that are nearer than the centre are equally near, so the first one will do.
        if ways[edge] == THROUGH_CENTRE:
            exit_edge = next(q for q, way in enumerate(ways) if way != THROUGH_CENTRE)
            moves, edge = moves + out(edge + 2) + out(exit_edge), exit_edge
        clockwise = ways[edge] == CLOCKWISE
        beyond = edge + 1 if clockwise else edge - 1
        moves += out(beyond) + out(edge + 2)
        hub = hub_states.turn(hub, edge if clockwise else beyond % hub_states.EDGE_COUNT, clockwise)
        edge = beyond % hub_states.EDGE_COUNT
    return moves + (out(edge + 2) + out(0) if edge else "")


def _ring(board: Board, frame: int) -> tuple[int, ...]:
    """Return the tiles round the centre from edge `frame` on, the blank moved into the centre."""
    cells = (
        hub_states.RING_CELLS[(index + 2 * frame) % hub_states.RING_SIZE]
        for index in range(hub_states.RING_SIZE)
    )
    tiles = (board.cells[cell] for cell in cells)
    return tuple(board.cells[CENTRE_CELL] if tile == BLANK else tile for tile in tiles)


def _ways(hub: hub_states.Hub) -> list[int]:
    """Return the trits of the four edges of a hub state."""
    coset, element, flipped = _policy_tables().cosets.split(hub)
    byte = _policy_tables().policy[coset][element]
    ways = [byte // unit % 3 for unit in TRIT_UNITS]
    if not flipped:
        return ways
    # In the mirror edges 1 and 3 change places, and so do the two ways round a corner.
    return [way and 3 - way for way in (ways[0], ways[3], ways[2], ways[1])]
