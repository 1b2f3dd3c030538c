"""The symmetries of a packing puzzle: turns and reflections that map solutions to solutions."""

from collections.abc import Iterator

from solvers.polycube.lattice.lattice import Cell, Matrix, image_axis
from solvers.polycube.orientation import canonical, canonical_mirror_image
from solvers.polycube.puzzle import Target, line_through
from solvers.polycube.solving.grid import Grid
from solvers.polycube.solving.placements import Packing
from solvers.search.exact_cover.symmetry import ItemPermutation


def item_permutations(packed: Packing, *, reflections: bool) -> Iterator[ItemPermutation]:
    """Yield how the items of the problem move under each symmetry of the target.

    The identity comes first. A reflection counts only if every piece has its mirror image among
    the pieces: it maps the one to the other.
    """
    kinds = tuple(range(len(packed.kinds)))
    lattice, target = packed.puzzle.lattice, packed.puzzle.target
    for matrix in lattice.turns_of(target.cells):
        yield from _permutation(packed, matrix, kinds)
    images = mirrored_kinds(packed) if reflections else ()
    mirrored = tuple(image for image in images if image is not None)
    if len(mirrored) == len(kinds):
        for matrix in lattice.reflections:
            yield from _permutation(packed, matrix, mirrored)


def mirrored_kinds(packed: Packing) -> tuple[int | None, ...]:
    """Return which kind of piece is the mirror image of each, None of those that have none."""
    mirrored = packed.puzzle.mirror_pieces
    pieces = [kind.piece for kind in packed.kinds]
    # Fixed pieces are never alike; each must be its own mirror image, in its own place.
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
    coloured: tuple[int, ...] = ()
    if packed.puzzle.drilled:
        coloured = _moved_lines(grid, matrix, images)
    elif packed.cover.colours:
        coloured = tuple(items)
    yield ItemPermutation((*items, *(grid.volume + kind for kind in kinds)), coloured)


def images_of(target: Target, matrix: Matrix) -> dict[Cell, Cell] | None:
    """Return where each cell of the target goes; None if it is another target then.

    Required cells stay required, and coloured ones keep their colours, whether that matters to
    solutions or not: as in BurrTools, whose `selfSymmetries` compare voxels with all they are.
    """
    low = target.lattice.low
    turned = [target.lattice.turned(matrix, cell) for cell in target.cells]
    (x, y, z), (x0, y0, z0) = low(turned), low(target.cells)
    dx, dy, dz = x0 - x, y0 - y, z0 - z
    moved = [(a + dx, b + dy, c + dz) for a, b, c in turned]
    if not target.cells.issuperset(moved):
        return None
    images = dict(zip(target.cells, moved, strict=True))
    coloured = {(images[cell], colour) for cell, colour in target.colours}
    required = {images[cell] for cell in target.required}
    same = required == target.required and coloured == target.colours
    return images if same else None


def _moved_lines(grid: Grid, matrix: Matrix, images: dict[Cell, Cell]) -> tuple[int, ...]:
    lines = list(range(grid.lines))
    for cell, image in images.items():
        for axis in range(3):
            image_line = line_through(image, image_axis(matrix, axis))
            lines[grid.line(line_through(cell, axis))] = grid.line(image_line)
    return tuple(lines)
