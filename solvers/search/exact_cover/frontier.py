"""Counting of solutions by frontiers, without a search, for long and narrow problems.

The items are ordered such that every option takes items close to one another. Going through them in
this order, everything behind is covered, and all that matters for the rest is which of the next
items are already taken: the frontier. Many partial solutions lead to the same frontier and are
counted together (the transfer matrix method of statistical physics). The work depends on the number
of frontiers, not of solutions. Memory is bounded: with more than `MOST_FRONTIERS`, the count is
given up.

How often a counted item was taken so far is part of a frontier where its bounds matter. Mostly they
do not: as many copies as fit are no bound.

With the counts at every position, a solution can be drawn at random, each of them being equally
likely: backwards, each step as likely as the count that it adds.

A count up to symmetry does not need the solutions either: those that a symmetry leaves unchanged
are the solutions of a smaller problem, whose items and options are the orbits under it.
"""

from bisect import bisect_right
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import accumulate, pairwise
from random import Random
from typing import Any, NamedTuple

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
# Memory for the frontiers and counts of all positions, from which a solution is drawn.
MOST_BYTES = 1 << 30
# Counted items whose bounds matter; frontiers that differ in more of them are mostly too many.
MOST_COUNTERS = 3


class Listing(NamedTuple):
    """A problem whose counted items are apart from the others.

    `rows` has the items that each option takes, ascending, padded with the number of all items;
    `required` is a row of booleans, one for each item. `uses[option, number]` is how often an
    option takes a counted item, `bounds` the least and the most times that all options may, None
    for a most that cannot be exceeded.
    """

    rows: Any
    required: Any
    uses: Any
    bounds: tuple[tuple[int, int | None], ...]


@dataclass(frozen=True)
class Counter:
    """Bits of a frontier from `shift` on: how often a counted item was taken, at most `most` times.

    Where `most` is None, nothing is counted beyond `least`.
    """

    shift: int
    least: int
    most: int | None

    @property
    def highest(self) -> int:
        """The highest number that is counted."""
        return self.least if self.most is None else self.most

    @property
    def bits(self) -> int:
        """The number of bits."""
        return self.highest.bit_length()

    def read(self, frontiers: Any) -> Any:
        """Return the numbers in some frontiers."""
        return frontiers >> np.uint64(self.shift) & np.uint64((1 << self.bits) - 1)


class StripOption(NamedTuple):
    """An option: the positions that it takes, the first being bit 0, and its row in the listing.

    `uses` is how often it takes the item of each counter.
    """

    word: int
    uses: tuple[int, ...]
    number: int


@dataclass(frozen=True)
class Strip:
    """A problem with its items in a suitable order.

    `required` says for every position whether its item is required. `options` lists the options
    that start at each position.
    """

    required: tuple[bool, ...]
    options: tuple[tuple[StripOption, ...], ...]
    counters: tuple[Counter, ...] = ()


@dataclass(frozen=True)
class Frontiers:
    """Number of solutions, and of frontiers visited to count them."""

    solutions: int
    visited: int


def make_strip(listing: Listing) -> Strip | None:
    """Return a problem with its items in a suitable order, None if none was found."""
    rows, required = _without_unused_items(listing.rows, listing.required)
    items = len(required)
    for order in _orders(rows, items):
        position = np.full(items + 1, items)
        position[order] = np.arange(items)
        ordered = np.sort(position[rows], axis=1)
        if _is_suitable(ordered, items):
            counters = _counters(listing.bounds, _longest(ordered, items))
            if counters is None:
                return None
            options = _options_by_start(ordered, items, listing.uses)
            return Strip(tuple(required[order].tolist()), tuple(options), counters)
    return None


def _counters(bounds: tuple[tuple[int, int | None], ...], shift: int) -> tuple[Counter, ...] | None:
    """Return counters in the bits from `shift` on, None if there are not enough."""
    counters = []
    for least, most in bounds:
        counters.append(Counter(shift, least, most))
        shift += counters[-1].bits
    # One bit is left free, see `_next`.
    return tuple(counters) if shift + bool(counters) <= WINDOW_BITS else None


def _without_unused_items(rows: Any, required: Any) -> tuple[Any, Any]:
    """Return the problem without the items that no option takes and that are not required."""
    used = np.append(required, False)
    used[rows] = True
    items = np.flatnonzero(used[:-1])
    number = np.full(len(used), len(items))
    number[items] = np.arange(len(items))
    return number[rows], required[items]


