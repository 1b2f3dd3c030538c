"""All placements of a puzzle's pieces in its target, and their exact-cover problem."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import product
from typing import NamedTuple

from solvers.polycube.errors import PuzzleError, TooManyPlacementsError
from solvers.polycube.lattice import Cell, Lattice
from solvers.polycube.puzzle import (
    Bore,
    Orientation,
    PackingPuzzle,
    PackingSolution,
    Piece,
    Placement,
    Shape,
    Target,
    canonical,
    line_through,
    orientations,
)
from solvers.search.exact_cover.model import Colouring, ExactCover


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


# Colours of placed pieces: those of their cells, and of the lines that they bore or block.

SOLID, BORED = 0, 1


def banned_cells(puzzle: PackingPuzzle, grid: Grid) -> dict[int, int]:
    """Return for each colour of pieces the cells, as bits, that do not accept it."""
    colours = {colour for piece in puzzle.pieces for _, colour in piece.colours}
    return {
        colour: sum(
            1 << grid.bit(cell)
            for cell, below in puzzle.target.colours
            if (colour, below) not in puzzle.colour_pairs
        )
        for colour in colours
    }


def cell_colours(grid: Grid, turned: Orientation, offset: Cell) -> Colouring:
    """Return the colour that the placed piece gives each of its coloured bits of the grid."""
    dx, dy, dz = (offset[axis] + grid.low[axis] for axis in range(3))
    return tuple(
        sorted(
            (grid.bit((x + dx, y + dy, z + dz)), colour) for (x, y, z), colour in turned.coloured
        )
    )


def line_colours(grid: Grid, turned: Orientation, offset: Cell) -> Colouring | None:
    """Return the colour of each line of the grid through the piece: bored or solid.

    None if the piece bores some cube of a line and blocks another.
    """
    colours: dict[int, int] = {}
    dx, dy, dz = (offset[axis] + grid.low[axis] for axis in range(3))
    for cell in turned.shape.cells:
        placed = cell[0] + dx, cell[1] + dy, cell[2] + dz
        for axis in range(3):
            line = grid.line(line_through(placed, axis))
            colour = BORED if (cell, axis) in turned.bored else SOLID
            if colours.setdefault(line, colour) != colour:
                return None
    return tuple(sorted(colours.items()))


# Cells of all placements together, some 250 bytes each while the search is prepared.
# The largest of the puzzles that come with this package has 21,000.
MOST_CELLS = 1_500_000
# Bits of all placements, half a gigabyte.
MOST_BITS = 1 << 32


@dataclass(frozen=True)
class Kind:
    """Interchangeable pieces, and how many of them a solution uses.

    `names` has one entry per copy; those that must be used come first.
    """

    piece: Piece
    least: int
    most: int
    names: tuple[str, ...]


class Option(NamedTuple):
    """One placement: a kind of piece, its orientation, cells as bits of the grid, and colours.

    The colours are those of cells, or of the lines of the grid: bored or solid.
    """

    kind: int
    orientation: int
    cells: int
    colours: Colouring = ()


@dataclass(frozen=True)
class Packing:
    """A puzzle with its placements and their exact-cover problem.

    Items are the bits of the grid, followed by one item per kind of piece. If holes have to be
    counted, they are the last kind: pieces of one cell, for optional cells only.
    """

    puzzle: PackingPuzzle
    grid: Grid
    kinds: tuple[Kind, ...]
    options: tuple[Option, ...]
    cover: ExactCover
    holes: int | None = None

    def solution(self, chosen: Sequence[int]) -> PackingSolution:
        """Return the placements of the chosen options, in the order of the puzzle's pieces."""
        used = [0] * len(self.kinds)
        placements = []
        for number in sorted(chosen):
            kind = self.options[number].kind
            if kind == self.holes:
                continue
            name = self.kinds[kind].names[used[kind]]
            used[kind] += 1
            placements.append(self._placement(number, name))
        return PackingSolution(tuple(sorted(placements, key=self._position)))

    def _placement(self, number: int, name: str) -> Placement:
        """Return an option as a placement, the same object every time to save memory."""
        made = self._placements.get((number, name))
        if made is None:
            option = self.options[number]
            made = Placement(name, option.orientation, self.grid.cells(option.cells))
            self._placements[number, name] = made
        return made

    def _position(self, placement: Placement) -> int:
        return self._positions[placement.piece]

    @cached_property
    def _placements(self) -> dict[tuple[int, str], Placement]:
        return {}

    @cached_property
    def _positions(self) -> dict[str, int]:
        return {piece.name: number for number, piece in enumerate(self.puzzle.pieces)}


@lru_cache(maxsize=4)
def packing(puzzle: PackingPuzzle) -> Packing:
    """Return the puzzle with all its placements; the last few are cached.

    Raises PuzzleError if volumes cannot match.
    """
    puzzle.check_volume()
    grid = grid_of(puzzle.target)
    kinds = kinds_of(puzzle)
    options: list[Option] = []
    taken, most = 0, MOST_BITS // grid.volume
    for number, kind in enumerate(kinds):
        volume = kind.piece.shape.volume
        for option in _options(puzzle, grid, number, kind.piece):
            options.append(option)
            taken += volume
            if taken > MOST_CELLS or len(options) > most:
                raise TooManyPlacementsError(
                    f"The pieces of {puzzle.name} have more than {len(options)} placements in the "
                    "target, too many to search. Use fewer pieces or a smaller target."
                )
    holes = None
    if _counts_holes(puzzle):
        holes = len(kinds)
        stone = Piece("hole", Shape(frozenset({(0, 0, 0)}), puzzle.lattice), 0, puzzle.holes or 1)
        kinds = (*kinds, Kind(stone, 0, puzzle.holes, ()))
        if puzzle.holes:
            options += [Option(holes, 0, 1 << grid.bit(cell)) for cell in puzzle.target.optional]
        # With holes as pieces, every cell is covered by something.
        grid = replace(grid, required=grid.allowed)
    cover = _cover(puzzle, grid, kinds, options)
    return Packing(puzzle, grid, kinds, tuple(options), cover, holes)


