"""Packing puzzles: shapes of cells, pieces, targets, solutions, and the orientations of pieces."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import product

from solvers.polycube.errors import PuzzleError
from solvers.polycube.lattice import Cell, Lattice, Matrix, image_axis
from solvers.polycube.lattices import CUBES

FILLED = "#"
EMPTY = "."


@dataclass(frozen=True)
class Shape:
    """A non-empty set of cells, translated as close to 0, 0, 0 as possible."""

    cells: frozenset[Cell]
    lattice: Lattice = field(default=CUBES, hash=False)

    def __post_init__(self) -> None:
        if not self.cells:
            raise PuzzleError(f"A shape needs at least one {self.lattice.cell}.")
        low = self.lattice.low(self.cells)
        if any(low):
            dx, dy, dz = low
            moved = frozenset((x - dx, y - dy, z - dz) for x, y, z in self.cells)
            # Frozen dataclasses assign no attributes; this is still initialisation.
            object.__setattr__(self, "cells", moved)

    @classmethod
    def of(cls, cells: Iterable[Cell]) -> "Shape":
        """Return the shape of these cubes, which must be distinct."""
        listed = [tuple(cell) for cell in cells]
        if len(set(listed)) < len(listed):
            twice = next(cell for cell in listed if listed.count(cell) > 1)
            raise PuzzleError(f"Cube {twice} is listed twice in one shape.")
        return cls(frozenset(listed))  # type: ignore[arg-type]

    @classmethod
    def from_layers(cls, layers: Sequence[Sequence[str]]) -> "Shape":
        """Return the shape drawn as layers z = 0, 1, ...; each a list of rows y, columns are x.

        "#" is a cube and "." is none; any other character raises PuzzleError.
        """
        cells: list[Cell] = []
        for z, rows in enumerate(layers):
            for y, row in enumerate(rows):
                for x, mark in enumerate(row):
                    if mark == FILLED:
                        cells.append((x, y, z))
                    elif mark != EMPTY:
                        raise PuzzleError(
                            f"A shape is drawn with '{FILLED}' and '{EMPTY}', not {mark!r}."
                        )
        return cls.of(cells)

    @property
    def volume(self) -> int:
        """Number of cells."""
        return len(self.cells)

    @cached_property
    def bounding_box(self) -> tuple[int, int, int]:
        """Extent in x, y and z, from 0 on."""
        xs, ys, zs = zip(*self.cells, strict=True)
        return max(xs) + 1, max(ys) + 1, max(zs) + 1

    def translated(self, offset: Cell) -> frozenset[Cell]:
        """Return the cells translated by `offset`."""
        dx, dy, dz = offset
        return frozenset((x + dx, y + dy, z + dz) for x, y, z in self.cells)

    def rotations(self, *, reflections: bool = False) -> tuple["Shape", ...]:
        """Return the distinct orientations: of cubes at most 24, with reflections at most 48."""
        return _rotations(self, reflections)

    def canonical(self, *, reflections: bool = False) -> tuple[Cell, ...]:
        """Return the smallest orientation's sorted cells: equal for congruent shapes only."""
        return min(tuple(sorted(s.cells)) for s in self.rotations(reflections=reflections))


@lru_cache(maxsize=4096)
def _rotations(shape: Shape, reflections: bool) -> tuple[Shape, ...]:
    lattice = shape.lattice
    turned = (
        Shape(frozenset(lattice.apply(matrix, cell) for cell in shape.cells), lattice)
        for matrix in lattice.orientations_of(shape.cells, reflections=reflections)
    )
    return tuple(dict.fromkeys(turned))


# Pieces, targets, puzzles and solutions.

# Largest target, and largest bounding box. The bounds keep a short file from asking for all memory;
# the search itself compares what it needs with what there is.
MAX_TARGET_CELLS = 10_000
MAX_EXTENT = 100_000
MOST_COLOURS = 61  # what one character can name in a drawing

# A straight bore: its axis (0, 1, 2 for x, y, z) and its other two coordinates in their order. It
# goes through every cube on that line.
Bore = tuple[int, int, int]

