"""Boards: cells for tiles, the sides that touch, and the turns that map a board onto itself.

A board is a plan of equal cells of a lattice. Two cells touch where they share all corners of a
side, so neighbourhood and turns follow from the corners alone.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product

from solvers.edge_matching.lattice.lattice import CellKind, Corner, Labels, Lattice, Rotation

Side = tuple[int, int]  # (cell, side of that cell)
Image = tuple[int, Rotation]  # where a cell moves to, and how it is turned then
Turn = tuple[Image, ...]  # of every cell


@dataclass(frozen=True)
class Cell:
    """A place for a tile; row, column and layer count from 0 in the topology file's drawing."""

    kind: CellKind
    row: int
    column: int
    layer: int = 0

    @property
    def corners(self) -> tuple[Corner, ...]:
        """The corners, in the order of the kind's."""
        place = (self.column, self.row, self.layer)
        offset = [at * step for at, step in zip(place, self.kind.steps, strict=False)]
        return tuple(
            tuple(at + start for at, start in zip(corner, offset, strict=True))
            for corner in self.kind.corners
        )


@dataclass(frozen=True)
class Hint:
    """Tile number `tile` (from 1) is fixed in a cell; if given, it shows `labels` there."""

    tile: int
    cell: int
    labels: Labels | None = None


@dataclass(frozen=True)
class Board:
    """A plan of cells of one lattice.

    `same_labels` says that touching sides must carry equal labels (MacMahon's tiles); otherwise
    they must carry a figure's two halves, z and -z; 0 fits only 0. With `any_order` they may carry
    anything: the order of the tiles is irrelevant, so each is fixed in the cell of its own number.

    `rim`, where given, is the label that every side on the outside must carry, or one label for
    each side of a cell; with `rim_only_outside` no side within carries it. With `rim_differs`, all
    sides on the outside that face the same way carry different labels. With `spare_tiles` there may
    be more tiles than cells.
    """

    name: str
    title: str
    lattice: Lattice
    cells: tuple[Cell, ...]
    same_labels: bool = False
    rim: int | Labels | None = None
    rim_only_outside: bool = False
    rim_differs: bool = False
    any_order: bool = False
    spare_tiles: bool = False
    hints: tuple[Hint, ...] = ()

    @property
    def sides_per_tile(self) -> int:
        """How many sides every cell has."""
        return len(self.lattice.sides)

    @cached_property
    def inner_edges(self) -> tuple[tuple[Side, Side], ...]:
        """Pairs of sides that touch."""
        return tuple((s[0], s[1]) for s in self._sides.values() if len(s) == 2)

    @cached_property
    def rim_sides(self) -> tuple[Side, ...]:
        """Sides on the outside."""
        return tuple(s[0] for s in self._sides.values() if len(s) == 1)

    @cached_property
    def rim_labels(self) -> dict[Side, int]:
        """Labels that sides on the outside must carry, where given."""
        rim = self.rim
        if rim is None:
            return {}
        return {
            (cell, side): rim if isinstance(rim, int) else rim[side]
            for cell, side in self.rim_sides
        }

    @cached_property
    def different_sides(self) -> tuple[tuple[Side, ...], ...]:
        """Sides on the outside that face the same way, if they must carry different labels."""
        ways: dict[tuple[CellKind, int], list[Side]] = defaultdict(list)
        for cell, side in self.rim_sides if self.rim_differs else ():
            ways[self.cells[cell].kind, side].append((cell, side))
        return tuple(tuple(sides) for sides in ways.values() if len(sides) > 1)

    @cached_property
    def neighbours(self) -> dict[Side, Side]:
        """The touching side of every side that has one."""
        pairs = self.inner_edges
        return dict(pairs) | {second: first for first, second in pairs}

    @cached_property
    def turns(self) -> tuple[Turn, ...]:
        """All turns that map the board and its rim labels onto themselves, the identity first.

        The image of one cell determines a turn, because its neighbours have to follow; all images
        of the first cell are tried. Flat boards are not turned over. With `any_order`, tiles are
        turned in their places.
        """
        turns = self.automorphisms(self.lattice.rotations)
        if self.any_order:
            turns = [tuple((cell, turn[0][1]) for cell in range(len(turn))) for turn in turns]
        return tuple(turn for turn in turns if self._keeps_rim(turn))

    def automorphisms(self, ways: Sequence[Rotation]) -> list[Turn]:
        """Return the maps of the board onto itself, regardless of its rim labels.

        `ways` are the lattice's rotations, or its reflections: how each cell may be turned.
        """
        images_of_first = product(range(len(self.cells)), ways)
        turns = (self._turn_from(image, ways) for image in images_of_first)
        return [turn for turn in turns if turn is not None]

    @cached_property
    def _corners(self) -> list[tuple[Corner, ...]]:
        return [cell.corners for cell in self.cells]

    @cached_property
    def _sides(self) -> dict[frozenset[Corner], list[Side]]:
        """The one or two sides between the same corners."""
        sides: dict[frozenset[Corner], list[Side]] = {}
        for index, corners in enumerate(self._corners):
            for side, ends in enumerate(self.lattice.sides):
                between = frozenset(corners[end] for end in ends)
                sides.setdefault(between, []).append((index, side))
        return sides

    @property
    def _side_range(self) -> range:
        return range(self.sides_per_tile)

    def _keeps_rim(self, turn: Turn) -> bool:
        images = ((turn[cell], side, label) for (cell, side), label in self.rim_labels.items())
        return all(
            self.rim_labels.get((cell, rotation.sides[side])) == label
            for (cell, rotation), side, label in images
        )

    def _turn_from(self, image_of_first: Image, ways: Sequence[Rotation]) -> Turn | None:
        images: dict[int, Image] = {0: image_of_first}
        waiting = [0]
        while waiting:
            for cell, image in self._forced_images(waiting.pop(), images, ways):
                if image is None or images.get(cell, image) != image:
                    return None
                if cell not in images:
                    images[cell] = image
                    waiting.append(cell)
        return tuple(images[cell] for cell in range(len(self.cells)))

    def _forced_images(
        self, cell: int, images: dict[int, Image], ways: Sequence[Rotation]
    ) -> Iterator[tuple[int, Image | None]]:
        """Yield the image that each neighbour of a cell must have; None where there is none."""
        moved_cell, rotation = images[cell]
        for side in self._side_range:
            touching = self.neighbours.get((cell, side))
            moved = self.neighbours.get((moved_cell, rotation.sides[side]))
            if touching is None and moved is None:
                continue
            if touching is None or moved is None:
                yield cell, None
                continue
            carried = [
                (self._corners[cell][end], self._corners[moved_cell][rotation.corners[end]])
                for end in self.lattice.sides[side]
            ]
            yield touching[0], self._image_with(touching[0], moved[0], carried, ways)

    def _image_with(
        self,
        cell: int,
        moved_cell: int,
        carried: list[tuple[Corner, Corner]],
        ways: Sequence[Rotation],
    ) -> Image | None:
        """Return the image of a cell that moves to another and maps these corners to those."""
        before, after = self._corners[cell], self._corners[moved_cell]
        places = [(before.index(corner), after.index(image)) for corner, image in carried]
        for rotation in ways:
            if all(rotation.corners[start] == end for start, end in places):
                return moved_cell, rotation
        return None

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
