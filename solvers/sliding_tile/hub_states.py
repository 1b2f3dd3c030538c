"""The 8-puzzle seen from its centre: hub states, edge states and the moves between them.

The eight outer cells form a ring. Ring index 0 is the top edge cell and the index grows
clockwise, so edge cells have even indices and corners odd ones:

    7 0 1
    6 . 2
    5 4 3

A *hub state* is a position with the blank in the centre, written as a tuple `hub` of eight labels:
`hub[i]` is the label of the tile on ring index i. A position with the blank on edge cell q (ring
index 2q) is the *edge state* (hub, q): the hub state that moving the blank into the centre gives,
together with the edge it came from. Labels are relative to a goal with the blank on the top edge:
tile `label` belongs on ring index `label` once the goal's blank has moved into the centre, so the
goal is the edge state (identity, 0).

From an edge state the blank can go round a corner to a neighbouring edge (two plies), which turns
three labels of the hub in a circle, or into the centre and out at another edge (two plies), which
leaves the hub as it is. Turning three labels is an even permutation: 8!/2 = 20 160 hub states are
reachable, and 4 x 20 160 edge states.
"""

from collections import deque
from collections.abc import Iterable
from itertools import permutations

RING_CELLS = (1, 2, 5, 8, 7, 6, 3, 0)
"""Board cell, counted in rows from the top left, of each ring index."""

RING_SIZE = 8
EDGE_COUNT = 4
IDENTITY = tuple(range(RING_SIZE))

Hub = tuple[int, ...]

TURNS = tuple((corner, clockwise) for corner in range(EDGE_COUNT) for clockwise in (True, False))
"""The eight ways round a corner: corner c lies between the edges c and c + 1."""


def turn(hub: Hub, corner: int, clockwise: bool) -> Hub:
    """Return the hub state after the blank went round `corner`.

    Clockwise means from edge `corner` to the next edge. The blank's way is: out of the centre,
    round the corner, back into the centre.
    """
    first, middle, last = 2 * corner, 2 * corner + 1, (2 * corner + 2) % RING_SIZE
    labels = list(hub)
    if clockwise:
        labels[first], labels[middle], labels[last] = hub[middle], hub[last], hub[first]
    else:
        labels[first], labels[middle], labels[last] = hub[last], hub[first], hub[middle]
    return tuple(labels)


def mirror(hub: Hub) -> Hub:
    """Return the hub state reflected about the vertical axis, labels renamed accordingly."""
    return tuple(-hub[-index % RING_SIZE] % RING_SIZE for index in range(RING_SIZE))


def is_even(numbers: Iterable[int]) -> bool:
    """Tell whether sorting different numbers, all from 0 up, takes an even number of swaps."""
    inversions = seen = 0
    for number in numbers:
        inversions += (seen >> number).bit_count()
        seen |= 1 << number
    return inversions % 2 == 0


def all_hubs() -> list[Hub]:
    """Return the 20 160 hub states in lexicographic order."""
    return [hub for hub in permutations(range(RING_SIZE)) if is_even(hub)]


def edge_distances() -> dict[tuple[Hub, int], int]:
    """Return the distance in plies to the goal of each of the 80 640 edge states."""
    distances = {(IDENTITY, 0): 0}
    queue = deque(distances)
    while queue:
        state = queue.popleft()
        for neighbour in _neighbours(*state):
            if neighbour not in distances:
                distances[neighbour] = distances[state] + 2
                queue.append(neighbour)
    return distances


def _neighbours(hub: Hub, edge: int) -> list[tuple[Hub, int]]:
    through_centre = [(hub, other) for other in range(EDGE_COUNT) if other != edge]
    before, after = (edge - 1) % EDGE_COUNT, (edge + 1) % EDGE_COUNT
    return [(turn(hub, edge, True), after), (turn(hub, before, False), before), *through_centre]
