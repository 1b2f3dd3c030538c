"""The layout in which the smallest search is expected, by descents at random."""

from collections import Counter
from itertools import product
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


def choose(puzzle: TilePuzzle, *, whole: bool = True) -> Scan:
    """Return the puzzle in the best layout among those that are tried.

    What is chosen depends on the puzzle alone. The anchor is the kind with the fewest places; for
    a `whole` search that is large every kind that may be one is tried, in every order, held by
    all symmetries that leave it the tile it is. Fewer are tried where the tables are large.
    """
    freedom = Counter(place.kind for place in puzzle.places())
    anchors: list[int | None] = [*sorted(puzzle.anchors, key=freedom.__getitem__)]
    first = next(iter(anchors), None)
    most = MOST_ENTRIES // _entries(puzzle)
    every_order = orders(puzzle.board)
    scans = []
    for order in every_order[: most or 1]:
        scans.append(Scan(puzzle, Layout(order, first)))
        if estimate(scans[-1], FIRST_PROBES) < SMALL:
            return scans[-1]
    best = _best(scans)
    if not whole or not anchors or estimate(best, FIRST_PROBES) < LARGE:
        return best
    every = product(every_order, anchors[: min(MOST_ANCHORS, most // len(every_order))], [True])
    return _best([best, *(Scan(puzzle, Layout(*layout)) for layout in every)])


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
