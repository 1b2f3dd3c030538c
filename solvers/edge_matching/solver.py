"""All solutions of an edge-matching puzzle, or any one of them."""

from collections.abc import Sequence
from concurrent.futures import BrokenExecutor, CancelledError, Future, as_completed
from dataclasses import dataclass
from typing import Final, NamedTuple

from solvers.edge_matching.board import Board, Cell
from solvers.edge_matching.errors import LostTilesError
from solvers.edge_matching.lattice.squares import SQUARES
from solvers.edge_matching.puzzle import TilePuzzle
from solvers.edge_matching.scan.alike import Alike, Beginning
from solvers.edge_matching.scan.choice import choose, first_scan
from solvers.edge_matching.scan.plan import Layout, Row, Scan
from solvers.edge_matching.scan.search import Search, beginnings
from solvers.edge_matching.solution import TileSolution, up_to_turns
from solvers.edge_matching.tile_file import TileSet
from solvers.foundation.progress import Job, Progress, retold, run_job
from solvers.search.executors import Workers
from solvers.search.kept_parts import KeptParts

# A few tenths of a second, so that progress moves and Ctrl-C is heeded.
NODES_AT_ONCE: Final = 5_000_000

PARTS: Final = 128
"""Enough to keep some workers busy to the end and to lose little when a search is stopped."""

NODES_OF_TINY_SEARCH: Final = 20_000
"""Half a millisecond: a search with fewer is over before another layout or parts are made."""

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


class Searched(NamedTuple):
    """What a part has: its solutions by the plan's numbers, if kept, their number, the nodes."""

    rows: list[Row]
    found: int
    nodes: int


def solve(
    puzzle: TilePuzzle,
    *,
    only_count: bool = False,
    workers: Workers | None = None,
    keeper: KeptParts[Searched] | None = None,
) -> Job[Progress, Found]:
    """Find all solutions; the events tell the estimated share of the search that is done.

    Exchanging equal tiles makes no new solution: they are numbered in the order of the cells. With
    a `keeper` nothing is searched that it knows. Raises LostTilesError if a worker ends before its
    work does.
    """
    scan = first_scan(puzzle)
    keep = not (only_count and _finds_one_of_each(scan))
    results, beginning = _if_tiny(scan, keep), 0
    if not results:
        scan = choose(scan)
        parts = _Parts(scan, keep, keeper)
        yield from parts.alone() if workers is None else parts.by_workers(workers)
        results = [parts.results[number] for number in sorted(parts.results)]
        beginning = parts.length
    yield Progress("", 1, 1, "parts")
    return _found(scan, results, beginning, only_count)


def _finds_one_of_each(scan: Scan) -> bool:
    """Return whether no solution that is found is another one turned."""
    return scan.layout.anchor is not None or len(scan.puzzle.turns) == 1


def _found(scan: Scan, results: list[Searched], beginning: int, only_count: bool) -> Found:
    """Return what the parts have found, after beginnings of that length."""
    puzzle, alike = scan.puzzle, Alike(scan)
    turns = puzzle.turns
    rows = (row for result in results for row in result.rows)
    laid = (each for row in rows for each in alike.solutions(row, beginning))
    found = [puzzle.solution(each) for each in laid]
    nodes = sum(result.nodes for result in results)
    if _finds_one_of_each(scan):
        count = sum(result.found for result in results) * alike.sets
        return Found(tuple(found), count, count * len(turns), nodes)
    kept = tuple(up_to_turns(found, turns))
    return Found(() if only_count else kept, len(kept), len(found), nodes)


def _if_tiny(scan: Scan, keep: bool) -> list[Searched]:
    """Return the whole search at once, or nothing if it is not tiny."""
    search = Search(scan, keep=keep)
    rows: list[Row] = []
    while not search.finished and search.nodes < NODES_OF_TINY_SEARCH:
        rows += search.advance(NODES_OF_TINY_SEARCH - search.nodes)
    return [Searched(rows, search.found, search.nodes)] if search.finished else []


