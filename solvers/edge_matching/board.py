"""Boards: where the tiles lie, which sides touch, and how the board can be turned onto itself.

A board is a plan of equal triangles, squares or hexagons. Every cell has a corner list that runs
clockwise in the picture (x to the right, y down); side k of a cell leads from corner k to corner
k + 1. Two cells touch where they share both corners of a side, so neighbourhood and turns follow
from the corners alone.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

# Corners are lattice points: half a side across and one row down for triangles; half a tile across
# and half a side down for hexagons, whose rows are three such steps apart.
Corner = tuple[int, int]
CellKind = Literal["up", "down", "square", "hexagon"]
Side = tuple[int, int]  # (cell, side of that cell)
Turn = tuple[Side, ...]  # cell -> (cell it moves to, side number its side 0 moves to)

CORNERS: dict[CellKind, tuple[Corner, ...]] = {
    "up": ((0, 1), (1, 0), (2, 1)),  # sides: left, right, bottom
    "down": ((0, 0), (2, 0), (1, 1)),  # sides: top, right, left
    "square": ((0, 0), (1, 0), (1, 1), (0, 1)),  # sides: top, right, bottom, left
    # sides: upper right, right, lower right, lower left, left, upper left
    "hexagon": ((1, 0), (2, 1), (2, 3), (1, 4), (0, 3), (0, 1)),
}
ROW_HEIGHT: dict[CellKind, int] = {"up": 1, "down": 1, "square": 1, "hexagon": 3}


@dataclass(frozen=True)
class Cell:
    """One place for a tile; `row` and `column` count from 0 in the topology file's picture."""

    kind: CellKind
    row: int
    column: int

    @property
    def corners(self) -> tuple[Corner, ...]:
        """The corners, clockwise in the picture."""
        top = self.row * ROW_HEIGHT[self.kind]
        return tuple((self.column + x, top + y) for x, y in CORNERS[self.kind])


@dataclass(frozen=True)
class Hint:
    """Tile number `tile` (from 1) lies in a cell, turned so that it shows `labels`, if given."""

    tile: int
    cell: int
    labels: tuple[int, ...] | None = None


@dataclass(frozen=True)
class Board:
    """A plan of cells that all have the same number of sides.

    `same_labels` says that touching sides must carry equal labels (MacMahon's tiles); otherwise
    they must carry a figure's two halves, z and -z; 0 fits 0 alone. `rim`, where given, is the
    label that every side on the outside must carry, with `rim_only_outside` no side within.
    """

    name: str
    title: str
    cells: tuple[Cell, ...]
    same_labels: bool = False
    rim: int | None = None
    rim_only_outside: bool = False
    hints: tuple[Hint, ...] = ()

    @property
    def sides_per_tile(self) -> int:
        """3, 4 or 6."""
        return len(CORNERS[self.cells[0].kind])

    @cached_property
    def inner_edges(self) -> tuple[tuple[Side, Side], ...]:
        """Pairs of sides that touch."""
        return tuple((s[0], s[1]) for s in self._sides.values() if len(s) == 2)

    @cached_property
    def rim_sides(self) -> tuple[Side, ...]:
        """Sides on the outside."""
        return tuple(s[0] for s in self._sides.values() if len(s) == 1)

    @cached_property
    def neighbours(self) -> dict[Side, Side]:
        """The touching side of every side that has one."""
        pairs = self.inner_edges
        return dict(pairs) | {second: first for first, second in pairs}

    @cached_property
    def turns(self) -> tuple[Turn, ...]:
        """All ways to turn the board onto itself without turning it over, "not at all" first.

        A turn is known as soon as it is known where one cell goes and how that cell is turned:
        the neighbours have to follow. All such beginnings are tried.
        """
        beginnings = [(cell, side) for cell in range(len(self.cells)) for side in self._side_range]
        turns = (self._turn_from(beginning) for beginning in beginnings)
        return tuple(turn for turn in turns if turn is not None)

    @cached_property
    def _sides(self) -> dict[frozenset[Corner], list[Side]]:
        """The one or two sides between the same two corners."""
        sides: dict[frozenset[Corner], list[Side]] = {}
        for index, cell in enumerate(self.cells):
            corners = cell.corners
            for side, corner in enumerate(corners):
                ends = frozenset((corner, corners[(side + 1) % len(corners)]))
                sides.setdefault(ends, []).append((index, side))
        return sides

    @property
    def _side_range(self) -> range:
        return range(self.sides_per_tile)

    def _turn_from(self, image_of_first: Side) -> Turn | None:
        images: dict[int, Side] = {0: image_of_first}
        waiting = [0]
        while waiting:
            for cell, image in self._forced_images(waiting.pop(), images):
                if image is None or images.get(cell, image) != image:
                    return None
                if cell not in images:
                    images[cell] = image
                    waiting.append(cell)
        return tuple(images[cell] for cell in range(len(self.cells)))

    def _forced_images(
        self, cell: int, images: dict[int, Side]
    ) -> Iterator[tuple[int, Side | None]]:
        """Yield for each neighbour of a cell where it must go; None where it cannot."""
        sides = self.sides_per_tile
        moved_cell, moved_first = images[cell]
        for side in self._side_range:
            touching = self.neighbours.get((cell, side))
            moved = self.neighbours.get((moved_cell, (moved_first + side) % sides))
            if touching is None and moved is None:
                continue
            if touching is None or moved is None:
                yield cell, None
                continue
            yield touching[0], (moved[0], (moved[1] - touching[1]) % sides)

    def is_connected(self) -> bool:
        """Whether every cell can be reached from the first across shared sides."""
        reached, waiting = {0}, [0]
        while waiting:
            cell = waiting.pop()
            for side in self._side_range:
                touching = self.neighbours.get((cell, side))
                if touching is not None and touching[0] not in reached:
                    reached.add(touching[0])
                    waiting.append(touching[0])
        return len(reached) == len(self.cells)
