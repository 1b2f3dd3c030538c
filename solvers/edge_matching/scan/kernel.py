"""Compiled search: fills cell after cell in a fixed order with tiles that fit their neighbours.

A side between two cells is an *edge*. The cell that is filled first writes on the edge the label
that the other must show there. For the next cell, the labels on its known edges lead through a trie
to the placed tiles that show all of them (and the rim's label outside); those whose tiles are left
are tried one after the other. They are kept as *sets* of placed tiles of different kinds, with a
bit for each kind, so that one operation leaves out all whose tiles are used up.

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
from solvers.search.lanes import count_bits

NONE: Final = -1
LEVEL: Final = 0
NODES: Final = 1
FOUND: Final = 2

END: Final = np.uint32(0xFFFFFFFF)
"""After the last entry of a list."""

WORD: Final = 64
"""Kinds in a word; the kinds of a set are all in one."""

ALL: Final = np.uint64(2**WORD - 1)
"""A word of which all kinds are available."""

_ZERO: Final = np.uint64(0)
_ONE: Final = np.uint64(1)
_TWO: Final = np.uint64(2)
_WORD: Final = np.uint64(WORD)


Words = NDArray[np.uint64]
Index = NDArray[np.uint32]
"""Indices are unsigned, so that numba omits the check for negative ones; the kernel's levels too.

