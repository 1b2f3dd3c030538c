"""Resumable search of cell after cell, and what symmetries make of its results."""

import random
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from solvers.edge_matching.lattice.lattice import Labels
from solvers.edge_matching.puzzle import Place
from solvers.edge_matching.scan import kernel
from solvers.edge_matching.scan.kernel import Plan
from solvers.edge_matching.scan.plan import ROWS, Row, Scan
from solvers.edge_matching.symmetry import Symmetry


class Search:
    """A search of everything after one prefix. `advance` does the work, in portions of any size.

    `found` and `nodes` count solutions and nodes so far. With `keep` the solutions are handed out
    too, at most `rows` at once. With `shallow`, the search ends at that many cells; its solutions
    are prefixes. With a `seed`, a scan `for_one` solution tries them in random order. `begin`
    searches after another prefix: new arrays for each would take longer than many a search.
    """

    def __init__(
        self,
        scan: Scan,
        prefix: Row = (),
        *,
        keep: bool = True,
        shallow: int | None = None,
        rows: int = ROWS,
        seed: int | None = None,
    ) -> None:
        self._plan, self._work = scan.plan, scan.work(rows)
        if seed is not None:
            self._plan = _shuffled(self._plan, random.Random(seed))
        self._keep = keep
        self._depth = scan.depth if shallow is None else shallow
        self._state = self._work.state
        self._all_tiles = self._work.left.copy()
        self.begin(prefix)

    def begin(self, prefix: Row) -> None:
        """Begin to search everything after a prefix, wherever the search stands."""
        work, self._first = self._work, len(prefix)
        work.state.fill(0)
        work.left[:] = self._all_tiles
        work.available.fill(kernel.ALL)
        work.chosen[: self._first] = prefix
        self.found = 0
        self.finished = not kernel.start(self._plan, work, self._first)

    @property
    def nodes(self) -> int:
        """Nodes visited so far."""
        return int(self._state[kernel.NODES])

    @property
    def share_done(self) -> float:
        """Estimated share that is done, 0 to 1, as if all choices of a cell took equally long."""
        if self.finished:
            return 1.0
        share, weight = 0.0, 1.0
        last = int(self._state[kernel.LEVEL])
        for level in range(self._first, last + 1):
            tried, choices = self._tried(level)
            if choices == 0:
                break
            share += weight * (tried - (level < last)) / choices
            weight /= choices
        return share

    def _tried(self, level: int) -> tuple[int, int]:
        """Return how many candidates of a level have been passed, and how many there are."""
        plan, at = self._plan, int(self._work.sets[level])
        first = last = at
        while first > 0 and plan.more[first - 1]:
            first -= 1
        while plan.more[last]:
            last += 1
        sizes = [int(mask).bit_count() for mask in plan.masks[first : last + 1]]
        untried = int(self._work.untried[level])
        ahead = int(plan.masks[at]) & -(untried & -untried) if untried else 0
        return sum(sizes[: at - first + 1]) - ahead.bit_count(), sum(sizes)

    def advance(self, nodes: int) -> list[Row]:
        """Search about `nodes` further nodes; return the solutions found, if stored."""
        limit = self.nodes + nodes
        rows: list[Row] = []
        while not self.finished and self.nodes < limit and not rows:
            self._state[kernel.FOUND] = 0
            kernel.advance(self._plan, self._work, self._first, self._depth, self._keep, limit)
            found = int(self._state[kernel.FOUND])
            self.found += found
            if self._keep:
                rows += map(tuple, self._work.rows[:found, : self._depth].tolist())
            self.finished = bool(self._state[kernel.LEVEL] < self._first)
        return rows


def _shuffled(plan: Plan, chance: random.Random) -> Plan:
    """Return the plan with the sets of each leaf in random order."""
    order: list[int] = []
    leaf: list[int] = []
    for number, more in enumerate(plan.more.tolist()):
        leaf.append(number)
        if not more:
            chance.shuffle(leaf)
            order += leaf
            leaf = []
    return plan._replace(
        masks=plan.masks[order], words=plan.words[order], firsts=plan.firsts[order]
    )


def prefixes(scan: Scan, at_least: int) -> list[Row]:
    """Return prefixes of equal length that together cover the whole search.

    There are at least `at_least` of them, unless the search has fewer.
    """
    found: list[Row] = [()]
    for length in range(1, scan.depth):
        found = list(_longer(scan, found, length))
        if len(found) >= at_least or not found:
            break
    return found


def _longer(scan: Scan, found: Sequence[Row], length: int) -> Iterator[Row]:
    search = Search(scan, shallow=length)
    for prefix in found:
        search.begin(prefix)
        while not search.finished:
            yield from search.advance(ROWS)


class Prefix(NamedTuple):
    """The first tiles, and the number of different rows that renaming the labels makes of them."""

    row: Row
    images: int


class SymmetryReducer:
    """Reduces a scan by symmetry: only one prefix of each set of renamed ones is searched."""

    def __init__(self, scan: Scan) -> None:
        self._scan = scan
        self._puzzle = scan.puzzle

    def prefixes(self, every: Sequence[Row]) -> list[Prefix]:
        """Return one prefix of each set that renaming maps onto itself."""
        if len(self._scan.renamings) == 1:
            return [Prefix(row, 1) for row in every]
        images = [(row, self._renamed(row)) for row in every]
        return [Prefix(row, len(rows)) for row, rows in images if row == min(rows)]

    @property
    def sets(self) -> int:
        """Number of sets of turned solutions for each solution that is found."""
        return 1 + len(self._others)

    def solutions(self, row: Row, prefix: int) -> Iterator[dict[int, Place]]:
        """Yield the solutions that a row represents, which was found after `prefix` tiles."""
        if len(self._scan.group) == len(self._puzzle.turns):
            yield self._scan.places(row)
            return
        for renaming in self._renamed(row[:prefix]).values():
            placed = self._puzzle.moved(self._scan.places(row).values(), renaming)
            yield placed
            yield from (self._puzzle.moved(placed.values(), other) for other in self._others)

    def _renamed(self, row: Row) -> dict[Row, Symmetry]:
        """Return the renamed images of a row, each with a symmetry that makes it."""
        places = self._scan.places(row).values()
        return {
            self._scan.row(self._puzzle.moved(places, each).values()): each
            for each in self._scan.renamings
        }

    @cached_property
    def _others(self) -> list[Symmetry]:
        """Symmetries that map a solution to one of each further set of turned and renamed ones."""
        scan, turns = self._scan, self._puzzle.plain_group
        if len(scan.group) == len(turns):
            return []
        place = next(each for each in self._puzzle.places() if each.kind == scan.layout.anchor)
        found: dict[frozenset[tuple[int, Labels]], Symmetry] = {}
        for each in (*scan.renamings, *scan.group):
            images = [
                each.image(*other.image(place.cell, place.labels)) for other in scan.renamings
            ]
            turned = frozenset(turn.image(*image) for turn in turns for image in images)
            found.setdefault(turned, each)
        return list(found.values())[1:]
