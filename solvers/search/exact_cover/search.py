"""Exact-cover search: in portions that can be resumed, for all, one, or the number of solutions."""

import gc
import os
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from solvers.foundation.progress import Job, Progress
from solvers.search.exact_cover import model
from solvers.search.exact_cover.kernels import tree
from solvers.search.exact_cover.kernels import tree as planes
from solvers.search.exact_cover.kernels import word_search as single
from solvers.search.exact_cover.kernels.tree import Handover
from solvers.search.lanes import LANES

Solution = tuple[int, ...]

# Rows for solutions between two calls of `advance`.
SOLUTION_ROWS = 256
# The inner search has two rows of words per level, and reads up to eight words at once.
SPARE_WORDS = 4 * LANES


# Assumed where the system does not say, such as on Windows.
USUAL_MEMORY = 8_000_000_000

# A few tenths of a second, so that progress is shown and Ctrl-C takes effect.
NODES_AT_ONCE = 5_000_000
NODES_AT_FIRST = 1_000
# With options of many words, as of targets of thousands of cells, some tens of nodes may take a
# second.
LARGE_WORDS = 100_000
WORDS_AT_ONCE = 200_000_000


def growing_portions() -> Iterator[int]:
    """Yield numbers of nodes for `Search.advance`.

    Small ones come first, so that the first solutions are available soon.
    """
    nodes = NODES_AT_FIRST
    while True:
        yield nodes
        nodes = min(2 * nodes, NODES_AT_ONCE)


class Search:
    """A search of one part of a problem, resumable after any portion.

    `found` and `nodes` count solutions and nodes so far. With `keep_solutions` the solutions are
    returned too; without, they are only counted, which is faster.
    """

    def __init__(
        self,
        cover: model.ExactCover,
        part: model.Part = model.WHOLE,
        *,
        keep_solutions: bool = True,
        encoding: model.Encoding | None = None,
    ) -> None:
        self._encoding = encoding or model.encode(cover)
        self._part = part
        self._keep = keep_solutions
        self.finished = False
        self._allocate()
        start = model.root(self._encoding, part)
        if start is None or (start.room < 0).any():
            self.finished = True
            return
        self._fill_first_level(start)

    def _allocate(self) -> None:
        encoding = self._encoding
        depth, options = encoding.greatest_depth + 2, encoding.options
        counted, words = len(encoding.counted_items), encoding.takes.shape[1]
        large = options * words > LARGE_WORDS
        self._most_nodes = max(1, WORDS_AT_ONCE // (options * words)) if large else NODES_AT_ONCE
        inner_room = options if encoding.single_words else 0
        # One step of the inner search finds at most one solution for each option.
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
            numbers=np.zeros(words * model.WORD_BITS, dtype=np.int64),
        )
        self._inner = single.WordSearch(
            words=np.empty(single.MAX_DEPTH * (inner_room + SPARE_WORDS), dtype=np.uint64),
            spans=np.zeros((single.SPAN_ROWS, single.MAX_DEPTH + 1), dtype=np.int64),
            masks=np.zeros((single.MASK_ROWS, single.MAX_DEPTH + 1), dtype=np.uint64),
            state=np.zeros(3, dtype=np.int64),
            solutions=np.zeros((inner_rows, single.MAX_DEPTH + 1), dtype=np.uint64),
        )

    def _fill_first_level(self, start: model.Root) -> None:
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
        """Estimated share of the part's tree that has been searched, from 0 to 1.

        The children of a node are assumed to be of equal size.
        """
        if self.finished:
            return 1.0
        # A node's weight is the product of 1 / (number of children) of all nodes above it (Knuth,
        # Estimating the Efficiency of Backtrack Programs, 1975).
        share, weight = 0.0, 1.0
        for done, children in (*self._outer_levels(), *self._inner_levels()):
            share += weight * done / children
            weight /= children
        return share

    def _outer_levels(self) -> Iterator[tuple[int, int]]:
        """Yield the number of children done and of all children, for each level that has some."""
        last = int(self._state[tree.LEVEL])
        for level in range(last + 1):
            if level == last and (self._state[tree.ENTER] or self._state[tree.INNER]):
                return
            start, stride, size, following, item, _ = self._stack.levels[level].tolist()
            taking = np.ones(size, dtype=bool)
            if item != planes.ANY:
                plane = start + item // model.WORD_BITS * stride
                bit = np.uint64(1 << item % model.WORD_BITS)
                taking = self._stack.planes[plane : plane + size] & bit != 0
            yield from _children_done(taking, following, at_work=level < last)

    def _inner_levels(self) -> Iterator[tuple[int, int]]:
        if not self._state[tree.INNER]:
            return
        last = int(self._inner.state[single.LEVEL])
        for level in range(last + 1):
            first, following, end = self._inner.spans[single.CHILDREN :, level].tolist()
            if end > first:
                yield following - first - (level < last), end - first

    def advance(self, nodes: int) -> list[Solution]:
        """Search about `nodes` further nodes; return the solutions found, if they are stored."""
        return as_solutions(self.advance_rows(nodes), self._encoding.options)

    def advance_rows(self, nodes: int) -> Any:
        """Search about `nodes` further nodes; return the solutions found as rows.

        A row has ascending option numbers, padded with the number of options.
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
        stored = self._state[tree.STORED]
        self._state[tree.STORED] = 0
        rows = self._stack.solutions[:stored]
        # The kernel knows only the options below the part's own.
        if self._part.chosen:
            above = np.tile(np.array(self._part.chosen, dtype=np.int64), (stored, 1))
            rows = np.hstack([above, rows])
        return np.sort(rows, axis=1)


def room_for(encoding: model.Encoding) -> int:
    """Return the number of words for all levels of a search.

    Pages that are never written to take no memory. Raises ExactCoverError if the levels might take
    more memory than there is.
    """
    depth, options = encoding.greatest_depth + 2, encoding.options
    entries: int = depth * (options + planes.SPARE) * (encoding.takes.shape[1] + 1)
    if 8 * entries > _memory():
        raise model.ExactCoverError(
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
    """Return rows as tuples without their padding."""
    lengths = (rows < options).sum(axis=1).tolist()
    return [tuple(row[:n]) for row, n in zip(rows.tolist(), lengths, strict=True)]


def _children_done(taking: Any, tried: int, *, at_work: bool) -> Iterator[tuple[int, int]]:
    """Yield the number of a level's children done and of all of them, unless it has none."""
    children = int(taking.sum())
    if children:
        yield int(taking[:tried].sum()) - at_work, children


