"""What a lattice of cells is to everything else here.

A cell is named by a point with whole coordinates, in a frame in which every turn about one point
and every reflection is a matrix of whole numbers. Not every such point has to be a cell; moving by
`steps` along the axes leads from cells to cells. Cubes fill all points; triangles, say, are the
points (p, q) with p = q = 1 or 2 modulo 3, in the frame of two sides of a triangle.

In space a cell is a convex polyhedron, and those of all cells fill it: `faces` has its sides.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from solvers.polycube.lattice.faces import Cell as Cell
from solvers.polycube.lattice.faces import Face, Frame, Point, middle, placed

Row = tuple[int, int, int]
Matrix = tuple[Row, Row, Row]

Place = tuple[int, int, int]
"""Where a cell stands in a drawing: column, row and layer."""

Colouring = tuple[str, Callable[[Cell], bool]]
"""Which cells are dark, in words that go on after "Colour the cells", and whether one is."""

AXES: Final = ((1, 0, 0), (0, 1, 0), (0, 0, 1))
SIDEWAYS: Final = ((1, 1, 0), (1, -1, 0), (1, 0, 1), (1, 0, -1), (0, 1, 1), (0, 1, -1))
DIAGONALS: Final = ((1, 1, 1), (1, 1, -1), (1, -1, 1), (-1, 1, 1))
EVEN_WAYS: Final = (*SIDEWAYS, *((2 * x, 2 * y, 2 * z) for x, y, z in (*AXES, *DIAGONALS)))
"""Along two axes at once, along one, along all three: each the shortest move of an even sum."""
IDENTITY: Final[Matrix] = AXES


def itself(place: Place) -> Place:
    """Return the place: the cell of a lattice in which both are the same."""
    return place


def everywhere(_: Place) -> bool:
    """Tell that there is a cell at any place."""
    return True


@dataclass(frozen=True, eq=False, repr=False)
class Lattice:
    """A kind of cells. `name` is what files call it, `cell` and `cells` what messages do.

    `rotations` has the identity first; `reflections` turn a cell into its mirror image.
    `cell_at` and `place_of` lead from a place in a drawing to its cell and back; `is_cell` tells
    whether there is one. `sides` are a cell's in coordinates of the lattice, in any direction;
    `frame` leads from these to space.

    Cells are moved by whole `steps`, by an even number of them in all where `even` is true. What is
    taken apart slides along `ways` and back, one after the other as often as it goes. Turns
    leave the point `about` / 2 in place, in all three coordinates. Of `points` points about one is
    a cell, and a side is drawn `enlarged` so many times. `layered` cells are prisms, which a plan
    of their layers shows. `balls` are one length of a side wide; in one plane they need no mirror
    to be turned into their mirror image. Only where `lines` is true do
    straight lines of cells run along the three axes, for bores.
    `colourings` are of use in proofs beside those by coordinates.
    `burrtools` is the number that BurrTools' files have for these cells, if any.

    Lattices of the same name are equal.
    """

    name: str
    cell: str
    cells: str
    rotations: tuple[Matrix, ...]
    reflections: tuple[Matrix, ...]
    sides: Callable[[Cell], Sequence[Face]]
    frame: Frame
    cell_at: Callable[[Place], Cell] = itself
    place_of: Callable[[Cell], Place] = itself
    is_cell: Callable[[Place], bool] = everywhere
    steps: Cell = (1, 1, 1)
    even: bool = False
    ways: tuple[Cell, ...] = AXES
    about: int = 0
    points: int = 1
    enlarged: float = 1.0
    layered: bool = False
    balls: bool = False
    lines: bool = False
    colourings: tuple[Colouring, ...] = ()
    burrtools: str | None = None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Lattice) and other.name == self.name

    def __hash__(self) -> int:
        return hash(self.name)

    def __repr__(self) -> str:
        return f"Lattice({self.name!r})"

    def symmetries(self, *, reflections: bool) -> tuple[Matrix, ...]:
        """Return the rotations, followed by the reflections if asked for."""
        return self.rotations + self.reflections if reflections else self.rotations

    def turns_of(self, cells: Collection[Cell], *, reflections: bool = False) -> tuple[Matrix, ...]:
        """Return the symmetries that turn these cells, followed by those that reflect them.

        Balls in one plane are their own mirror image: what a reflection makes of them, a turn of
        another lattice does as well (by a sixth of the full turn about the normal of a plane in
        which each has six neighbours, say), and so the reflections are turns of theirs.
        """
        return self.symmetries(reflections=reflections or (self.balls and flat(cells)))

    def turned(self, matrix: Matrix, cell: Cell) -> Cell:
        """Return the image of a cell under one of the symmetries."""
        if not self.about:
            return apply(matrix, cell)
        x, y, z = apply(matrix, cell)
        a, b, c = ((1 - sum(row)) * self.about // 2 for row in matrix)
        return x + a, y + b, z + c

    def low(self, cells: Iterable[Cell]) -> Cell:
        """Return a movement close to the least coordinates: undone, it leaves all at 0 or more.

        Cells that are moved by something have a `low` that is moved by the same.
        """
        xs, ys, zs = zip(*cells, strict=True)
        a, b, c = self.steps
        x, y, z = min(xs) // a, min(ys) // b, min(zs) // c
        if self.even:
            x -= (x + y + z) % 2
        return x * a, y * b, z * c

    def moves(self, way: Cell) -> bool:
        """Tell whether moving this way leads from cells to cells."""
        steps = [divmod(part, step) for part, step in zip(way, self.steps, strict=True)]
        odd = sum(number for number, _ in steps) % 2
        return not any(rest for _, rest in steps) and not (self.even and odd)

    def faces(self, cell: Cell) -> tuple[Face, ...]:
        """Return the sides of a cell in space, each counter-clockwise as seen from outside.

        Space is right-handed, in lengths of a side: columns of a drawing run to the right (x), rows
        to the front (against y), layers upwards (z).
        """
        return _faces(self, cell)

    def centre(self, cells: Iterable[Cell]) -> Point:
        """Return the middle of some cells in space."""
        return middle(
            [
                middle([corner for face in self.faces(cell) for corner in face.corners])
                for cell in cells
            ]
        )

    def counted(self, number: int) -> str:
        """Return a number of cells in words."""
        return f"{number} {self.cell if number == 1 else self.cells}"


@lru_cache(maxsize=8192)
def _faces(lattice: Lattice, cell: Cell) -> tuple[Face, ...]:
    return placed(lattice.frame, lattice.sides(cell))


def both(ways: Iterable[Cell]) -> tuple[Cell, ...]:
    """Return some ways, each followed by the way back."""
    return tuple((sign * x, sign * y, sign * z) for x, y, z in ways for sign in (1, -1))


def apply(matrix: Matrix, cell: Cell) -> Cell:
    """Return the image of a point about the origin."""
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


def flat(cells: Collection[Cell]) -> bool:
    """Tell whether some points lie in one plane."""
    start, *others = cells
    ways = [(x - start[0], y - start[1], z - start[2]) for x, y, z in others]
    across = next((n for way in ways if any(n := _cross(ways[0], way))), (0, 0, 0))
    return not any(sum(a * b for a, b in zip(across, way, strict=True)) for way in ways)


def _cross(a: Cell, b: Cell) -> Cell:
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]
