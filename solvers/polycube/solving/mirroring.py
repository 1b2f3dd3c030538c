"""Mirror images among the solutions of a puzzle of which not every solution has one.

Where numbers of pieces are open, a solution may use only pieces whose mirror images may be used as
often, while others of the puzzle have none. Such a solution and its mirror image are the same, but
no reflection is a symmetry of the whole problem. So these pairs are looked for among what the
search finds, which is one solution of each class under the turns of the target. (BurrTools too
compares each assembly with its reflections where numbers are open: `smallerRotationExists` in
its assembly.cpp.)
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from solvers.polycube.solving.placements import Packing
from solvers.polycube.solving.symmetry import images_of, mirrored_kinds

NONE = -1


@dataclass(frozen=True)
class MirrorPairs:
    """Tells which of two solutions that are mirror images of each other is counted.

    `kinds` has the kind of each option, `least` and `most` bound how many of a kind are in a
    solution that has a mirror image. `turns` and `reflections` have the image of each option, NONE
    of those that are in no such solution. Rows of solutions are filled up with a number beyond the
    options, which has the kind NONE and is its own image.
    """

    kinds: Any
    least: Any
    most: Any
    turns: Sequence[Any]
    reflections: Sequence[Any]

    def one_of_each(self, rows: Any) -> Any:
        """Return the rows but for those whose mirror image is another one, which speaks for both.

        `rows` are solutions as the search gives them, one of each class under the turns.
        """
        used = np.stack([(self.kinds[rows] == kind).sum(axis=1) for kind in range(len(self.least))])
        both = ((self.least <= used.T) & (self.most >= used.T)).all(axis=1)
        mirrored = _smallest(self.reflections, rows[both])
        kept = ~both
        kept[both] = ~_is_before(mirrored, _smallest(self.turns, rows[both]))
        return rows[kept]


def mirror_pairs(packed: Packing, turns: Sequence[Any]) -> MirrorPairs | None:
    """Return what tells the pairs of a problem; None if there are none, or symmetries do it.

    `turns` has the image of each option under each rotation that is a symmetry of the problem.
    """
    puzzle = packed.puzzle
    fixed = any(piece.fixed_at is not None for piece in puzzle.pieces)
    if not puzzle.reflections or puzzle.drilled or fixed:
        return None
    bounds = [(kind.least, kind.most) for kind in packed.kinds]
    partners = mirrored_kinds(packed)
    of_partners = [(0, 0) if each is None else bounds[each] for each in partners]
    if bounds == of_partners:
        return None
    least, most = (
        [choose(own[end], other[end]) for own, other in zip(bounds, of_partners, strict=True)]
        for end, choose in enumerate((max, min))
    )
    taken = sum(
        number * kind.piece.shape.volume for number, kind in zip(most, packed.kinds, strict=True)
    )
    too_few = taken < packed.grid.required.bit_count()
    if too_few or any(low > high for low, high in zip(least, most, strict=True)):
        return None
    reflections = _reflections(packed, partners)
    if not reflections:
        return None
    return MirrorPairs(
        np.array([*(option.kind for option in packed.options), NONE]),
        np.array(least),
        np.array(most),
        [np.append(images, len(images)) for images in turns],
        reflections,
    )


def _reflections(packed: Packing, partners: Sequence[int | None]) -> list[Any]:
    """Return the images of all options under each reflection that maps the target to itself."""
    grid, target = packed.grid, packed.puzzle.target
    numbers = {
        (option.kind, option.cells, option.colours): number
        for number, option in enumerate(packed.options)
    }
    found = []
    for matrix in target.lattice.reflections:
        moved = images_of(target, matrix)
        if moved is None:
            continue
        bits = {grid.bit(cell): grid.bit(image) for cell, image in moved.items()}
        images = [
            NONE
            if partner is None
            else numbers[
                partner,
                sum(1 << bits[grid.bit(cell)] for cell in grid.cells(option.cells)),
                tuple(sorted((bits[bit], colour) for bit, colour in option.colours)),
            ]
            for option in packed.options
            for partner in (partners[option.kind],)
        ]
        found.append(np.array([*images, len(images)]))
    return found


def _smallest(images: Sequence[Any], rows: Any) -> Any:
    """Return the first of the images of each row, as rows in order."""
    smallest = np.sort(images[0][rows], axis=1)
    for image in images[1:]:
        other = np.sort(image[rows], axis=1)
        smallest = np.where(_is_before(other, smallest)[:, None], other, smallest)
    return smallest


def _is_before(rows: Any, others: Any) -> Any:
    """Tell of each row whether it comes before the other one."""
    differ = rows != others
    first = differ.argmax(axis=1)[:, None]
    before = np.take_along_axis(rows < others, first, axis=1)[:, 0]
    return before & differ.any(axis=1)
