"""Packing puzzles: shapes of cells, pieces, targets, solutions, and the orientations of pieces."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import product

from solvers.polycube.errors import PuzzleError
from solvers.polycube.lattice import AXES, Cell, Lattice, Matrix, transform
from solvers.polycube.lattices import CUBES
from solvers.polycube.marks import (
    BORES,
    KNOWN,
    Bore,
    Mark,
    MarkKind,
    Marks,
    Rule,
    check_kinds,
    check_marks,
    lines_of,
    shifted,
)

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


@dataclass(frozen=True)
class Piece:
    """A shape and how often it is used.

    `fixed_at` pins the piece to these cells of the target. `marks` are in the coordinates of the
    shape. `copies_min` and `copies_max` bound the number of copies used. `groups` gives the number
    of copies that belong to each group: pieces of one group need not be taken apart. `weight` is
    BurrTools': of two parts the heavier one stays where it is in its animations.
    """

    name: str
    shape: Shape
    copies_min: int = 1
    copies_max: int = 1
    fixed_at: frozenset[Cell] | None = None
    marks: Marks = frozenset()
    groups: tuple[tuple[int, int], ...] = ()
    weight: int = 1

    def __post_init__(self) -> None:
        check_marks(self.marks, self.shape.cells, f"Piece {self.name}")
        if not self.name.strip():
            raise PuzzleError("Every piece needs a name.")
        if not 0 <= self.copies_min <= self.copies_max or self.copies_max < 1:
            raise PuzzleError(
                f"Piece {self.name}: {self.copies_min} to {self.copies_max} copies are impossible; "
                "give a minimum of at least 0 and a maximum of at least 1."
            )
        if self.fixed_at is not None:
            if self.copies_max > 1:
                raise PuzzleError(f"Piece {self.name}: only a single copy can be fixed in place.")
            if Shape(self.fixed_at, self.shape.lattice) not in self.shape.rotations(
                reflections=True
            ):
                raise PuzzleError(f"Piece {self.name} does not have the shape it is fixed at.")

    @property
    def bores(self) -> frozenset[Bore]:
        """The bores that are drilled through the shape, in its coordinates."""
        return lines_of(self.marks, BORES.name)


@dataclass(frozen=True)
class Target:
    """The cells to fill: all `required` ones, any of the `optional` ones, and no others.

    `marks` restrict the pieces that cover its cells, by the rules of their kinds.
    """

    required: frozenset[Cell]
    optional: frozenset[Cell] = frozenset()
    lattice: Lattice = field(default=CUBES, hash=False)
    marks: Marks = frozenset()

    def __post_init__(self) -> None:
        check_marks(self.marks, self.required | self.optional, "The target")
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
    `mirror_pieces`: pieces may be placed as their mirror images too. `kinds` are the rules of its
    marks. `max_holes`: how many optional cells may stay empty, None for all. `target_name` is the
    one of `target_names`, all that its file has for the same pieces. `saved` are solutions that its
    file has.
    """

    name: str
    title: str
    target: Target
    pieces: tuple[Piece, ...]
    reflections: bool = False
    mirror_pieces: bool = False
    source: str = field(default="", compare=False)
    kinds: tuple[MarkKind, ...] = KNOWN
    max_holes: int | None = None
    target_name: str = field(default="", compare=False)
    target_names: tuple[str, ...] = field(default=(), compare=False)
    saved: "tuple[PackingSolution, ...]" = field(default=(), compare=False)

    def __post_init__(self) -> None:
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
        self._check_marks()

    def _check_marks(self) -> None:
        every = {kind.name: kind for kind in self.kinds}
        if len(every) < len(self.kinds):
            raise PuzzleError("Two kinds of marks have the same name; give each its own.")
        if missing := sorted({kind.name for kind in KNOWN} - every.keys()):
            raise PuzzleError(f"The kinds of marks lack {missing[0]}, which every puzzle knows.")
        marked = [(f"Piece {piece.name}", piece.marks, piece.shape.cells) for piece in self.pieces]
        for what, marks, cells in (*marked, ("The target", self.target.marks, self.target.cells)):
            check_kinds(marks, cells, every, what)
            if self.lattice != CUBES and (faces := [m for m in sorted(marks) if any(m.way)]):
                raise PuzzleError(f"{what}: there are no {faces[0].kind} on {self.lattice.cells}.")
        for mark in sorted(self.target.marks):
            if self.kind(mark.kind).rule is Rule.THROUGH:
                raise PuzzleError(f"The target has {mark.kind}, but only pieces can have them.")

    def kind(self, name: str) -> MarkKind:
        """Return the kind of marks of this name."""
        return next(kind for kind in self.kinds if kind.name == name)

    @cached_property
    def marks(self) -> tuple[MarkKind, ...]:
        """The kinds of which pieces or the target have marks."""
        of_pieces = {mark.kind for piece in self.pieces for mark in piece.marks}
        used = of_pieces | {mark.kind for mark in self.target.marks}
        return tuple(self.kind(name) for name in sorted(used))

    @property
    def other_targets(self) -> tuple[str, ...]:
        """Names of the targets that its file has for the same pieces, this one's left out."""
        return tuple(name for name in self.target_names if name != self.target_name)

    @property
    def lattice(self) -> Lattice:
        """The lattice of the target and all pieces."""
        return self.target.lattice

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


