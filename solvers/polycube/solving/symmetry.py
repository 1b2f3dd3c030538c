"""The symmetries of a packing puzzle: turns and reflections that map solutions to solutions."""

from collections.abc import Callable, Iterator

from solvers.polycube.orientation import canonical, canonical_mirror_image
from solvers.polycube.puzzle import Target, line_through
from solvers.polycube.rotation import (
    REFLECTIONS,
    ROTATIONS,
    Cell,
    Matrix,
    apply,
    image_axis,
)
from solvers.polycube.solving.grid import Grid
from solvers.polycube.solving.placements import Packing
from solvers.search.exact_cover.symmetry import ItemPermutation


def item_permutations(packed: Packing, *, reflections: bool) -> Iterator[ItemPermutation]:
    """Yield how the items of the problem move under each symmetry of the target.

    The identity comes first. A reflection counts only if every piece has its mirror image among
    the pieces: it maps the one to the other.
    """
    kinds = tuple(range(len(packed.kinds)))
    for matrix in ROTATIONS:
        yield from _permutation(packed, matrix, kinds)
    mirrored_kinds = _mirrored_kinds(packed) if reflections else None
    if mirrored_kinds is not None:
        for matrix in REFLECTIONS:
            yield from _permutation(packed, matrix, mirrored_kinds)


def _mirrored_kinds(packed: Packing) -> tuple[int, ...] | None:
    """Return which kind of piece is the mirror image of each, or None if one has none."""
    mirrored = packed.puzzle.mirror_pieces
    pieces = [kind.piece for kind in packed.kinds]
    # Fixed pieces are never alike; each must be its own mirror image, in its own place.
    number_of = {
        canonical(piece, mirrored=mirrored): number
        for number, piece in enumerate(pieces)
        if piece.fixed_at is None
    }
    images = [
        number
        if piece.fixed_at is not None
        else number_of.get(canonical_mirror_image(piece, mirrored=mirrored))
        for number, piece in enumerate(pieces)
    ]
    found = tuple(image for image in images if image is not None)
    return found if len(found) == len(images) else None


def _permutation(
    packed: Packing, matrix: Matrix, kinds: tuple[int, ...]
) -> Iterator[ItemPermutation]:
    """Yield the permutation if the matrix maps the target to itself, and nothing otherwise."""
    grid = packed.grid
    moved = _mover(packed.puzzle.target, matrix)
    cells = [grid.cell(bit) for bit in range(grid.volume)]
    images = [moved(cell) for cell in cells]
    if set(images) != set(cells):
        return
    coloured: tuple[int, ...] = ()
    if packed.puzzle.drilled:
        coloured = _moved_lines(grid, matrix, dict(zip(cells, images, strict=True)))
    items = (
        *(grid.bit(image) for image in images),
        *(grid.volume + kind for kind in kinds),
    )
    yield ItemPermutation(items, coloured)


def _mover(target: Target, matrix: Matrix) -> Callable[[Cell], Cell]:
    """Return the map of cells that turns the target's bounding box about its centre."""
    low, high = target.bounding_box
    # Twice the centre, so that it stays whole.
    cx, cy, cz = (low[axis] + high[axis] for axis in range(3))

    def moved(cell: Cell) -> Cell:
        x, y, z = apply(matrix, (2 * cell[0] - cx, 2 * cell[1] - cy, 2 * cell[2] - cz))
        return (x + cx) // 2, (y + cy) // 2, (z + cz) // 2

    return moved


def _moved_lines(grid: Grid, matrix: Matrix, images: dict[Cell, Cell]) -> tuple[int, ...]:
    lines = [0] * grid.lines
    for cell, image in images.items():
        for axis in range(3):
            image_line = line_through(image, image_axis(matrix, axis))
            lines[grid.line(line_through(cell, axis))] = grid.line(image_line)
    return tuple(lines)
