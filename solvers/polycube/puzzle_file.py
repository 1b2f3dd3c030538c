"""Puzzle files: TOML with drawings of the pieces, read and written.

docs/packing.md describes the format.
"""

import re
import string
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, TypeVar

import msgspec

from solvers.foundation.files import read_bytes
from solvers.foundation.typed_files import LARGEST_TOML_BYTES, Steps, convert, parse_toml, toml_text
from solvers.polycube.errors import PuzzleError, PuzzleFileError
from solvers.polycube.lattice import Cell, Lattice
from solvers.polycube.lattices import CUBES, LATTICES
from solvers.polycube.puzzle import (
    Bore,
    Colours,
    PackingPuzzle,
    PackingSolution,
    Piece,
    Shape,
    Target,
    placed,
    relative_colours,
)
from solvers.polycube.text_drawing import SYMBOLS, DrawingError, draw, parse_drawing

TABLE = re.compile(r"\s*\[\[?\s*(\w+)\s*\]")
KEY = re.compile(r"\s*[\"']?(\w[\w-]*)[\"']?\s*=\s*(.*)")


class TomlLines:
    """Line numbers of keys in a TOML text, which the standard library's parser does not give.

    Keys are found by table name, the table's number among those of its name, and key. The text
    outside all tables is the table "". It looks at one line at a time. That is enough for puzzle
    files: their multi-line strings are drawings, which never look like a key.
    """

    def __init__(self, text: str) -> None:
        self._found: dict[tuple[str, int, str], int] = {("", 0, ""): 1}
        self._drawing_starts_below: set[int] = set()
        seen: dict[str, int] = {}
        name = ""
        for number, line in enumerate(text.splitlines(), start=1):
            if table := TABLE.match(line):
                name = table[1]
                seen[name] = seen.get(name, -1) + 1
                self._found[name, seen[name], ""] = number
            elif key := KEY.match(line):
                self._found.setdefault((name, seen.get(name, 0), key[1]), number)
                if key[2].strip() in ("'''", '"""'):
                    # TOML drops the newline after the opening quotes.
                    self._drawing_starts_below.add(number)

    def of(self, name: str, index: int, key: str) -> int:
        """Return the line of a key, or else of its table, or else 1; lines count from 1."""
        for place in ((name, index, key), (name, index, ""), ("", 0, name), ("", 0, "")):
            if place in self._found:
                return self._found[place]
        return 1

    def row(self, name: str, index: int, key: str, row: int) -> int:
        """Return the line of row `row`, from 0, of the drawing under a key."""
        line = self.of(name, index, key)
        return line + row + (line in self._drawing_starts_below)


if TYPE_CHECKING:
    from tomlkit.items import Table

AXES: Final = "xyz"
NEUTRAL: Final = "."
# Characters for colours 1, 2, ... in drawings.
COLOURS: Final = string.digits[1:] + string.ascii_letters
REQUIRED, OPTIONAL, OUTSIDE = "#", "+", "."

Kind = TypeVar("Kind")


class TargetTable(msgspec.Struct, forbid_unknown_fields=True):
    """[target]: a box or a drawing."""

    box: Annotated[list[int], msgspec.Meta(min_length=2, max_length=3)] | None = None
    layers: str | None = None
    colours: str | None = None


class BoresTable(msgspec.Struct, forbid_unknown_fields=True):
    """Bores by axis: the two other coordinates of each."""

    x: list[tuple[int, int]] = []
    y: list[tuple[int, int]] = []
    z: list[tuple[int, int]] = []


class PieceTable(msgspec.Struct, forbid_unknown_fields=True):
    """[[piece]]; `copies` is a number, or a minimum and a maximum."""

    name: str
    layers: str
    copies: int | tuple[int, int] = 1
    bores: BoresTable | None = None
    fixed_at: str | None = None
    colours: str | None = None
    groups: list[tuple[int, int]] = []
    weight: int = 1


class SolutionTable(msgspec.Struct, forbid_unknown_fields=True):
    """[[solution]]: the pieces A, B, ... and a drawing of the target with these letters."""

    pieces: list[str]
    layers: str


class PiecesFile(msgspec.Struct, forbid_unknown_fields=True):
    """A file with pieces but without a target."""

    piece: list[PieceTable] = []


class PuzzleFile(msgspec.Struct, forbid_unknown_fields=True):
    """A puzzle file."""

    name: str
    target: TargetTable
    piece: list[PieceTable] = []
    solution: list[SolutionTable] = []
    title: str | None = None
    source: str = ""
    reflections: bool = False
    mirror_pieces: bool = False
    lattice: str = CUBES.name
    colour_pairs: list[tuple[int, int]] = []
    max_holes: Annotated[int, msgspec.Meta(ge=0)] | None = None


