"""Symmetries of an exact-cover problem, and the independent parts they cut its search tree into.

A symmetry is a permutation of the items, and of the coloured items, that maps options to options.
Solutions fall into classes of images of each other. `SymmetryGroup.reduce` cuts the problem into
parts that hold, where possible, one solution of each class. Otherwise a part lists the symmetries
left in it, and Burnside's lemma corrects the count: a class is found once for each of its solutions
that differ under them, so counting each solution found by

    (symmetries left that leave the solution unchanged) / (symmetries left)

adds up to the number of classes.

Where the symmetries move every item, a part has a *pivot* instead. Take an item and its images; of
the options that take one of them, some option of each solution comes first in an order of the
orbits of options. It is enough to look for one option of that orbit, and all that come before it
are banned. The part holds those images of a solution that take the pivot.
"""

import heapq
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from solvers.foundation.compiled import kernel
from solvers.search.exact_cover import model


@kernel(entry=True, error_model="numpy")
def compare_with_images(
    rows: Any, images: Any, pivot: int, marks: Any, smallest: Any, unchanged: Any
) -> None:
    """Compare solutions with their images under symmetries.

    `rows` has a solution per row, ascending and padded with the number of options; `images` the
    image of every option, one row per symmetry. Fills in `unchanged`, how many symmetries leave
    each solution unchanged, and `smallest`, which solutions have no smaller image. An image is
    smaller if its least option that the other lacks is less than the other's. With a `pivot`, an
    option, only images that take it count; -1 for none. `marks` is scratch: two rows of zeros, one
    column per option.
    """
    options = images.shape[1]
    for number in range(len(rows)):
        row = rows[number]
        length = 0
        while length < len(row) and row[length] < options:
            marks[0, row[length]] = 1
            length += 1
        smallest[number] = True
        unchanged[number] = 0
        for g in range(len(images)):
            # An image is compared by the least option in which it differs from the solution:
            # `gained` is the least that only the image has, `lost` the least that only the solution
            # has.
            gained = options
            for index in range(length):
                image = images[g, row[index]]
                marks[1, image] = 1
                if not marks[0, image]:
                    gained = min(gained, image)
            lost = options
            # From the end, so that the last assignment is the least.
            for index in range(length - 1, -1, -1):
                if not marks[1, row[index]]:
                    lost = row[index]
            counts = pivot < 0 or marks[1, pivot] != 0
            for index in range(length):
                marks[1, images[g, row[index]]] = 0
            if gained == options:
                unchanged[number] += 1
            elif gained < lost and counts:
                smallest[number] = False
        for index in range(length):
            marks[0, row[index]] = 0


@dataclass(frozen=True)
class ItemPermutation:
    """Image of every item, and of every coloured item."""

    items: tuple[int, ...]
    coloured: tuple[int, ...] = ()


@dataclass(frozen=True)
class SymmetricPart:
    """A part of the tree with the symmetries left in it, as indices into the group.

    With a `pivot`, one of its chosen options, it holds the images that take that option.
    """

    part: model.Part
    left: tuple[int, ...]
    pivot: int | None = None


@dataclass(frozen=True)
class Compared:
    """Solutions compared with their images under the symmetries left in a part.

    `found` is the number of solutions, `unchanged` that of pairs of a solution and a symmetry that
    leaves it unchanged. In a part with a pivot both count all images of these solutions, which the
    smallest represent. `smallest` are the rows without a smaller image in the part.
    """

    found: int
    unchanged: int
    smallest: Any


