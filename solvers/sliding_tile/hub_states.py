"""The 8-puzzle seen from its centre: hub states, edge states, the moves between them, and cosets.

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

`CosetTables` writes hub states as pairs of small numbers, so that a move is two table look-ups. Let
H be the even permutations of labels that map {0}, {1, 7} and {2, ..., 6} to themselves. It has 120
elements, so the 20 160 hub states fall into 168 cosets of H: states of one coset have their labels
0, 1/7 and 2..6 on the same ring indices. A coset and its mirror image need only one number; 87
numbers are left. A hub state is therefore

    (coset, element, flipped):  hub = element after representative(coset), mirrored if flipped.

Going round a corner multiplies on the other side than H does. It changes the coset by a table of
87 entries per turn, and the element by one of a few *rows*: tables of 120 entries that multiply
with a fixed element, or mirror and multiply. An 8-bit processor follows a path this way without
ever ranking a permutation again.
"""

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, permutations

RING_CELLS = (1, 2, 5, 8, 7, 6, 3, 0)
"""Board cell, counted in rows from the top left, of each ring index."""

RING_SIZE = 8
EDGE_COUNT = 4
IDENTITY = tuple(range(RING_SIZE))

Hub = tuple[int, ...]

TURNS = tuple((corner, clockwise) for corner in range(EDGE_COUNT) for clockwise in (True, False))
"""The eight ways round a corner: corner c is between the edges c and c + 1."""


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
    """Return whether sorting different numbers, all from 0 up, takes an even number of swaps."""
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


PAIR = (1, 7)
FIVE = (2, 3, 4, 5, 6)
ELEMENT_COUNT = 120
"""Orders of the five labels; the order of the pair follows from parity."""

Element = tuple[int, ...]
"""A permutation of labels: `element[label]` is the label that takes its place."""

Shape = tuple[int, frozenset[int]]
"""What a coset is: the ring index of label 0 and those of labels 1 and 7."""


@dataclass(frozen=True)
class Step:
    """What one turn does to one coset: the coset it leads to and the row for the element."""

    coset: int
    row: int
    flips: bool


@dataclass(frozen=True)
class Row:
    """Table for elements: mirror first if `mirrors`, then multiply with `factor`."""

    mirrors: bool
    factor: Element


class CosetTables:
    """All tables of the module's docstring, built once on construction (about 0.1 s)."""

    def __init__(self) -> None:
        self.shapes = _stored_shapes()
        self._numbers = {shape: number for number, shape in enumerate(self.shapes)}
        self.elements = tuple(_element(order) for order in permutations(range(len(FIVE))))
        self._element_numbers = {element: i for i, element in enumerate(self.elements)}
        self.representatives = tuple(_representative(*shape) for shape in self.shapes)
        rows: dict[Row, int] = {}
        self.steps = tuple(
            tuple(self._step(coset, turn_number, rows) for coset in range(len(self.shapes)))
            for turn_number in range(len(TURNS))
        )
        # Rows for shapes that are stored as their mirror image come after those of the turns.
        for shape in _all_shapes():
            self._upright_row(shape, rows)
        self._row_numbers = rows
        self.rows = tuple(rows)

    @cached_property
    def row_tables(self) -> tuple[tuple[int, ...], ...]:
        """Return for each row the element that each element becomes."""
        return tuple(
            tuple(self._multiplied(element, row) for element in self.elements) for row in self.rows
        )

    def locate(self, shape: Shape) -> tuple[int, bool]:
        """Return the number of the coset, and whether it is stored as its mirror image."""
        number = self._numbers.get(shape)
        return (self._numbers[_mirrored(shape)], True) if number is None else (number, False)

    def upright_row(self, shape: Shape) -> int | None:
        """Return the row that turns a hub state upright whose shape is stored as its mirror image.

        The element before is the order of the five labels as they stand. Returns None for a shape
        that is stored itself.
        """
        row = self._upright_row(shape, {})
        return None if row is None else self._row_numbers[row]

    def pair_is_ordered(self, shape: Shape) -> bool:
        """Return whether label 1 stands before label 7 where the five labels are in order."""
        representative = _representative(*shape)
        return representative.index(1) < representative.index(7)

    def split(self, hub: Hub) -> tuple[int, int, bool]:
        """Return (coset, element, flipped) of an even hub state."""
        coset, flipped = self.locate(shape_of(hub))
        upright = mirror(hub) if flipped else hub
        element = _quotient(upright, self.representatives[coset])
        return coset, self._element_numbers[element], flipped

    def join(self, coset: int, element: int) -> Hub:
        """Return the hub state that is not flipped."""
        labels = self.elements[element]
        return tuple(labels[label] for label in self.representatives[coset])

    def _step(self, coset: int, turn_number: int, rows: dict[Row, int]) -> Step:
        turned = turn(self.representatives[coset], *TURNS[turn_number])
        target, flips = self.locate(shape_of(turned))
        upright = mirror(turned) if flips else turned
        row = Row(flips, _quotient(upright, self.representatives[target]))
        return Step(target, rows.setdefault(row, len(rows)), flips)

    def _upright_row(self, shape: Shape, rows: dict[Row, int]) -> Row | None:
        coset, flipped = self.locate(shape)
        if not flipped:
            return None
        upright = mirror(_representative(*shape))
        row = Row(True, _quotient(upright, self.representatives[coset]))
        rows.setdefault(row, len(rows))
        return row

    def _multiplied(self, element: Element, row: Row) -> int:
        left = mirror(element) if row.mirrors else element
        return self._element_numbers[tuple(left[label] for label in row.factor)]


def shape_of(hub: Hub) -> Shape:
    """Return the shape of the coset that a hub state belongs to."""
    return hub.index(0), frozenset(hub.index(label) for label in PAIR)


def _mirrored(shape: Shape) -> Shape:
    return -shape[0] % RING_SIZE, frozenset(-index % RING_SIZE for index in shape[1])


def _all_shapes() -> list[Shape]:
    return [
        (zero, frozenset(pair))
        for zero in range(RING_SIZE)
        for pair in combinations(range(RING_SIZE), 2)
        if zero not in pair
    ]


def _stored_shapes() -> tuple[Shape, ...]:
    shapes: dict[Shape, None] = {}
    for shape in _all_shapes():
        if _mirrored(shape) not in shapes:
            shapes[shape] = None
    return tuple(shapes)


def _element(order: tuple[int, ...]) -> Element:
    """Return the element that puts label 2 + i into place order[i] of the five."""
    labels = list(IDENTITY)
    for index, place in enumerate(order):
        labels[FIVE[place]] = FIVE[index]
    # The pair's order is not free: all elements are even permutations.
    if not is_even(labels):
        labels[1], labels[7] = 7, 1
    return tuple(labels)


def _representative(zero: int, pair: frozenset[int]) -> Hub:
    """Return the even hub state of a shape whose five labels stand in ascending order."""
    five = iter(FIVE)
    low, high = sorted(pair)
    hub = [0 if index in (zero, low, high) else next(five) for index in range(RING_SIZE)]
    hub[low], hub[high] = PAIR
    if not is_even(hub):
        hub[low], hub[high] = hub[high], hub[low]
    return tuple(hub)


def _quotient(hub: Hub, representative: Hub) -> Element:
    """Return the element that turns the representative into the hub state."""
    return tuple(hub[representative.index(label)] for label in range(RING_SIZE))