class TargetFile(msgspec.Struct):
    """The parts of a file that define its target; pieces are ignored."""

    target: TargetTable
    lattice: str = CUBES.name


class TomlReader:
    """Reads one text, and knows the line of everything in it."""

    def __init__(self, text: bytes, where: str) -> None:
        self._where = where
        self._tables = parse_toml(text, where, PuzzleFileError)
        self._lines = TomlLines(text.decode("utf-8-sig"))
        self._lattice: Lattice = CUBES

    def puzzle(self) -> PackingPuzzle:
        """Return the puzzle; raise PuzzleFileError if the text is not one."""
        read = self._convert(PuzzleFile)
        self._lattice = self._get_lattice(read.lattice)
        target = self._target(read.target)
        pieces = tuple(self._pieces(read.piece))
        try:
            puzzle = PackingPuzzle(
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
        saved = (self._solution(puzzle, *each) for each in enumerate(read.solution))
        return replace(puzzle, saved=tuple(saved)) if read.solution else puzzle

    def pieces(self) -> tuple[Piece, ...]:
        """Return the pieces of a file without a target."""
        return tuple(self._pieces(self._convert(PiecesFile).piece))

    def target(self) -> Target:
        """Return the target of a file with or without pieces."""
        read = self._convert(TargetFile)
        self._lattice = self._get_lattice(read.lattice)
        return self._target(read.target)

    def _convert(self, kind: type[Kind]) -> Kind:
        return convert(self._tables, kind, self._at, PuzzleFileError)

    def _get_lattice(self, name: str) -> Lattice:
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
                relative_colours(
                    self._colours(table.colours, "piece", index), self._lattice.low(cells)
                ),
                tuple(table.groups),
                table.weight,
            )
        except PuzzleError as error:
            raise self._error(str(error), "piece", index) from error

    def _solution(self, puzzle: PackingPuzzle, index: int, table: SolutionTable) -> PackingSolution:
        letters = SYMBOLS[: len(table.pieces)]
        if len(letters) < len(table.pieces):
            raise self._error(
                f"a solution has at most {len(SYMBOLS)} pieces", "solution", index, "pieces"
            )
        marks = self._drawing(table.layers, letters + OUTSIDE, "solution", index)
        placements = []
        for letter, name in zip(letters, table.pieces, strict=True):
            cells = frozenset(cell for cell, mark in marks.items() if mark == letter)
            try:
                piece = puzzle.piece(name)
            except PuzzleError as error:
                raise self._error(str(error), "solution", index, "pieces") from error
            found = placed(piece, cells, mirrored=puzzle.mirror_pieces)
            if found is None or not cells <= puzzle.target.cells:
                raise self._error(
                    f"{letter} is not {name}, placed in the target", "solution", index, "layers"
                )
            placements.append(found)
        return PackingSolution(tuple(placements))

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
        """Return file and line of the value at a path of keys and list positions."""
        table = str(steps[0]) if steps else ""
        index = next((step for step in steps if isinstance(step, int)), 0)
        keys = [step for step in steps[1:] if isinstance(step, str)]
        if not keys and table not in ("target", "piece"):
            return f"{self._where}, line {self._lines.of('', 0, table)}"
        return f"{self._where}, line {self._lines.of(table, index, keys[0] if keys else '')}"


def _bores(table: PieceTable, cells: frozenset[Cell]) -> frozenset[Bore]:
    """Return the bores in the coordinates of the shape, which starts at the drawing's cubes."""
    low = [min(cell[axis] for cell in cells) for axis in range(3)]
    found: set[Bore] = set()
    for axis, letter in enumerate(AXES if table.bores else ""):
        low_u, low_v = (low[i] for i in range(3) if i != axis)
        found |= {(axis, u - low_u, v - low_v) for u, v in getattr(table.bores, letter)}
    return frozenset(found)


def load(path: Path) -> PackingPuzzle:
    """Read a puzzle file; raise PuzzleFileError with file and line if it is malformed."""
    return _reader(path).puzzle()


def load_target(path: Path) -> Target:
    """Read the target of a puzzle file, which need not have pieces."""
    return _reader(path).target()


def _reader(path: Path) -> TomlReader:
    text = read_bytes(path, PuzzleFileError, "The puzzle file", LARGEST_TOML_BYTES)
    return TomlReader(text, str(path))


