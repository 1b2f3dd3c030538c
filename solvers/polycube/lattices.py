"""The lattices that come with the program: cubes, and BurrTools' four other grids."""

from collections.abc import Collection
from itertools import combinations
from itertools import product as cartesian
from math import prod
from typing import ClassVar, Final

from solvers.polycube import lattice as base

# The 24 rotation matrices of the cube, the identity first: every signed permutation of the three
# axes with determinant +1. Row i gives coordinate i of the image.
ROTATIONS: tuple[base.Matrix, ...] = (
    ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    ((1, 0, 0), (0, -1, 0), (0, 0, -1)),
    ((-1, 0, 0), (0, 1, 0), (0, 0, -1)),
    ((-1, 0, 0), (0, -1, 0), (0, 0, 1)),
    ((0, 1, 0), (0, 0, 1), (1, 0, 0)),
    ((0, 1, 0), (0, 0, -1), (-1, 0, 0)),
    ((0, -1, 0), (0, 0, 1), (-1, 0, 0)),
    ((0, -1, 0), (0, 0, -1), (1, 0, 0)),
    ((0, 0, 1), (1, 0, 0), (0, 1, 0)),
    ((0, 0, 1), (-1, 0, 0), (0, -1, 0)),
    ((0, 0, -1), (1, 0, 0), (0, -1, 0)),
    ((0, 0, -1), (-1, 0, 0), (0, 1, 0)),
    ((1, 0, 0), (0, 0, 1), (0, -1, 0)),
    ((1, 0, 0), (0, 0, -1), (0, 1, 0)),
    ((-1, 0, 0), (0, 0, 1), (0, 1, 0)),
    ((-1, 0, 0), (0, 0, -1), (0, -1, 0)),
    ((0, 1, 0), (1, 0, 0), (0, 0, -1)),
    ((0, 1, 0), (-1, 0, 0), (0, 0, 1)),
    ((0, -1, 0), (1, 0, 0), (0, 0, 1)),
    ((0, -1, 0), (-1, 0, 0), (0, 0, -1)),
    ((0, 0, 1), (0, 1, 0), (-1, 0, 0)),
    ((0, 0, 1), (0, -1, 0), (1, 0, 0)),
    ((0, 0, -1), (0, 1, 0), (1, 0, 0)),
    ((0, 0, -1), (0, -1, 0), (-1, 0, 0)),
)

# The point reflection -R of every rotation R: together the 48 symmetries of the cube.
REFLECTIONS: tuple[base.Matrix, ...] = tuple(
    (
        (-a[0], -a[1], -a[2]),
        (-b[0], -b[1], -b[2]),
        (-c[0], -c[1], -c[2]),
    )
    for a, b, c in ROTATIONS
)


class Cubes(base.Lattice):
    """Unit cubes: every point is a cell, named by its column, row and layer."""

    name = "cubes"
    cell = "cube"
    cells = "cubes"
    rotations = ROTATIONS
    reflections = REFLECTIONS
    frame = ((1, 0, 0), (0, -1, 0), (0, 0, 1))
    layered = True
    burrtools = "0"

    def sides(self, cell: base.Cell) -> list[base.Face]:
        """Return the six squares."""
        x, y, z = cell
        square = ((x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1))
        return base.prism(
            square, cell, ((x, y - 1, z), (x + 1, y, z), (x, y + 1, z), (x - 1, y, z))
        )


# Symmetries of triangles: a sixth of a turn about a corner, an exchange of the two sides that span
# the frame, and upside down.
SIXTH_TURN: Final[base.Matrix] = ((0, -1, 0), (1, 1, 0), (0, 0, 1))
EXCHANGE: Final[base.Matrix] = ((0, 1, 0), (1, 0, 0), (0, 0, 1))
UPSIDE_DOWN: Final[base.Matrix] = ((1, 0, 0), (0, 1, 0), (0, 0, -1))

HEIGHT: Final = 0.75**0.5  # of a triangle, in side lengths


def prism_rotations() -> tuple[base.Matrix, ...]:
    """Return the twelve rotations of a hexagonal prism, in the frame of triangles."""
    turns = [base.IDENTITY]
    while len(turns) < 6:
        turns.append(base.product(SIXTH_TURN, turns[-1]))
    return (*turns, *(base.product(UPSIDE_DOWN, base.product(EXCHANGE, turn)) for turn in turns))