# Whole searches.


@dataclass(frozen=True)
class Tally:
    """Number of solutions, and of nodes visited to find them."""

    solutions: int
    nodes: int


def solutions(cover: model.ExactCover, part: model.Part = model.WHOLE) -> Iterator[Solution]:
    """Yield every solution of a part of the problem once, as ascending option numbers."""
    search = Search(cover, part)
    portions = growing_portions()
    while not search.finished:
        yield from search.advance(next(portions))


def count(cover: model.ExactCover, part: model.Part = model.WHOLE) -> Tally:
    """Return the number of solutions of a part of the problem."""
    search = Search(cover, part, keep_solutions=False)
    while not search.finished:
        search.advance(NODES_AT_ONCE)
    return Tally(search.found, search.nodes)


def first(cover: model.ExactCover, part: model.Part = model.WHOLE) -> Solution | None:
    """Return one solution, or None if there is none."""
    return next(solutions(cover, part), None)


def load_kernels() -> None:
    """Load the compiled search, or compile it if this is its first use on this machine.

    A program that searches calls this once at its start: it takes a tenth of a second, the first
    time some seconds. The compiler leaves a hundred thousand objects behind. They are excluded from
    garbage collection, which would otherwise visit them all while placements are generated.
    """
    count(model.ExactCover.of([[0]]))
    # See the docstring: collections would visit everything that the compiler left.
    gc.freeze()


# One solution, by searches that are restarted in another order.

NODES_OF_FIRST_TRY: Final = 100_000
# Random tries that are given up after the same number of nodes, before the number doubles.
TRIES_AS_LONG: Final = 4


@dataclass(frozen=True)
class FirstSolution:
    """A solution, or None if there is none, with the nodes and tries that it took."""

    solution: Solution | None
    nodes: int
    tries: int


def find_one_job(cover: model.ExactCover) -> Job[Progress, FirstSolution]:
    """Find one solution.

    The search branches on the item with the fewest options; the order in which these are tried is
    free. The time it takes is heavy-tailed: a search that starts badly is long, one that starts
    well is not. So a search in random order is given up after some nodes and restarted in another
    order (Gomes, Selman and Kautz, 1998). In turn with these, the search in the given order gets as
    many nodes; if there is no solution, it proves so in the end.
    """
    steady = Search(cover)
    nodes = tries = 0
    while True:
        limit = NODES_OF_FIRST_TRY << tries // TRIES_AS_LONG
        # The first try is the steady search alone: easy problems are solved within it.
        order = list(range(len(cover.options)))
        found = yield from _searching(steady, limit, nodes)
        if not found and not steady.finished and tries > 0:
            random.Random(tries).shuffle(order)
            shuffled = Search(_in_order(cover, order))
            found = yield from _searching(shuffled, limit, nodes + steady.nodes)
            nodes += shuffled.nodes
        tries += 1
        if found or steady.finished:
            chosen = tuple(sorted(order[option] for option in found[0])) if found else None
            return FirstSolution(chosen, nodes + steady.nodes, tries)


def _searching(search: Search, nodes: int, before: int) -> Job[Progress, list[Solution]]:
    """Search until there are solutions, or for `nodes` nodes; `before` were visited elsewhere."""
    end, portions = search.nodes + nodes, growing_portions()
    found: list[Solution] = []
    while not found and not search.finished and search.nodes < end:
        found = search.advance(min(end - search.nodes, next(portions)))
        yield Progress("", before + search.nodes, None, "nodes")
    return found


def _in_order(cover: model.ExactCover, order: Sequence[int]) -> model.ExactCover:
    return replace(
        cover,
        options=tuple(cover.options[option] for option in order),
        colours=tuple(cover.colours[option] for option in order) if cover.colours else (),
    )
