"""All solutions of an edge-matching puzzle, or any one of them."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from solvers.edge_matching.covering import (
    Option,
    TilePuzzle,
    anchor_of,
    cover_of,
    options_of,
    solution_of,
)
from solvers.edge_matching.solution import TileSolution, up_to_turns
from solvers.foundation.progress import Job, Progress
from solvers.search.exact_cover.search import Search

# A few tenths of a second, so that progress moves and Ctrl-C is heeded.
NODES_AT_ONCE: Final = 1_000_000

NODES_OF_FIRST_TRY: Final = 20_000
TRIES_AS_LONG: Final = 4
"""So many tries in an order by chance are given up after as many nodes; then twice as many."""


@dataclass(frozen=True)
class Found:
    """The solutions, one of each set that the board's turns make, unless only counted."""

    solutions: tuple[TileSolution, ...]
    count_up_to_turns: int
    count_total: int
    nodes: int


def solve(puzzle: TilePuzzle, *, only_count: bool = False) -> Job[Progress, Found]:
    """Find all solutions; the events tell the estimated share of the search that is done.

    Exchanging equal tiles makes no new solution: they are numbered in the order of the cells.
    """
    board = puzzle.board
    anchor = anchor_of(puzzle)
    options = options_of(puzzle, anchor)
    search = Search(cover_of(puzzle, options), keep_solutions=anchor is None or not only_count)
    found: list[TileSolution] = []
    while not search.finished:
        for chosen in search.advance(NODES_AT_ONCE):
            found.append(_laid(puzzle, options, chosen))
        yield Progress("", search.share_done, 1.0)
    if anchor is not None:
        total = search.found * len(board.turns)
        return Found(tuple(found), search.found, total, search.nodes)
    kept = tuple(up_to_turns(found, board))
    return Found(() if only_count else kept, len(kept), len(found), search.nodes)


@dataclass(frozen=True)
class First:
    """A solution, or None if there is none; and how many nodes it took in how many tries."""

    solution: TileSolution | None
    nodes: int
    tries: int


def find_first(puzzle: TilePuzzle) -> Job[Progress, First]:
    """Find one solution.

    The cell or tile that can be served in the fewest ways is served first; in which order its ways
    are tried is chance. A search that began badly is long, one that began well is not: so it is
    given up after some nodes and begun again in another order (Gomes, Selman and Kautz, 1998). A
    search that ends before it is given up has shown that there is no solution.
    """
    options, nodes, tries = options_of(puzzle, anchor_of(puzzle)), 0, 0
    while True:
        search = Search(cover_of(puzzle, options))
        limit = NODES_OF_FIRST_TRY << tries // TRIES_AS_LONG
        tries += 1
        while not search.finished and search.nodes < limit:
            found = search.advance(min(limit, NODES_AT_ONCE))
            yield Progress(f"try {tries}", nodes + search.nodes, None, "nodes")
            if found:
                return First(_laid(puzzle, options, found[0]), nodes + search.nodes, tries)
        nodes += search.nodes
        if search.finished:
            return First(None, nodes, tries)
        random.Random(tries).shuffle(options)


def _laid(puzzle: TilePuzzle, options: Sequence[Option], chosen: Sequence[int]) -> TileSolution:
    return solution_of(puzzle, dict(options[option] for option in chosen))
