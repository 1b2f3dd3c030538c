"""All ways to put the pieces of a puzzle into its target, and the exact-cover problem they make."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

from solvers.polycube.puzzle import Bore, PackingPuzzle, Piece, Placement, Target, line_through
from solvers.polycube.rotation import Cell, apply, image_axis, symmetries
from solvers.polycube.shape import Shape
from solvers.search.exact_cover_model import Colouring, ExactCover

DRILLED = 1
SOLID = 0


@dataclass(frozen=True)
class Grid:
    """The target's bounding box as bits: cell (x, y, z) is bit x + width * (y + depth * z)."""

    low: Cell
    size: tuple[int, int, int]
    required: int
    allowed: int

    @property
    def volume(self) -> int:
        """Number of cells of the bounding box."""
        return self.size[0] * self.size[1] * self.size[2]

    def bit(self, cell: Cell) -> int:
        """Return the bit number of a cell given in the target's coordinates."""
        x, y, z = (cell[i] - self.low[i] for i in range(3))
        return x + self.size[0] * (y + self.size[1] * z)

    def cells(self, word: int) -> frozenset[Cell]:
        """Return the cells of a bit set in the target's coordinates."""
        width, depth, _ = self.size
        found = []
        while word:
            bit = (word & -word).bit_length() - 1
            word &= word - 1
            y, x = divmod(bit, width)
            z, y = divmod(y, depth)
            found.append((x + self.low[0], y + self.low[1], z + self.low[2]))
        return frozenset(found)


@dataclass(frozen=True)
class Option:
    """One placement: which piece, turned how, on which cells of the grid, with which colours."""

    piece: int
    orientation: int
    cells: int
    colours: Colouring = ()


@dataclass(frozen=True)
class Packing:
    """A puzzle together with its placements and the exact-cover problem over them.

    Items are the bits of the grid, followed by one item per piece.
    """

    puzzle: PackingPuzzle
    grid: Grid
    options: tuple[Option, ...]
    cover: ExactCover

    def placement(self, number: int) -> Placement:
        """Return option `number` as a placement."""
        option = self.options[number]
        name = self.puzzle.pieces[option.piece].name
        return Placement(name, option.orientation, self.grid.cells(option.cells))


def packing(puzzle: PackingPuzzle) -> Packing:
    """Return the puzzle with all its placements; raise PuzzleError if volumes cannot match."""
    puzzle.check_volume()
    grid = grid_of(puzzle.target)
    options: list[Option] = []
    for index, piece in enumerate(puzzle.pieces):
        if puzzle.drilled:
            options.extend(_drilled_options(grid, index, piece, puzzle.mirror_pieces))
        else:
            options.extend(_plain_options(grid, index, piece, puzzle.mirror_pieces))
    words = tuple(option.cells | 1 << (grid.volume + option.piece) for option in options)
    single = 0
    copies = {}
    for index, piece in enumerate(puzzle.pieces):
        if piece.copies_max > 1:
            copies[grid.volume + index] = (piece.copies_min, piece.copies_max)
        elif piece.copies_min == 1:
            single |= 1 << (grid.volume + index)
    cover = ExactCover(
        items=grid.volume + len(puzzle.pieces),
        options=words,
        required=grid.required | single,
        copies=copies,
        colours=tuple(option.colours for option in options) if puzzle.drilled else (),
    )
    return Packing(puzzle, grid, tuple(options), cover)


@lru_cache(maxsize=256)
def grid_of(target: Target) -> Grid:
    """Return the target as bits of its bounding box."""
    low, high = target.bounding_box
    x, y, z = (high[i] - low[i] + 1 for i in range(3))
    empty = Grid(low, (x, y, z), 0, 0)
    required = sum(1 << empty.bit(cell) for cell in target.required)
    optional = sum(1 << empty.bit(cell) for cell in target.optional)
    return Grid(low, (x, y, z), required, required | optional)


