"""Counting of solutions by frontiers, without a search, for long and narrow problems.

The items are ordered such that every option takes items close to one another. Going through them in
this order, everything behind is covered, and all that matters for the rest is which of the next
items are already taken: the frontier. Many partial solutions lead to the same frontier and are
counted together (the transfer matrix method of statistical physics). The work depends on the number
of frontiers, not of solutions. Memory is bounded: with more than `MOST_FRONTIERS`, the count is
given up.

A count up to symmetry does not need the solutions either: those that a symmetry leaves unchanged
are the solutions of a smaller problem, whose items and options are the orbits under it.
"""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from solvers.foundation.progress import Job, Progress
from solvers.search.exact_cover.model import Encoding, as_booleans, padded_rows

# Most items beyond the current one that may be taken already.
WIDEST = 24
MOST_FRONTIERS = 1 << 18
# Frontiers before equal ones are merged, in all: some seconds.
MOST_WORK = 1 << 24
WINDOW_BITS = 64
# A count is a row of numbers of this many bits each, so that it can be of any size.
LIMB_BITS = 30


@dataclass(frozen=True)
class Strip:
    """A problem with its items in a suitable order.

    `required` says for every position whether its item is required. `options` lists the options
    that start at each position, each as the positions that it takes, the first being bit 0.
    """

    required: tuple[bool, ...]
    options: tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class Frontiers:
    """Number of solutions, and of frontiers visited to count them."""

    solutions: int
    visited: int


def make_strip(rows: Any, required: Any) -> Strip | None:
    """Return a problem with its items in a suitable order, None if none was found.

    `rows` has the items that each option takes, ascending, padded with the number of all items;
    `required` is a row of booleans, one for each item.
    """
    rows, required = _without_unused_items(rows, required)
    items = len(required)
    for order in _orders(rows, items):
        position = np.full(items + 1, items)
        position[order] = np.arange(items)
        ordered = np.sort(position[rows], axis=1)
        if _is_suitable(ordered, items):
            return Strip(tuple(required[order].tolist()), tuple(_options_by_start(ordered, items)))
    return None


def _without_unused_items(rows: Any, required: Any) -> tuple[Any, Any]:
    """Return the problem without the items that no option takes and that are not required."""
    used = np.append(required, False)
    used[rows] = True
    items = np.flatnonzero(used[:-1])
    number = np.full(len(used), len(items))
    number[items] = np.arange(len(items))
    return number[rows], required[items]


def strip_of_encoding(encoding: Encoding) -> Strip | None:
    """Return the whole problem in a suitable order, None if there is none or it has further rules.

    An item for a piece that must be used once is a neighbour of all cells. Frontiers that differ in
    the pieces used are too many, and the search is faster, so such problems are refused.
    """
    if len(encoding.counted_items) or encoding.colour_bits or not encoding.options:
        return None
    required = as_booleans(encoding.required)
    rows, used = _without_unused_items(encoding.rows, required)
    # Pieces are numbered last, so the last item decides for most puzzles.
    last = rows[(rows == rows[rows < len(used)].max()).any(axis=1)]
    # The options of the last item reach more than half of all items: no order is narrow.
    if len(np.unique(last[last < len(used)])) > 0.5 * len(used):
        return None
    if _neighbours(rows, len(used)).mean(axis=1).max() > 0.5:
        return None
    return make_strip(rows, used)


def quotient(rows: Any, required: Any, image: Any) -> tuple[Any, Any]:
    """Return the problem whose solutions are those that a symmetry leaves unchanged.

    `image` has the image of every option. An option of the quotient is an orbit of options that
    share no item; an item of it represents all items that the same orbits take.
    """
    powers = [np.arange(len(image))]
    # All powers of the symmetry; their number is its order.
    while not np.array_equal(following := image[powers[-1]], powers[0]):
        powers.append(following)
    orbits, items = np.stack(powers), len(required)
    union = np.sort(np.hstack([rows[power] for power in powers]), axis=1)
    taken = union < items
    taken[:, 1:] &= union[:, 1:] != union[:, :-1]
    length = len(powers) // (orbits == powers[0]).sum(axis=0)
    # The images of an option in its orbit share no item if their union is as large as all of them.
    alone = taken.sum(axis=1) == length * (rows < items).sum(axis=1)
    first = alone & (orbits.min(axis=0) == powers[0])
    numbers, columns = np.nonzero(taken[first])
    return _without_duplicate_items(
        numbers, union[first][numbers, columns], required, int(first.sum())
    )


def _without_duplicate_items(
    options: Any, items: Any, required: Any, number: int
) -> tuple[Any, Any]:
    """Return `number` options that take only one of several items taken by the same options.

    The option `options[i]` (ascending) takes `items[i]`.
    """
    order = np.argsort(items, kind="stable")
    ends = np.searchsorted(items[order], np.arange(len(required) + 1))
    seen: dict[tuple[bool, bytes], int] = {}
    for item, needed in enumerate(required.tolist()):
        taking = options[order[ends[item] : ends[item + 1]]]
        seen.setdefault((needed, taking.tobytes()), item)
    first = np.zeros(len(required), dtype=bool)
    first[list(seen.values())] = True
    left = first[items]
    return padded_rows(options[left], items[left], number, len(required)), required & first