# Cells that are not neutral, with their colours, counted from 1.
Colours = frozenset[tuple[Cell, int]]


def relative_colours(colours: Colours, low: Cell) -> Colours:
    """Return colours in the coordinates of a shape whose cells are translated by -low."""
    dx, dy, dz = low
    return frozenset(((x - dx, y - dy, z - dz), colour) for (x, y, z), colour in colours)


def line_through(cell: Cell, axis: int) -> Bore:
    """Return the line parallel to `axis` through a cell."""
    u, v = (cell[i] for i in range(3) if i != axis)
    return axis, u, v


@dataclass(frozen=True)
class Piece:
    """A shape and how often it is used.

    `bores` are drilled through the shape, in its coordinates; `colours` are those of its cells.
    `fixed_at` pins the piece to these cells of the target. `copies_min` and `copies_max` bound the
    number of copies used. `groups` gives the number of copies that belong to each group: pieces of
    one group need not be taken apart. `weight` is BurrTools': of two parts the heavier one stays
    where it is in its animations.
    """

    name: str
    shape: Shape
    copies_min: int = 1
    copies_max: int = 1
    bores: frozenset[Bore] = frozenset()
    fixed_at: frozenset[Cell] | None = None
    colours: Colours = frozenset()
    groups: tuple[tuple[int, int], ...] = ()
    weight: int = 1

    def __post_init__(self) -> None:
        _check_colours(self.colours, self.shape.cells, f"Piece {self.name}")
        if not self.name.strip():
            raise PuzzleError("Every piece needs a name.")
        if not 0 <= self.copies_min <= self.copies_max or self.copies_max < 1:
            raise PuzzleError(
                f"Piece {self.name}: {self.copies_min} to {self.copies_max} copies are impossible; "
                "give a minimum of at least 0 and a maximum of at least 1."
            )
        if self.bores and self.shape.lattice != CUBES:
            raise PuzzleError(
                f"Piece {self.name}: there are no bores through {self.shape.lattice.cells}."
            )
        lines = {line_through(cell, axis) for cell in self.shape.cells for axis in range(3)}
        if stray := sorted(self.bores - lines):
            raise PuzzleError(f"Piece {self.name}: bore {stray[0]} goes through none of its cubes.")
        if self.fixed_at is not None:
            if self.copies_max > 1:
                raise PuzzleError(f"Piece {self.name}: only a single copy can be fixed in place.")
            if Shape(self.fixed_at, self.shape.lattice) not in self.shape.rotations(
                reflections=True
            ):
                raise PuzzleError(f"Piece {self.name} does not have the shape it is fixed at.")


@dataclass(frozen=True)
class Target:
    """The cells to fill: all `required` ones, any of the `optional` ones, and no others.

    `colours` are those of cells that accept only some colours of pieces.
    """

    required: frozenset[Cell]
    optional: frozenset[Cell] = frozenset()
    lattice: Lattice = field(default=CUBES, hash=False)
    colours: Colours = frozenset()

    def __post_init__(self) -> None:
        _check_colours(self.colours, self.required | self.optional, "The target")
        if not self.required and not self.optional:
            raise PuzzleError("The target is empty: it needs at least one cell to fill.")
        if both := sorted(self.required & self.optional):
            raise PuzzleError(f"Target cell {both[0]} cannot be both required and optional.")
        low, high = self.bounding_box
        _check_extent(*(b - a + 1 for a, b in zip(low, high, strict=True)), most=MAX_EXTENT)
        if len(self.cells) > MAX_TARGET_CELLS:
            raise PuzzleError(
                f"The target has {len(self.cells)} cells; {MAX_TARGET_CELLS} is the most."
            )

    @classmethod
    def box(cls, width: int, depth: int, height: int = 1) -> "Target":
        """Return a full box of width x depth x height cubes."""
        if min(width, depth, height) < 1:
            raise PuzzleError(f"A box of {width} x {depth} x {height} holds no cell.")
        _check_extent(width, depth, height, most=MAX_TARGET_CELLS)
        return cls(frozenset(product(range(width), range(depth), range(height))))

    @property
    def cells(self) -> frozenset[Cell]:
        """Every cell that a piece may cover."""
        return self.required | self.optional

    @property
    def bounding_box(self) -> tuple[Cell, Cell]:
        """Smallest and largest coordinates, both inclusive."""
        xs, ys, zs = zip(*self.cells, strict=True)
        return (min(xs), min(ys), min(zs)), (max(xs), max(ys), max(zs))


