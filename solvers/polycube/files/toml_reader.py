"""Reads the text of a puzzle file, and says on which line it is wrong."""

import string
from collections.abc import Iterator
from typing import Annotated, Any, Final, TypeVar

import msgspec

from solvers.foundation.typed_files import Steps, convert, parse_toml
from solvers.polycube.drawing import DrawingError, parse_drawing
from solvers.polycube.errors import PuzzleError, PuzzleFileError
from solvers.polycube.files.toml_lines import TomlLines
from solvers.polycube.lattice.cubes import CUBES
from solvers.polycube.lattice.lattice import Cell, Lattice
from solvers.polycube.lattice.registry import LATTICES
from solvers.polycube.puzzle import Bore, Colours, PackingPuzzle, Piece, Target
from solvers.polycube.shape import Shape

AXES: Final = "xyz"
NEUTRAL: Final = "."
COLOURS: Final = string.digits[1:] + string.ascii_letters
"""The characters of colours 1, 2, ... in drawings."""
REQUIRED, OPTIONAL, OUTSIDE = "#", "+", "."

Kind = TypeVar("Kind")


class TargetTable(msgspec.Struct, forbid_unknown_fields=True):
    """[target]: either of the two."""

    box: Annotated[list[int], msgspec.Meta(min_length=2, max_length=3)] | None = None
    layers: str | None = None
    colours: str | None = None


class BoresTable(msgspec.Struct, forbid_unknown_fields=True):
    """Bores by their axis: the two other coordinates of each."""

    x: list[tuple[int, int]] = []
    y: list[tuple[int, int]] = []
    z: list[tuple[int, int]] = []


class PieceTable(msgspec.Struct, forbid_unknown_fields=True):
    """[[piece]]; `copies` is a number or the least and the greatest one."""

    name: str
    layers: str
    copies: int | tuple[int, int] = 1
    bores: BoresTable | None = None
    fixed_at: str | None = None
    colours: str | None = None
    groups: list[tuple[int, int]] = []


class PiecesFile(msgspec.Struct, forbid_unknown_fields=True):
    """A file that has pieces but no target."""

    piece: list[PieceTable] = []


class PuzzleFile(msgspec.Struct, forbid_unknown_fields=True):
    """A puzzle file."""

    name: str
    target: TargetTable
    piece: list[PieceTable] = []
    title: str | None = None
    source: str = ""
    reflections: bool = False
    mirror_pieces: bool = False
    lattice: str = CUBES.name
    colour_pairs: list[tuple[int, int]] = []
    max_holes: Annotated[int, msgspec.Meta(ge=0)] | None = None


class TargetFile(msgspec.Struct):
    """What of a file tells its target; there may be pieces as well, and they are not looked at."""

    target: TargetTable
    lattice: str = CUBES.name


