"""A search that can be stopped and continued, and knows how much of its tree is behind it."""

from collections.abc import Iterator

import numpy as np

from solvers.search.exact_cover import tree
from solvers.search.exact_cover import words as single
from solvers.search.exact_cover.encoding import WORD_BITS, Encoding, encode, root
from solvers.search.exact_cover.model import WHOLE, ExactCover, Part

Solution = tuple[int, ...]

# Rows for solutions that the inner search fills before it reports them.
SOLUTION_ROWS = 256
# The inner search looks at up to eight words at once.
SPARE_WORDS = 16


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
        self.found = 0
        self.finished = False
        self._inner_running = False
        self._allocate()
        start = root(self._encoding, part)
        if start is None or (start.room < 0).any():
            self.finished = True
            return
        self._stack.pool[: len(start.alive)] = start.alive
        self._levels[0, tree.SIZE] = len(start.alive)
        self._stack.opens[0] = start.required
        self._stack.needs[0], self._stack.rooms[0] = start.need, start.room

    def _allocate(self) -> None:
        encoding = self._encoding
        depth, options = encoding.greatest_depth + 2, encoding.options
        counted, words = len(encoding.counted_items), encoding.takes.shape[1]
        self._problem = tree.Problem(encoding.takes, encoding.blocks, encoding.counted_items)
        self._levels = np.zeros((depth, tree.LEVEL_COLUMNS), dtype=np.int64)
        self._state = np.array([0, 0, 1], dtype=np.int64)
        self._stack = tree.Stack(
            pool=np.empty(depth * (options + 1), dtype=np.int64),
            levels=self._levels,
            opens=np.zeros((depth, words), dtype=np.uint64),
            needs=np.zeros((depth, counted), dtype=np.int64),
            rooms=np.zeros((depth, counted), dtype=np.int64),
            state=self._state,
            counts=np.zeros(words * WORD_BITS, dtype=np.int64),
            blocked=np.zeros(words, dtype=np.uint64),
        )
        room = single.MAX_DEPTH * (options + SPARE_WORDS) if encoding.single_words else 0
        self._handover = tree.Handover(
            words=np.empty(room, dtype=np.uint64),
            options=np.empty(options, dtype=np.int64),
            facts=np.zeros(3, dtype=np.uint64),
            numbers=np.zeros(words * WORD_BITS, dtype=np.int64),
        )
        rows = options + SOLUTION_ROWS if self._keep else 1
        self._inner = single.WordSearch(
            words=self._handover.words,
            spans=np.zeros((3, single.MAX_DEPTH + 1), dtype=np.int64),
            masks=np.zeros((3, single.MAX_DEPTH + 1), dtype=np.uint64),
            state=np.zeros(3, dtype=np.int64),
            solutions=np.zeros((rows, single.MAX_DEPTH + 1), dtype=np.uint64),
        )

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
        level = int(self._state[tree.LEVEL])
        for here in self._levels[:level]:
            yield int(here[tree.CHILD]) - 1, int(here[tree.CHILDREN])
        here = self._levels[level]
        if here[tree.CHILDREN] > 0 and not self._state[tree.DESCEND]:
            yield int(here[tree.CHILD]), int(here[tree.CHILDREN])
        elif not self._state[tree.DESCEND] and not self._inner_running:
            yield 1, 1

    def _inner_levels(self) -> Iterator[tuple[int, int]]:
        if not self._inner_running:
            return
        last = int(self._inner.state[single.LEVEL])
        for level in range(last + 1):
            start, size, following = self._inner.spans[:, level].tolist()
            branch = self._inner.masks[single.BRANCH, level]
            taking = self._inner.words[start : start + size] & branch != 0
            children = int(taking.sum())
            tried = int(taking[: following - start].sum())
            if children:
                yield tried - (level < last), children

    def advance(self, nodes: int) -> list[Solution]:
        """Search up to about `nodes` further nodes; return the solutions found, if kept."""
        limit = self.nodes + nodes
        solutions: list[Solution] = []
        while not self.finished and self.nodes < limit and not solutions:
            if self._inner_running:
                solutions = self._advance_inner(limit)
            else:
                solutions = self._advance_outer(limit)
        return solutions

    def _advance_outer(self, limit: int) -> list[Solution]:
        outcome = tree.advance(
            self._problem,
            self._stack,
            self._handover,
            self._encoding.single_words,
            limit - int(self._inner.state[single.NODES]),
        )
        if outcome == tree.FINISHED:
            self.finished = True
        elif outcome == tree.HANDOVER:
            required, options, _least = self._handover.facts
            single.begin(self._inner, int(options), required)
            self._inner_running = True
        elif outcome == tree.SOLUTION:
            self.found += 1
            if self._keep:
                return [self._above()]
        return []

    def _advance_inner(self, limit: int) -> list[Solution]:
        self._inner.state[single.FOUND] = 0
        single.search(
            self._inner,
            int(self._handover.facts[2]),
            self._keep,
            limit - int(self._state[tree.NODES]),
        )
        found = int(self._inner.state[single.FOUND])
        self.found += found
        self._inner_running = bool(self._inner.state[single.LEVEL] >= 0)
        return list(self._translated(found)) if self._keep else []

    def _above(self) -> Solution:
        level = int(self._state[tree.LEVEL])
        return tuple(sorted((*self._part.chosen, *self._levels[:level, tree.CHOSEN].tolist())))

    def _translated(self, found: int) -> Iterator[Solution]:
        """Turn the inner search's words back into options."""
        if not found:
            return
        options = int(self._handover.facts[1])
        number_of = dict(
            zip(
                self._inner.words[:options].tolist(),
                self._handover.options[:options].tolist(),
                strict=True,
            )
        )
        above = self._above()
        for row in self._inner.solutions[:found].tolist():
            yield tuple(sorted((*above, *(number_of[word] for word in row if word))))
