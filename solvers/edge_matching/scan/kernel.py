"""Compiled search: fills cell after cell in a fixed order with tiles that fit their neighbours.

A side between two cells is an *edge*. The cell that is filled first writes on the edge the label
that the other must show there. For the next cell, the labels on its known edges lead through a trie
to the list of placed tiles that show all of them (and the rim's label outside); those whose tiles
are left are tried one after the other.

`supply` counts, for each label, the sides of the remaining tiles less the sides that placed tiles
require. If it becomes negative, a label that is needed later is used up, and the branch ends.
Sides that must carry different labels are a group with a supply of its own, one of each label. All
are fields of a few words, so that one subtraction counts all sides of a tile. The highest bit of a
field, its guard, is set until the supply is negative.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solvers.foundation.compiled import kernel

NONE: Final = -1
LEVEL: Final = 0
NODES: Final = 1
FOUND: Final = 2


Words = NDArray[np.uint64]
Index = NDArray[np.uint32]  # unsigned: numba then omits the check for negative indices


class Plan(NamedTuple):
    """Constant arrays of a search of n cells, o placed tiles and l labels.

    `known` are each cell's edges to earlier cells, `fresh` those to later ones, each followed by
    the cell's side; each preceded by its length. `used[usage[cell], placed]` is what a placed tile
    takes from the supply in a cell. `roots` are the starts of the cells' tries in `tries`, whose
    leaves are numbers of spans.
    """

    known: Index  # (n, 1 + k)
    fresh: Index  # (n, 1 + 2 f)
    usage: Index  # (n,)
    used: Words  # (u, o, w)
    guards: Words  # (w,)
    roots: Index  # (n,)
    tries: Index
    spans: Index  # (s, 2): from, to in candidates
    candidates: Index
    kinds: Index  # (o,): kind of tile
    labels: Index  # (o, sides)
    partners: Index  # (l,): the label that fits a label
    due: NDArray[np.int32]  # (n,): the kind that must be placed by here, or NONE


class Work(NamedTuple):
    """Arrays that change; `state` holds level, nodes and the number of solutions in `rows`."""

    state: NDArray[np.int64]
    spans: Index  # (n + 1, 3): first, next and end of each level's candidates
    chosen: Index  # (n,)
    left: NDArray[np.int32]  # (kinds,)
    asked: Index  # (edges,)
    supply: Words  # (n + 1, w): before each level
    rows: Index  # (rows, n)


@kernel(inlining="llvm")
def _open_level(plan: Plan, work: Work, level: int) -> None:
    """Find the candidates of a level."""
    known, at = plan.known[level], plan.roots[level]
    for number in range(known[0]):
        at = plan.tries[at + work.asked[known[1 + number]]]
    start = plan.spans[at, 0]
    spans = work.spans[level]
    spans[0] = start
    spans[1] = start
    spans[2] = plan.spans[at, 1]


@kernel(inlining="llvm")
def _place_tile(plan: Plan, work: Work, level: int, placed: int) -> bool:
    """Place a tile and return True, unless a label or tile that is needed later is used up."""
    before, after = work.supply[level], work.supply[level + 1]
    used = plan.used[plan.usage[level], placed]
    enough = True
    for word in range(len(before)):
        after[word] = before[word] - used[word]
        enough &= after[word] & plan.guards[word] == plan.guards[word]
    if not enough:
        return False
    kind, due = plan.kinds[placed], plan.due[level]
    if due != NONE and work.left[due] != (kind == due):
        return False
    fresh, labels = plan.fresh[level], plan.labels[placed]
    for number in range(0, fresh[0], 2):
        work.asked[fresh[1 + number]] = plan.partners[labels[fresh[2 + number]]]
    work.left[kind] -= 1
    work.chosen[level] = placed
    return True


@kernel(inlining="llvm")
def _remove_tile(plan: Plan, work: Work, level: int) -> None:
    work.left[plan.kinds[work.chosen[level]]] += 1


@kernel(entry=True, error_model="numpy")
def start(plan: Plan, work: Work, first: int) -> bool:
    """Place the first tiles of `chosen`; return False if one needed later is used up."""
    for level in range(first):
        if not _place_tile(plan, work, level, work.chosen[level]):
            return False
    _open_level(plan, work, first)
    work.state[LEVEL] = first
    return True


@kernel
def undo(plan: Plan, work: Work, first: int) -> None:
    """Remove the first tiles."""
    for below in range(first):
        _remove_tile(plan, work, first - 1 - below)


@kernel(entry=True, error_model="numpy")
def advance(plan: Plan, work: Work, first: int, depth: int, keep: bool, limit: int) -> None:
    """Search levels `first` to `depth` until `limit` nodes, a full `rows`, or the end.

    At the end the level is below `first`. A solution is a choice for all levels below `depth`.
    """
    level, nodes, found = work.state[LEVEL], work.state[NODES], work.state[FOUND]
    rows = len(work.rows)
    while level >= first and nodes < limit and not (keep and found == rows):
        spans = work.spans[level]
        at = spans[1]
        if at == spans[2]:
            level -= 1
            if level >= first:
                _remove_tile(plan, work, level)
            continue
        spans[1] = at + 1
        placed = plan.candidates[at]
        if work.left[plan.kinds[placed]] == 0:
            continue
        nodes += 1
        if not _place_tile(plan, work, level, placed):
            continue
        if level + 1 < depth:
            level += 1
            _open_level(plan, work, level)
        else:
            if keep:
                for each in range(depth):
                    work.rows[found, each] = work.chosen[each]
            found += 1
            _remove_tile(plan, work, level)
    work.state[LEVEL], work.state[NODES], work.state[FOUND] = level, nodes, found


@kernel(entry=True, error_model="numpy")
def probe(plan: Plan, work: Work, depth: int, seed: int) -> float:
    """Return an estimate of the nodes, by one random descent (Knuth, 1975).

    Each level counts as often as the product of the choices above it. Of the fitting tiles one is
    picked by reservoir sampling with xorshift, so that no list of them is needed.
    """
    nodes, weight, level, random = 0.0, 1.0, 0, np.uint64(seed)
    while level < depth:
        _open_level(plan, work, level)
        tried, good = 0, 0
        for at in range(work.spans[level, 0], work.spans[level, 2]):
            placed = plan.candidates[at]
            if work.left[plan.kinds[placed]] == 0:
                continue
            tried += 1
            if _place_tile(plan, work, level, placed):
                random ^= random << np.uint64(13)
                random ^= random >> np.uint64(7)
                random ^= random << np.uint64(17)
                good += 1
                if random % np.uint64(good) == 0:
                    picked = placed
                _remove_tile(plan, work, level)
        nodes += weight * tried
        if good == 0:
            break
        weight *= good
        _place_tile(plan, work, level, picked)
        level += 1
    undo(plan, work, level)
    return nodes
