"""The policy table of the 8-puzzle: for every hub state one byte that says where to go.

The byte holds one trit for each of the four edge states of the hub state, and its own distance:

    byte = 81 * (distance of the hub state in plies mod 3) + sum of trit[q] * 3**q
    trit 0: go through the centre; 1: clockwise round the next corner; 2: counter-clockwise

The distance of edge state q is that of the hub state plus 1 where the trit is 0, minus 1 elsewhere:
they are one ply apart, and the way through the centre is only taken where it helps. The goal's
own hub state holds the byte 243. So one look-up serves all crossings of the centre from one edge to
another, no move is ever tried out, and distances of neighbours can be compared mod 3.
"""

from dataclasses import dataclass

from solvers.sliding_tile.coset_tables import CosetTables
from solvers.sliding_tile.hub_states import EDGE_COUNT, IDENTITY, Hub, edge_distances, turn

THROUGH_CENTRE, CLOCKWISE, COUNTER_CLOCKWISE = range(3)
TRIT_UNITS = (1, 3, 9, 27)
DISTANCE_UNIT = 81
GOAL_BYTE = 3 * DISTANCE_UNIT


@dataclass(frozen=True)
class PolicyTables:
    """Coset tables and, for each coset and element, the byte of the module's docstring."""

    cosets: CosetTables
    policy: tuple[bytes, ...]


def build_policy_tables() -> PolicyTables:
    """Compute the tables from nothing: about 1 s of plain Python, the same on every machine."""
    cosets = CosetTables()
    distances = edge_distances()
    policy = tuple(
        bytes(
            policy_byte(cosets.join(coset, element), distances)
            for element in range(len(cosets.elements))
        )
        for coset in range(len(cosets.shapes))
    )
    return PolicyTables(cosets, policy)


def policy_byte(hub: Hub, distances: dict[tuple[Hub, int], int]) -> int:
    """Return the byte of one hub state, given the distances of all edge states."""
    if hub == IDENTITY:
        return GOAL_BYTE
    nearest = min(distances[hub, edge] for edge in range(EDGE_COUNT))
    trits = sum(unit * _trit(hub, edge, nearest, distances) for edge, unit in enumerate(TRIT_UNITS))
    return DISTANCE_UNIT * ((nearest + 1) % 3) + trits


def _trit(hub: Hub, edge: int, nearest: int, distances: dict[tuple[Hub, int], int]) -> int:
    if distances[hub, edge] > nearest:
        return THROUGH_CENTRE
    beyond = turn(hub, edge, True), (edge + 1) % EDGE_COUNT
    return CLOCKWISE if distances[beyond] < nearest else COUNTER_CLOCKWISE
