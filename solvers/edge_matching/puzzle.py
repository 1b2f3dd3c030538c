"""A tile puzzle, the kinds of its tiles and the places that each may take."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from solvers.edge_matching.board import Board, Hint, Turn
from solvers.edge_matching.errors import TileFileError
from solvers.edge_matching.lattice.lattice import Labels
from solvers.edge_matching.solution import PlacedTile, TileSolution, turns_of
from solvers.edge_matching.symmetry import Symmetry, symmetries
from solvers.edge_matching.tile_file import TileSet


class Kind(NamedTuple):
    """Equal tiles: their turns and numbers. A hinted tile is a kind of its own."""

    turns: tuple[Labels, ...]
    numbers: tuple[int, ...]


class Place(NamedTuple):
    """A cell, the kind of the tile in it and the labels that it shows."""

    cell: int
    kind: int
    labels: Labels


@dataclass(frozen=True)
class TilePuzzle:
    """Tiles to place on a board, each exactly once, or at most once where some are spare.

    Raises TileFileError if the tiles do not fit the board or its hints.
    """

    board: Board
    tiles: TileSet

    def __post_init__(self) -> None:
        if self.tiles.sides != self.board.sides_per_tile:
            raise TileFileError(
                f"The tiles have {self.tiles.sides} sides, but the board {self.board.name} is "
                f"made for tiles with {self.board.sides_per_tile}."
            )
        tiles, cells = len(self.tiles.tiles), len(self.board.cells)
        if tiles < cells or (tiles > cells and not self.board.spare_tiles):
            needed = "needs at least" if self.board.spare_tiles else "has room for exactly"
            raise TileFileError(
                f"There are {tiles} tiles, but the board {self.board.name} {needed} {cells}."
            )
        for hint in self.board.hints:
            if hint.tile > tiles:
                raise TileFileError(f"A hint places tile {hint.tile}, but there are {tiles} tiles.")
            if self.board.any_order and hint.tile != hint.cell + 1:
                raise TileFileError(
                    f"A hint places tile {hint.tile} in cell {hint.cell + 1}, but the order of the "
                    f"tiles is irrelevant on the board {self.board.name}: each is in the cell of "
                    "its own number."
                )
            own = self.tiles.tiles[hint.tile - 1]
            if hint.labels is not None and hint.labels not in turns_of(own, self.board.lattice):
                raise TileFileError(
                    f"A hint shows tile {hint.tile} as {_spaced(hint.labels)}, but the tile is "
                    f"{_spaced(own)}, which cannot be turned so."
                )

    @cached_property
    def hints(self) -> tuple[Hint, ...]:
        """The board's hints; with `any_order`, one for every cell."""
        if not self.board.any_order:
            return self.board.hints
        given = {hint.cell: hint for hint in self.board.hints}
        cells = range(len(self.board.cells))
        return tuple(given.get(cell, Hint(cell + 1, cell)) for cell in cells)

    @cached_property
    def kinds(self) -> tuple[Kind, ...]:
        """The kinds of tiles in the order of their first tiles."""
        hinted = {hint.tile for hint in self.hints}
        numbers: dict[tuple[Labels, int], list[int]] = {}
        for number, tile in enumerate(self.tiles.tiles, start=1):
            own_number = number if number in hinted else 0
            numbers.setdefault((self._least_turn(tile), own_number), []).append(number)
        lattice = self.board.lattice
        return tuple(
            Kind(tuple(turns_of(least, lattice)), tuple(same))
            for (least, _), same in numbers.items()
        )

    @cached_property
    def turns(self) -> tuple[Turn, ...]:
        """The board's turns that carry the hints onto hints."""
        hints = self.hints
        return tuple(
            turn
            for turn in self.board.turns
            if self._hinted(turn_hint(hint, turn) for hint in hints) == self._hinted(hints)
        )

    @property
    def anchors(self) -> list[int]:
        """The kinds that can be an anchor: every turn of the board changes their place or labels.

        Of each set of turned solutions, exactly one has such a tile in the first of its images. A
        kind qualifies if it is a single tile that no turn of its own leaves unchanged.
        """
        if self.board.spare_tiles:  # it may not be on the board at all
            return []
        hinted = {hint.tile for hint in self.hints}
        rotations = len(self.board.lattice.rotations)
        return [
            number
            for number, kind in enumerate(self.kinds)
            if len(kind.turns) == rotations
            and len(kind.numbers) == 1
            and kind.numbers[0] not in hinted
        ]

    @cached_property
    def plain_group(self) -> tuple[Symmetry, ...]:
        """The board's turns as symmetries that rename no label."""
        shown = {label for tile in self.tiles.tiles for label in tile}
        return tuple(Symmetry(turn, {label: label for label in shown}) for turn in self.turns)

    def group(self, anchor: int) -> tuple[Symmetry, ...]:
        """Return the symmetries that map the anchor to itself, at least the board's turns.

        Only the identity leaves both its place and its labels unchanged.
        """
        least = min(self.kinds[anchor].turns)
        group = tuple(
            each for each in self._symmetries if self._least_turn(each.image(0, least)[1]) == least
        )
        own = [place for place in self._every_place if place.kind == anchor]
        free = all(len(set(_images(place, group))) == len(group) for place in own)
        return group if free and len(group) > len(self.turns) else self.plain_group

    @cached_property
    def _symmetries(self) -> list[Symmetry]:
        board = self.board
        if self.hints or board.any_order or board.spare_tiles:
            return []
        return symmetries(board, self.tiles.tiles)

    @cached_property
    def _kind_of(self) -> dict[Labels, int]:
        """The kind that can show these labels, where no tile is hinted."""
        return {turn: number for number, kind in enumerate(self.kinds) for turn in kind.turns}

    def moved(self, placed: Iterable[Place], symmetry: Symmetry) -> dict[int, Place]:
        """Return the image of a solution without hints, by cells."""
        images = (symmetry.image(place.cell, place.labels) for place in placed)
        return {cell: Place(cell, self._kind_of[labels], labels) for cell, labels in images}

    def places(
        self,
        anchor: int | None = None,
        group: Sequence[Symmetry] | None = None,
        order: Sequence[int] | None = None,
    ) -> list[Place]:
        """Return all places of every kind on its own; those of the anchor only in first places.

        First, in an `order` of the cells, is one of the places to which a `group` maps a tile,
        with the labels after renaming alone. Without a group, it is the board's turns.
        """
        images = self.plain_group if group is None else group
        alone = [each for each in images if each.renames_alone]
        rank = {cell: at for at, cell in enumerate(order or range(len(self.board.cells)))}
        return [
            place
            for place in self._every_place
            if place.kind != anchor
            or min(_images(place, images), key=lambda each: (rank[each.cell], each))
            in _images(place, alone)
        ]

    @cached_property
    def _every_place(self) -> list[Place]:
        return [place for cell in range(len(self.board.cells)) for place in self._places_in(cell)]

    def _places_in(self, cell: int) -> Iterator[Place]:
        """Yield the places in a cell that hints and rim allow."""
        board = self.board
        sides = range(board.sides_per_tile)
        asked = [
            (side, board.rim_labels[cell, side])
            for side in sides
            if (cell, side) in board.rim_labels
        ]
        barred = set(board.rim_labels.values()) if board.rim_only_outside else set()
        within = [side for side in sides if barred and (cell, side) in board.neighbours]
        shown = [hint.labels for hint in self.hints if hint.cell == cell and hint.labels]
        for number in self._kinds_for(cell):
            for labels in self.kinds[number].turns:
                if (
                    all(labels[side] == label for side, label in asked)
                    and not any(labels[side] in barred for side in within)
                    and all(labels == each for each in shown)
                ):
                    yield Place(cell, number, labels)

    def solution(self, placed: Mapping[int, Place]) -> TileSolution:
        """Return the tiles of all cells; equal tiles are numbered in the order of the cells."""
        waiting = [iter(kind.numbers) for kind in self.kinds]
        places = [placed[cell] for cell in range(len(self.board.cells))]
        return tuple(PlacedTile(next(waiting[place.kind]), place.labels) for place in places)

    def _hinted(self, hints: Iterable[Hint]) -> set[tuple[int, Labels, Labels | None]]:
        """Return hints without numbers of tiles, as equal tiles may exchange them."""
        tiles = self.tiles.tiles
        return {(hint.cell, self._least_turn(tiles[hint.tile - 1]), hint.labels) for hint in hints}

    def _least_turn(self, tile: Labels) -> Labels:
        """Return the least of a tile's turns, which represents it."""
        return min(turns_of(tile, self.board.lattice))

    def _kinds_for(self, cell: int) -> list[int]:
        """Return the kinds that the hints allow in a cell."""
        hinted = {hint.tile: hint.cell for hint in self.hints}
        free = cell not in hinted.values()
        return [
            number
            for number, kind in enumerate(self.kinds)
            if (hinted[kind.numbers[0]] == cell if kind.numbers[0] in hinted else free)
        ]


def _images(place: Place, group: Iterable[Symmetry]) -> list[Place]:
    """Return the images of a place under symmetries that keep its kind."""
    images = (each.image(place.cell, place.labels) for each in group)
    return [Place(cell, place.kind, labels) for cell, labels in images]


def turn_hint(hint: Hint, turn: Turn) -> Hint:
    """Return the image of a hint under a turn of the board."""
    cell, rotation = turn[hint.cell]
    labels = None if hint.labels is None else rotation.turned(hint.labels)
    return Hint(hint.tile, cell, labels)


def _spaced(labels: Labels) -> str:
    return " ".join(map(str, labels))
