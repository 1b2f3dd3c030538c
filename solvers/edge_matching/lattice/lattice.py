"""What a lattice of cells is to everything else here.

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
"""What a tile shows, in the order of its sides."""

Order = tuple[int, ...]
"""Number i moves to `order[i]`."""


class Rotation(NamedTuple):
    """Where a rotation moves the corners and the sides of a cell, by their numbers."""

    corners: Order
    sides: Order

    def turned(self, labels: Labels) -> Labels:
        """Return what a tile shows after it was turned."""
        after = list(labels)
        for side, label in zip(self.sides, labels, strict=True):
            after[side] = label
        return tuple(after)


@dataclass(frozen=True)
class CellKind:
    """Cells that lie alike. `letter` is how a board's drawing shows them.

    `corners` are those of the cell in the first row, column and layer; the next one's are a step
    further on. `printed_at` is where a text shows the labels, in the order of the sides: how many
    thirds from the left, and in which line.
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
    any one reflection moves the corners. Where `alternation` is given, kinds and blanks alternate
    like the squares of a chess board, and it says what a cell must do. `draw` draws a cell with
    these corners, the labels and the number of its tile; what is in space is drawn by `stand` too,
    all cells as they stand together. A text takes `lines` for a row of cells and `thirds` for a
    column.
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
        """All ways to turn a cell over, or to mirror it in space: none is a rotation."""
        after = [tuple(each.corners[corner] for corner in self.mirror) for each in self.rotations]
        return tuple(_moved(self.sides, corners) for corners in after)


def rotations(sides: Sequence[Order], *generators: Order) -> tuple[Rotation, ...]:
    """Return all rotations that these make of the corners, the identity first."""
    orders = [tuple(range(len(generators[0])))]
    for order in orders:  # which grows
        further = [tuple(generator[corner] for corner in order) for generator in generators]
        orders += [each for each in further if each not in orders]
    return tuple(_moved(sides, order) for order in orders)


def _moved(sides: Sequence[Order], corners: Order) -> Rotation:
    """Return what moves the corners so, and the sides with them."""
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
