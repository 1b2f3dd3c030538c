"""Lattices of cells that pieces are cut from, and the geometry of their cells in space.

A cell is named by a point with integer coordinates, in a frame in which every rotation about one
point and every reflection is an integer matrix. Not every such point has to be a cell. Cubes fill
all points; triangles, for example, are the points (p, q) with p = q = 1 or 2 modulo 3, in the frame
of two sides of a triangle.

In space a cell is a convex polyhedron, and together the cells fill it. Space is right-handed and
measured in side lengths: columns of a drawing run to the right (x), rows to the front (against y),
layers upwards (z).
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar, Final, TypeVar

Number = TypeVar("Number", int, float)
Cell = tuple[int, int, int]
# Position of a cell in a drawing: column, row and layer.
Place = tuple[int, int, int]

Point = tuple[float, float, float]
# A matrix from lattice coordinates to space: row i gives coordinate i.
Frame = tuple[Point, Point, Point]

Row = tuple[int, int, int]
Matrix = tuple[Row, Row, Row]

# Which cells are dark: words to follow "Colour the cells", and the test itself.
Colouring = tuple[str, Callable[[Cell], bool]]

AXES: Final = ((1, 0, 0), (0, 1, 0), (0, 0, 1))
IDENTITY: Final[Matrix] = AXES

# Lengths below this count as zero: solids this close only touch.
CLOSE: Final = 1e-6


@dataclass(frozen=True, slots=True)
class Face:
    """A side of a cell: its corners in order, and the neighbouring cell behind it."""

    corners: tuple[Point, ...]
    beyond: Cell


class Lattice(ABC):
    """A kind of cell, with its symmetries, translations and shape in space.

    Subclasses set the attributes below and implement `sides`. They override `cell_at`, `place_of`
    and `is_cell` if drawings do not show one cell per point, `apply` if rotations do not fix the
    origin, `orientations_of` if reflections may be rotations for some pieces, and `colourings` if
    they have natural ones. Lattices of the same name are equal.
    """

    name: ClassVar[str]
    """The lattice's name in files."""
    cell: ClassVar[str]
    cells: ClassVar[str]
    """Singular and plural, for messages."""
    rotations: ClassVar[tuple[Matrix, ...]]
    """The rotations, the identity first."""
    reflections: ClassVar[tuple[Matrix, ...]]
    """The matrices that turn a piece into its mirror image."""
    frame: ClassVar[Frame]
    """From lattice coordinates to space."""
    steps: ClassVar[Cell] = (1, 1, 1)
    """Translations by these along the axes map cells to cells."""
    even_steps: ClassVar[bool] = False
    """Whether only an even number of steps maps cells to cells."""
    ways: ClassVar[tuple[Cell, ...]] = AXES
    """Directions in which pieces slide apart; each also backwards."""
    points: ClassVar[int] = 1
    """About one point in `points` is a cell, which bounds the size of drawings."""
    enlarged: ClassVar[float] = 1.0
    """Factor for pictures of cells that are small compared with their steps."""
    layered: ClassVar[bool] = False
    """Whether cells are prisms, so that a plan of the layers shows a solution."""
    balls: ClassVar[bool] = False
    """Whether cells are drawn and moved as balls one side length wide."""
    burrtools: ClassVar[str | None] = None
    """The number of this grid in BurrTools files, if it has one."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Lattice) and other.name == self.name

    def __hash__(self) -> int:
        return hash(self.name)

    def __repr__(self) -> str:
        return f"Lattice({self.name!r})"

    @abstractmethod
    def sides(self, cell: Cell) -> Sequence[Face]:
        """Return the sides of a cell in lattice coordinates, corners in either direction."""

    def cell_at(self, place: Place) -> Cell:
        """Return the cell drawn at a place for which `is_cell` holds."""
        return place

    def place_of(self, cell: Cell) -> Place:
        """Return the place at which a cell is drawn."""
        return cell

    def is_cell(self, place: Place) -> bool:  # noqa: ARG002
        """Return whether there is a cell at a place of a drawing."""
        return True

    def colourings(self) -> tuple[Colouring, ...]:
        """Return colourings that help to prove that a target cannot be filled."""
        return ()

    def symmetries(self, *, reflections: bool) -> tuple[Matrix, ...]:
        """Return the rotations, followed by the reflections if requested."""
        return self.rotations + self.reflections if reflections else self.rotations

    def orientations_of(
        self,
        cells: Collection[Cell],  # noqa: ARG002
        *,
        reflections: bool = False,
    ) -> tuple[Matrix, ...]:
        """Return the matrices that rotate these cells, followed by those that reflect them."""
        return self.symmetries(reflections=reflections)

    def apply(self, matrix: Matrix, cell: Cell) -> Cell:
        """Return the image of a cell under one of the symmetries."""
        return transform(matrix, cell)

    def low(self, cells: Iterable[Cell]) -> Cell:
        """Return the translation whose inverse moves cells as close to 0, 0, 0 as possible.

        All coordinates are then at least 0. Translating the cells translates `low` by the same.
        """
        xs, ys, zs = zip(*cells, strict=True)
        a, b, c = self.steps
        x, y, z = min(xs) // a, min(ys) // b, min(zs) // c
        if self.even_steps:
            x -= (x + y + z) % 2
        return x * a, y * b, z * c

    def kind(self, cell: Cell) -> Cell:
        """Return a cell that represents all cells which translations map to this one."""
        return minus(cell, self.low([cell]))

    def is_translation(self, way: Cell) -> bool:
        """Return whether moving by `way` maps cells to cells."""
        steps = [divmod(part, step) for part, step in zip(way, self.steps, strict=True)]
        odd = sum(number for number, _ in steps) % 2
        return not any(rest for _, rest in steps) and not (self.even_steps and odd)

    def faces(self, cell: Cell) -> tuple[Face, ...]:
        """Return the sides of a cell in space, counter-clockwise as seen from outside."""
        return _faces(self, cell)

    def centre(self, cells: Iterable[Cell]) -> Point:
        """Return the mean of the centres of some cells in space."""
        return mean(
            [
                mean([corner for face in self.faces(cell) for corner in face.corners])
                for cell in cells
            ]
        )

    def counted(self, number: int) -> str:
        """Return a number of cells in words, such as "1 cube"."""
        return f"{number} {self.cell if number == 1 else self.cells}"


@lru_cache(maxsize=8192)
def _faces(lattice: Lattice, cell: Cell) -> tuple[Face, ...]:
    sides, frame = lattice.sides(cell), lattice.frame
    inside = in_space(frame, mean([corner for side in sides for corner in side.corners]))
    faces = []
    for side in sides:
        corners = tuple(in_space(frame, corner) for corner in side.corners)
        # A convex cell is on one side of each of its faces, so a normal towards the centre
        # means that the corners were listed clockwise.
        outwards = minus(corners[0], inside)
        towards = sum(a * b for a, b in zip(normal(corners), outwards, strict=True))
        faces.append(Face(corners if towards > 0 else corners[::-1], side.beyond))
    return tuple(faces)


def prism(
    base: Sequence[tuple[float, float]], cell: Cell, neighbours: Sequence[Cell]
) -> list[Face]:
    """Return the sides of a prism one layer high over the corners of `base`.

    `neighbours` are the cells behind the upright sides; the first stands on the edge from the
    first corner of the base to the second.
    """
    x, y, z = cell
    low = [(u, v, float(z)) for u, v in base]
    high = [(u, v, z + 1.0) for u, v in base]
    upright = [
        Face((low[at - 1], low[at], high[at], high[at - 1]), neighbours[at - 1])
        for at in range(len(base))
    ]
    return [*upright, Face(tuple(low), (x, y, z - 1)), Face(tuple(high), (x, y, z + 1))]


def in_space(frame: Frame, point: Point) -> Point:
    """Return the position in space of a point given in lattice coordinates."""
    x, y, z = (sum(a * b for a, b in zip(row, point, strict=True)) for row in frame)
    return x, y, z


def mean(points: Sequence[Point]) -> Point:
    """Return the mean of some points."""
    x, y, z = (sum(each) / len(points) for each in zip(*points, strict=True))
    return x, y, z


def minus(
    a: tuple[Number, Number, Number], b: tuple[Number, Number, Number]
) -> tuple[Number, Number, Number]:
    """Return the difference a - b."""
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


def cross(
    a: tuple[Number, Number, Number], b: tuple[Number, Number, Number]
) -> tuple[Number, Number, Number]:
    """Return the cross product of two vectors."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


