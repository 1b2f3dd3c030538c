"""A search that can be stopped and continued, and knows how much of its tree is behind it."""

import os
from collections.abc import Iterator
from typing import Any

import numpy as np

from solvers.search.exact_cover.encoding import WORD_BITS, Encoding, Root, encode, root
from solvers.search.exact_cover.kernels import planes, tree
from solvers.search.exact_cover.kernels import word_search as single
from solvers.search.exact_cover.kernels.single_words import Handover
from solvers.search.exact_cover.model import WHOLE, ExactCover, ExactCoverError, Part
from solvers.search.lanes import LANES

Solution = tuple[int, ...]

# Rows for solutions that are found before they are told.
SOLUTION_ROWS = 256
# The inner search has two rows of words a level, and looks at up to eight at once.
SPARE_WORDS = 4 * LANES


# Where the system does not tell, as Windows.
USUAL_MEMORY = 8_000_000_000

# A few tenths of a second, so that progress moves and Ctrl-C is heeded.
NODES_AT_ONCE = 5_000_000
NODES_AT_FIRST = 1_000
# Options of more words than a processor has at hand, those of targets of thousands of cells, are
# looked at slowly: some tens of nodes may take a second.
LARGE_WORDS = 100_000
WORDS_AT_ONCE = 200_000_000


def growing_portions() -> Iterator[int]:
    """Yield numbers of nodes for `Search.advance`: small ones first, so that whoever waits for the
    first solutions has them soon.
    """
    nodes = NODES_AT_FIRST
    while True:
        yield nodes
        nodes = min(2 * nodes, NODES_AT_ONCE)


