"""One solution of a problem, by searches that are given up and begun again in another order."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from solvers.foundation.progress import Job, Progress
from solvers.search.exact_cover.model import ExactCover
from solvers.search.exact_cover.search import Search, Solution, growing_portions

NODES_OF_FIRST_TRY: Final = 100_000
TRIES_AS_LONG: Final = 4
"""So many tries in an order by chance are given up after as many nodes; then twice as many."""


@dataclass(frozen=True)
class One:
    """A solution, or None if there is none; and how many nodes it took in how many tries."""

    solution: Solution | None
    nodes: int
    tries: int


def finding_one(cover: ExactCover) -> Job[Progress, One]:
    """Find one solution.

    The item that can be served in the fewest ways is served first; in which order its ways are
    tried may be chance. A search that began badly is long, one that began well is not: so it is
    given up after some nodes and begun again in another order (Gomes, Selman and Kautz, 1998).
    Beside these tries the search in the order of the options goes on, with as many nodes: it shows
    in the end that there is no solution, if there is none.
    """
    steady = Search(cover)
    nodes = tries = 0
    while True:
        limit = NODES_OF_FIRST_TRY << tries // TRIES_AS_LONG
        order = list(range(len(cover.options)))
        found = yield from _searching(steady, limit, nodes)
        if not found and not steady.finished and tries > 0:
            random.Random(tries).shuffle(order)
            by_chance = Search(_in_order(cover, order))
            found = yield from _searching(by_chance, limit, nodes + steady.nodes)
            nodes += by_chance.nodes
        tries += 1
        if found or steady.finished:
            chosen = tuple(sorted(order[option] for option in found[0])) if found else None
            return One(chosen, nodes + steady.nodes, tries)


def _searching(search: Search, nodes: int, before: int) -> Job[Progress, list[Solution]]:
    """Search until there are solutions, or for so many nodes; `before` were visited elsewhere."""
    end, portions = search.nodes + nodes, growing_portions()
    found: list[Solution] = []
    while not found and not search.finished and search.nodes < end:
        found = search.advance(min(end - search.nodes, next(portions)))
        yield Progress("", before + search.nodes, None, "nodes")
    return found


def _in_order(cover: ExactCover, order: Sequence[int]) -> ExactCover:
    return replace(
        cover,
        options=tuple(cover.options[option] for option in order),
        colours=tuple(cover.colours[option] for option in order) if cover.colours else (),
    )
