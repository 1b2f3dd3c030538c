"""Counts solutions item by item, with every frontier once: for problems that are long and narrow.

The items are put into an order in which every option keeps to its neighbourhood. Going through
them, what lies behind is covered, and all that matters for the rest is which of the next items are
taken already: the frontier. Many ways lead to the same one, and they are counted together. The work
is that of the number of frontiers, not of solutions, and memory is bounded: where there are more
than `MOST_FRONTIERS`, the count is given up. (The transfer matrix method of statistical physics.)

A count up to symmetry needs no look at the solutions either: those that a symmetry leaves unchanged
are the solutions of a smaller problem, whose items and options are the orbits under it.
"""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from solvers.foundation.progress import Job, Progress
from solvers.search.exact_cover.encoding import Encoding, as_booleans, filled_up

WIDEST = 24
"""So many items may be taken at most beyond the one that is looked at."""
MOST_FRONTIERS = 1 << 18
MOST_WORK = 1 << 24
"""Frontiers before equal ones are put together, in all: some seconds."""
WINDOW_BITS = 64
LIMB_BITS = 30
"""A count is a row of so many bits a number, so that it may be of any size."""


@dataclass(frozen=True)
class Strip:
    """A problem in an order that suits: for every position whether its item is required, and the
    options that begin there, each as the positions that it takes, the first being bit 0.
    """

    required: tuple[bool, ...]
    options: tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class Frontiers:
    """Number of solutions, and of frontiers that it took."""

    solutions: int
    visited: int


def strip(rows: Any, required: Any) -> Strip | None:
    """Return a problem in an order that suits, None if none was found.

    `rows` has the items that each option takes, ascending, filled up with the number of all items;
    `required` is a row of booleans, one for each item.
    """
    rows, required = _without_unused(rows, required)
    items = len(required)
    for order in _orders(rows, items):
        position = np.full(items + 1, items)
        position[order] = np.arange(items)
        ordered = np.sort(position[rows], axis=1)
        if _suits(ordered, items):
            return Strip(tuple(required[order].tolist()), tuple(_beginning(ordered, items)))
    return None


def _without_unused(rows: Any, required: Any) -> tuple[Any, Any]:
    """Return the problem without the items that nobody takes or needs."""
    used = np.append(required, False)
    used[rows] = True
    items = np.flatnonzero(used[:-1])
    number = np.full(len(used), len(items))
    number[items] = np.arange(len(items))
    return number[rows], required[items]


def strip_of(encoding: Encoding) -> Strip | None:
    """Return the whole problem in an order that suits, None if there is none or rules forbid it.

    A piece that is there once is an item that neighbours all cells: frontiers that differ in the
    pieces used are too many, and the search is faster.
    """
    if len(encoding.counted_items) or encoding.colour_bits or not encoding.options:
        return None
    required = as_booleans(encoding.required)
    rows, used = _without_unused(encoding.rows, required)
    # Pieces are numbered last: that one is looked at first.
    last = rows[(rows == rows[rows < len(used)].max()).any(axis=1)]
    if len(np.unique(last[last < len(used)])) > 0.5 * len(used):
        return None
    if _neighbours(rows, len(used)).mean(axis=1).max() > 0.5:
        return None
    return strip(rows, used)


def quotient(rows: Any, required: Any, image: Any) -> tuple[Any, Any]:
    """Return the problem whose solutions are those that a symmetry leaves unchanged.

    `image` has the image of every option. An option of the quotient is an orbit of options that
    share no item; an item is one of those that all of these take alike.
    """
    powers = [np.arange(len(image))]
    while not np.array_equal(following := image[powers[-1]], powers[0]):
        powers.append(following)
    orbits, items = np.stack(powers), len(required)
    union = np.sort(np.hstack([rows[power] for power in powers]), axis=1)
    taken = union < items
    taken[:, 1:] &= union[:, 1:] != union[:, :-1]
    length = len(powers) // (orbits == powers[0]).sum(axis=0)
    alone = taken.sum(axis=1) == length * (rows < items).sum(axis=1)
    kept = alone & (orbits.min(axis=0) == powers[0])
    numbers, columns = np.nonzero(taken[kept])
    return _one_of_alike(numbers, union[kept][numbers, columns], required, int(kept.sum()))


