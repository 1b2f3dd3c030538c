"""Symmetries of a packing puzzle, and mirror images among its solutions."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from solvers.polycube.lattice import Cell, Matrix, transform
from solvers.polycube.marks import Mark
from solvers.polycube.puzzle import Target, canonical, canonical_mirror_image
from solvers.polycube.solving.placements import Packing
from solvers.search.exact_cover.symmetry import ItemPermutation


def item_permutations(packed: Packing, *, reflections: bool) -> Iterator[ItemPermutation]:
    """Yield the permutation of the problem's items for each symmetry of the target.

    The identity comes first. A reflection counts only if every piece has its mirror image among the
    pieces: it maps the one to the other.
    """
    kinds = tuple(range(len(packed.kinds)))
    lattice, target = packed.puzzle.lattice, packed.puzzle.target
    for matrix in lattice.orientations_of(target.cells):
        yield from _permutation(packed, matrix, kinds)
    images = mirrored_kinds(packed) if reflections else ()
    mirrored = tuple(image for image in images if image is not None)
    if len(mirrored) == len(kinds):
        for matrix in lattice.reflections:
            yield from _permutation(packed, matrix, mirrored)


def mirrored_kinds(packed: Packing) -> tuple[int | None, ...]:
    """Return the kind of piece that is the mirror image of each kind, None if there is none."""
    mirrored = packed.puzzle.mirror_pieces
    pieces = [kind.piece for kind in packed.kinds]
    # Fixed pieces are never equal; each must be its own mirror image, in its own place.
    number_of = {
        (canonical(piece, mirrored=mirrored), piece.groups): number
        for number, piece in enumerate(pieces)
        if piece.fixed_at is None and number != packed.holes
    }
    return tuple(
        number
        if piece.fixed_at is not None or number == packed.holes
        else number_of.get((canonical_mirror_image(piece, mirrored=mirrored), piece.groups))
        for number, piece in enumerate(pieces)
    )


def _permutation(
    packed: Packing, matrix: Matrix, kinds: tuple[int, ...]
) -> Iterator[ItemPermutation]:
    """Yield the permutation if the matrix maps the target to itself, and nothing otherwise."""
    grid = packed.grid
    images = images_of(packed.puzzle.target, matrix)
    if images is None:
        return
    items = list(range(grid.volume))
    for cell, image in images.items():
        items[grid.bit(cell)] = grid.bit(image)
    coloured = packed.marking.permutation(matrix, images)
    yield ItemPermutation((*items, *(grid.volume + kind for kind in kinds)), coloured)


def images_of(target: Target, matrix: Matrix) -> dict[Cell, Cell] | None:
    """Return the image of each cell of the target; None if the target changes.

    Required cells stay required and marks stay, whether that matters to solutions or not: as in
    BurrTools, whose `selfSymmetries` compares voxels with all attributes.
    """
    low = target.lattice.low
    turned = [target.lattice.apply(matrix, cell) for cell in target.cells]
    (x, y, z), (x0, y0, z0) = low(turned), low(target.cells)
    dx, dy, dz = x0 - x, y0 - y, z0 - z
    moved = [(a + dx, b + dy, c + dz) for a, b, c in turned]
    if not target.cells.issuperset(moved):
        return None
    images = dict(zip(target.cells, moved, strict=True))
    marks = {
        Mark(kind, images[cell], transform(matrix, way), value)
        for kind, cell, way, value in target.marks
    }
    required = {images[cell] for cell in target.required}
    return images if required == target.required and marks == target.marks else None


# Mirror images among the solutions of a puzzle of which only some solutions have one.
#
# If numbers of pieces are open, a solution may use only pieces whose mirror images may be used as
# often, while other pieces of the puzzle have none. Such a solution and its mirror image count as
# one, but no reflection is a symmetry of the whole problem. So these pairs are looked for among the
# solutions found, one of each class under the rotations of the target. (BurrTools, too, compares
# each assembly with its reflections if numbers are open: `smallerRotationExists` in its
# assembly.cpp.)

NONE = -1


@dataclass(frozen=True)
class MirrorPairs:
    """Decides which of two solutions that are mirror images of each other is counted.

    `kinds` has the kind of each option, `least` and `most` bound the number of each kind in a
    solution that has a mirror image. `turns` and `reflections` have the image of each option, NONE
    for those in no such solution. Rows of solutions are padded with a number beyond the options,
    which has the kind NONE and is its own image.
    """

    kinds: Any
    least: Any
    most: Any
    turns: Sequence[Any]
    reflections: Sequence[Any]

    def one_of_each(self, rows: Any) -> Any:
        """Return the rows without those whose mirror image is represented by another row.

        `rows` are solutions of the search, one of each class under the rotations.
        """
        used = np.stack([(self.kinds[rows] == kind).sum(axis=1) for kind in range(len(self.least))])
        both = ((self.least <= used.T) & (self.most >= used.T)).all(axis=1)
        mirrored = _smallest(self.reflections, rows[both])
        smallest = ~both
        smallest[both] = ~_is_before(mirrored, _smallest(self.turns, rows[both]))
        return rows[smallest]


def mirror_pairs(packed: Packing, turns: Sequence[Any]) -> MirrorPairs | None:
    """Return the mirror pairs of a problem; None if there are none, or symmetries handle them.

    `turns` has the image of each option under each rotation that is a symmetry of the problem.
    """
    puzzle = packed.puzzle
    fixed = any(piece.fixed_at is not None for piece in puzzle.pieces)
    if not puzzle.reflections or fixed:
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
        coloured = packed.marking.permutation(matrix, moved)
        images = [
            NONE
            if partner is None
            else numbers[
                partner,
                sum(1 << bits[grid.bit(cell)] for cell in grid.cells(option.cells)),
                tuple(sorted((coloured[item], colour) for item, colour in option.colours)),
            ]
            for option in packed.options
            for partner in (partners[option.kind],)
        ]
        found.append(np.array([*images, len(images)]))
    return found


def _smallest(images: Sequence[Any], rows: Any) -> Any:
    """Return the smallest of the images of each row, as sorted rows."""
    smallest = np.sort(images[0][rows], axis=1)
    for image in images[1:]:
        other = np.sort(image[rows], axis=1)
        smallest = np.where(_is_before(other, smallest)[:, None], other, smallest)
    return smallest


def _is_before(rows: Any, others: Any) -> Any:
    """Return for each row whether it comes before the other one in lexicographic order."""
    differ = rows != others
    first = differ.argmax(axis=1)[:, None]
    before = np.take_along_axis(rows < others, first, axis=1)[:, 0]
    return before & differ.any(axis=1)
