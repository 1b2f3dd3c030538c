"""All solutions of an exact-cover problem: a generator, a count, the first one.

`Search` does the same in portions; `model` says what a problem is.
"""

import gc
from collections.abc import Iterator
from dataclasses import dataclass

from solvers.search.exact_cover.model import WHOLE, ExactCover, Part
from solvers.search.exact_cover.search import NODES_AT_ONCE, Search, Solution, growing_portions


@dataclass(frozen=True)
class Tally:
    """Number of solutions, and of nodes visited to find them."""

    solutions: int
    nodes: int


def solutions(cover: ExactCover, part: Part = WHOLE) -> Iterator[Solution]:
    """Yield every solution of a part of the problem once, as ascending option numbers."""
    search = Search(cover, part)
    portions = growing_portions()
    while not search.finished:
        yield from search.advance(next(portions))


def count(cover: ExactCover, part: Part = WHOLE) -> Tally:
    """Return the number of solutions of a part of the problem."""
    search = Search(cover, part, keep_solutions=False)
    while not search.finished:
        search.advance(NODES_AT_ONCE)
    return Tally(search.found, search.nodes)


def first(cover: ExactCover, part: Part = WHOLE) -> Solution | None:
    """Return one solution, or None if there is none."""
    return next(solutions(cover, part), None)


def load_kernels() -> None:
    """Load the compiled search, or compile it if this is its first use on this machine.

    A program that searches calls this once at its start: it takes a tenth of a second, the first
    time ever some seconds. The compiler leaves a hundred thousand objects behind; they are taken
    out of garbage collection, which would else go through them while placements are made.
    """
    count(ExactCover.of([[0]]))
    gc.freeze()
