"""Edge matching as exact cover: cells and tiles are items, edges are coloured items.

An option puts one tile, turned one way, into one cell. It gives each inner edge the colour that
the cell on the edge's first side sees there; two options agree on the edge's colour exactly when
their labels match.
"""

from collections import Counter, defaultdict
from dataclasses import dataclass

from solvers.edge_matching.board import Board
from solvers.edge_matching.errors import TileFileError
from solvers.edge_matching.solution import PlacedTile, TileSolution
from solvers.edge_matching.tile_file import Labels, TileSet
from solvers.search.exact_cover import Progress
from solvers.search.exact_cover_model import ExactCover
from solvers.search.exact_cover_search import Search

# A few tenths of a second, so that progress moves and Ctrl-C is heeded.
NODES_AT_ONCE = 1_000_000


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


@dataclass(frozen=True)
class Found:
    """All solutions, also those that are another one turned, and the size of the search tree."""

    solutions: tuple[TileSolution, ...]
    nodes: int


def solve(puzzle: TilePuzzle, on_progress: Progress | None = None) -> Found:
    """Find all solutions; `on_progress` gets the estimated share of the search, 0 to 1.

    Exchanging equal tiles makes no new solution: they are numbered in the order of the cells.
    """
    options, cover = _problem(puzzle)
    numbers = defaultdict(list)
    for number, tile in enumerate(puzzle.tiles.tiles, start=1):
        numbers[_least_turn(tile)].append(number)
    search = Search(cover)
    found: list[TileSolution] = []
    while not search.finished:
        for chosen in search.advance(NODES_AT_ONCE):
            labels = dict(options[option] for option in chosen)
            waiting = {kind: iter(same) for kind, same in numbers.items()}
            found.append(
                tuple(
                    PlacedTile(next(waiting[_least_turn(labels[cell])]), labels[cell])
                    for cell in range(len(labels))
                )
            )
        if on_progress:
            on_progress(search.share_done)
    return Found(tuple(found), search.nodes)


def _problem(puzzle: TilePuzzle) -> tuple[list[tuple[int, Labels]], ExactCover]:
    board = puzzle.board
    kinds = Counter(map(_least_turn, puzzle.tiles.tiles))
    options = [
        (cell, turned)
        for cell in range(len(board.cells))
        for kind in kinds
        for turned in _turns(kind)
        if _rim_allows(board, cell, turned)
    ]
    item_of = {kind: len(board.cells) + index for index, kind in enumerate(kinds)}
    cover = ExactCover.of(
        [(cell, item_of[_least_turn(labels)]) for cell, labels in options],
        copies={item_of[kind]: (number, number) for kind, number in kinds.items() if number > 1},
        colours=_edge_colours(puzzle, options),
    )
    return options, cover


def _edge_colours(puzzle: TilePuzzle, options: list[tuple[int, Labels]]) -> list[dict[int, int]]:
    edges_of: dict[int, list[tuple[int, int, int]]] = defaultdict(list)
    other_sign = 1 if puzzle.board.same_labels else -1
    for edge, ((first, side), (second, other_side)) in enumerate(puzzle.board.inner_edges):
        edges_of[first].append((edge, side, 1))
        edges_of[second].append((edge, other_side, other_sign))
    lowest = -puzzle.tiles.figures  # labels become colours from 0 up
    return [
        {edge: sign * labels[side] - lowest for edge, side, sign in edges_of[cell]}
        for cell, labels in options
    ]


def _rim_allows(board: Board, cell: int, labels: Labels) -> bool:
    return board.rim is None or all(
        labels[side] == board.rim for at, side in board.rim_sides if at == cell
    )


def _turns(tile: Labels) -> list[Labels]:
    """Return the distinct turns of a tile."""
    return list(dict.fromkeys(tile[at:] + tile[:at] for at in range(len(tile))))


def _least_turn(tile: Labels) -> Labels:
    return min(_turns(tile))
