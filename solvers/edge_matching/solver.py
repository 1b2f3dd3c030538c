"""All solutions of an edge-matching puzzle, or any one of them."""

import random
from collections.abc import Sequence
from concurrent.futures import BrokenExecutor, CancelledError, as_completed
from dataclasses import dataclass
from typing import Final, NamedTuple

from solvers.edge_matching.covering import (
    Option,
    TilePuzzle,
    anchor_of,
    cover_of,
    options_of,
    solution_of,
)
from solvers.edge_matching.errors import LostTilesError
from solvers.edge_matching.solution import TileSolution, up_to_turns
from solvers.foundation.progress import Job, Progress
from solvers.search.exact_cover.encoding import encode
from solvers.search.exact_cover.model import WHOLE, ExactCover, Part
from solvers.search.exact_cover.search import Search, Solution
from solvers.search.exact_cover.split import split
from solvers.search.exact_cover.symmetry import SymmetricPart
from solvers.search.executors import Workers

# A few tenths of a second, so that progress moves and Ctrl-C is heeded.
NODES_AT_ONCE: Final = 1_000_000

PARTS: Final = 64
"""Enough to keep some workers busy to the end."""

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


def solve(
    puzzle: TilePuzzle, *, only_count: bool = False, workers: Workers | None = None
) -> Job[Progress, Found]:
    """Find all solutions; the events tell the estimated share of the search that is done.

    Exchanging equal tiles makes no new solution: they are numbered in the order of the cells.
    Raises LostTilesError if a worker ends before its work does.
    """
    board = puzzle.board
    anchor = anchor_of(puzzle)
    options = options_of(puzzle, anchor)
    cover, keep = cover_of(puzzle, options), anchor is None or not only_count
    searched = yield from _alone(cover, keep) if workers is None else _parts(cover, keep, workers)
    found = [_laid(puzzle, options, chosen) for chosen in searched.solutions]
    if anchor is not None:
        total = searched.found * len(board.turns)
        return Found(tuple(found), searched.found, total, searched.nodes)
    kept = tuple(up_to_turns(found, board))
    return Found(() if only_count else kept, len(kept), len(found), searched.nodes)


class _Searched(NamedTuple):
    """The solutions of a part as options, if kept, their number, and the nodes visited."""

    solutions: list[Solution]
    found: int
    nodes: int


def _alone(cover: ExactCover, keep: bool) -> Job[Progress, _Searched]:
    search = Search(cover, keep_solutions=keep)
    solutions: list[Solution] = []
    while not search.finished:
        solutions += search.advance(NODES_AT_ONCE)
        yield Progress("", search.share_done, 1.0)
    return _Searched(solutions, search.found, search.nodes)


def _parts(cover: ExactCover, keep: bool, workers: Workers) -> Job[Progress, _Searched]:
    """Let workers search parts of the tree; the solutions are in the order of the parts."""
    parts = [each.part for each in split(encode(cover), [SymmetricPart(WHOLE, ())], PARTS)]
    with workers() as executor:
        futures = [executor.submit(_search_part, cover, part, keep) for part in parts]
        try:
            for done, _ in enumerate(as_completed(futures)):
                yield Progress("", done, len(futures), "parts")
            results = [future.result() for future in futures]
        except (BrokenExecutor, CancelledError) as error:
            raise LostTilesError(
                "A worker ended before its work did; it may have been killed or run out of memory."
            ) from error
    solutions = [chosen for result in results for chosen in result.solutions]
    found = sum(result.found for result in results)
    return _Searched(solutions, found, sum(result.nodes for result in results))


def _search_part(cover: ExactCover, part: Part, keep: bool) -> _Searched:
    """Search one part; what a worker is given to do."""
    search = Search(cover, part, keep_solutions=keep)
    solutions: list[Solution] = []
    while not search.finished:
        solutions += search.advance(NODES_AT_ONCE)
    return _Searched(solutions, search.found, search.nodes)


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