def loads(text: str, where: str = "puzzle") -> PackingPuzzle:
    """Read a puzzle from text; `where` names its origin in error messages."""
    return TomlReader(_encode(text), where).puzzle()


def loads_pieces(text: str, where: str = "pieces") -> tuple[Piece, ...]:
    """Read a text with pieces but without a target."""
    return TomlReader(_encode(text), where).pieces()


def _encode(text: str) -> bytes:
    return text.encode("utf-8", errors="surrogatepass")


def dumps(puzzle: PackingPuzzle) -> str:
    """Return the puzzle as the text of a puzzle file, translated so that its target starts at 0."""
    # Imported here: most commands only read puzzles, and tomlkit takes long to load.
    import tomlkit

    document = tomlkit.document()
    document["name"] = toml_text(puzzle.name)
    document["title"] = toml_text(puzzle.title)
    if puzzle.source:
        document["source"] = toml_text(puzzle.source)
    if puzzle.lattice != CUBES:
        document["lattice"] = puzzle.lattice.name
    if puzzle.colour_pairs:
        document["colour_pairs"] = [list(pair) for pair in sorted(puzzle.colour_pairs)]
    if puzzle.max_holes is not None:
        document["max_holes"] = puzzle.max_holes
    for flag in ("reflections", "mirror_pieces"):
        if getattr(puzzle, flag):
            document[flag] = True
    document["target"] = _target(puzzle.target)
    pieces = tomlkit.aot()
    for piece in puzzle.pieces:
        pieces.append(_piece(piece, puzzle.target))
    document["piece"] = pieces
    if puzzle.saved:
        solutions = tomlkit.aot()
        for solution in puzzle.saved:
            solutions.append(_solution(solution, puzzle.target))
        document["solution"] = solutions
    return tomlkit.dumps(document)


def _target(target: Target) -> "Table":
    import tomlkit

    table = tomlkit.table()
    marks = dict.fromkeys(target.required, REQUIRED) | dict.fromkeys(target.optional, OPTIONAL)
    table["layers"] = _drawing(draw(target.cells, marks, target.lattice))
    if target.colours:
        table["colours"] = _colours(target.cells, target.colours, target.lattice)
    return table


def _colours(cells: frozenset[Cell], colours: Colours, lattice: Lattice) -> Any:
    marks = dict.fromkeys(cells, NEUTRAL)
    marks |= {cell: COLOURS[colour - 1] for cell, colour in colours}
    return _drawing(draw(cells, marks, lattice))


def _piece(piece: Piece, target: Target) -> "Table":
    import tomlkit

    table = tomlkit.table()
    table["name"] = toml_text(piece.name)
    shape = piece.shape.cells
    table["layers"] = _drawing(draw(shape, dict.fromkeys(shape, REQUIRED), target.lattice))
    if (piece.copies_min, piece.copies_max) != (1, 1):
        table["copies"] = [piece.copies_min, piece.copies_max]
    if piece.colours:
        table["colours"] = _colours(shape, piece.colours, target.lattice)
    if piece.weight != 1:
        table["weight"] = piece.weight
    if piece.groups:
        table["groups"] = [list(group) for group in piece.groups]
    if piece.bores:
        bores = tomlkit.inline_table()
        for axis, letter in enumerate(AXES):
            places = [[u, v] for a, u, v in sorted(piece.bores) if a == axis]
            if places:
                bores[letter] = places
        table["bores"] = bores
    if piece.fixed_at is not None:
        marks = {cell: REQUIRED if cell in piece.fixed_at else OUTSIDE for cell in target.cells}
        table["fixed_at"] = _drawing(draw(target.cells, marks, target.lattice))
    return table


def _solution(solution: PackingSolution, target: Target) -> "Table":
    import tomlkit

    table = tomlkit.table()
    table["pieces"] = [toml_text(placement.piece) for placement in solution.placements]
    marks = dict.fromkeys(target.cells, OUTSIDE)
    for letter, placement in zip(SYMBOLS, solution.placements, strict=False):
        marks |= dict.fromkeys(placement.cells, letter)
    table["layers"] = _drawing(draw(target.cells, marks, target.lattice))
    return table


def _drawing(text: str) -> Any:
    """Return a drawing as a multi-line TOML string that starts below the quotes."""
    from tomlkit.items import String, StringType, Trivia

    # tomlkit.string would write the newline after the quotes twice.
    return String(StringType.MLL, f"{text}\n", f"\n{text}\n", Trivia())