class TomlReader:
    """Reads one text; knows on which line everything stands."""

    def __init__(self, text: bytes, where: str) -> None:
        self._where = where
        self._tables = parse_toml(text, where, PuzzleFileError)
        self._lines = TomlLines(text.decode("utf-8-sig"))
        self._lattice = CUBES

    def puzzle(self) -> PackingPuzzle:
        """Return the puzzle; raise PuzzleFileError if the text is none."""
        read = self._convert(PuzzleFile)
        self._lattice = self._called(read.lattice)
        target = self._target(read.target)
        pieces = tuple(self._pieces(read.piece))
        try:
            return PackingPuzzle(
                read.name,
                read.title or read.name,
                target,
                pieces,
                reflections=read.reflections,
                mirror_pieces=read.mirror_pieces,
                source=read.source,
                colour_pairs=frozenset(read.colour_pairs),
                max_holes=read.max_holes,
            )
        except PuzzleError as error:
            raise PuzzleFileError(f"{self._where}: {error}") from error

    def pieces(self) -> tuple[Piece, ...]:
        """Return the pieces of a file without a target."""
        return tuple(self._pieces(self._convert(PiecesFile).piece))

    def target(self) -> Target:
        """Return the target of a file with or without pieces."""
        read = self._convert(TargetFile)
        self._lattice = self._called(read.lattice)
        return self._target(read.target)

    def _convert(self, kind: type[Kind]) -> Kind:
        return convert(self._tables, kind, self._at, PuzzleFileError)

    def _called(self, name: str) -> Lattice:
        if name not in LATTICES:
            known = ", ".join(sorted(LATTICES))
            raise self._error(f"there is no lattice {name!r}; known are {known}", "lattice")
        return LATTICES[name]

    def _pieces(self, tables: list[PieceTable]) -> Iterator[Piece]:
        if not tables:
            raise PuzzleFileError(f"{self._where}: there is no [[piece]] in it.")
        for index, table in enumerate(tables):
            yield self._piece(table, index)

    def _target(self, table: TargetTable) -> Target:
        if (table.box is None) == (table.layers is None):
            raise self._error("give the target either a box or layers", "target")
        if table.box is not None and table.colours is not None:
            raise self._error("colours need layers instead of a box", "target", "colours")
        try:
            if table.box is not None:
                return self._box(table.box)
            marks = self._drawing(table.layers or "", REQUIRED + OPTIONAL + OUTSIDE, "target")
            cells = {
                mark: frozenset(cell for cell, m in marks.items() if m == mark)
                for mark in (REQUIRED, OPTIONAL)
            }
            colours = self._colours(table.colours, "target")
            return Target(cells[REQUIRED], cells[OPTIONAL], self._lattice, colours)
        except PuzzleError as error:
            raise self._error(str(error), "target") from error

    def _box(self, size: list[int]) -> Target:
        if self._lattice != CUBES:
            raise self._error("a box is made of cubes; draw the target's layers", "target", "box")
        return Target.box(*size)

    def _colours(self, drawing: str | None, name: str, index: int = 0) -> Colours:
        if drawing is None:
            return frozenset()
        marks = self._drawing(drawing, COLOURS + NEUTRAL, name, index, "colours")
        return frozenset(
            (cell, COLOURS.index(mark) + 1) for cell, mark in marks.items() if mark != NEUTRAL
        )

    def _piece(self, table: PieceTable, index: int) -> Piece:
        cells = self._cells(table.layers, index, "layers")
        least, most = (
            (table.copies, table.copies) if isinstance(table.copies, int) else table.copies
        )
        fixed = None if table.fixed_at is None else self._cells(table.fixed_at, index, "fixed_at")
        try:
            return Piece(
                table.name,
                Shape(cells, self._lattice),
                least,
                most,
                _bores(table, cells),
                fixed,
                _moved(self._colours(table.colours, "piece", index), self._lattice.low(cells)),
                tuple(table.groups),
            )
        except PuzzleError as error:
            raise self._error(str(error), "piece", index) from error

    def _cells(self, drawing: str, index: int, key: str) -> frozenset[Cell]:
        marks = self._drawing(drawing, REQUIRED + OUTSIDE, "piece", index, key)
        cells = frozenset(cell for cell, mark in marks.items() if mark == REQUIRED)
        if not cells:
            raise self._error(f"the drawing shows no '{REQUIRED}'", "piece", index, key)
        return cells

    def _drawing(
        self, text: str, marks: str, name: str, index: int = 0, key: str = "layers"
    ) -> dict[Cell, str]:
        try:
            return parse_drawing(text, marks, self._lattice)
        except DrawingError as error:
            line = self._lines.row(name, index, key, error.row)
            raise PuzzleFileError(f"{self._where}, line {line}: {error}") from error

    def _error(self, message: str, *steps: Any) -> PuzzleFileError:
        return PuzzleFileError(f"{self._at(list(steps))}: {message.removesuffix('.')}.")

    def _at(self, steps: Steps) -> str:
        """Return file and line of what these keys and list positions lead to."""
        table = str(steps[0]) if steps else ""
        index = next((step for step in steps if isinstance(step, int)), 0)
        keys = [step for step in steps[1:] if isinstance(step, str)]
        if not keys and table not in ("target", "piece"):
            return f"{self._where}, line {self._lines.of('', 0, table)}"
        return f"{self._where}, line {self._lines.of(table, index, keys[0] if keys else '')}"


def _moved(colours: Colours, low: Cell) -> Colours:
    """Return colours in the coordinates of the shape."""
    dx, dy, dz = low
    return frozenset(((x - dx, y - dy, z - dz), colour) for (x, y, z), colour in colours)


def _bores(table: PieceTable, cells: frozenset[Cell]) -> frozenset[Bore]:
    """Return the bores in the coordinates of the shape, which begin at the drawing's cubes."""
    low = [min(cell[axis] for cell in cells) for axis in range(3)]
    found: set[Bore] = set()
    for axis, letter in enumerate(AXES if table.bores else ""):
        low_u, low_v = (low[i] for i in range(3) if i != axis)
        found |= {(axis, u - low_u, v - low_v) for u, v in getattr(table.bores, letter)}
    return frozenset(found)
