"""The turns of the cube as integer matrices, and how they act on cells and on lines of cells."""

Cell = tuple[int, int, int]
Row = tuple[int, int, int]
Matrix = tuple[Row, Row, Row]

# The 24 rotation matrices of the cube, the identity first: every signed permutation of the three
# axes with determinant +1. Row i gives coordinate i of the image.
ROTATIONS: tuple[Matrix, ...] = (
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
REFLECTIONS: tuple[Matrix, ...] = tuple(
    (
        (-a[0], -a[1], -a[2]),
        (-b[0], -b[1], -b[2]),
        (-c[0], -c[1], -c[2]),
    )
    for a, b, c in ROTATIONS
)


def symmetries(*, reflections: bool) -> tuple[Matrix, ...]:
    """Return the 24 rotations, followed by the 24 reflections if asked for."""
    return ROTATIONS + REFLECTIONS if reflections else ROTATIONS


def apply(matrix: Matrix, cell: Cell) -> Cell:
    """Return the image of a cell about the origin."""
    x, y, z = cell
    a, b, c = matrix
    return (
        a[0] * x + a[1] * y + a[2] * z,
        b[0] * x + b[1] * y + b[2] * z,
        c[0] * x + c[1] * y + c[2] * z,
    )


def image_axis(matrix: Matrix, axis: int) -> int:
    """Return which axis (0, 1, 2 for x, y, z) the given axis is turned to, direction ignored."""
    return next(row for row in range(3) if matrix[row][axis] != 0)