class Search:
    """Searches one part of a problem. `advance` does the work, in portions of any size.

    `found` and `nodes` count solutions and nodes so far. With `keep_solutions` the solutions are
    handed out too; without, they are only counted, which is faster.
    """

    def __init__(
        self,
        cover: ExactCover,
        part: Part = WHOLE,
        *,
        keep_solutions: bool = True,
        encoding: Encoding | None = None,
    ) -> None:
        self._encoding = encoding or encode(cover)
        self._part = part
        self._keep = keep_solutions
        self.finished = False
        self._allocate()
        start = root(self._encoding, part)
        if start is None or (start.room < 0).any():
            self.finished = True
            return
        self._begin(start)

    def _allocate(self) -> None:
        encoding = self._encoding
        depth, options = encoding.greatest_depth + 2, encoding.options
        counted, words = len(encoding.counted_items), encoding.takes.shape[1]
        large = options * words > LARGE_WORDS
        self._most_nodes = max(1, WORDS_AT_ONCE // (options * words)) if large else NODES_AT_ONCE
        inner_room = options if encoding.single_words else 0
        inner_rows = inner_room + SOLUTION_ROWS if self._keep else 1
        self._problem = tree.Problem(encoding.takes, encoding.blocks, encoding.counted_items)
        self._state = np.zeros(tree.STATE_ENTRIES, dtype=np.int64)
        self._stack = planes.Stack(
            planes=np.empty(room_for(encoding), dtype=np.uint64),
            levels=np.zeros((depth, planes.LEVEL_COLUMNS), dtype=np.int64),
            opens=np.zeros((depth, words), dtype=np.uint64),
            needs=np.zeros((depth, counted), dtype=np.int64),
            rooms=np.zeros((depth, counted), dtype=np.int64),
            state=self._state,
            solutions=np.empty((2 * inner_rows, depth), dtype=np.int64),
            blocked=np.zeros(words, dtype=np.uint64),
            unions=np.zeros(words, dtype=np.uint64),
            masks=np.zeros(options // LANES + 1, dtype=np.uint64),
        )
        self._handover = Handover(
            options=np.empty(inner_room, dtype=np.int64),
            facts=np.zeros(2, dtype=np.int64),
            numbers=np.zeros(words * WORD_BITS, dtype=np.int64),
        )
        self._inner = single.WordSearch(
            words=np.empty(single.MAX_DEPTH * (inner_room + SPARE_WORDS), dtype=np.uint64),
            spans=np.zeros((single.SPAN_ROWS, single.MAX_DEPTH + 1), dtype=np.int64),
            masks=np.zeros((single.MASK_ROWS, single.MAX_DEPTH + 1), dtype=np.uint64),
            state=np.zeros(3, dtype=np.int64),
            solutions=np.zeros((inner_rows, single.MAX_DEPTH + 1), dtype=np.uint64),
        )

    def _begin(self, start: Root) -> None:
        """Fill in the first level."""
        stack, size = self._stack, len(start.alive)
        takes = self._encoding.takes[start.alive]
        stride = size + planes.SPARE
        stack.levels[0, [planes.STRIDE, planes.SIZE]] = stride, size
        for number, plane in enumerate((*takes.T, start.alive)):
            stack.planes[number * stride : number * stride + size] = plane
        stack.opens[0], stack.needs[0], stack.rooms[0] = start.required, start.need, start.room
        stack.unions[:] = np.bitwise_or.reduce(takes, axis=0)
        self._state[[tree.NODES, tree.ENTER]] = 1

    @property
    def found(self) -> int:
        """Solutions found so far."""
        return int(self._state[tree.FOUND])

    @property
    def nodes(self) -> int:
        """Nodes of the search tree visited so far."""
        return int(self._state[tree.NODES] + self._inner.state[single.NODES])

    @property
    def share_done(self) -> float:
        """Estimated share of the part's tree that is behind the search, from 0 to 1.

        Every node's children are taken for equal in size.
        """
        if self.finished:
            return 1.0
        share, weight = 0.0, 1.0
        for done, children in (*self._outer_levels(), *self._inner_levels()):
            share += weight * done / children
            weight /= children
        return share

    def _outer_levels(self) -> Iterator[tuple[int, int]]:
        """Yield how many children are done of how many, for each level that has some."""
        last = int(self._state[tree.LEVEL])
        for level in range(last + 1):
            if level == last and (self._state[tree.ENTER] or self._state[tree.INNER]):
                return
            start, stride, size, following, item, _ = self._stack.levels[level].tolist()
            taking = np.ones(size, dtype=bool)
            if item != planes.ANY:
                plane = start + item // WORD_BITS * stride
                bit = np.uint64(1 << item % WORD_BITS)
                taking = self._stack.planes[plane : plane + size] & bit != 0
            yield from _done(taking, following, at_work=level < last)

    def _inner_levels(self) -> Iterator[tuple[int, int]]:
        if not self._state[tree.INNER]:
            return
        last = int(self._inner.state[single.LEVEL])
        for level in range(last + 1):
            first, following, end = self._inner.spans[single.CHILDREN :, level].tolist()
            if end > first:
                yield following - first - (level < last), end - first

    def advance(self, nodes: int) -> list[Solution]:
        """Search up to about `nodes` further nodes; return the solutions found, if kept."""
        return as_solutions(self.advance_rows(nodes), self._encoding.options)

    def advance_rows(self, nodes: int) -> Any:
        """Do the same; a solution is a row of ascending option numbers, filled up with their
        number.
        """
        if not self.finished:
            tree.advance(
                self._problem,
                self._stack,
                self._handover,
                self._inner,
                self._encoding.single_words,
                self._keep,
                self.nodes + min(nodes, self._most_nodes),
            )
            self.finished = bool(self._state[tree.LEVEL] < 0)
        kept = self._state[tree.KEPT]
        self._state[tree.KEPT] = 0
        rows = self._stack.solutions[:kept]
        if self._part.chosen:
            above = np.tile(np.array(self._part.chosen, dtype=np.int64), (kept, 1))
            rows = np.hstack([above, rows])
        return np.sort(rows, axis=1)


def room_for(encoding: Encoding) -> int:
    """Return the words for all levels of a search; what is never written to takes no memory.

    Raises ExactCoverError where the levels might take more memory than there is.
    """
    depth, options = encoding.greatest_depth + 2, encoding.options
    entries: int = depth * (options + planes.SPARE) * (encoding.takes.shape[1] + 1)
    if 8 * entries > _memory():
        raise ExactCoverError(
            f"The search would need up to {8e-9 * entries:.0f} GB of memory, more than there is: "
            f"{options} ways to place a piece, up to {depth - 2} pieces at a time. Take a smaller "
            "target, or larger pieces."
        )
    return entries


def _memory() -> int:
    """Return the bytes of memory of this machine."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):
        return USUAL_MEMORY


def as_solutions(rows: Any, options: int) -> list[Solution]:
    """Return the rows without what fills them up."""
    lengths = (rows < options).sum(axis=1).tolist()
    return [tuple(row[:n]) for row, n in zip(rows.tolist(), lengths, strict=True)]


def _done(taking: Any, tried: int, *, at_work: bool) -> Iterator[tuple[int, int]]:
    """Yield how many of a level's children are done of how many, unless it has none."""
    children = int(taking.sum())
    if children:
        yield int(taking[:tried].sum()) - at_work, children
