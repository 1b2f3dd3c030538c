"""Edge matching as exact cover: cells and tiles are items, edges are coloured items.

An option puts one tile, turned one way, into one cell. It gives each inner edge the colour that
the cell on the edge's first side sees there; two options agree on the edge's colour exactly when
their labels match.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from solvers.edge_matching.board import Board
from solvers.edge_matching.errors import TileFileError
from solvers.edge_matching.solution import PlacedTile, TileSolution
from solvers.edge_matching.tile_file import Labels, TileSet
from solvers.search.exact_cover.model import Colouring, ExactCover, bit_set

Option = tuple[int, Labels]
"""A cell and what it shows."""


@dataclass(frozen=True)
class TilePuzzle:
    """Tiles to lay on a board, each exactly once."""

    board: Board
    tiles: TileSet

    def __post_init__(self) -> None:
        if self.tiles.sides != self.board.sides_per_tile:
            raise TileFileError(
                f"The tiles have {self.tiles.sides} sides, but the board {self.board.name} is "
                f"made for tiles with {self.board.sides_per_tile}."
            )
        if len(self.tiles.tiles) != len(self.board.cells):
            raise TileFileError(
                f"There are {len(self.tiles.tiles)} tiles, but the board {self.board.name} has "
                f"room for exactly {len(self.board.cells)}."
            )


def anchor_of(puzzle: TilePuzzle) -> Labels | None:
    """Return a tile that every turn of the board puts elsewhere or shows differently.

    Each set of turned solutions holds exactly one where such a tile lies in the first of its
    turned places. A tile serves if no other is equal and no turn of its own leaves it unchanged.
    """
    for tile, number in _kinds(puzzle).items():
        if number == 1 and len(_turns(tile)) == len(tile):
            return tile
    return None


def options_of(puzzle: TilePuzzle, anchor: Labels | None) -> list[Option]:
    """Return cells with the labels they may show; the anchor only in first places."""
    board = puzzle.board
    return [
        (cell, labels)
        for cell in range(len(board.cells))
        for kind in _kinds(puzzle)
        for labels in _turns(kind)
        if _rim_allows(board, cell, labels)
        and (kind != anchor or (cell, labels) == _first_place(board, cell, labels))
    ]


def _first_place(board: Board, cell: int, labels: Labels) -> tuple[int, Labels]:
    """Return the first of the places that the board's turns carry a placed tile to."""
    images = []
    for turn in board.turns:
        image, first_side = turn[cell]
        start = -first_side % len(labels)
        images.append((image, labels[start:] + labels[:start]))
    return min(images)


def cover_of(puzzle: TilePuzzle, options: Sequence[Option]) -> ExactCover:
    cells, kinds = len(puzzle.board.cells), _kinds(puzzle)
    item_of = {kind: cells + index for index, kind in enumerate(kinds)}
    return ExactCover(
        items=cells + len(kinds),
        options=tuple(bit_set((cell, item_of[_least_turn(labels)])) for cell, labels in options),
        required=bit_set((*range(cells), *(item_of[k] for k, n in kinds.items() if n == 1))),
        copies={item_of[kind]: (number, number) for kind, number in kinds.items() if number > 1},
        colours=tuple(_edge_colours(puzzle, options)),
    )


def _edge_colours(puzzle: TilePuzzle, options: Sequence[Option]) -> Iterator[Colouring]:
    edges_of: dict[int, list[tuple[int, int, int]]] = defaultdict(list)
    other_sign = 1 if puzzle.board.same_labels else -1
    for edge, ((first, side), (second, other_side)) in enumerate(puzzle.board.inner_edges):
        edges_of[first].append((edge, side, 1))
        edges_of[second].append((edge, other_side, other_sign))
    lowest = -puzzle.tiles.figures  # labels become colours from 0 up
    for cell, labels in options:
        yield tuple((edge, sign * labels[side] - lowest) for edge, side, sign in edges_of[cell])


def solution_of(puzzle: TilePuzzle, labels: dict[int, Labels]) -> TileSolution:
    numbers = defaultdict(list)
    for number, tile in enumerate(puzzle.tiles.tiles, start=1):
        numbers[_least_turn(tile)].append(number)
    waiting = {kind: iter(same) for kind, same in numbers.items()}
    return tuple(
        PlacedTile(next(waiting[_least_turn(labels[cell])]), labels[cell])
        for cell in range(len(labels))
    )


def _kinds(puzzle: TilePuzzle) -> Counter[Labels]:
    """Return how many tiles there are of each kind, equal ones being turned to look alike."""
    return Counter(map(_least_turn, puzzle.tiles.tiles))


def _rim_allows(board: Board, cell: int, labels: Labels) -> bool:
    return board.rim is None or all(
        labels[side] == board.rim for at, side in board.rim_sides if at == cell
    )


def _turns(tile: Labels) -> list[Labels]:
    """Return the distinct turns of a tile."""
    return list(dict.fromkeys(tile[at:] + tile[:at] for at in range(len(tile))))


def _least_turn(tile: Labels) -> Labels:
    return min(_turns(tile))