def _check_extent(width: int, depth: int, height: int, *, most: int) -> None:
    if width * depth * height > most:
        raise PuzzleError(
            f"The target extends over {width} x {depth} x {height} cells; "
            f"{most} in all is the most."
        )


# Orientations of a piece, marks included, and congruence of pieces.

# Equal for interchangeable pieces: their cells and marks.
Canonical = tuple[tuple[Cell, ...], tuple[Mark, ...]]


@dataclass(frozen=True)
class Orientation:
    """A rotated piece with its marks; `number` indexes the lattice's symmetries."""

    number: int
    shape: Shape
    marks: Marks

    @property
    def canonical(self) -> Canonical:
        """Cells and marks in a comparable form."""
        return tuple(sorted(self.shape.cells)), tuple(sorted(self.marks))

    @property
    def bored(self) -> frozenset[tuple[Cell, int]]:
        """Every cell that a bore goes through, with the bore's axis."""
        return frozenset(
            (mark.cell, AXES.index(mark.way))
            for mark in self.marks
            if mark.kind == BORES.name and mark.way in AXES
        )


def orientations(piece: Piece, *, mirrored: bool) -> tuple[Orientation, ...]:
    """Return the distinct orientations of a piece; with `mirrored`, its mirror image's too."""
    return _orientations(piece.shape, piece.marks, _symmetries(piece, mirrored))


def placed(piece: Piece, cells: frozenset[Cell], *, mirrored: bool) -> Placement | None:
    """Return a piece that covers these cells; None if it does not have their shape."""
    shape = Shape(cells, piece.shape.lattice) if cells else None
    for turned in orientations(piece, mirrored=mirrored):
        if turned.shape == shape:
            return Placement(piece.name, turned.number, cells)
    return None


def marks_in_place(puzzle: PackingPuzzle, solution: PackingSolution) -> Marks:
    """Return the marks of all placed pieces, in the coordinates of the target."""
    if not puzzle.marks:
        return frozenset()
    return frozenset(
        mark for placement in solution.placements for mark in _marks_of(puzzle, placement)
    )


def _marks_of(puzzle: PackingPuzzle, placement: Placement) -> Marks:
    turned = next(
        each
        for each in orientations(puzzle.piece(placement.piece), mirrored=puzzle.mirror_pieces)
        if each.number == placement.orientation
    )
    return shifted(turned.marks, puzzle.lattice.low(placement.cells))


def canonical(piece: Piece, *, mirrored: bool) -> Canonical:
    """Return a canonical form, equal for pieces that rotations map to each other.

    With `mirrored`, reflections count as rotations.
    """
    return _canonical(piece.shape, piece.marks, _symmetries(piece, mirrored))


def canonical_mirror_image(piece: Piece, *, mirrored: bool) -> Canonical:
    """Return the canonical form of the piece's mirror image."""
    turns, mirrors = _symmetries(piece, mirrored), piece.shape.lattice.reflections
    # If reflections already count as rotations, the mirror image has the same orientations.
    matrices = turns if mirrors[0] in turns else mirrors
    return _canonical(piece.shape, piece.marks, matrices)


def _symmetries(piece: Piece, mirrored: bool) -> tuple[Matrix, ...]:
    return piece.shape.lattice.orientations_of(piece.shape.cells, reflections=mirrored)


@lru_cache(maxsize=4096)
def _canonical(shape: Shape, marks: Marks, matrices: tuple[Matrix, ...]) -> Canonical:
    return min(turned.canonical for turned in _orientations(shape, marks, matrices))


@lru_cache(maxsize=4096)
def _orientations(
    shape: Shape, marks: Marks, matrices: tuple[Matrix, ...]
) -> tuple[Orientation, ...]:
    found: dict[object, Orientation] = {}
    for number, matrix in enumerate(matrices):
        moved = [shape.lattice.apply(matrix, cell) for cell in shape.cells]
        x0, y0, z0 = shape.lattice.low(moved)
        image = {
            cell: (x - x0, y - y0, z - z0)
            for cell, (x, y, z) in zip(shape.cells, moved, strict=True)
        }
        turned = Shape(frozenset(image.values()), shape.lattice)
        turned_marks = frozenset(
            Mark(kind, image[cell], transform(matrix, way), value)
            for kind, cell, way, value in marks
        )
        orientation = Orientation(number, turned, turned_marks)
        # The first matrix that gives an orientation names it.
        found.setdefault((turned, turned_marks), orientation)
    return tuple(found.values())