A list in a row of indices goes on to END: LLVM unrolls a loop of known length, which costs more
than the one or two rounds that most of them have.
"""


class Plan(NamedTuple):
    """Constant arrays of a search of n cells, o placed tiles, k kinds and s sets.

    `known` are each cell's edges to earlier cells, `fresh` those to later ones, each followed by
    the cell's side. `used[usage[cell] + placed]` is what a placed tile takes from the supply in a
    cell. `roots` are the starts of the cells' tries in `tries`, whose leaves are numbers of sets;
    set 0 is empty. If `more`, the next set belongs to the same leaf. The candidates of a set begin
    at `firsts`, in the order of their kinds.
    """

    known: Index  # (n, 1 + e)
    fresh: Index  # (n, 1 + 2 f)
    usage: Index  # (n,)
    used: Words  # (u o, w)
    guards: Words  # (w,)
    roots: Index  # (n,)
    tries: Index
    masks: Words  # (s,): bits of the kinds
    words: Index  # (s,): the word of the kinds
    firsts: Index  # (s,)
    more: NDArray[np.bool_]  # (s,)
    candidates: Index
    kinds: Index  # (o,): kind of tile
    asked: Index  # (o, sides): the label that fits each side
    due: NDArray[np.int32]  # (n,): the kind that must be placed by here, or NONE


class Work(NamedTuple):
    """Arrays that change; `state` holds level, nodes and the number of solutions in `rows`."""

    state: NDArray[np.int64]
    sets: Index  # (n,): the set that each level is trying
    untried: Words  # (n,): bits of those in it that have yet to be tried
    chosen: Index  # (n,)
    left: NDArray[np.int32]  # (k,)
    available: Words  # bits of the kinds of which a tile is left
    asked: Index  # (edges,)
    supply: Words  # (n + 1, w): before each level
    rows: Index  # (rows, n)


@kernel(inlining="llvm")
def _open_level(plan: Plan, work: Work, level: np.uint64) -> None:
    """Find the candidates of a level."""
    known, at = plan.known[level], plan.roots[level]
    number = _ZERO
    while known[number] != END:
        at = plan.tries[at + work.asked[known[number]]]
        number += _ONE
    _open_set(plan, work, level, at)


@kernel(inlining="llvm")
def _open_set(plan: Plan, work: Work, level: np.uint64, at: np.uint32 | np.uint64) -> None:
    work.sets[level] = at
    work.untried[level] = plan.masks[at] & work.available[plan.words[at]]


@kernel(inlining="llvm")
def _has_candidate(plan: Plan, work: Work, level: np.uint64) -> bool:
    """Return whether a level has an untried candidate, whose set is open then."""
    while work.untried[level] == 0:
        if not plan.more[work.sets[level]]:
            return False
        _open_set(plan, work, level, work.sets[level] + _ONE)
    return True


@kernel(inlining="llvm")
def _next_candidate(plan: Plan, work: Work, level: np.uint64) -> np.uint32:
    """Return the next candidate of a level that has one."""
    at, untried = work.sets[level], work.untried[level]
    others = untried & (untried - _ONE)
    work.untried[level] = others
    earlier = plan.masks[at] & ((untried ^ others) - _ONE)
    found: np.uint32 = plan.candidates[plan.firsts[at] + np.uint64(count_bits(earlier))]
    return found


@kernel(inlining="llvm")
def _place_tile(plan: Plan, work: Work, level: np.uint64, placed: np.uint32) -> bool:
    """Place a tile and return True, unless a label or tile that is needed later is used up."""
    before, after = work.supply[level], work.supply[level + _ONE]
    used = plan.used[plan.usage[level] + placed]
    for word in range(np.uint64(len(before))):
        after[word] = before[word] - used[word]
        if after[word] & plan.guards[word] != plan.guards[word]:
            return False
    kind, due = plan.kinds[placed], plan.due[level]
    if due != NONE and work.left[due] != (kind == due):
        return False
    fresh, asked = plan.fresh[level], plan.asked[placed]
    number = _ZERO
    while fresh[number] != END:
        work.asked[fresh[number]] = asked[fresh[number + _ONE]]
        number += _TWO
    work.left[kind] -= 1
    if work.left[kind] == 0:
        work.available[kind // _WORD] ^= _ONE << kind % _WORD
    work.chosen[level] = placed
    return True


@kernel(inlining="llvm")
def _remove_tile(plan: Plan, work: Work, level: np.uint64) -> None:
    kind = plan.kinds[work.chosen[level]]
    work.left[kind] += 1
    work.available[kind // _WORD] |= _ONE << kind % _WORD


@kernel(entry=True, error_model="numpy")
def start(plan: Plan, work: Work, first: int) -> bool:
    """Place the first tiles of `chosen`; return False if one needed later is used up."""
    for level in range(first):
        if not _place_tile(plan, work, np.uint64(level), work.chosen[level]):
            return False
    _open_level(plan, work, np.uint64(first))
    work.state[LEVEL] = first
    return True


@kernel
def undo(plan: Plan, work: Work, first: int) -> None:
    """Remove the first tiles."""
    for below in range(first):
        _remove_tile(plan, work, np.uint64(first - 1 - below))


@kernel(entry=True, error_model="numpy")
def advance(plan: Plan, work: Work, first: int, depth: int, keep: bool, limit: int) -> None:
    """Search levels `first` to `depth` until `limit` nodes, a full `rows`, or the end.

    At the end the level is below `first`. A solution is a choice for all levels below `depth`.
    """
    level, nodes, found = work.state[LEVEL], work.state[NODES], work.state[FOUND]
    rows = len(work.rows)
    while level >= first and nodes < limit and (found < rows or not keep):
        here = np.uint64(level)
        if not _has_candidate(plan, work, here):
            level -= 1
            if level >= first:
                _remove_tile(plan, work, here - _ONE)
            continue
        nodes += 1
        if not _place_tile(plan, work, here, _next_candidate(plan, work, here)):
            continue
        if level + 1 < depth:
            level += 1
            _open_level(plan, work, here + _ONE)
        else:
            if keep:
                for each in range(depth):
                    work.rows[found, each] = work.chosen[each]
            found += 1
            _remove_tile(plan, work, here)
    work.state[LEVEL], work.state[NODES], work.state[FOUND] = level, nodes, found


@kernel(entry=True, error_model="numpy")
def probe(plan: Plan, work: Work, depth: int, seed: int) -> float:
    """Return an estimate of the nodes, by one random descent (Knuth, 1975).

    Each level counts as often as the product of the choices above it. Of the fitting tiles one is
    picked by reservoir sampling with xorshift, so that no list of them is needed.
    """
    nodes, weight, level, random = 0.0, 1.0, 0, np.uint64(seed)
    while level < depth:
        here = np.uint64(level)
        _open_level(plan, work, here)
        tried, good = 0, 0
        while _has_candidate(plan, work, here):
            tried += 1
            placed = _next_candidate(plan, work, here)
            if _place_tile(plan, work, here, placed):
                random ^= random << np.uint64(13)
                random ^= random >> np.uint64(7)
                random ^= random << np.uint64(17)
                good += 1
                if random % np.uint64(good) == 0:
                    picked = placed
                _remove_tile(plan, work, here)
        nodes += weight * tried
        if good == 0:
            break
        weight *= good
        _place_tile(plan, work, here, picked)
        level += 1
    undo(plan, work, level)
    return nodes