def _counts_holes(puzzle: PackingPuzzle) -> bool:
    """Return whether solutions might leave too many cells empty; often the volumes rule it out."""
    if puzzle.holes == len(puzzle.target.optional):
        return False
    return any(piece.copies_min < piece.copies_max for piece in puzzle.pieces)


def kinds_of(puzzle: PackingPuzzle) -> tuple[Kind, ...]:
    """Return the pieces grouped by congruence: swapping equal ones makes no new solution."""
    groups: dict[object, list[Piece]] = {}
    for piece in puzzle.pieces:
        interchangeable = piece.fixed_at is None
        shape = canonical(piece, mirrored=puzzle.mirror_pieces)
        key = (shape, piece.groups) if interchangeable else piece.name
        groups.setdefault(key, []).append(piece)
    return tuple(_kind(group, len(puzzle.target.cells)) for group in groups.values())


def _kind(pieces: Sequence[Piece], room: int) -> Kind:
    """Return equal pieces as one kind, with no more copies than fit into `room` cells."""
    # More copies never fit, and a smaller bound prunes the search.
    fitting = room // pieces[0].shape.volume
    needed = [piece.name for piece in pieces for _ in range(piece.copies_min)]
    spare = [
        piece.name
        for piece in pieces
        for _ in range(min(piece.copies_max, fitting) - piece.copies_min)
    ]
    return Kind(pieces[0], len(needed), len(needed) + len(spare), (*needed, *spare))


def _cover(
    puzzle: PackingPuzzle, grid: Grid, kinds: Sequence[Kind], options: Sequence[Option]
) -> ExactCover:
    implied = _implied_by_volume(puzzle, kinds)
    once = 0
    copies = {}
    for number, kind in enumerate(kinds):
        item = grid.volume + number
        if number == implied:
            continue
        # A single optional piece needs no bounds: items are taken at most once unless required.
        if kind.most > 1:
            copies[item] = (kind.least, kind.most)
        elif kind.least == 1:
            once |= 1 << item
    coloured = puzzle.drilled or _same_cells_again(kinds, options)
    bits = [0 if number == implied else 1 << grid.volume + number for number in range(len(kinds))]
    return ExactCover(
        items=grid.volume + len(kinds),
        options=tuple([option.cells | bits[option.kind] for option in options]),
        required=grid.required | once,
        copies=copies,
        colours=tuple(option.colours for option in options) if coloured else (),
    )


def _same_cells_again(kinds: Sequence[Kind], options: Sequence[Option]) -> bool:
    """Return whether a piece covers the same cells in two ways that only its colours distinguish.

    These are different solutions. Colours of cells as items make the options differ, and rule
    nothing out, since no two pieces share a cell.
    """
    if not any(kind.piece.colours for kind in kinds):
        return False
    return len({(option.kind, option.cells) for option in options}) < len(options)


def _implied_by_volume(puzzle: PackingPuzzle, kinds: Sequence[Kind]) -> int | None:
    """Return the kind whose number of copies follows from the volume, if there is one.

    If every cell is filled and only one kind's number of copies is open or above 1, the remaining
    volume determines that number, so it needs no counting.
    """
    several = [number for number, kind in enumerate(kinds) if (kind.least, kind.most) != (1, 1)]
    if len(several) != 1 or puzzle.target.optional:
        return None
    kind = kinds[several[0]]
    volume = len(puzzle.target.required) - sum(
        other.piece.shape.volume for other in kinds if other is not kind
    )
    number, rest = divmod(volume, kind.piece.shape.volume)
    if rest or not kind.least <= number <= kind.most:
        raise PuzzleError(
            f"The target of {puzzle.name} leaves {puzzle.lattice.counted(volume)} for the pieces "
            f"{kind.piece.name}, which have {kind.piece.shape.volume} each: {kind.least} to "
            f"{kind.most} of them cannot fill it."
        )
    return several[0]


def _options(puzzle: PackingPuzzle, grid: Grid, kind: int, piece: Piece) -> Iterator[Option]:
    fixed = piece.fixed_at and sum(1 << grid.bit(cell) for cell in piece.fixed_at)
    drilled = puzzle.drilled
    banned = banned_cells(puzzle, grid)
    for turned in orientations(piece, mirrored=puzzle.mirror_pieces):
        for offset, word in translations(grid, turned.shape):
            if fixed is not None and word != fixed:
                continue
            if turned.coloured:
                placed = cell_colours(grid, turned, offset)
                if not any(banned[colour] >> bit & 1 for bit, colour in placed):
                    yield Option(kind, turned.number, word, placed)
            elif not drilled:
                yield Option(kind, turned.number, word)
            elif (colours := line_colours(grid, turned, offset)) is not None:
                yield Option(kind, turned.number, word, colours)