class TriangularPrisms(base.Lattice):
    """Triangles in layers.

    In the frame of two sides of a triangle, 60 degrees apart and three units long, the centre of
    every triangle is a point (p, q) with p = q = 1 or p = q = 2 modulo 3. In a drawing, as in
    BurrTools files, triangles that stand on a side and on a corner alternate like the squares of a
    chessboard: the one in column 0 of row 0 has its side towards the row before it.
    """

    name = "triangular prisms"
    cell = "triangle"
    cells = "triangles"
    rotations = prism_rotations()
    reflections = tuple(base.product(UPSIDE_DOWN, rotation) for rotation in prism_rotations())
    frame = ((1 / 3, 1 / 6, 0), (0, -HEIGHT / 3, 0), (0, 0, 1))
    steps = (3, 3, 1)
    # BurrTools' order, so that the same one of several shortest disassemblies is found.
    ways = ((0, 0, 1), (3, 0, 0), (0, 3, 0), (-3, 3, 0))
    points = 5
    layered = True
    burrtools = "1"

    def cell_at(self, place: base.Place) -> base.Cell:
        """Return the triangle drawn at a place; there is one at every place."""
        column, row, layer = place
        down = (column - row) % 2
        return 3 * ((column - row) // 2) + 1 + down, 3 * row + 1 + down, layer

    def place_of(self, cell: base.Cell) -> base.Place:
        """Return the place at which a triangle is drawn."""
        p, q, layer = cell
        return 2 * (p // 3) + q // 3 + p % 3 - 1, q // 3, layer

    def sides(self, cell: base.Cell) -> list[base.Face]:
        """Return the three upright squares and the two triangles."""
        p, q, z = cell
        # From the centre of a triangle to that of the one behind its last side.
        way = 1 if p % 3 == 1 else -1
        triangle = ((p - way, q - way), (p + 2 * way, q - way), (p - way, q + 2 * way))
        neighbours = (p + way, q - 2 * way, z), (p + way, q + way, z), (p - 2 * way, q + way, z)
        return base.prism(triangle, cell, neighbours)

    def colourings(self) -> tuple[base.Colouring, ...]:
        """Return the colouring by which way up a triangle stands."""
        return (("dark where triangles stand on a side", lambda cell: cell[0] % 3 == 2),)


# Translations of lattices on which only an even number of steps maps cells to cells: along two
# axes at once, along one, along all three; each the shortest in its direction.
FACE_DIAGONALS: Final = ((1, 1, 0), (1, -1, 0), (1, 0, 1), (1, 0, -1), (0, 1, 1), (0, 1, -1))
SPACE_DIAGONALS: Final = ((1, 1, 1), (1, 1, -1), (1, -1, 1), (-1, 1, 1))
EVEN_WAYS: Final = (
    *FACE_DIAGONALS,
    *((2 * x, 2 * y, 2 * z) for x, y, z in (*base.AXES, *SPACE_DIAGONALS)),
)

# Two balls of diameter 1 that touch are one step apart along each of two axes.
BALL_STEP: Final = 0.5**0.5


class Spheres(base.Lattice):
    """Balls packed as densely as possible: the points with an even sum of coordinates.

    This is the face-centred cubic lattice, in BurrTools' coordinates. Each ball touches twelve
    others; in planes across (1, 1, 1) it touches six, in planes across an axis four. As a
    polyhedron it is its Voronoi cell, a rhombic dodecahedron.
    """

    name = "spheres"
    cell = "sphere"
    cells = "spheres"
    rotations = ROTATIONS
    reflections = REFLECTIONS
    frame = ((BALL_STEP, 0, 0), (0, -BALL_STEP, 0), (0, 0, BALL_STEP))
    even_steps = True
    ways = EVEN_WAYS
    points = 2
    enlarged = 1.2
    balls = True
    burrtools = "2"

    def is_cell(self, place: base.Place) -> bool:
        """Return whether the coordinates have an even sum."""
        return sum(place) % 2 == 0

    def orientations_of(
        self, cells: Collection[base.Cell], *, reflections: bool = False
    ) -> tuple[base.Matrix, ...]:
        """Return the matrices that rotate these cells, followed by those that reflect them.

        Balls in one plane are their own mirror image. Whatever a reflection of the lattice makes
        of them, a rotation outside the lattice does as well (a sixth of a turn about the normal
        of a plane in which each ball touches six others), so reflections count as rotations.
        """
        return self.symmetries(reflections=reflections or base.is_flat(cells))

    def sides(self, cell: base.Cell) -> list[base.Face]:
        """Return the twelve rhombi of the Voronoi cell."""
        x, y, z = cell
        faces = []
        for first, second in combinations(range(3), 2):
            for signs in cartesian((-1, 1), repeat=2):
                way = [0, 0, 0]
                way[first], way[second] = signs
                corners = tuple((x + a, y + b, z + c) for a, b, c in _rhombus(first, second, signs))
                faces.append(base.Face(corners, (x + way[0], y + way[1], z + way[2])))
        return faces


def _rhombus(first: int, second: int, signs: tuple[int, ...]) -> list[base.Point]:
    """Return the corners between the ball at 0, 0, 0 and its neighbour along two axes."""
    corners = []
    for along_first, along_second, along_third in ((1, 0, 0), (0.5, 0.5, 0.5), (0, 1, 0)):
        at = [along_third] * 3
        at[first], at[second] = along_first * signs[0], along_second * signs[1]
        corners.append((at[0], at[1], at[2]))
    opposite = [-value for value in corners[1]]
    opposite[first], opposite[second] = corners[1][first], corners[1][second]
    return [*corners, (opposite[0], opposite[1], opposite[2])]


class _CutCubes(base.Lattice):
    """Cubes that are cut into cells, `size` points to an edge; rotations fix a cube's corner."""

    rotations = ROTATIONS
    reflections = REFLECTIONS
    points = 6
    size: ClassVar[int]

    def apply(self, matrix: base.Matrix, cell: base.Cell) -> base.Cell:
        """Return the image of a cell under a symmetry about the corner (-1/2, -1/2, -1/2).

        Points of a cube have coordinates 0 to size - 1, so that a cube's corner is half a unit
        from its first point. That a corner is fixed maps whole cubes to whole cubes.
        """
        x, y, z = base.transform(matrix, cell)
        a, b, c = ((sum(row) - 1) // 2 for row in matrix)
        return x + a, y + b, z + c


class RhombicTetrahedra(_CutCubes):
    """Cubes cut into 24 tetrahedra each, of which rhombic dodecahedra can be built.

    The six planes through two opposite edges cut a cube like this. Every tetrahedron has as
    corners the centre of the cube, that of a face, and the ends of one of that face's edges. In
    BurrTools' coordinates a cube has 5 x 5 x 5 points; seen from its centre, a tetrahedron is at 2
    on the axis of its face, at 1 on that of its edge, at 0 on the third.
    """

    name = "rhombic tetrahedra"
    cell = "rhombic tetrahedron"
    cells = "rhombic tetrahedra"
    size = 5
    frame = ((1 / size, 0, 0), (0, -1 / size, 0), (0, 0, 1 / size))
    steps = (size, size, size)
    ways = tuple(
        (5 * x, 5 * y, 5 * z) for x, y, z in (*base.AXES, *FACE_DIAGONALS, *SPACE_DIAGONALS)
    )
    enlarged = 3.0
    burrtools = "3"

    def is_cell(self, place: base.Place) -> bool:
        """Return whether the distances from the centre of the cube are 0, 1 and 2."""
        return sorted(abs(at % self.size - 2) for at in place) == [0, 1, 2]

    def sides(self, cell: base.Cell) -> list[base.Face]:
        """Return the four triangles."""
        size, half = self.size, self.size / 2
        middle = tuple(at // size * size + 2 for at in cell)
        seen = [at - mid for at, mid in zip(cell, middle, strict=True)]
        across = [at // 2 if abs(at) == 2 else 0 for at in seen]  # to the face
        aside = [at if abs(at) == 1 else 0 for at in seen]  # to its edge
        along = [int(at == 0) for at in seen]  # the edge

        def plus(way: list[int], start: tuple[int, ...] = middle) -> base.Cell:
            x, y, z = (at + step for at, step in zip(start, way, strict=True))
            return x, y, z

        def corner(*ways: list[int]) -> base.Point:
            x, y, z = (at + half * sum(step) for at, *step in zip(middle, *ways, strict=True))
            return x, y, z

        back = [-step for step in along]
        centre, face = corner(), corner(across)
        ends = corner(across, aside, along), corner(across, aside, back)
        twice = [2 * step for step in across]
        return [
            base.Face((face, *ends), plus(across, cell)),
            base.Face((centre, *ends), plus(across, plus([2 * step for step in aside]))),
            base.Face((centre, face, ends[0]), plus(twice, plus(along))),
            base.Face((centre, face, ends[1]), plus(twice, plus(back))),
        ]


class Tetrahedra(_CutCubes):
    """Regular tetrahedra and octahedra, the latter in eighths.

    Four corners of a cube, no two of them adjacent, are those of a tetrahedron; the rest of the
    cube at the other four corners are eighths of octahedra, which meet those of the cubes next to
    it. In BurrTools' coordinates a cube has 3 x 3 x 3 points: the tetrahedron is in the middle, an
    eighth at its corner. Cubes alternate like the squares of a chessboard, so that translations
    are by an even number of them.
    """

    name = "tetrahedra and octahedra"
    cell = "tetrahedron or eighth of an octahedron"
    cells = "tetrahedra and eighths of octahedra"
    size = 3
    # Edges of tetrahedra are diagonals of the cubes' faces.
    frame = ((BALL_STEP / size, 0, 0), (0, -BALL_STEP / size, 0), (0, 0, BALL_STEP / size))
    steps = (size, size, size)
    even_steps = True
    ways = tuple((3 * x, 3 * y, 3 * z) for x, y, z in EVEN_WAYS)
    enlarged = 2.0
    burrtools = "4"

    def is_cell(self, place: base.Place) -> bool:
        """Return whether the place is the middle or one of four corners of its cube."""
        _, seen, eighths = self._from_middle(place)
        return seen == (0, 0, 0) or prod(seen) == eighths

    def sides(self, cell: base.Cell) -> list[base.Face]:
        """Return the four triangles of a tetrahedron or of an eighth of an octahedron."""
        (x, y, z), seen, eighths = self._from_middle(cell)
        half = self.size / 2

        def corners(corner: base.Place) -> tuple[base.Point, ...]:
            """Return the corners of the cube that are adjacent to one."""
            a, b, c = (half * sign for sign in corner)
            return (x - a, y + b, z + c), (x + a, y - b, z + c), (x + a, y + b, z - c)

        if seen == (0, 0, 0):
            return [
                base.Face(corners(each), (x + each[0], y + each[1], z + each[2]))
                for each in cartesian((-1, 1), (-1, 1), (-1, 1))
                if prod(each) == eighths
            ]
        a, b, c = seen
        across_x, across_y, across_z = adjacent = corners(seen)
        own = x + half * a, y + half * b, z + half * c
        return [
            base.Face(adjacent, (x, y, z)),
            base.Face((own, across_y, across_z), (x + 2 * a, y + b, z + c)),
            base.Face((own, across_x, across_z), (x + a, y + 2 * b, z + c)),
            base.Face((own, across_x, across_y), (x + a, y + b, z + 2 * c)),
        ]

    def colourings(self) -> tuple[base.Colouring, ...]:
        """Return the colouring by which cells are tetrahedra."""
        return (("dark where they are tetrahedra", lambda cell: all(at % 3 == 1 for at in cell)),)

    def _from_middle(self, place: base.Place) -> tuple[base.Place, base.Place, int]:
        """Return the middle of the place's cube, the place relative to it, and a sign.

        Eighths are at the corners whose coordinates, multiplied, have that sign.
        """
        x, y, z = (at // self.size for at in place)
        middle = x * self.size + 1, y * self.size + 1, z * self.size + 1
        return middle, base.minus(place, middle), -1 if (x + y + z) % 2 else 1


CUBES: Final = Cubes()
TRIANGLES: Final = TriangularPrisms()
SPHERES: Final = Spheres()
RHOMBIC_TETRAHEDRA: Final = RhombicTetrahedra()
TETRAHEDRA: Final = Tetrahedra()

# Lattices by their names in puzzle files. Another one is a subclass of `Lattice` and an entry here.
LATTICES: Final[dict[str, base.Lattice]] = {
    lattice.name: lattice for lattice in (CUBES, TRIANGLES, SPHERES, RHOMBIC_TETRAHEDRA, TETRAHEDRA)
}