def normal(corners: Sequence[Point]) -> Point:
    """Return the normal of a polygon, towards the side from which it is counter-clockwise.

    Its length is that of the cross product of the first two edges.
    """
    return cross(minus(corners[1], corners[0]), minus(corners[2], corners[1]))


def transform(matrix: Matrix, cell: Cell) -> Cell:
    """Return the product of a matrix and a vector."""
    x, y, z = cell
    a, b, c = matrix
    return (
        a[0] * x + a[1] * y + a[2] * z,
        b[0] * x + b[1] * y + b[2] * z,
        c[0] * x + c[1] * y + c[2] * z,
    )


def product(outer: Matrix, inner: Matrix) -> Matrix:
    """Return the matrix of `inner` followed by `outer`."""
    first, second, third = (transform(outer, column) for column in zip(*inner, strict=True))
    a, b, c = zip(first, second, third, strict=True)
    return a, b, c


def with_opposites(ways: Iterable[Cell]) -> tuple[Cell, ...]:
    """Return some directions, each followed by its opposite."""
    return tuple((sign * x, sign * y, sign * z) for x, y, z in ways for sign in (1, -1))


def image_axis(matrix: Matrix, axis: int) -> int:
    """Return the axis (0, 1, 2 for x, y, z) that `axis` is mapped to, ignoring its direction.

    Only for signed permutation matrices, which the symmetries of cubes are.
    """
    return next(row for row in range(3) if matrix[row][axis] != 0)


def is_flat(cells: Collection[Cell]) -> bool:
    """Return whether some points are coplanar."""
    start, *others = cells
    ways = [minus(other, start) for other in others]
    across = next((n for way in ways if any(n := cross(ways[0], way))), (0, 0, 0))
    return not any(sum(a * b for a, b in zip(across, way, strict=True)) for way in ways)