def list_encoding(encoding: Encoding) -> Listing | None:
    """Return a problem with its counted items apart, None if it has further rules.

    Counted items whose bounds hold for any options that share no other item are left out.
    """
    if encoding.colour_bits or not encoding.options:
        return None
    rows, bits = encoding.rows, encoding.bits
    counted = np.isin(rows, encoding.counted_items)
    uses = [(rows == item).any(axis=1) for item in encoding.counted_items]
    plain = np.sort(np.where(counted, bits, rows), axis=1)
    sizes = (plain < bits).sum(axis=1)
    # Without an item of its own, an option has no place in any order.
    if not sizes.all():
        return None
    kept = []
    bounds: list[tuple[int, int | None]] = []
    for taking, least, most in zip(
        uses, encoding.least.tolist(), encoding.most.tolist(), strict=True
    ):
        room = int((np.unique(plain[taking]) < bits).sum())
        unbounded = most >= room // int(sizes[taking].min(initial=bits))
        if least or not unbounded:
            kept.append(taking)
            bounds.append((least, None if unbounded else most))
    used = np.array(kept, dtype=np.int64).reshape(len(kept), len(rows)).T
    return Listing(plain, as_booleans(encoding.required), used, tuple(bounds))


def make_narrow_strip(listing: Listing) -> Strip | None:
    """Return a whole problem in a suitable order, None if there is none or the search is faster.

    A required item for a piece is a neighbour of all cells. Frontiers that differ in the pieces
    used are too many, and the search is faster, so such problems are refused.
    """
    if len(listing.bounds) > MOST_COUNTERS:
        return None
    rows, used = _without_unused_items(listing.rows, listing.required)
    # Pieces are numbered last, so the last item decides for most puzzles.
    last = rows[(rows == rows[rows < len(used)].max()).any(axis=1)]
    # The options of the last item reach more than half of all items: no order is narrow.
    if len(np.unique(last[last < len(used)])) > 0.5 * len(used):
        return None
    if _neighbours(rows, len(used)).mean(axis=1).max() > 0.5:
        return None
    return make_strip(listing)


def quotient(listing: Listing, image: Any) -> Listing:
    """Return the problem whose solutions are those that a symmetry leaves unchanged.

    `image` has the image of every option. An option of the quotient is an orbit of options that
    share no item; an item of it represents all items that the same orbits take.
    """
    rows, required = listing.rows, listing.required
    powers = [np.arange(len(image))]
    # All powers of the symmetry; their number is its order.
    while not np.array_equal(following := image[powers[-1]], powers[0]):
        powers.append(following)
    orbits, items = np.stack(powers), len(required)
    union = np.sort(np.hstack([rows[power] for power in powers]), axis=1)
    taken = union < items
    taken[:, 1:] &= union[:, 1:] != union[:, :-1]
    again = (orbits == powers[0]).sum(axis=0)
    length = len(powers) // again
    # The images of an option in its orbit share no item if their union is as large as all of them.
    alone = taken.sum(axis=1) == length * (rows < items).sum(axis=1)
    first = alone & (orbits.min(axis=0) == powers[0])
    numbers, columns = np.nonzero(taken[first])
    uses = listing.uses[orbits].sum(axis=0) // again[:, np.newaxis]
    left, needed = _without_duplicate_items(
        numbers, union[first][numbers, columns], required, int(first.sum())
    )
    return Listing(left, needed, uses[first], listing.bounds)


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


class _Level(NamedTuple):
    """The frontiers before a position, and a row of limbs for each: how many ways lead to it."""

    frontiers: Any
    counts: Any


def count_job(narrow: Strip) -> Job[Progress, Frontiers | None]:
    """Count the solutions; the result is None if there are too many frontiers."""
    visited = 0

    def visit(level: _Level) -> None:
        nonlocal visited
        visited += len(level.frontiers)

    last = yield from _advance_job(narrow, visit)
    return None if last is None else Frontiers(_number(last.counts.sum(axis=0)), visited)


def draw_job(narrow: Strip, random: Random) -> Job[Progress, tuple[int, ...] | None]:
    """Draw a solution, all being equally likely: the numbers of its options, none if there is none.

    The result is None if there are too many frontiers, or too many to keep.
    """
    levels: list[_Level] = []
    kept = 0

    def keep(level: _Level) -> bool:
        nonlocal kept
        levels.append(level)
        kept += level.frontiers.nbytes + level.counts.nbytes
        return bool(kept <= MOST_BYTES)

    last = yield from _advance_job(narrow, keep)
    if last is None:
        return None
    chosen: list[int] = []
    if not len(last.frontiers):
        return ()
    following = last.frontiers[_pick(last.counts, random)]
    for position in reversed(range(len(levels))):
        yield Progress("drawing", len(levels) - position, len(levels))
        before = levels[position]
        ways = [
            (row, option)
            for option, (words, rows) in zip(
                (None, *narrow.options[position]),
                _next(before.frontiers, narrow, position),
                strict=True,
            )
            for row in rows[words == following].tolist()
        ]
        row, option = ways[_pick(before.counts[[row for row, _ in ways]], random)]
        following = before.frontiers[row]
        if option is not None:
            chosen.append(option.number)
    return tuple(sorted(chosen))


def _pick(counts: Any, random: Random) -> int:
    """Return the number of a row, each as likely as its count."""
    sums = list(accumulate(map(_number, counts)))
    return bisect_right(sums, random.randrange(sums[-1]))