@lru_cache(maxsize=8192)
def _words(grid: Grid, shape: Shape) -> tuple[int, ...]:
    """Return every translation of the shape that stays within the target."""
    width, depth, height = grid.size
    w, d, h = shape.bounding_box
    if w > width or d > depth or h > height:
        return ()
    base = sum(1 << (x + width * (y + depth * z)) for x, y, z in shape.cells)
    outside = ~grid.allowed
    shifts = (
        x + width * (y + depth * z)
        for z, y, x in product(range(height - h + 1), range(depth - d + 1), range(width - w + 1))
    )
    return tuple(word for word in (base << shift for shift in shifts) if not word & outside)


@lru_cache(maxsize=4096)
def _numbered_orientations(shape: Shape, reflections: bool) -> tuple[tuple[int, Shape], ...]:
    numbers: dict[Shape, int] = {}
    for number, matrix in enumerate(symmetries(reflections=reflections)):
        turned = Shape(frozenset(apply(matrix, cell) for cell in shape.cells))
        numbers.setdefault(turned, number)
    return tuple((number, turned) for turned, number in numbers.items())


def _fixed(grid: Grid, piece: Piece) -> int | None:
    if piece.fixed_at is None:
        return None
    return sum(1 << grid.bit(cell) for cell in piece.fixed_at)


def _plain_options(grid: Grid, index: int, piece: Piece, mirror: bool) -> Iterator[Option]:
    fixed = _fixed(grid, piece)
    for number, turned in _numbered_orientations(piece.shape, mirror):
        for word in _words(grid, turned):
            if fixed is None or word == fixed:
                yield Option(index, number, word)


def _drilled_options(grid: Grid, index: int, piece: Piece, mirror: bool) -> Iterator[Option]:
    fixed = _fixed(grid, piece)
    drilled = [
        (cell, axis)
        for cell in piece.shape.cells
        for axis in range(3)
        if line_through(cell, axis) in piece.bores
    ]
    seen: set[tuple[int, Colouring]] = set()
    for number, matrix in enumerate(symmetries(reflections=mirror)):
        moved = {cell: apply(matrix, cell) for cell in piece.shape.cells}
        low = [min(cell[i] for cell in moved.values()) for i in range(3)]
        turned = {cell: (x - low[0], y - low[1], z - low[2]) for cell, (x, y, z) in moved.items()}
        bores = {(turned[cell], image_axis(matrix, axis)) for cell, axis in drilled}
        shape = Shape(frozenset(turned.values()))
        start = min(shape.cells, key=lambda cell: cell[::-1])
        for word in _words(grid, shape):
            if fixed is not None and word != fixed:
                continue
            colours = _line_colours(grid, shape, start, bores, word)
            if colours is not None and (word, colours) not in seen:
                seen.add((word, colours))
                yield Option(index, number, word, colours)


def _line_colours(
    grid: Grid, shape: Shape, start: Cell, bores: set[tuple[Cell, int]], word: int
) -> Colouring | None:
    """Return which lines of the grid the placed piece bores or blocks; None if it does both."""
    first = min(grid.cells(word), key=lambda cell: cell[::-1])
    offset = [first[i] - start[i] for i in range(3)]
    colours: dict[int, int] = {}
    for cell in shape.cells:
        x, y, z = (cell[i] + offset[i] for i in range(3))
        for axis in range(3):
            line = _line_number(grid, line_through((x, y, z), axis))
            colour = DRILLED if (cell, axis) in bores else SOLID
            if colours.setdefault(line, colour) != colour:
                return None
    return tuple(sorted(colours.items()))


def _line_number(grid: Grid, line: Bore) -> int:
    axis, u, v = line
    width, depth, height = grid.size
    low_u, low_v = (grid.low[i] for i in range(3) if i != axis)
    extents = (depth * height, width * height, width * depth)
    across = (depth, width, width)[axis]
    return sum(extents[:axis]) + (u - low_u) + across * (v - low_v)
