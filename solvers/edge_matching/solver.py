"""All solutions of an edge-matching puzzle, or one of them."""

import hashlib
from collections.abc import Sequence
from concurrent.futures import BrokenExecutor, CancelledError, Future, as_completed
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from solvers.edge_matching.board import Board, Cell
from solvers.edge_matching.errors import LostTilesError
from solvers.edge_matching.lattice.flat import SQUARES
from solvers.edge_matching.puzzle import TilePuzzle
from solvers.edge_matching.scan.layouts import choose, first_scan
from solvers.edge_matching.scan.plan import Layout, Row, Scan
from solvers.edge_matching.scan.search import Prefix, Search, SymmetryReducer, prefixes
from solvers.edge_matching.solution import TileSolution, up_to_turns
from solvers.edge_matching.tile_file import TileSet
from solvers.foundation.progress import Job, Progress, map_events, run_job
from solvers.search.parts import PARTS, PartStore

if TYPE_CHECKING:
    from solvers.search.executors import Workers

# A few tenths of a second, so that progress is shown and Ctrl-C is noticed.
NODES_AT_ONCE: Final = 5_000_000


NODES_OF_TINY_SEARCH: Final = 20_000
"""Half a millisecond: a search with fewer is over before another layout or parts are made."""

NODES_OF_FIRST_TRY: Final = 20_000
TRIES_AS_LONG: Final = 4
"""Tries with the same limit of nodes; then the limit doubles."""


@dataclass(frozen=True)
class Found:
    """Result: solutions up to turns of the board (none if only counted), and counts."""

    solutions: tuple[TileSolution, ...]
    count_up_to_turns: int
    count_total: int
    nodes: int


class PartResult(NamedTuple):
    """Result of a part: solutions by the plan's numbers (if listed), their number, and nodes."""

    rows: list[Row]
    found: int
    nodes: int


def solve(
    puzzle: TilePuzzle,
    *,
    only_count: bool = False,
    workers: "Workers | None" = None,
    keeper: PartStore[PartResult] | None = None,
) -> Job[Progress, Found]:
    """Find all solutions; the events give the estimated share of the search that is done.

    Exchanging equal tiles makes no new solution: they are numbered in the order of the cells. Parts
    that `keeper` has are not searched again. Raises LostTilesError if a worker ends early.
    """
    scan = first_scan(puzzle)
    keep = not (only_count and _finds_one_of_each(scan))
    results, prefix = _if_tiny(scan, keep), 0
    if not results:
        scan = choose(scan)
        parts = _Parts(scan, keep, keeper)
        yield from parts.alone() if workers is None else parts.by_workers(workers)
        results = [parts.results[number] for number in sorted(parts.results)]
        prefix = parts.length
    yield Progress("", 1, 1, "parts")
    return _found(scan, results, prefix, only_count)


def _finds_one_of_each(scan: Scan) -> bool:
    """Return whether the search finds each solution in one orientation of the board only."""
    return scan.layout.anchor is not None or len(scan.puzzle.turns) == 1


def _found(scan: Scan, results: list[PartResult], prefix: int, only_count: bool) -> Found:
    """Return the result of all parts, whose prefixes have this length."""
    puzzle, reducer = scan.puzzle, SymmetryReducer(scan)
    turns = puzzle.turns
    rows = (row for result in results for row in result.rows)
    placed = (each for row in rows for each in reducer.solutions(row, prefix))
    found = [puzzle.solution(each) for each in placed]
    nodes = sum(result.nodes for result in results)
    if _finds_one_of_each(scan):
        count = sum(result.found for result in results) * reducer.sets
        return Found(tuple(found), count, count * len(turns), nodes)
    distinct = tuple(up_to_turns(found, turns))
    return Found(() if only_count else distinct, len(distinct), len(found), nodes)


def _if_tiny(scan: Scan, keep: bool) -> list[PartResult]:
    """Return the result of the whole search if it is tiny, otherwise nothing."""
    search = Search(scan, keep=keep)
    rows: list[Row] = []
    while not search.finished and search.nodes < NODES_OF_TINY_SEARCH:
        rows += search.advance(NODES_OF_TINY_SEARCH - search.nodes)
    return [PartResult(rows, search.found, search.nodes)] if search.finished else []


