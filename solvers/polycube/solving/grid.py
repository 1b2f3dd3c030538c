"""The target as bits of its bounding box, and the places of shapes in it."""

from dataclasses import dataclass
from functools import lru_cache
from itertools import product

from solvers.polycube.lattice import Cell, Lattice
from solvers.polycube.marks import Bore
from solvers.polycube.puzzle import Shape, Target


@dataclass(frozen=True)
class Grid:
    """The target's bounding box as bits.

    Cell (x, y, z) relative to `low` is bit x + width * (y + depth * z). `required` and `allowed`
    are the bits of the required and of all target cells. If not every point of the lattice is a
    cell, some bits are unused.
    """

    low: Cell
    size: tuple[int, int, int]
    required: int
    allowed: int
    lattice: Lattice

    @property
    def volume(self) -> int:
        """Number of cells of the bounding box."""
        return self.size[0] * self.size[1] * self.size[2]

    @property
    def lines(self) -> int:
        """Number of lines of cells parallel to the axes."""
        width, depth, height = self.size
        return depth * height + width * height + width * depth

    def bit(self, cell: Cell) -> int:
        """Return the bit number of a cell given in the target's coordinates."""
        (x, y, z), (low_x, low_y, low_z) = cell, self.low
        width, depth, _ = self.size
        return x - low_x + width * (y - low_y + depth * (z - low_z))

    def cell(self, bit: int) -> Cell:
        """Return the cell of a bit number in the target's coordinates."""
        rest, x = divmod(bit, self.size[0])
        z, y = divmod(rest, self.size[1])
        return x + self.low[0], y + self.low[1], z + self.low[2]

    def cells(self, word: int) -> frozenset[Cell]:
        """Return the cells of a bit set in the target's coordinates."""
        found = []
        while word:
            found.append(self.cell((word & -word).bit_length() - 1))
            word &= word - 1
        return frozenset(found)

    def line(self, line: Bore) -> int:
        """Return the number of a line of cells, from 0: along x first, then y, then z."""
        axis, u, v = line
        low_u, low_v = (self.low[other] for other in range(3) if other != axis)
        width, depth, height = self.size
        before = (0, depth * height, depth * height + width * height)[axis]
        across = (depth, width, width)[axis]
        return before + (u - low_u) + across * (v - low_v)


@lru_cache(maxsize=256)
def grid_of(target: Target) -> Grid:
    """Return the target as bits of its bounding box."""
    lattice = target.lattice
    low, (_lowest, high) = lattice.low(target.cells), target.bounding_box
    width, depth, height = (high[axis] - low[axis] + 1 for axis in range(3))
    empty = Grid(low, (width, depth, height), 0, 0, lattice)
    required = sum(1 << empty.bit(cell) for cell in target.required)
    optional = sum(1 << empty.bit(cell) for cell in target.optional)
    return Grid(low, (width, depth, height), required, required | optional, lattice)


@lru_cache(maxsize=8192)
def translations(grid: Grid, shape: Shape) -> tuple[tuple[Cell, int], ...]:
    """Return the offsets at which a shape is within the target, each with its cells as bits.

    Offsets are relative to the low corner of the grid.
    """
    lattice = grid.lattice
    width, depth, _ = grid.size
    low = [min(values) for values in zip(*shape.cells, strict=True)]
    # The shape's bits once; every position is a shift of them, because rows and layers of the box
    # follow each other without gaps.
    base = sum(
        1 << (x - low[0] + width * (y - low[1] + depth * (z - low[2]))) for x, y, z in shape.cells
    )
    # Possible positions of the shape's least coordinates.
    columns, rows, layers = (
        range(least % step, size - extent + least + 1, step)
        for least, step, size, extent in zip(
            low, lattice.steps, grid.size, shape.bounding_box, strict=True
        )
    )
    outside = ~grid.allowed
    found = (
        ((x - low[0], y - low[1], z - low[2]), word)
        for z, y, x in product(layers, rows, columns)
        if not (word := base << (x + width * (y + depth * z))) & outside
    )
    # The ranges go by steps, but not by an even number of them in all.
    return (
        tuple(each for each in found if lattice.is_translation(each[0]))
        if lattice.even_steps
        else tuple(found)
    )
