"""A search of cell after cell that can be stopped and gone on with."""

import random
from collections.abc import Iterator, Sequence

from solvers.edge_matching.scan import kernel
from solvers.edge_matching.scan.plan import ROWS, Row, Scan


class Search:
    """Searches what follows one beginning. `advance` does the work, in portions of any size.

    `found` and `nodes` count solutions and nodes so far. With `keep` the solutions are handed out
    too, at most `rows` at once. A search that is `shallow` ends at that many cells; its solutions
    are beginnings.
    """

    def __init__(
        self,
        scan: Scan,
        beginning: Row = (),
        *,
        keep: bool = True,
        shallow: int | None = None,
        rows: int = ROWS,
    ) -> None:
        self._plan, self._work = scan.plan, scan.work(rows)
        self._first, self._keep = len(beginning), keep
        self._depth = scan.depth if shallow is None else shallow
        self._work.chosen[: self._first] = beginning
        self._state = self._work.state
        self.found = 0
        self.finished = not kernel.begin(self._plan, self._work, self._first)

    @property
    def nodes(self) -> int:
        """Nodes visited so far."""
        return int(self._state[kernel.NODES])

    @property
    def share_done(self) -> float:
        """Estimated share that is done, 0 to 1: every cell's choices are taken for equal."""
        if self.finished:
            return 1.0
        share, weight = 0.0, 1.0
        last = int(self._state[kernel.LEVEL])
        for level in range(self._first, last + 1):
            start, following, end = (int(each) for each in self._work.spans[level])
            if end == start:
                break
            share += weight * (following - start - (level < last)) / (end - start)
            weight /= end - start
        return share

    def shuffle(self, seed: int) -> None:
        """Try every cell's choices in an order by chance; only before the search has begun."""
        chance = random.Random(seed)
        candidates = self._plan.candidates.copy()
        for start, end in self._plan.spans.tolist():
            some = candidates[start:end].tolist()
            chance.shuffle(some)
            candidates[start:end] = some
        self._plan = self._plan._replace(candidates=candidates)

    def advance(self, nodes: int) -> list[Row]:
        """Search up to about so many further nodes; return the solutions found, if kept."""
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


def beginnings(scan: Scan, at_least: int) -> list[Row]:
    """Return beginnings of equal length that together are the whole search.

    There are at least so many of them unless the search has fewer.
    """
    found: list[Row] = [()]
    for length in range(1, scan.depth):
        found = list(_longer(scan, found, length))
        if len(found) >= at_least or not found:
            break
    return found


def _longer(scan: Scan, found: Sequence[Row], length: int) -> Iterator[Row]:
    for beginning in found:
        search = Search(scan, beginning, shallow=length)
        while not search.finished:
            yield from search.advance(ROWS)