def count_job(narrow: Strip) -> Job[Progress, Frontiers | None]:
    """Count the solutions; the result is None if there are too many frontiers."""
    positions = len(narrow.required)
    frontiers = np.zeros(1, dtype=np.uint64)
    counts = np.ones((1, 1), dtype=np.int64)
    visited = work = 0
    for position in range(positions):
        yield Progress("", position, positions)
        visited += len(frontiers)
        found = list(_next(frontiers, narrow, position))
        work += sum(len(rows) for rows, _ in found)
        if work > MOST_WORK:
            return None
        frontiers, counts = _merge(found, counts)
        if len(frontiers) > MOST_FRONTIERS:
            return None
        if not len(frontiers):
            break
    total = sum(int(limb) << LIMB_BITS * place for place, limb in enumerate(counts.sum(axis=0)))
    return Frontiers(total, visited)


def _next(frontiers: Any, narrow: Strip, position: int) -> Iterator[tuple[Any, Any]]:
    """Yield the frontiers at the next position, each with the row of its predecessor."""
    one = np.uint64(1)
    is_open = frontiers & one == 0
    # An item may be passed if it is taken already, or need not be.
    passing = np.flatnonzero(~is_open if narrow.required[position] else np.ones_like(is_open))
    yield frontiers[passing] >> one, passing
    for option in narrow.options[position]:
        word = np.uint64(option)
        taking = np.flatnonzero(frontiers & word == 0)
        yield (frontiers[taking] | word) >> one, taking


def _merge(found: list[tuple[Any, Any]], counts: Any) -> tuple[Any, Any]:
    """Return every frontier once, with the sum of its predecessors' counts."""
    words = np.concatenate([words for words, _ in found])
    rows = np.concatenate([rows for _, rows in found])
    frontiers, number = np.unique(words, return_inverse=True)
    added = np.zeros((len(frontiers), counts.shape[1]), dtype=np.int64)
    # Unbuffered, because several rows add to the same frontier.
    np.add.at(added, number, counts[rows])
    return frontiers, _carry(added)


def _carry(counts: Any) -> Any:
    """Return counts with carries propagated, so that limbs are below 2**LIMB_BITS again."""
    for place in range(counts.shape[1]):
        over = counts[:, place] >> LIMB_BITS
        if not over.any():
            continue
        if place + 1 == counts.shape[1]:
            counts = np.hstack([counts, np.zeros((len(counts), 1), dtype=np.int64)])
        counts[:, place] -= over << LIMB_BITS
        counts[:, place + 1] += over
    return counts


def _is_suitable(rows: Any, items: int) -> bool:
    """Return whether every option takes items that are close to one another in the order."""
    if not len(rows) or not items:
        return True
    first = rows[:, 0]
    last = np.where(rows < items, rows, -1).max(axis=1)
    if (last - first).max() >= WINDOW_BITS:
        return False
    # An item may be taken from the first position of any option that takes it.
    since = np.arange(items + 1)
    np.minimum.at(since, rows, first[:, np.newaxis])
    opened = np.bincount(since[:items], minlength=items).cumsum()
    # At each position: items that options before it may take, minus those already behind.
    widest = int((opened - np.arange(1, items + 1)).max())
    return widest <= WIDEST


def _neighbours(rows: Any, items: int) -> Any:
    """Return which items share an option, as a square matrix of booleans."""
    near = np.zeros((items + 1, items + 1), dtype=bool)
    for column in rows.T:
        near[column[:, np.newaxis], rows] = True
    return near[:items, :items]


def _orders(rows: Any, items: int) -> Iterator[Any]:
    """Yield orders of the items: by number, which suits a box, and by neighbourhood."""
    yield np.arange(items)
    yield _by_neighbourhood(_neighbours(rows, items))


def _by_neighbourhood(near: Any) -> Any:
    """Return the items breadth first from one with few neighbours (Cuthill and McKee, 1969)."""
    degrees = near.sum(axis=0)
    placed = np.zeros(len(degrees), dtype=bool)
    order: list[int] = []
    for start in np.argsort(degrees, kind="stable").tolist():
        waiting = deque([start] if not placed[start] else [])
        placed[start] = True
        while waiting:
            item = waiting.popleft()
            order.append(item)
            found = np.flatnonzero(near[item] & ~placed)
            placed[found] = True
            waiting.extend(found[np.argsort(degrees[found], kind="stable")].tolist())
    return np.array(order)


def _options_by_start(rows: Any, items: int) -> Iterator[tuple[int, ...]]:
    """Yield for every position the options that start there, as words from there on."""
    first = rows[:, :1]
    one = np.uint64(1)
    bits = np.where(rows < items, one << (rows - first).astype(np.uint64), np.uint64(0))
    words = np.bitwise_or.reduce(bits, axis=1)
    order = np.argsort(first[:, 0], kind="stable")
    ends = np.searchsorted(first[order, 0], np.arange(items + 1))
    for start, end in pairwise(ends.tolist()):
        yield tuple(words[order[start:end]].tolist())
