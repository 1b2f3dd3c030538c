"""The ways to turn a piece, bores included, and when two pieces are the same."""

from dataclasses import dataclass
from functools import lru_cache

from solvers.polycube.lattice.lattice import Cell, Matrix, image_axis
from solvers.polycube.puzzle import Bore, Colours, Piece, line_through
from solvers.polycube.shape import Shape

# What makes two pieces interchangeable: their cells, which of them are bored along which axis, and
# which of them have which colour.
Canonical = tuple[tuple[Cell, ...], tuple[tuple[Cell, int], ...], tuple[tuple[Cell, int], ...]]


@dataclass(frozen=True)
class Orientation:
    """A turned piece; `number` indexes the lattice's symmetries.

    `bored` holds (cell, axis) for every cell of the piece and every bore through it, `coloured`
    (cell, colour) for every cell that is not neutral.
    """

    number: int
    shape: Shape
    bored: frozenset[tuple[Cell, int]]
    coloured: Colours

    @property
    def canonical(self) -> Canonical:
        """Cells, bores and colours in a form that can be compared."""
        cells = tuple(sorted(self.shape.cells))
        return cells, tuple(sorted(self.bored)), tuple(sorted(self.coloured))


def orientations(piece: Piece, *, mirrored: bool) -> tuple[Orientation, ...]:
    """Return the distinct ways to turn a piece; with `mirrored`, its mirror image's too."""
    return _orientations(piece.shape, piece.bores, piece.colours, _symmetries(piece, mirrored))


def canonical(piece: Piece, *, mirrored: bool) -> Canonical:
    """Return what is equal for pieces that are the same but for turning or mirroring them."""
    return _canonical(piece.shape, piece.bores, piece.colours, _symmetries(piece, mirrored))


def canonical_mirror_image(piece: Piece, *, mirrored: bool) -> Canonical:
    """Return the canonical form that the piece's mirror image has."""
    turns, mirrors = _symmetries(piece, mirrored), piece.shape.lattice.reflections
    matrices = turns if mirrors[0] in turns else mirrors
    return _canonical(piece.shape, piece.bores, piece.colours, matrices)


def _symmetries(piece: Piece, mirrored: bool) -> tuple[Matrix, ...]:
    return piece.shape.lattice.turns_of(piece.shape.cells, reflections=mirrored)


@lru_cache(maxsize=4096)
def _canonical(
    shape: Shape, bores: frozenset[Bore], colours: Colours, matrices: tuple[Matrix, ...]
) -> Canonical:
    return min(turned.canonical for turned in _orientations(shape, bores, colours, matrices))


@lru_cache(maxsize=4096)
def _orientations(
    shape: Shape, bores: frozenset[Bore], colours: Colours, matrices: tuple[Matrix, ...]
) -> tuple[Orientation, ...]:
    bored = [
        (cell, axis)
        for cell in shape.cells
        for axis in range(3)
        if bores and line_through(cell, axis) in bores
    ]
    found: dict[object, Orientation] = {}
    for number, matrix in enumerate(matrices):
        moved = [shape.lattice.turned(matrix, cell) for cell in shape.cells]
        x0, y0, z0 = shape.lattice.low(moved)
        image = {
            cell: (x - x0, y - y0, z - z0)
            for cell, (x, y, z) in zip(shape.cells, moved, strict=True)
        }
        turned = Shape(frozenset(image.values()), shape.lattice)
        turned_bores = frozenset((image[cell], image_axis(matrix, axis)) for cell, axis in bored)
        coloured = frozenset((image[cell], colour) for cell, colour in colours)
        orientation = Orientation(number, turned, turned_bores, coloured)
        found.setdefault((turned, turned_bores, coloured), orientation)
    return tuple(found.values())
