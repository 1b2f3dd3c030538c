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
from typing import Any

import numpy as np

from solvers.foundation.progress import Job, Progress
from solvers.search.exact_cover.encoding import Encoding, as_booleans

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


def strip(members: Any, required: Any) -> Strip | None:
    """Return a problem in an order that suits, None if none was found.

    `members` has one row of booleans per option: which items it takes; `required` is such a row.
    """
    used = np.flatnonzero(members.any(axis=0) | required)
    members, required = members[:, used], required[used]
    for order in _orders(members):
        if _suits(members[:, order]):
            return Strip(tuple(required[order].tolist()), tuple(_beginning(members[:, order])))
    return None


def strip_of(encoding: Encoding) -> Strip | None:
    """Return the whole problem in an order that suits, None if there is none or rules forbid it.

    A piece that is there once is an item that neighbours all cells: frontiers that differ in the
    pieces used are too many, and the search is faster.
    """
    if len(encoding.counted_items) or encoding.colour_bits or not encoding.options:
        return None
    members = encoding.members[:, encoding.members.any(axis=0)]
    # Pieces are numbered last: that one is looked at first.
    if _share_of_neighbours(members, -1) > 0.5:
        return None
    if max(_share_of_neighbours(members, item) for item in range(members.shape[1])) > 0.5:
        return None
    return strip(encoding.members, as_booleans(encoding.required))


def quotient(members: Any, required: Any, image: Any) -> tuple[Any, Any]:
    """Return the problem whose solutions are those that a symmetry leaves unchanged.

    `image` has the image of every option. An option of the quotient is an orbit of options that
    share no item; an item is one of those that all of these take alike.
    """
    powers = [np.arange(len(image))]
    while not np.array_equal(following := image[powers[-1]], powers[0]):
        powers.append(following)
    orbits = np.stack(powers)
    union = np.logical_or.reduce([members[power] for power in powers])
    length = len(powers) // (orbits == powers[0]).sum(axis=0)
    alone = union.sum(axis=1) == length * members.sum(axis=1)
    kept = union[alone & (orbits.min(axis=0) == powers[0])]
    _, items = np.unique(np.vstack([kept, required]), axis=1, return_index=True)
    items.sort()
    return kept[:, items], required[items]


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


def _suits(members: Any) -> bool:
    """Tell whether every option keeps to its neighbourhood, in the order of the columns."""
    options, items = members.shape
    if not options or not items:
        return True
    first = members.argmax(axis=1)
    last = items - 1 - members[:, ::-1].argmax(axis=1)
    if (last - first).max() >= WINDOW_BITS:
        return False
    # From when on an item may be taken: the first position of any option that takes it.
    since = np.where(members, first[:, None], np.arange(items)).min(axis=0)
    opened = np.bincount(since, minlength=items).cumsum()
    widest = int((opened - np.arange(1, items + 1)).max())
    return widest <= WIDEST


def _share_of_neighbours(members: Any, item: int) -> float:
    return float(members[members[:, item]].any(axis=0).mean())


def _neighbours(members: Any) -> Any:
    """Return which items share an option, as a square of booleans."""
    return np.stack([members[taking].any(axis=0) for taking in members.T])


def _orders(members: Any) -> Iterator[Any]:
    """Yield orders of the items: as they are numbered, which suits a box, and by neighbourhood."""
    yield np.arange(members.shape[1])
    yield _by_neighbourhood(_neighbours(members))


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


def _beginning(members: Any) -> Iterator[tuple[int, ...]]:
    """Yield for every position the options that begin there, as words from there on."""
    first = members.argmax(axis=1) if members.size else np.empty(0)
    for position in range(members.shape[1]):
        here = members[first == position, position : position + WINDOW_BITS]
        packed = np.packbits(here, axis=1, bitorder="little")
        yield tuple(int.from_bytes(row.tobytes(), "little") for row in packed)
