"""Edge matching as exact cover: cells and tiles are items, edges are coloured items.

An option puts one tile, turned one way, into one cell. It gives each inner edge the colour that
the cell on the edge's first side sees there; two options agree on the edge's colour exactly when
their labels match. The search is the packing puzzles' one, which serves the scarcest item first.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence

from solvers.edge_matching.puzzle import Place, TilePuzzle
from solvers.search.exact_cover.model import Colouring, ExactCover, bit_set
from solvers.search.exact_cover.search import count


def count_by_covering(puzzle: TilePuzzle) -> tuple[int, int]:
    """Return the number of all solutions, turned ones too, and of the nodes visited for it.

    With a tile that may be an anchor only one of each set of turned solutions is searched for.
    """
    anchor = next(iter(puzzle.anchors), None)
    tally = count(cover_of(puzzle, puzzle.places(anchor)))
    return tally.solutions * (1 if anchor is None else len(puzzle.turns)), tally.nodes


def cover_of(puzzle: TilePuzzle, places: Sequence[Place]) -> ExactCover:
    """Return the exact cover problem whose options are these places."""
    cells, kinds = len(puzzle.board.cells), puzzle.kinds
    numbers = {cells + at: len(kind.numbers) for at, kind in enumerate(kinds)}
    least = 0 if puzzle.board.spare_tiles else 1
    return ExactCover(
        items=cells + len(kinds),
        options=tuple(bit_set((place.cell, cells + place.kind)) for place in places),
        required=bit_set((*range(cells), *(item for item, n in numbers.items() if n == least))),
        copies={item: (number * least, number) for item, number in numbers.items() if number > 1},
        colours=tuple(_edge_colours(puzzle, places)),
    )


def _edge_colours(puzzle: TilePuzzle, places: Sequence[Place]) -> Iterator[Colouring]:
    edges_of: dict[int, list[tuple[int, int, int]]] = defaultdict(list)
    other_sign = 1 if puzzle.board.same_labels else -1
    for edge, ((first, side), (second, other_side)) in enumerate(puzzle.board.inner_edges):
        edges_of[first].append((edge, side, 1))
        edges_of[second].append((edge, other_side, other_sign))
    lowest = -puzzle.tiles.figures  # labels become colours from 0 up
    for cell, _, labels in places:
        yield tuple((edge, sign * labels[side] - lowest) for edge, side, sign in edges_of[cell])