class SymmetryGroup:
    """The given permutations that are symmetries of the problem, as permutations of its options.

    The candidates must form a group, with the identity first; those that are no symmetry are
    dropped.
    """

    def __init__(
        self,
        cover: model.ExactCover,
        encoding: model.Encoding,
        candidates: Sequence[ItemPermutation],
    ) -> None:
        self._encoding = encoding
        order = _sorting(encoding.rows)
        ordered = encoding.rows[order]
        if (ordered[1:] == ordered[:-1]).all(axis=1).any():
            raise model.ExactCoverError("Symmetries need options that all differ.")
        rules = _rules(cover)
        images = [
            _option_images(cover, encoding, each, order) if _keeps(rules, each) else None
            for each in candidates
        ]
        self.images: list[Any] = [image for image in images if image is not None]
        self._items = [
            candidate.items
            for candidate, image in zip(candidates, images, strict=True)
            if image is not None
        ]

    def __len__(self) -> int:
        return len(self.images)

    def whole(self) -> SymmetricPart:
        """Return the whole problem with all symmetries left."""
        return SymmetricPart(model.Part(), tuple(range(len(self))))

    def compare(self, rows: Any, part: SymmetricPart) -> Compared:
        """Compare solutions of a part with their images under the symmetries left in it.

        The solutions are rows as `Search.advance_rows` gives them.
        """
        smallest = np.zeros(len(rows), dtype=bool)
        unchanged = np.zeros(len(rows), dtype=np.int64)
        marks = np.zeros((2, self._encoding.options), dtype=np.uint8)
        images = np.stack([self.images[g] for g in part.left])
        pivot = -1 if part.pivot is None else part.pivot
        compare_with_images(rows, images, pivot, marks, smallest, unchanged)
        if part.pivot is None:
            return Compared(len(rows), int(unchanged.sum()), rows[smallest])
        left = len(part.left)
        found = int((left // unchanged[smallest]).sum())
        return Compared(found, left * int(smallest.sum()), rows[smallest])

    def reduce(self) -> Iterator[SymmetricPart]:
        """Yield parts that together hold at least one solution of each class.

        Take an item whose options the symmetries permute among themselves. A solution takes one of
        them, so one option of each orbit is enough. Those that only the identity leaves unchanged
        form one part; each of the others leaves its stabiliser for the next item.
        """
        pending = [self.whole()]
        while pending:
            current = pending.pop()
            orbits = self._best_orbits(current) if len(current.left) > 1 else None
            if orbits is None:
                yield from self._by_pivots(current)
                continue
            chosen, banned = current.part.chosen, current.part.banned
            if orbits.free:
                others = set(orbits.options) - set(orbits.free)
                yield SymmetricPart(model.Part(chosen, banned | others), current.left[:1])
            for option in orbits.unfree:
                part = model.Part((*chosen, option), banned)
                left = tuple(g for g in current.left if self.images[g][option] == option)
                pending.append(SymmetricPart(part, left))

    def _by_pivots(self, current: SymmetricPart) -> Iterator[SymmetricPart]:
        """Yield one part for each orbit of the options of an item and its images."""
        start = model.root(self._encoding, current.part)
        required = np.flatnonzero(model.as_booleans(start.required)) if start else np.empty(0)
        if start is None or len(current.left) == 1 or not len(required):
            yield current
            return
        item, _ = self._encoding.scarcest(start.alive, required)
        moved_to = np.unique([self._items[g][item] for g in current.left])
        options = start.alive[np.isin(self._encoding.rows[start.alive], moved_to).any(axis=1)]
        # The least option of an orbit represents it, and orders the orbits.
        first = np.stack([self.images[g][options] for g in current.left]).min(axis=0)
        for pivot in options[first == options].tolist():
            part = model.Part(
                (*current.part.chosen, pivot),
                current.part.banned.union(options[first < pivot].tolist()),
            )
            yield SymmetricPart(part, current.left, pivot)

    def _best_orbits(self, current: SymmetricPart) -> "Orbits | None":
        """Return the orbits of the item whose reduction leaves the least to do.

        The fewer options keep a symmetry the better, because each makes a part of its own; then the
        fewer orbits. None if no item makes the part smaller.
        """
        start = model.root(self._encoding, current.part)
        if start is None:
            return None
        best: Orbits | None = None
        required = np.flatnonzero(model.as_booleans(start.required))
        images = np.stack([self.images[g] for g in current.left])
        for options in self._encoding.taking(start.alive, required):
            orbits = self._orbits(options, images)
            if orbits and (best is None or orbits.cost < best.cost):
                best = orbits
        return best

    def _orbits(self, options: Any, every_image: Any) -> "Orbits | None":
        """Return the orbits of some options; None if they form no orbits, or only trivial ones."""
        images = every_image[:, options]
        inside = np.zeros(self._encoding.options, dtype=bool)
        inside[options] = True
        if not inside[images].all():
            return None
        representative = images.min(axis=0) == options
        if representative.all():
            return None
        # Only the identity fixes a free option, so its part needs no further comparison.
        free = (images == options).sum(axis=0) == 1
        return Orbits(
            options.tolist(),
            options[representative & free].tolist(),
            options[representative & ~free].tolist(),
        )


@dataclass(frozen=True)
class Orbits:
    """Options, and the representatives of their orbits without and with a symmetry of their own."""

    options: list[int]
    free: list[int]
    unfree: list[int]

    @property
    def cost(self) -> tuple[int, int]:
        """Order of preference, smaller is better."""
        return len(self.unfree), len(self.free)


def _option_images(
    cover: model.ExactCover, encoding: model.Encoding, permutation: ItemPermutation, order: Any
) -> Any | None:
    """Return the image of every option, or None if the permutation is no symmetry.

    `order` sorts the options' rows of items.
    """
    bits = np.arange(encoding.bits + 1, dtype=np.int32)
    bits[: cover.items] = permutation.items
    for (item, colour), bit in encoding.colour_bits.items():
        image = encoding.colour_bits.get((permutation.coloured[item], colour))
        if image is None:
            return None
        bits[bit] = image
    moved = np.sort(bits[encoding.rows], axis=1)
    # The permutation is a symmetry if it maps the set of options to itself, so the sorted rows
    # of options and images must be equal.
    image_order = _sorting(moved)
    if not np.array_equal(encoding.rows[order], moved[image_order]):
        return None
    images = np.empty_like(order)
    images[image_order] = order
    return images


def _sorting(rows: Any) -> Any:
    """Return the order in which rows are sorted."""
    return np.lexsort(rows.T)


def _rules(cover: model.ExactCover) -> Any:
    """Return a number for every item that tells whether it is required, and how often taken."""
    required = f"{cover.required:0{cover.items}b}"[::-1]
    rules = [(required[item] == "1", cover.copies.get(item)) for item in range(cover.items)]
    numbers = {rule: number for number, rule in enumerate(dict.fromkeys(rules))}
    return np.array([numbers[rule] for rule in rules])


def _keeps(rules: Any, permutation: ItemPermutation) -> bool:
    return bool((rules[list(permutation.items)] == rules).all())


# Cutting parts further, for workers.


def split(
    encoding: model.Encoding, parts: Iterable[SymmetricPart], at_least: int
) -> list[SymmetricPart]:
    """Cut parts further until there are `at_least` of them, or nothing is left to cut.

    The part with the greatest estimated share is cut next, so that the result depends only on the
    arguments.
    """
    whole = list(parts)
    heap = [(-1.0 / len(whole), number, part) for number, part in enumerate(whole)]
    heapq.heapify(heap)
    numbered = len(heap)
    uncut: list[tuple[float, int, SymmetricPart]] = []
    while heap and len(heap) + len(uncut) < at_least:
        # The numbers break ties, so that parts are never compared.
        negative_share, number, part = heapq.heappop(heap)
        children = _children(encoding, part.part)
        if children is None:
            uncut.append((negative_share, number, part))
            continue
        for child in children:
            share = negative_share / len(children)
            heapq.heappush(heap, (share, numbered, replace(part, part=child)))
            numbered += 1
    return [
        replace(part, part=replace(part.part, share=-share))
        for share, _number, part in sorted(heap + uncut, key=lambda entry: entry[:2])
    ]


def _children(encoding: model.Encoding, part: model.Part) -> list[model.Part] | None:
    """Return the parts below a part, one per option of its scarcest item; None if it is a leaf."""
    start = model.root(encoding, part)
    if start is None:
        return []
    required = np.flatnonzero(model.as_booleans(start.required))
    if not len(required):
        return None
    _, taking = encoding.scarcest(start.alive, required)
    return [model.Part((*part.chosen, option), part.banned) for option in taking.tolist()]
