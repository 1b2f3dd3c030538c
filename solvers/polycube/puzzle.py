"""What a packing puzzle is: a target of cells, pieces to fill it with, and its solutions."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import product

from solvers.polycube.errors import PuzzleError
from solvers.polycube.lattice.cubes import CUBES
from solvers.polycube.lattice.lattice import Cell, Lattice
from solvers.polycube.shape import Shape

# The greatest target, and how far it and its gaps may extend. The bounds keep a short file from
# asking for all memory; what a search needs, the search itself compares with what there is.
MAX_TARGET_CELLS = 10_000
MAX_EXTENT = 100_000
MOST_COLOURS = 61  # what one character can name in a drawing

# A straight bore: its axis (0, 1, 2 for x, y, z) and its place in the other two coordinates,
# in their order. It goes through every cube on that line.
Bore = tuple[int, int, int]


# Cells that are not neutral, with their colours, from 1 up.
Colours = frozenset[tuple[Cell, int]]


def line_through(cell: Cell, axis: int) -> Bore:
    """Return the line parallel to `axis` through a cell."""
    u, v = (cell[i] for i in range(3) if i != axis)
    return axis, u, v


@dataclass(frozen=True)
class Piece:
    """A shape and how often it is used.

    `bores` are drilled through the shape, in its coordinates; `colours` are those of its cells.
    `fixed_at` pins the piece to these cells of the target. `copies_min` and `copies_max` bound the
    number of equal copies used. `groups` says how many copies belong to which group: pieces of one
    group need not be taken apart.
    """

    name: str
    shape: Shape
    copies_min: int = 1
    copies_max: int = 1
    bores: frozenset[Bore] = frozenset()
    fixed_at: frozenset[Cell] | None = None
    colours: Colours = frozenset()
    groups: tuple[tuple[int, int], ...] = ()

    def __post_init__(self) -> None:
        _check_colours(self.colours, self.shape.cells, f"Piece {self.name}")
        if not self.name.strip():
            raise PuzzleError("Every piece needs a name.")
        if not 0 <= self.copies_min <= self.copies_max or self.copies_max < 1:
            raise PuzzleError(
                f"Piece {self.name}: {self.copies_min} to {self.copies_max} copies make no sense; "
                "give a least number from 0 up and a greatest number from 1 up."
            )
        if self.bores and not self.shape.lattice.lines:
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
    """The cells to fill: all `required` ones, and any of the `optional` ones; no others.

    `colours` are those of cells that take only some colours of pieces.
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
        """Every cell that a piece may take."""
        return self.required | self.optional

    @property
    def bounding_box(self) -> tuple[Cell, Cell]:
        """Smallest and greatest coordinates, both inclusive."""
        xs, ys, zs = zip(*self.cells, strict=True)
        return (min(xs), min(ys), min(zs)), (max(xs), max(ys), max(zs))


@dataclass(frozen=True)
class PackingPuzzle:
    """Pieces to pack into a target.

    `reflections`: a solution and its mirror image count as one, wherever the pieces allow to
    build both. `mirror_pieces`: pieces may be placed as their mirror images too.
    `colour_pairs`: which colour of a piece may lie on which colour of the target; without colour
    everything may. `max_holes`: how many optional cells may stay empty, None for all.
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
        """What the target and all pieces are made of."""
        return self.target.lattice

    @property
    def drilled(self) -> bool:
        """Whether bores must run on from piece to piece along every line of the target."""
        return any(piece.bores for piece in self.pieces)

    def piece(self, name: str) -> Piece:
        """Return the piece of this name."""
        for piece in self.pieces:
            if piece.name == name:
                return piece
        raise PuzzleError(f"Puzzle {self.name} has no piece {name}.")

    @property
    def holes(self) -> int:
        """How many cells of the target may stay empty."""
        optional = len(self.target.optional)
        return optional if self.max_holes is None else min(optional, self.max_holes)

    def check_volume(self) -> None:
        """Raise PuzzleError if the pieces can never add up to the target's volume."""
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
        """Return which placement takes each cell."""
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
