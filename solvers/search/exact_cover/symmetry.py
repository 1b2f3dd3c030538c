"""Symmetries of an exact-cover problem, and how they cut its search tree.

A symmetry is a permutation of the items, and of the coloured items, that maps options to options.
The solutions then fall into classes of images of each other. `reduce` cuts the problem into parts
that hold, wherever it can, one solution of each class; where it cannot, a part says which
symmetries are left in it, and Burnside's lemma makes up for the rest: a class is found as often
as its solutions differ under them, so that counting each solution found by

    (symmetries left that leave the solution unchanged) / (symmetries left)

adds up to the number of classes.

Where the symmetries move every item, a part takes a *pivot* instead: of an item and those that it
is moved to, some option of each solution comes first, in an order of the orbits of options. One
option of that orbit is enough to look for; all that come before it are banned. The part holds those
images of a solution that take the pivot, and tells by itself what it stands for.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from solvers.search.exact_cover.encoding import Encoding, as_booleans, root
from solvers.search.exact_cover.kernels.images import compare_with_images
from solvers.search.exact_cover.model import ExactCover, ExactCoverError, Part


@dataclass(frozen=True)
class ItemPermutation:
    """Image of every item, and of every coloured item."""

    items: tuple[int, ...]
    coloured: tuple[int, ...] = ()


@dataclass(frozen=True)
class SymmetricPart:
    """A part of the tree and the symmetries left in it, as indices into the group.

    With a `pivot`, one of its chosen options, it holds the images that take that option.
    """

    part: Part
    left: tuple[int, ...]
    pivot: int | None = None


@dataclass(frozen=True)
class Compared:
    """What the symmetries left in a part make of solutions.

    `found` is the number of solutions, and `unchanged` of pairs of a solution and a symmetry that
    does not change it. In a part with a pivot they count all images of these solutions, for which
    the smallest speak. `smallest` are the rows of which no symmetry makes a smaller one that is
    in the part.
    """

    found: int
    unchanged: int
    smallest: Any


class SymmetryGroup:
    """The given permutations that are symmetries of the problem, as permutations of its options.

    They must be a group to begin with, the identity first; those that are no symmetry drop out.
    """

    def __init__(
        self, cover: ExactCover, encoding: Encoding, candidates: Sequence[ItemPermutation]
    ) -> None:
        self._encoding = encoding
        order = _sorting(encoding.rows)
        ordered = encoding.rows[order]
        if (ordered[1:] == ordered[:-1]).all(axis=1).any():
            raise ExactCoverError("Symmetries need options that all differ.")
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
        return SymmetricPart(Part(), tuple(range(len(self))))

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

        Take an item whose options the symmetries permute among themselves. A solution takes one
        of them, so that one option of each orbit is enough. Those that only the identity leaves
        unchanged make one part; each of the others leaves its stabiliser for the next item.
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
                yield SymmetricPart(Part(chosen, banned | others), current.left[:1])
            for option in orbits.unfree:
                part = Part((*chosen, option), banned)
                left = tuple(g for g in current.left if self.images[g][option] == option)
                pending.append(SymmetricPart(part, left))

    def _by_pivots(self, current: SymmetricPart) -> Iterator[SymmetricPart]:
        """Yield one part for each orbit of the options of an item and those that it is moved to."""
        start = root(self._encoding, current.part)
        required = np.flatnonzero(as_booleans(start.required)) if start else np.empty(0)
        if start is None or len(current.left) == 1 or not len(required):
            yield current
            return
        item, _ = self._encoding.scarcest(start.alive, required)
        moved_to = np.unique([self._items[g][item] for g in current.left])
        options = start.alive[np.isin(self._encoding.rows[start.alive], moved_to).any(axis=1)]
        first = np.stack([self.images[g][options] for g in current.left]).min(axis=0)
        for pivot in options[first == options].tolist():
            part = Part(
                (*current.part.chosen, pivot),
                current.part.banned.union(options[first < pivot].tolist()),
            )
            yield SymmetricPart(part, current.left, pivot)

    def _best_orbits(self, current: SymmetricPart) -> "Orbits | None":
        """Return the orbits of the item whose reduction leaves the least to do.

        The fewer options keep a symmetry the better, because each makes a part of its own; then
        the fewer orbits. None if no item makes the part smaller.
        """
        start = root(self._encoding, current.part)
        if start is None:
            return None
        best: Orbits | None = None
        required = np.flatnonzero(as_booleans(start.required))
        images = np.stack([self.images[g] for g in current.left])
        for options in self._encoding.taking(start.alive, required):
            orbits = self._orbits(options, images)
            if orbits and (best is None or orbits.cost < best.cost):
                best = orbits
        return best

    def _orbits(self, options: Any, every_image: Any) -> "Orbits | None":
        """Return the orbits of some options; None if they are no union of orbits, or all alone."""
        images = every_image[:, options]
        inside = np.zeros(self._encoding.options, dtype=bool)
        inside[options] = True
        if not inside[images].all():
            return None
        representative = images.min(axis=0) == options
        if representative.all():
            return None
        free = (images == options).sum(axis=0) == 1
        return Orbits(
            options.tolist(),
            options[representative & free].tolist(),
            options[representative & ~free].tolist(),
        )


@dataclass(frozen=True)
class Orbits:
    """Options, and the representatives of their orbits with and without a symmetry of their own."""

    options: list[int]
    free: list[int]
    unfree: list[int]

    @property
    def cost(self) -> tuple[int, int]:
        """Order of preference, the smaller the better."""
        return len(self.unfree), len(self.free)


def _option_images(
    cover: ExactCover, encoding: Encoding, permutation: ItemPermutation, order: Any
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
    # Sorted alike, options and images must be the same rows.
    image_order = _sorting(moved)
    if not np.array_equal(encoding.rows[order], moved[image_order]):
        return None
    images = np.empty_like(order)
    images[image_order] = order
    return images


def _sorting(rows: Any) -> Any:
    """Return the order in which rows are sorted."""
    return np.lexsort(rows.T)


def _rules(cover: ExactCover) -> list[tuple[bool, tuple[int, int] | None]]:
    """Return of every item whether it has to be taken, and how many copies it may have."""
    required = f"{cover.required:0{cover.items}b}"[::-1]
    return [(required[item] == "1", cover.copies.get(item)) for item in range(cover.items)]


def _keeps(rules: list[tuple[bool, tuple[int, int] | None]], permutation: ItemPermutation) -> bool:
    return all(rules[item] == rules[image] for item, image in enumerate(permutation.items))
