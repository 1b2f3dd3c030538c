"""The layout in which the smallest search is expected, by descents at random."""

from collections import Counter
from itertools import chain, product
from typing import Final

from solvers.edge_matching.puzzle import TilePuzzle
from solvers.edge_matching.scan.kernel import probe
from solvers.edge_matching.scan.order import orders
from solvers.edge_matching.scan.plan import Layout, Scan

FIRST_PROBES: Final = 30
SMALL: Final = 3e6
"""Nodes of a search that is over before all other layouts have been looked at."""

LARGE: Final = 1e8
"""Nodes of a search that takes seconds, which is worth to look for a better anchor too."""

MOST_ANCHORS: Final = 32
MOST_ENTRIES: Final = 8_000_000
"""Entries in the tables of all layouts that are compared: some hundred megabytes."""

STAY: Final = 4
"""In each round one layout in so many stays, and gets so many times as many probes."""


def first_scan(puzzle: TilePuzzle) -> Scan:
    """Return the puzzle in the layout that is looked at first: enough for a tiny search."""
    return Scan(puzzle, Layout(next(orders(puzzle.board)), next(iter(_anchors(puzzle)), None)))


def choose(first: Scan, *, whole: bool = True) -> Scan:
    """Return the puzzle of the first scan in the best layout among those that are tried.

    What is chosen depends on the puzzle alone. The anchor is the kind with the fewest places; for
    a `whole` search that is large every kind that may be one is tried, in every order, held by
    all symmetries that leave it the tile it is. Fewer are tried where the tables are large.
    """
    puzzle = first.puzzle
    most = MOST_ENTRIES // _entries(puzzle)
    every_order = tuple(orders(puzzle.board))
    others = (
        Scan(puzzle, first.layout._replace(order=each)) for each in every_order[1 : most or 1]
    )
    scans = []
    for scan in chain([first], others):
        scans.append(scan)
        if estimate(scan, FIRST_PROBES) < SMALL:
            return scan
    best = _best(scans)
    anchors = _anchors(puzzle)
    if not whole or not anchors or estimate(best, FIRST_PROBES) < LARGE:
        return best
    every = product(every_order, anchors[: min(MOST_ANCHORS, most // len(every_order))], [True])
    return _best([best, *(Scan(puzzle, Layout(*layout)) for layout in every)])


def _anchors(puzzle: TilePuzzle) -> list[int]:
    """Return the kinds that may be the anchor, those with the fewest places first."""
    freedom = Counter(place.kind for place in puzzle.places())
    return sorted(puzzle.anchors, key=freedom.__getitem__)


def estimate(scan: Scan, probes: int) -> float:
    """Return about how many nodes a search visits; what it expects varies much.

    Of what renaming the labels makes of a beginning it visits one.
    """
    plan, work = scan.plan, scan.work(rows=0)
    nodes = sum(probe(plan, work, scan.depth, seed + 1) for seed in range(probes)) / probes
    return nodes / len(scan.renamings)


def _best(scans: list[Scan]) -> Scan:
    """Return the scan of the smallest search, the more carefully the fewer there are to choose."""
    probes = FIRST_PROBES
    while len(scans) > 1:
        probes *= STAY
        nodes = {scan: estimate(scan, probes) for scan in scans}
        scans = sorted(scans, key=nodes.__getitem__)[: len(scans) // STAY or 1]
    return scans[0]


def _entries(puzzle: TilePuzzle) -> int:
    """Return about how many entries the tables of a layout have: places, and pairs of labels."""
    labels = {label for tile in puzzle.tiles.tiles for label in tile}
    return len(puzzle.places()) + len(labels) ** 2