class _Parts:
    """Searches parts of the tree, one after the other or by workers."""

    def __init__(self, scan: Scan, keep: bool, keeper: KeptParts[Searched] | None) -> None:
        every = Alike(scan).beginnings(beginnings(scan, PARTS))
        self.length = len(every[0].row) if every else 0
        self.parts = [every[number::PARTS] for number in range(min(PARTS, len(every)))]
        way = f"{scan.layout}, {'kept' if keep else 'counted'}"
        self.results = dict(keeper.load(len(self.parts), way)) if keeper else {}
        self._scan, self._keep, self._keeper = scan, keep, keeper

    @property
    def _left(self) -> list[int]:
        return [number for number in range(len(self.parts)) if number not in self.results]

    def alone(self) -> Job[Progress, None]:
        """Search what is left in this process."""
        for number in self._left:
            searching = searching_part(self._scan, self.parts[number], self._keep)
            self._add(number, (yield from retold(searching, self._progress)))
        yield self._progress()

    def by_workers(self, workers: Workers) -> Job[Progress, None]:
        """Let workers search what is left."""
        puzzle, layout = self._scan.puzzle, self._scan.layout
        with workers() as executor:
            futures: dict[Future[Searched], int] = {
                executor.submit(search_part, puzzle, layout, self.parts[number], self._keep): number
                for number in self._left
            }
            try:
                yield self._progress()
                for future in as_completed(futures):
                    self._add(futures[future], future.result())
                    yield self._progress()
            except (BrokenExecutor, CancelledError) as error:
                raise LostTilesError(
                    "A worker ended before its work did; it may have been killed or run out of "
                    "memory."
                ) from error

    def _add(self, number: int, searched: Searched) -> None:
        self.results[number] = searched
        if self._keeper:
            self._keeper.add(number, searched)

    def _progress(self, within: float = 0.0) -> Progress:
        return Progress("", len(self.results) + within, len(self.parts), "parts")


def search_part(
    puzzle: TilePuzzle, layout: Layout, part: Sequence[Beginning], keep: bool
) -> Searched:
    """Search one part; what a worker is given to do."""
    return run_job(searching_part(Scan(puzzle, layout), part, keep))


def searching_part(scan: Scan, part: Sequence[Beginning], keep: bool) -> Job[float, Searched]:
    """Search one part; the events are its estimated share that is done."""
    rows: list[Row] = []
    found = nodes = 0
    for at, (beginning, images) in enumerate(part):
        search = Search(scan, beginning, keep=keep)
        while not search.finished:
            rows += search.advance(NODES_AT_ONCE)
            yield (at + search.share_done) / len(part)
        found, nodes = found + images * search.found, nodes + search.nodes
    return Searched(rows, found, nodes)


@dataclass(frozen=True)
class First:
    """A solution, or None if there is none; and how many nodes it took in how many tries."""

    solution: TileSolution | None
    nodes: int
    tries: int


def find_first(puzzle: TilePuzzle) -> Job[Progress, First]:
    """Find one solution.

    In which order the choices are tried is chance. A search that began badly is long, one that
    began well is not: so it is given up after some nodes and begun again in another order (Gomes,
    Selman and Kautz, 1998). A search that ends before it is given up has shown that there is no
    solution.
    """
    scan, nodes, tries = choose(first_scan(puzzle), whole=False), 0, 0
    while True:
        search = Search(scan, rows=1)
        search.shuffle(tries)
        limit = NODES_OF_FIRST_TRY << tries // TRIES_AS_LONG
        tries += 1
        while not search.finished and search.nodes < limit:
            found = search.advance(min(limit, NODES_AT_ONCE))
            yield Progress(f"try {tries}", nodes + search.nodes, None, "nodes")
            if found:
                laid = puzzle.solution(scan.laid(found[0]))
                return First(laid, nodes + search.nodes, tries)
        nodes += search.nodes
        if search.finished:
            return First(None, nodes, tries)


def load_kernels() -> None:
    """Load the compiled search, or compile it if this is its first use on this machine."""
    board = Board("one", "one", SQUARES, (Cell(SQUARES.kinds[0], 0, 0),))
    run_job(solve(TilePuzzle(board, TileSet(1, ((1, 1, 1, 1),)))))