def _one_of_alike(options: Any, items: Any, required: Any, number: int) -> tuple[Any, Any]:
    """Return so many options with one of the items that all of them take alike.

    The option `options[i]`, which ascends, takes `items[i]`.
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
    return filled_up(options[left], items[left], number, len(required)), required & first


def counting(narrow: Strip) -> Job[Progress, Frontiers | None]:
    """Count the solutions; the result is None where there are too many frontiers."""
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
        frontiers, counts = _together(found, counts)
        if len(frontiers) > MOST_FRONTIERS:
            return None
        if not len(frontiers):
            break
    total = sum(int(limb) << LIMB_BITS * place for place, limb in enumerate(counts.sum(axis=0)))
    return Frontiers(total, visited)


def _next(frontiers: Any, narrow: Strip, position: int) -> Iterator[tuple[Any, Any]]:
    """Yield the frontiers at the next position, each with the row of the one it comes from."""
    one = np.uint64(1)
    is_open = frontiers & one == 0
    passing = np.flatnonzero(~is_open if narrow.required[position] else np.ones_like(is_open))
    yield frontiers[passing] >> one, passing
    for option in narrow.options[position]:
        word = np.uint64(option)
        taking = np.flatnonzero(frontiers & word == 0)
        yield (frontiers[taking] | word) >> one, taking


def _together(found: list[tuple[Any, Any]], counts: Any) -> tuple[Any, Any]:
    """Return every frontier once, with the sum of the counts of those it comes from."""
    words = np.concatenate([words for words, _ in found])
    rows = np.concatenate([rows for _, rows in found])
    frontiers, number = np.unique(words, return_inverse=True)
    added = np.zeros((len(frontiers), counts.shape[1]), dtype=np.int64)
    np.add.at(added, number, counts[rows])
    return frontiers, _carried(added)


def _carried(counts: Any) -> Any:
    """Return counts whose limbs are less than 2 to the power of `LIMB_BITS` again."""
    for place in range(counts.shape[1]):
        over = counts[:, place] >> LIMB_BITS
        if not over.any():
            continue
        if place + 1 == counts.shape[1]:
            counts = np.hstack([counts, np.zeros((len(counts), 1), dtype=np.int64)])
        counts[:, place] -= over << LIMB_BITS
        counts[:, place + 1] += over
    return counts


def _suits(rows: Any, items: int) -> bool:
    """Tell whether every option keeps to its neighbourhood, in the order of the items."""
    if not len(rows) or not items:
        return True
    first = rows[:, 0]
    last = np.where(rows < items, rows, -1).max(axis=1)
    if (last - first).max() >= WINDOW_BITS:
        return False
    # From when on an item may be taken: the first position of any option that takes it.
    since = np.arange(items + 1)
    np.minimum.at(since, rows, first[:, np.newaxis])
    opened = np.bincount(since[:items], minlength=items).cumsum()
    widest = int((opened - np.arange(1, items + 1)).max())
    return widest <= WIDEST


def _neighbours(rows: Any, items: int) -> Any:
    """Return which items share an option, as a square of booleans."""
    near = np.zeros((items + 1, items + 1), dtype=bool)
    for column in rows.T:
        near[column[:, np.newaxis], rows] = True
    return near[:items, :items]


def _orders(rows: Any, items: int) -> Iterator[Any]:
    """Yield orders of the items: as they are numbered, which suits a box, and by neighbourhood."""
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


def _beginning(rows: Any, items: int) -> Iterator[tuple[int, ...]]:
    """Yield for every position the options that begin there, as words from there on."""
    first = rows[:, :1]
    one = np.uint64(1)
    bits = np.where(rows < items, one << (rows - first).astype(np.uint64), np.uint64(0))
    words = np.bitwise_or.reduce(bits, axis=1)
    order = np.argsort(first[:, 0], kind="stable")
    ends = np.searchsorted(first[order, 0], np.arange(items + 1))
    for start, end in pairwise(ends.tolist()):
        yield tuple(words[order[start:end]].tolist())
