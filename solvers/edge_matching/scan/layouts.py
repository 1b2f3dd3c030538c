"""Orders of the cells, and the choice of the one with the smallest expected search.

Orders go line by line, or around the rim and then inwards.
"""

from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from itertools import chain, product
from math import atan2, hypot
from operator import mul
from typing import Final

from solvers.edge_matching.board import Board
from solvers.edge_matching.puzzle import TilePuzzle
from solvers.edge_matching.scan.kernel import probe
from solvers.edge_matching.scan.plan import Layout, Scan

Order = tuple[int, ...]
Point = tuple[float, ...]


def orders(board: Board) -> Iterator[Order]:
    """Yield candidate orders, each once."""
    middles = [_middle(board, cell) for cell in range(len(board.cells))]
    centre = _mean(middles)
    depths = _depths(board)

    def along(direction: Sequence[int]) -> Callable[[int], tuple[float, ...]]:
        """Return the key of lines, or layers, at right angles to a direction."""
        return lambda cell: (round(sum(map(mul, direction, middles[cell])), 6), *middles[cell])

    def around(turned: float) -> Callable[[int], tuple[float, ...]]:
        """Return the key of rings that start in a direction."""
        x, y = centre[:2]
        return lambda cell: (
            depths[cell],
            (atan2(middles[cell][1] - y, middles[cell][0] - x) - turned) % 6.283185,
            hypot(middles[cell][0] - x, middles[cell][1] - y),
            *middles[cell][2:],
        )

    found: set[Order] = set()
    for direction in _directions(board.lattice.dimensions):
        for key in (along(direction), around(atan2(direction[1], direction[0]) - 0.01)):
            order = tuple(sorted(range(len(middles)), key=key))
            if order not in found:
                found.add(order)
                yield order


def _directions(dimensions: int) -> list[tuple[int, ...]]:
    """Return the directions to all neighbours of a square or of a cube, straight ones first."""
    every = product((1, 0, -1), repeat=dimensions)
    return sorted((each for each in every if any(each)), key=lambda each: sum(map(abs, each)))


def _depths(board: Board) -> list[int]:
    """Return for each cell how many steps it is from a cell with a side outside."""
    depths = {cell: 0 for cell, _ in board.rim_sides}
    waiting = deque(depths)
    while waiting:
        cell = waiting.popleft()
        for side in range(board.sides_per_tile):
            touching = board.neighbours.get((cell, side))
            if touching is not None and touching[0] not in depths:
                depths[touching[0]] = depths[cell] + 1
                waiting.append(touching[0])
    return [depths[cell] for cell in range(len(board.cells))]


def _middle(board: Board, cell: int) -> Point:
    return _mean(board.cells[cell].corners)


def _mean(points: Sequence[Point]) -> Point:
    return tuple(sum(values) / len(points) for values in zip(*points, strict=True))


FIRST_PROBES: Final = 30
SMALL: Final = 3e6
"""Nodes of a search that takes less time than comparing all other layouts."""

LARGE: Final = 1e8
"""Nodes of a search that takes seconds, so that a better anchor is worth looking for."""

MOST_ANCHORS: Final = 32
MOST_ENTRIES: Final = 8_000_000
"""Limit for the table entries of all compared layouts: some hundred megabytes."""

STAY: Final = 4
"""In each round one of STAY layouts stays and gets STAY times as many probes."""


def first_scan(puzzle: TilePuzzle, *, for_one: bool = False) -> Scan:
    """Return the puzzle in the first layout, which is good enough for a tiny search."""
    layout = Layout(next(orders(puzzle.board)), next(iter(_anchors(puzzle)), None))
    return Scan(puzzle, layout, for_one=for_one)


def choose(first: Scan) -> Scan:
    """Return the puzzle of the first scan in the best of the compared layouts.

    The choice depends on the puzzle alone. The anchor is the kind with the fewest places; for a
    large search for all solutions, every possible anchor is tried in every order, restricted by all
    symmetries that keep its kind. Fewer are tried if the tables are large.
    """
    puzzle = first.puzzle
    most = MOST_ENTRIES // _entries(puzzle)
    every_order = tuple(orders(puzzle.board))
    others = (
        Scan(puzzle, first.layout._replace(order=each), for_one=first.for_one)
        for each in every_order[1 : most or 1]
    )
    scans = []
    for scan in chain([first], others):
        scans.append(scan)
        if estimate(scan, FIRST_PROBES) < SMALL:
            return scan
    best = _best(scans)
    anchors = _anchors(puzzle)
    if first.for_one or not anchors or estimate(best, FIRST_PROBES) < LARGE:
        return best
    every = product(every_order, anchors[: min(MOST_ANCHORS, most // len(every_order))], [True])
    return _best([best, *(Scan(puzzle, Layout(*layout)) for layout in every)])


def _anchors(puzzle: TilePuzzle) -> list[int]:
    """Return the kinds that can be the anchor, those with the fewest places first."""
    freedom = Counter(place.kind for place in puzzle.places())
    return sorted(puzzle.anchors, key=freedom.__getitem__)


def estimate(scan: Scan, probes: int) -> float:
    """Return an estimate of the nodes that a search visits; its variance is large.

    Of the images of a prefix under renaming, the search visits one.
    """
    plan, work = scan.plan, scan.work(rows=0)
    nodes = sum(probe(plan, work, scan.depth, seed + 1) for seed in range(probes)) / probes
    return nodes / len(scan.renamings)


def _best(scans: list[Scan]) -> Scan:
    """Return the scan with the smallest search: fewer candidates get more probes each round."""
    probes = FIRST_PROBES
    while len(scans) > 1:
        probes *= STAY
        nodes = {scan: estimate(scan, probes) for scan in scans}
        scans = sorted(scans, key=nodes.__getitem__)[: len(scans) // STAY or 1]
    return scans[0]


def _entries(puzzle: TilePuzzle) -> int:
    """Return about how many table entries a layout has: places, and pairs of labels."""
    labels = {label for tile in puzzle.tiles.tiles for label in tile}
    return len(puzzle.places()) + len(labels) ** 2