@dataclass(frozen=True)
class PackingPuzzle:
    """Pieces to pack into a target.

    `reflections`: a solution and its mirror image count as one if the pieces allow both.
    `mirror_pieces`: pieces may be placed as their mirror images too. `colour_pairs`: which colour
    of a piece fits on which colour of the target; uncoloured cells fit everywhere. `max_holes`:
    how many optional cells may stay empty, None for all. `saved` are solutions that its file has.
    """

    name: str
    title: str
    target: Target
    pieces: tuple[Piece, ...]
    reflections: bool = False
    mirror_pieces: bool = False
    source: str = field(default="", compare=False)
    colour_pairs: frozenset[tuple[int, int]] = frozenset()
    max_holes: int | None = None
    saved: "tuple[PackingSolution, ...]" = field(default=(), compare=False)

    def __post_init__(self) -> None:
        if self.drilled and any(piece.colours for piece in self.pieces):
            raise PuzzleError("Bores and colours of cells do not go together in one puzzle.")
        if not self.pieces:
            raise PuzzleError("The puzzle has no pieces.")
        names = [piece.name for piece in self.pieces]
        if len(set(names)) < len(names):
            twice = next(name for name in names if names.count(name) > 1)
            raise PuzzleError(f"Two pieces have the name {twice}; give each its own.")
        for piece in self.pieces:
            if piece.shape.lattice != self.lattice:
                raise PuzzleError(
                    f"Piece {piece.name} is made of {piece.shape.lattice.cells}, the target of "
                    f"{self.lattice.cells}."
                )
            if piece.fixed_at is not None and not piece.fixed_at <= self.target.cells:
                raise PuzzleError(f"Piece {piece.name} is fixed at cells outside the target.")

    @property
    def lattice(self) -> Lattice:
        """The lattice of the target and all pieces."""
        return self.target.lattice

    @property
    def drilled(self) -> bool:
        """Whether bores must continue from piece to piece along every line of the target."""
        return any(piece.bores for piece in self.pieces)

    def piece(self, name: str) -> Piece:
        """Return the piece of this name."""
        for piece in self.pieces:
            if piece.name == name:
                return piece
        raise PuzzleError(f"Puzzle {self.name} has no piece {name}.")

    @property
    def holes(self) -> int:
        """Number of target cells that may stay empty."""
        optional = len(self.target.optional)
        return optional if self.max_holes is None else min(optional, self.max_holes)

    def check_volume(self) -> None:
        """Raise PuzzleError if the pieces cannot add up to the target's volume."""
        least = sum(piece.copies_min * piece.shape.volume for piece in self.pieces)
        most = sum(piece.copies_max * piece.shape.volume for piece in self.pieces)
        room = len(self.target.cells)
        needed = max(len(self.target.required), room - self.holes)
        if most < needed:
            raise PuzzleError(
                f"The pieces of {self.name} have {self.lattice.counted(most)}, "
                f"but its target needs {needed}."
            )
        if least > room:
            raise PuzzleError(
                f"The pieces of {self.name} have {self.lattice.counted(least)}, "
                f"but its target has room for {room} only."
            )


@dataclass(frozen=True)
class Placement:
    """One copy of a piece in the target; `orientation` indexes the lattice's symmetries."""

    piece: str
    orientation: int
    cells: frozenset[Cell]


@dataclass(frozen=True)
class PackingSolution:
    """Placements that fill the target, in the order of the puzzle's pieces."""

    placements: tuple[Placement, ...]

    def owner(self) -> dict[Cell, Placement]:
        """Return the placement that covers each cell."""
        return {cell: placement for placement in self.placements for cell in placement.cells}


