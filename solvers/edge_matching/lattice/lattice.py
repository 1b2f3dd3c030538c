"""Lattices of cells: corners, sides, rotations and drawing of one kind of tile.

A cell is a shape whose corners are points with whole coordinates; its sides are sets of corners.
Two cells touch where they share all corners of a side, so which sides touch follows from the
corners alone. A tile may be put into a cell by any of the lattice's rotations.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from solvers.drawing.shapes import Shape

Corner = tuple[int, ...]
"""Across, down, and in space also towards the bottom layer."""

Labels = tuple[int, ...]
"""Labels of a tile, in the order of its sides."""

Order = tuple[int, ...]
"""Number i moves to `order[i]`."""


class Rotation(NamedTuple):
    """A rotation of a cell as permutations of its corners and sides."""

    corners: Order
    sides: Order

    def turned(self, labels: Labels) -> Labels:
        """Return the labels of a tile after this rotation."""
        after = list(labels)
        for side, label in zip(self.sides, labels, strict=True):
            after[side] = label
        return tuple(after)


@dataclass(frozen=True)
class CellKind:
    """Cells of one orientation. `letter` stands for them in a board's drawing.

    `corners` are those of the cell in the first row, column and layer; the next one's are a step
    further on. `printed_at` is the position of each side's label in a text: thirds from the left,
    and the line.
    """

    name: str
    letter: str = field(repr=False)
    corners: tuple[Corner, ...] = field(repr=False)
    printed_at: tuple[tuple[int, int], ...] = field(repr=False)
    steps: Corner = field(default=(1, 1), repr=False)


@dataclass(frozen=True)
class Lattice:
    """A kind of tiles. `name` is what board files call it, `tile` what messages call one.

    `sides` holds the corners of each side, `rotations` has the identity first, `mirror` is where
    any one reflection moves the corners. If `alternation` is given, kinds and blanks alternate like
    the squares of a chess board, and it is the end of the error message. `draw` draws a cell from
    its corners, the labels and the number of its tile; `stand` draws all cells of a solid
    assembled. A text takes `lines` for a row of cells and `thirds` for a column.
    """

    name: str
    tile: str = field(compare=False, repr=False)
    kinds: tuple[CellKind, ...] = field(compare=False, repr=False)
    sides: tuple[Order, ...] = field(compare=False, repr=False)
    rotations: tuple[Rotation, ...] = field(compare=False, repr=False)
    mirror: Order = field(compare=False, repr=False)
    draw: Callable[[Sequence[Corner], Labels, int], list[Shape]] = field(compare=False, repr=False)
    lines: int = field(compare=False, repr=False)
    thirds: int = field(compare=False, repr=False)
    stand: Callable[[Sequence[tuple[Sequence[Corner], Labels]]], list[Shape]] | None = field(
        default=None, compare=False, repr=False
    )
    alternation: str | None = field(default=None, compare=False, repr=False)

    @property
    def dimensions(self) -> int:
        """2 for rows and columns, 3 where a board has layers too."""
        return len(self.kinds[0].steps)

    @cached_property
    def reflections(self) -> tuple[Rotation, ...]:
        """All reflections of a cell: a flat one turned over, a solid one mirrored."""
        after = [tuple(each.corners[corner] for corner in self.mirror) for each in self.rotations]
        return tuple(_moved(self.sides, corners) for corners in after)


def rotations(sides: Sequence[Order], *generators: Order) -> tuple[Rotation, ...]:
    """Return all rotations that permutations of the corners generate, the identity first."""
    orders = [tuple(range(len(generators[0])))]
    for order in orders:  # which grows
        further = [tuple(generator[corner] for corner in order) for generator in generators]
        orders += [each for each in further if each not in orders]
    return tuple(_moved(sides, order) for order in orders)


def _moved(sides: Sequence[Order], corners: Order) -> Rotation:
    """Return the rotation with this permutation of the corners."""
    ends = [frozenset(side) for side in sides]
    return Rotation(
        corners, tuple(ends.index(frozenset(corners[each] for each in side)) for side in sides)
    )


def polygon_sides(number: int) -> tuple[Order, ...]:
    """Return the sides of a polygon: side k leads from corner k to corner k + 1."""
    return tuple((corner, (corner + 1) % number) for corner in range(number))


def polygon_mirror(number: int) -> Order:
    """Return a reflection of a polygon: its corners in the other sense."""
    return tuple(reversed(range(number)))


def polygon_rotations(number: int) -> tuple[Rotation, ...]:
    """Return the rotations of a polygon: at the next one every side is the one before."""
    return rotations(
        polygon_sides(number), tuple((corner - 1) % number for corner in range(number))
    )