class _Parts:
    """The parts of a search tree, searched one after the other or by workers."""

    def __init__(self, scan: Scan, keep: bool, keeper: PartStore[PartResult] | None) -> None:
        every = SymmetryReducer(scan).prefixes(prefixes(scan, PARTS))
        self.length = len(every[0].row) if every else 0
        self.parts = [every[number::PARTS] for number in range(min(PARTS, len(every)))]
        way = f"{scan.layout}, {'stored' if keep else 'counted'}"
        self.results = dict(keeper.load(len(self.parts), way)) if keeper else {}
        self._scan, self._keep, self._keeper = scan, keep, keeper

    @property
    def _left(self) -> list[int]:
        return [number for number in range(len(self.parts)) if number not in self.results]

    def alone(self) -> Job[Progress, None]:
        """Search what is left in this process."""
        search = Search(self._scan, keep=self._keep)
        for number in self._left:
            searching = search_part_job(search, self.parts[number])
            self._add(number, (yield from map_events(searching, self._progress)))
        yield self._progress()

    def by_workers(self, workers: "Workers") -> Job[Progress, None]:
        """Search what is left with workers."""
        puzzle, layout = self._scan.puzzle, self._scan.layout
        with workers() as executor:
            futures: dict[Future[PartResult], int] = {
                executor.submit(run_part, puzzle, layout, self.parts[number], self._keep): number
                for number in self._left
            }
            try:
                yield self._progress()
                for future in as_completed(futures):
                    self._add(futures[future], future.result())
                    yield self._progress()
            except (BrokenExecutor, CancelledError) as error:
                raise LostTilesError(
                    "A worker ended early; it may have been killed or have run out of memory."
                ) from error

    def _add(self, number: int, searched: PartResult) -> None:
        self.results[number] = searched
        if self._keeper:
            self._keeper.add(number, searched)

    def _progress(self, within: float = 0.0) -> Progress:
        return Progress("", len(self.results) + within, len(self.parts), "parts")


def run_part(puzzle: TilePuzzle, layout: Layout, part: Sequence[Prefix], keep: bool) -> PartResult:
    """Search one part in a worker."""
    return run_job(search_part_job(_search(puzzle, layout, keep), part))


@lru_cache(maxsize=1)
def _search(puzzle: TilePuzzle, layout: Layout, keep: bool) -> Search:
    """Return the last search again: its arrays take longer than many a part."""
    return Search(Scan(puzzle, layout), keep=keep)


def search_part_job(search: Search, part: Sequence[Prefix]) -> Job[float, PartResult]:
    """Search one part; the events are the estimated share of it that is done."""
    rows: list[Row] = []
    found = nodes = 0
    for at, (prefix, images) in enumerate(part):
        search.begin(prefix)
        while not search.finished:
            rows += search.advance(NODES_AT_ONCE)
            yield (at + search.share_done) / len(part)
        found, nodes = found + images * search.found, nodes + search.nodes
    return PartResult(rows, found, nodes)


@dataclass(frozen=True)
class First:
    """A solution, or None if there is none, and the nodes and tries that it took."""

    solution: TileSolution | None
    nodes: int
    tries: int


def find_first(puzzle: TilePuzzle) -> Job[Progress, First]:
    """Find one solution.

    Choices are tried in random order, and the search restarts in another order after a limit of
    nodes: run times are heavy-tailed, many short tries beat a long one (Gomes, Selman and Kautz,
    1998). A search that ends within its limit has shown that there is no solution.
    """
    scan, nodes, tries = choose(first_scan(puzzle, for_one=True)), 0, 0
    while True:
        search = Search(scan, rows=1, seed=tries)
        limit = NODES_OF_FIRST_TRY << tries // TRIES_AS_LONG
        tries += 1
        while not search.finished and search.nodes < limit:
            found = search.advance(min(limit, NODES_AT_ONCE))
            yield Progress(f"try {tries}", nodes + search.nodes, None, "nodes")
            if found:
                placed = puzzle.solution(scan.places(found[0]))
                return First(placed, nodes + search.nodes, tries)
        nodes += search.nodes
        if search.finished:
            return First(None, nodes, tries)


def load_kernels() -> None:
    """Load the compiled search, or compile it if this is its first use on this machine."""
    board = Board("one", "one", SQUARES, (Cell(SQUARES.kinds[0], 0, 0),))
    run_job(solve(TilePuzzle(board, TileSet(1, ((1, 1, 1, 1),)))))


# Raise this when parts are cut or counted differently, so that old files are not used.
VERSION: Final = 3


class TilePartStore(PartStore[PartResult]):
    """Finished parts of a search, in a file in `folder` that is named by the puzzle's hash."""

    def __init__(self, folder: Path, puzzle: TilePuzzle, *, resume: bool) -> None:
        super().__init__(
            folder / f"{_puzzle_hash(puzzle)}.json",
            VERSION,
            resume=resume,
            row=list,
            read=_searched,
        )


def _searched(row: list[object]) -> PartResult:
    match row:
        case [list(rows), int(found), int(nodes)]:
            return PartResult([tuple(each) for each in rows], found, nodes)
    raise ValueError("no part of a search")


def _puzzle_hash(puzzle: TilePuzzle) -> str:
    """Return a hash of the puzzle without its board's name and title."""
    text = repr((replace(puzzle.board, name="", title=""), puzzle.tiles.tiles))
    return hashlib.sha256(text.encode("utf-8")).hexdigest()[:32]
