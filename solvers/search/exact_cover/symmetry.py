"""Symmetries of an exact-cover problem, and how they cut its search tree.

A symmetry is a permutation of the items, and of the coloured items, that maps options to options.
The solutions then fall into classes of images of each other. `reduce` cuts the problem into parts
that hold, wherever it can, one solution of each class; where it cannot, a part says which
symmetries are left in it, and Burnside's lemma makes up for the rest: a class is found as often
as its solutions differ under them, so that counting each solution found by

    (symmetries left that leave the solution unchanged) / (symmetries left)

adds up to the number of classes.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from solvers.search.exact_cover.encoding import WORD_BITS, Encoding, as_booleans, root
from solvers.search.exact_cover.kernels.images import compare_with_images
from solvers.search.exact_cover.model import ExactCover, ExactCoverError, Part


@dataclass(frozen=True)
class ItemPermutation:
    """Image of every item, and of every coloured item."""

    items: tuple[int, ...]
    coloured: tuple[int, ...] = ()


@dataclass(frozen=True)
class SymmetricPart:
    """A part of the tree and the symmetries left in it, as indices into the group."""

    part: Part
    left: tuple[int, ...]


class SymmetryGroup:
    """The given permutations that are symmetries of the problem, as permutations of its options.

    They must be a group to begin with, the identity first; those that are no symmetry drop out.
    """

    def __init__(
        self, cover: ExactCover, encoding: Encoding, candidates: Sequence[ItemPermutation]
    ) -> None:
        self._encoding = encoding
        if len(set(map(bytes, encoding.takes))) < encoding.options:
            raise ExactCoverError("Symmetries need options that all differ.")
        images = (_option_images(cover, encoding, candidate) for candidate in candidates)
        self.images: list[Any] = [image for image in images if image is not None]

    def __len__(self) -> int:
        return len(self.images)

    def whole(self) -> SymmetricPart:
        """Return the whole problem with all symmetries left."""
        return SymmetricPart(Part(), tuple(range(len(self))))

    def compare(self, rows: Any, left: Sequence[int]) -> tuple[int, Any]:
        """Compare solutions with their images under the symmetries `left`.

        The solutions are rows as `Search.advance_rows` gives them. Returns how many pairs of a
        solution and a symmetry that does not change it there are, and the rows that no symmetry
        maps to a smaller one.
        """
        smallest = np.zeros(len(rows), dtype=bool)
        marks = np.zeros((2, self._encoding.options), dtype=np.uint8)
        images = np.stack([self.images[g] for g in left])
        unchanged = compare_with_images(rows, images, marks, smallest)
        return unchanged, rows[smallest]

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
                yield current
                continue
            chosen, banned = current.part.chosen, current.part.banned
            if orbits.free:
                others = set(orbits.options) - set(orbits.free)
                yield SymmetricPart(Part(chosen, banned | others), current.left[:1])
            for option in orbits.unfree:
                part = Part((*chosen, option), banned)
                left = tuple(g for g in current.left if self.images[g][option] == option)
                pending.append(SymmetricPart(part, left))

    def _best_orbits(self, current: SymmetricPart) -> "Orbits | None":
        """Return the orbits of the item whose reduction leaves the least to do.

        The fewer options keep a symmetry the better, because each makes a part of its own; then
        the fewer orbits. None if no item makes the part smaller.
        """
        start = root(self._encoding, current.part)
        if start is None:
            return None
        best: Orbits | None = None
        members = self._encoding.members[start.alive]
        for item in np.flatnonzero(as_booleans(start.required)):
            orbits = self._orbits(start.alive[members[:, item]], current.left)
            if orbits and (best is None or orbits.cost < best.cost):
                best = orbits
        return best

    def _orbits(self, options: Any, left: Sequence[int]) -> "Orbits | None":
        """Return the orbits of some options; None if they are no union of orbits, or all alone."""
        images = np.stack([self.images[g][options] for g in left])
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
    cover: ExactCover, encoding: Encoding, permutation: ItemPermutation
) -> Any | None:
    """Return the image of every option, or None if the permutation is no symmetry."""
    if not _keeps_rules(cover, permutation):
        return None
    bits = np.full(encoding.takes.shape[1] * WORD_BITS, -1, dtype=np.int64)
    bits[: cover.items] = permutation.items
    for (item, colour), bit in encoding.colour_bits.items():
        image = encoding.colour_bits.get((permutation.coloured[item], colour))
        if image is None:
            return None
        bits[bit] = image
    moved = np.zeros_like(encoding.members)
    moved[:, bits[bits >= 0]] = encoding.members[:, bits >= 0]
    image_takes = np.packbits(moved, axis=1, bitorder="little").view("<u8")
    # Sorted alike, options and images must be the same rows.
    order, image_order = np.lexsort(encoding.takes.T), np.lexsort(image_takes.T)
    if not np.array_equal(encoding.takes[order], image_takes[image_order]):
        return None
    images = np.empty_like(order)
    images[image_order] = order
    return images


def _keeps_rules(cover: ExactCover, permutation: ItemPermutation) -> bool:
    return all(
        cover.required >> item & 1 == cover.required >> image & 1
        and cover.copies.get(item) == cover.copies.get(image)
        for item, image in enumerate(permutation.items)
    )