def _advance_job(
    narrow: Strip, visit: Callable[[_Level], bool | None]
) -> Job[Progress, _Level | None]:
    """Return the level behind the last position; None if there are too many frontiers.

    `visit` is called with the level before every position; it may return False to give up.
    """
    positions = len(narrow.required)
    level = _Level(np.zeros(1, dtype=np.uint64), np.ones((1, 1), dtype=np.int64))
    work = 0
    for position in range(positions):
        yield Progress("", position, positions)
        if visit(level) is False:
            return None
        found = list(_next(level.frontiers, narrow, position))
        work += sum(len(rows) for rows, _ in found)
        if work > MOST_WORK:
            return None
        level = _merge(found, level.counts)
        if len(level.frontiers) > MOST_FRONTIERS:
            return None
        if not len(level.frontiers):
            break
    frontiers, counts = level
    for counter in narrow.counters:
        enough = counter.read(frontiers) >= np.uint64(counter.least)
        frontiers, counts = frontiers[enough], counts[enough]
    return _Level(frontiers, counts)


def _number(limbs: Any) -> int:
    """Return the number that a row of limbs, or a sum of such rows, stands for."""
    return sum(int(limb) << LIMB_BITS * place for place, limb in enumerate(limbs))


def _next(frontiers: Any, narrow: Strip, position: int) -> Iterator[tuple[Any, Any]]:
    """Yield the frontiers at the next position, each with the row of its predecessor."""
    one = np.uint64(1)
    if narrow.counters:
        # Counters go a bit ahead, so that they are in their place after the shift below.
        taken = np.uint64((1 << narrow.counters[0].shift) - 1)
        frontiers = frontiers & taken | (frontiers & ~taken) << one
    is_open = frontiers & one == 0
    # An item may be passed if it is taken already, or need not be.
    passing = np.flatnonzero(~is_open if narrow.required[position] else np.ones_like(is_open))
    yield frontiers[passing] >> one, passing
    for option, uses, _ in narrow.options[position]:
        word = np.uint64(option)
        taking = np.flatnonzero(frontiers & word == 0)
        following = (frontiers[taking] | word) >> one
        for counter, times in zip(narrow.counters, uses, strict=True):
            if times:
                following, allowed = _count_uses(following, counter, times)
                following, taking = following[allowed], taking[allowed]
        yield following, taking


def _count_uses(frontiers: Any, counter: Counter, times: int) -> tuple[Any, Any]:
    """Return some frontiers after more uses of a counted item, and which of them are allowed."""
    before = counter.read(frontiers)
    after = before + np.uint64(times)
    # What is not allowed is dropped, so only a counter without bound stays at its highest.
    highest = np.uint64(counter.highest)
    allowed = after <= highest if counter.most is not None else np.ones(len(after), dtype=bool)
    more = np.minimum(after, highest) - before
    return frontiers + (more << np.uint64(counter.shift)), allowed


def _merge(found: list[tuple[Any, Any]], counts: Any) -> _Level:
    """Return every frontier once, with the sum of its predecessors' counts."""
    words = np.concatenate([words for words, _ in found])
    rows = np.concatenate([rows for _, rows in found])
    frontiers, number = np.unique(words, return_inverse=True)
    added = np.zeros((len(frontiers), counts.shape[1]), dtype=np.int64)
    # Unbuffered, because several rows add to the same frontier.
    np.add.at(added, number, counts[rows])
    return _Level(frontiers, _carry(added))


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
    if _longest(rows, items) > WINDOW_BITS:
        return False
    # An item may be taken from the first position of any option that takes it.
    since = np.arange(items + 1)
    np.minimum.at(since, rows, first[:, np.newaxis])
    opened = np.bincount(since[:items], minlength=items).cumsum()
    # At each position: items that options before it may take, minus those already behind.
    widest = int((opened - np.arange(1, items + 1)).max())
    return widest <= WIDEST


def _longest(rows: Any, items: int) -> int:
    """Return the most positions from the first to the last item of an option."""
    last = np.where(rows < items, rows, -1).max(axis=1)
    return int((last - rows[:, 0]).max(initial=0)) + 1


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


def _options_by_start(rows: Any, items: int, uses: Any) -> Iterator[tuple[StripOption, ...]]:
    """Yield for every position the options that start there, see `Strip`."""
    first = rows[:, :1]
    one = np.uint64(1)
    bits = np.where(rows < items, one << (rows - first).astype(np.uint64), np.uint64(0))
    words = np.bitwise_or.reduce(bits, axis=1)
    order = np.argsort(first[:, 0], kind="stable")
    ends = np.searchsorted(first[order, 0], np.arange(items + 1))
    listed = list(
        map(
            StripOption,
            words[order].tolist(),
            map(tuple, uses[order].tolist()),
            order.tolist(),
        )
    )
    for start, end in pairwise(ends.tolist()):
        yield tuple(listed[start:end])