def in_layer_order(cells: Iterable[Cell]) -> list[Cell]:
    """Return cells sorted by layer z, then row y, then column x."""
    return sorted(cells, key=lambda cell: cell[::-1])


def _check_colours(colours: Colours, cells: frozenset[Cell], what: str) -> None:
    coloured = {cell for cell, _ in colours}
    if len(coloured) < len(colours) or not coloured <= cells:
        raise PuzzleError(f"{what}: every colour must belong to one cell of its own.")
    if any(not 1 <= colour <= MOST_COLOURS for _, colour in colours):
        raise PuzzleError(f"{what}: colours are numbers from 1 to {MOST_COLOURS}.")


def _check_extent(width: int, depth: int, height: int, *, most: int) -> None:
    if width * depth * height > most:
        raise PuzzleError(
            f"The target extends over {width} x {depth} x {height} cells; "
            f"{most} in all is the most."
        )


# Orientations of a piece, bores and colours included, and congruence of pieces.

# Equal for interchangeable pieces: their cells, bored cells with the axis, coloured cells.
Canonical = tuple[tuple[Cell, ...], tuple[tuple[Cell, int], ...], tuple[tuple[Cell, int], ...]]


@dataclass(frozen=True)
class Orientation:
    """A rotated piece; `number` indexes the lattice's symmetries.

    `bored` holds (cell, axis) for every cell of the piece and every bore through it, `coloured`
    (cell, colour) for every cell that is not neutral.
    """

    number: int
    shape: Shape
    bored: frozenset[tuple[Cell, int]]
    coloured: Colours

    @property
    def canonical(self) -> Canonical:
        """Cells, bores and colours in a comparable form."""
        cells = tuple(sorted(self.shape.cells))
        return cells, tuple(sorted(self.bored)), tuple(sorted(self.coloured))


def orientations(piece: Piece, *, mirrored: bool) -> tuple[Orientation, ...]:
    """Return the distinct orientations of a piece; with `mirrored`, its mirror image's too."""
    return _orientations(piece.shape, piece.bores, piece.colours, _symmetries(piece, mirrored))


def placed(piece: Piece, cells: frozenset[Cell], *, mirrored: bool) -> Placement | None:
    """Return a piece that covers these cells; None if it does not have their shape."""
    shape = Shape(cells, piece.shape.lattice) if cells else None
    for turned in orientations(piece, mirrored=mirrored):
        if turned.shape == shape:
            return Placement(piece.name, turned.number, cells)
    return None


def canonical(piece: Piece, *, mirrored: bool) -> Canonical:
    """Return a canonical form, equal for pieces that rotations map to each other.

    With `mirrored`, reflections count as rotations.
    """
    return _canonical(piece.shape, piece.bores, piece.colours, _symmetries(piece, mirrored))


def canonical_mirror_image(piece: Piece, *, mirrored: bool) -> Canonical:
    """Return the canonical form of the piece's mirror image."""
    turns, mirrors = _symmetries(piece, mirrored), piece.shape.lattice.reflections
    # If reflections already count as rotations, the mirror image has the same orientations.
    matrices = turns if mirrors[0] in turns else mirrors
    return _canonical(piece.shape, piece.bores, piece.colours, matrices)


def _symmetries(piece: Piece, mirrored: bool) -> tuple[Matrix, ...]:
    return piece.shape.lattice.orientations_of(piece.shape.cells, reflections=mirrored)


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
        moved = [shape.lattice.apply(matrix, cell) for cell in shape.cells]
        x0, y0, z0 = shape.lattice.low(moved)
        image = {
            cell: (x - x0, y - y0, z - z0)
            for cell, (x, y, z) in zip(shape.cells, moved, strict=True)
        }
        turned = Shape(frozenset(image.values()), shape.lattice)
        turned_bores = frozenset((image[cell], image_axis(matrix, axis)) for cell, axis in bored)
        coloured = frozenset((image[cell], colour) for cell, colour in colours)
        orientation = Orientation(number, turned, turned_bores, coloured)
        # The first matrix that gives an orientation names it.
        found.setdefault((turned, turned_bores, coloured), orientation)
    return tuple(found.values())
