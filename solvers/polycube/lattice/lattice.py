"""What a lattice of cells is to everything else here.

A cell is named by a point with whole coordinates, in a frame in which every turn about the origin
and every reflection is a matrix of whole numbers. Not every such point has to be a cell; moving by
`steps` along the axes leads from cells to cells. Cubes fill all points; triangles, say, are the
points (p, q) with p = q = 1 or 2 modulo 3, in the frame of two sides of a triangle.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Final

Cell = tuple[int, int, int]
Row = tuple[int, int, int]
Matrix = tuple[Row, Row, Row]

Place = tuple[int, int, int]
"""Where a cell stands in a drawing: column, row and layer."""

Outline = tuple[tuple[float, float], ...]
"""The corners of a cell as seen from above, in lengths of a side, rows downwards."""

Corners = tuple[tuple[float, float, float], ...]
"""The corners of a convex cell in space: those of its outline with their height."""

IDENTITY: Final[Matrix] = ((1, 0, 0), (0, 1, 0), (0, 0, 1))


@dataclass(frozen=True)
class Lattice:
    """A kind of cells. `name` is what files call it, `cell` and `cells` what messages do.

    `rotations` has the identity first; `reflections` turn a cell into its mirror image.
    `cell_at` and `place_of` lead from a place in a drawing to its cell and back, `outline` to how
    it is drawn in a plan. Only where `lines` is true do straight lines of cells run along the three
    axes, for bores. `burrtools` is the number that BurrTools' files have for these cells, if any.
    `corners` is what a cell is in space, in the frame of its outline; without it none is printed.
    """

    name: str
    cell: str = field(compare=False, repr=False)
    cells: str = field(compare=False, repr=False)
    rotations: tuple[Matrix, ...] = field(compare=False, repr=False)
    reflections: tuple[Matrix, ...] = field(compare=False, repr=False)
    cell_at: Callable[[Place], Cell] = field(compare=False, repr=False)
    place_of: Callable[[Cell], Place] = field(compare=False, repr=False)
    outline: Callable[[Place], Outline] = field(compare=False, repr=False)
    steps: Cell = field(default=(1, 1, 1), compare=False, repr=False)
    lines: bool = field(default=False, compare=False, repr=False)
    burrtools: str | None = field(default=None, compare=False, repr=False)
    corners: Callable[[Place], Corners] | None = field(default=None, compare=False, repr=False)

    def symmetries(self, *, reflections: bool) -> tuple[Matrix, ...]:
        """Return the rotations, followed by the reflections if asked for."""
        return self.rotations + self.reflections if reflections else self.rotations

    def low(self, cells: Iterable[Cell]) -> Cell:
        """Return the greatest movement that keeps all coordinates at 0 or more when undone."""
        xs, ys, zs = zip(*cells, strict=True)
        a, b, c = self.steps
        return min(xs) // a * a, min(ys) // b * b, min(zs) // c * c

    def counted(self, number: int) -> str:
        """Return a number of cells in words."""
        return f"{number} {self.cell if number == 1 else self.cells}"


def prism_corners(outline: Callable[[Place], Outline], place: Place) -> Corners:
    """Return the corners of a cell that stands upright on its outline, as high as a side."""
    return tuple((x, y, place[2] + up) for up in (0.0, 1.0) for x, y in outline(place))


def apply(matrix: Matrix, cell: Cell) -> Cell:
    """Return the image of a cell about the origin."""
    x, y, z = cell
    a, b, c = matrix
    return (
        a[0] * x + a[1] * y + a[2] * z,
        b[0] * x + b[1] * y + b[2] * z,
        c[0] * x + c[1] * y + c[2] * z,
    )


def product(outer: Matrix, inner: Matrix) -> Matrix:
    """Return the matrix of `inner` followed by `outer`."""
    first, second, third = (apply(outer, column) for column in zip(*inner, strict=True))
    transposed = zip(first, second, third, strict=True)
    a, b, c = transposed
    return a, b, c


def image_axis(matrix: Matrix, axis: int) -> int:
    """Return which axis (0, 1, 2 for x, y, z) the given axis is turned to, direction ignored.

    Only for lattices with `lines`, whose turns exchange the axes.
    """
    return next(row for row in range(3) if matrix[row][axis] != 0)
