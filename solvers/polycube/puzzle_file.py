"""Puzzle files: TOML with drawings of the pieces, read and written.

docs/packing.md describes the format.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, TypeVar

import msgspec

from solvers.foundation.files import read_bytes
from solvers.foundation.typed_files import LARGEST_TOML_BYTES, Steps, convert, parse_toml, toml_text
from solvers.polycube.errors import PuzzleError, PuzzleFileError
from solvers.polycube.lattice import Cell, Lattice
from solvers.polycube.lattices import CUBES, LATTICES
from solvers.polycube.marks import (
    BORES,
    COLOURS,
    FACE_NAMES,
    KNOWN,
    NO_SIGN,
    ON_CELL,
    SIGNS,
    Mark,
    MarkKind,
    Marks,
    Rule,
    along_lines,
    lines_of,
    shifted,
    sign,
)
from solvers.polycube.puzzle import PackingPuzzle, PackingSolution, Piece, Shape, Target, placed
from solvers.polycube.text_drawing import SYMBOLS, DrawingError, draw, parse_drawing

TABLE = re.compile(r"\s*\[\[?\s*(\w[\w.-]*)\s*\]")
KEY = re.compile(r"\s*[\"']?(\w[\w.-]*)[\"']?\s*=\s*(.*)")


class TomlLines:
    """Line numbers of keys in a TOML text, which the standard library's parser does not give.

    Keys are found by table name, the table's number among those of its name, and key, which may
    have dots: `[piece.marks.notches]` belongs to the last `[[piece]]`. The text outside all tables
    is the table "". It looks at one line at a time. That is enough for puzzle files: their
    multi-line strings are drawings, which never look like a key.
    """

    def __init__(self, text: str) -> None:
        self._found: dict[tuple[str, int, str], int] = {("", 0, ""): 1}
        self._drawing_starts_below: set[int] = set()
        seen: dict[str, int] = {}
        name = inner = ""
        for number, line in enumerate(text.splitlines(), start=1):
            if table := TABLE.match(line):
                name, _, inner = table[1].partition(".")
                seen[name] = max(0, seen.get(name, -1) + (not inner))
                self._found.setdefault((name, seen[name], inner), number)
                inner += "." * bool(inner)
            elif key := KEY.match(line):
                parts = (inner + key[1]).split(".")
                for end in range(len(parts)):
                    place = (name, seen.get(name, 0), ".".join(parts[: end + 1]))
                    self._found.setdefault(place, number)
                if key[2].strip() in ("'''", '"""'):
                    # TOML drops the newline after the opening quotes.
                    self._drawing_starts_below.add(number)

    def of(self, name: str, index: int, key: str) -> int:
        """Return the line of a key, or else of what it is in, or else 1; lines count from 1."""
        while key:
            for place in ((name, index, key), ("", 0, f"{name}.{key}")):
                if place in self._found:
                    return self._found[place]
            key = key.rpartition(".")[0]
        for place in ((name, index, ""), ("", 0, name), ("", 0, "")):
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
REQUIRED, OPTIONAL, OUTSIDE = "#", "+", "."
# How marks of each rule are written.
ON_FACES: Final = "drawn on faces: right, left, front, back, top or bottom"
WRITTEN: Final = {
    Rule.THROUGH: "lines: x, y or z",
    Rule.FIT: "one drawing of the cells",
    Rule.MATCH: ON_FACES,
    Rule.SHOW: ON_FACES,
}

Kind = TypeVar("Kind")


class LinesTable(msgspec.Struct, forbid_unknown_fields=True):
    """Lines by axis: the two other coordinates of each."""

    x: list[tuple[int, int]] = []
    y: list[tuple[int, int]] = []
    z: list[tuple[int, int]] = []


class MarksTable(LinesTable, forbid_unknown_fields=True):
    """Marks of one kind that are not on cells: lines, or a drawing for each face of the cubes."""

    right: str | None = None
    left: str | None = None
    front: str | None = None
    back: str | None = None
    top: str | None = None
    bottom: str | None = None


class TargetTable(msgspec.Struct, forbid_unknown_fields=True):
    """[target], or several named [[target]]: a box or a drawing."""

    name: str = ""
    title: str = ""
    box: Annotated[list[int], msgspec.Meta(min_length=2, max_length=3)] | None = None
    layers: str | None = None
    colours: str | None = None
    marks: dict[str, str | MarksTable] = {}


class PieceTable(msgspec.Struct, forbid_unknown_fields=True):
    """[[piece]]; `copies` is a number, or a minimum and a maximum."""

    name: str
    layers: str
    copies: int | tuple[int, int] = 1
    bores: LinesTable | None = None
    fixed_at: str | None = None
    colours: str | None = None
    marks: dict[str, str | MarksTable] = {}
    groups: list[tuple[int, int]] = []
    weight: int = 1


class KindTable(msgspec.Struct, forbid_unknown_fields=True):
    """[marks.NAME]: a kind of marks; `pairs` are two marks each, as in drawings."""

    rule: Rule
    pairs: list[str] = []


class SolutionTable(msgspec.Struct, forbid_unknown_fields=True):
    """[[solution]]: the pieces A, B, ... and a drawing of the target with these letters."""

    pieces: list[str]
    layers: str


class PiecesFile(msgspec.Struct, forbid_unknown_fields=True):
    """A file with pieces but without a target."""

    piece: list[PieceTable] = []


class TargetFile(msgspec.Struct, kw_only=True):
    """The parts of a file that define its targets; pieces are ignored."""

    target: TargetTable | Annotated[list[TargetTable], msgspec.Meta(min_length=1)]
    lattice: str = CUBES.name
    marks: dict[str, KindTable] = {}


class PuzzleFile(TargetFile, kw_only=True, forbid_unknown_fields=True):
    """A puzzle file."""

    name: str
    piece: list[PieceTable] = []
    solution: list[SolutionTable] = []
    title: str | None = None
    source: str = ""
    reflections: bool = False
    mirror_pieces: bool = False
    colour_pairs: list[tuple[int, int]] = []
    max_holes: Annotated[int, msgspec.Meta(ge=0)] | None = None


class TomlReader:
    """Reads one text, and knows the line of everything in it."""

    def __init__(self, text: bytes, where: str) -> None:
        self._where = where
        self._tables = parse_toml(text, where, PuzzleFileError)
        self._lines = TomlLines(text.decode("utf-8-sig"))
        self._lattice: Lattice = CUBES
        self._kinds: dict[str, MarkKind] = {kind.name: kind for kind in KNOWN}

    def puzzle(self, target: str | None) -> PackingPuzzle:
        """Return the puzzle with the target of this name, None for the first.

        Raises PuzzleFileError if the text is not a puzzle, or has no target of the name.
        """
        read = self._convert(PuzzleFile)
        self._read_settings(read)
        self._kinds[COLOURS.name] = replace(COLOURS, pairs=frozenset(read.colour_pairs))
        names, index, table = self._choose(read.target, target)
        title = read.title or read.name
        if index or table.title:
            title = f"{title}: {table.title or table.name}"
        try:
            puzzle = PackingPuzzle(
                read.name,
                title,
                self._target(table, index),
                tuple(self._pieces(read.piece)),
                reflections=read.reflections,
                mirror_pieces=read.mirror_pieces,
                source=read.source,
                kinds=tuple(self._kinds.values()),
                max_holes=read.max_holes,
                target_name=table.name,
                target_names=names,
            )
        except PuzzleError as error:
            raise PuzzleFileError(f"{self._where}: {error}") from error
        if not read.solution or index:  # they are solutions of the first target
            return puzzle
        saved = (self._solution(puzzle, *each) for each in enumerate(read.solution))
        return replace(puzzle, saved=tuple(saved))

    def pieces(self) -> tuple[Piece, ...]:
        """Return the pieces of a file without a target."""
        return tuple(self._pieces(self._convert(PiecesFile).piece))

    def target(self, name: str | None) -> Target:
        """Return a target of a file with or without pieces: that of a name, None for the first."""
        read = self._convert(TargetFile)
        self._read_settings(read)
        _, index, table = self._choose(read.target, name)
        return self._target(table, index)

    def _choose(
        self, given: TargetTable | list[TargetTable], wanted: str | None
    ) -> tuple[tuple[str, ...], int, TargetTable]:
        """Return the names of all targets, and number and table of the one that is wanted."""
        tables = given if isinstance(given, list) else [given]
        names = tuple(table.name for table in tables)
        for index, name in enumerate(names):
            if names.index(name) < index or (not name.strip() and len(names) > 1):
                sentence = "each of several targets needs a name of its own"
                raise self._error(sentence, "target", index, "name")
        if wanted is None:
            return names, 0, tables[0]
        if wanted not in names:
            known = ", ".join(filter(None, names))
            known = f"the targets are {known}" if known else "its target has no name"
            raise self._error(f"there is no target {wanted!r}; {known}", "target")
        index = names.index(wanted)
        return names, index, tables[index]

    def _read_settings(self, read: TargetFile) -> None:
        """Read the lattice and the kinds of marks, on which all else depends."""
        self._lattice = self._get_lattice(read.lattice)
        for name, table in read.marks.items():
            if name in self._kinds:
                raise self._error(
                    f"every puzzle knows {name}; leave their rule out, and give pairs of colours "
                    "as colour_pairs",
                    "marks",
                    name,
                )
            pairs = frozenset(self._pair(name, pair) for pair in table.pairs)
            try:
                self._kinds[name] = MarkKind(name, table.rule, pairs)
            except PuzzleError as error:
                raise self._error(str(error), "marks", name, "pairs") from error

    def _pair(self, kind: str, pair: str) -> tuple[int, int]:
        if len(pair) != 2 or any(each not in NO_SIGN + SIGNS for each in pair):
            raise self._error(
                f"{pair!r} is no pair of marks; a pair is two characters of the drawings, such as "
                f'"ts" for t with s',
                "marks",
                kind,
                "pairs",
            )
        return SIGNS.find(pair[0]) + 1, SIGNS.find(pair[1]) + 1

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

    def _target(self, table: TargetTable, index: int) -> Target:
        if (table.box is None) == (table.layers is None):
            raise self._error("give the target either a box or layers", "target", index)
        try:
            if table.box is not None:
                whole = self._box(table.box, index)
            else:
                drawn = REQUIRED + OPTIONAL + OUTSIDE
                places = self._drawing(table.layers or "", drawn, "target", index)
                cells = {
                    each: frozenset(cell for cell, sign in places.items() if sign == each)
                    for each in (REQUIRED, OPTIONAL)
                }
                whole = Target(cells[REQUIRED], cells[OPTIONAL], self._lattice)
            given = {COLOURS.name: table.colours}
            return replace(whole, marks=self._marks(given, table, whole.cells, "target", index))
        except PuzzleError as error:
            raise self._error(str(error), "target", index) from error

    def _box(self, size: list[int], index: int) -> Target:
        if self._lattice != CUBES:
            sentence = "a box is made of cubes; draw the target's layers"
            raise self._error(sentence, "target", index, "box")
        return Target.box(*size)

    def _marks(
        self,
        known: Mapping[str, str | LinesTable | None],
        table: TargetTable | PieceTable,
        cells: frozenset[Cell],
        *place: Any,
    ) -> Marks:
        """Return the marks of a piece or a target in the coordinates of its drawing.

        `known` are those of kinds that every puzzle knows; `place` is the table and its number.
        """
        given: dict[tuple[str, str], str | LinesTable] = {
            (kind, kind): each for kind, each in known.items() if each is not None
        }
        for kind, each in table.marks.items():
            key = f"marks.{kind}"
            if kind in known:
                raise self._error(f"write {kind} instead of {key}", *place, key)
            if kind not in self._kinds:
                sentence = f"marks {kind} have no rule; give them one in [{key}]"
                raise self._error(sentence, *place, key)
            given[kind, key] = each
        found: set[Mark] = set()
        for (kind, key), drawn in given.items():
            found |= self._marks_of(self._kinds[kind], drawn, cells, (*place, key))
        return frozenset(found)

    def _marks_of(
        self,
        kind: MarkKind,
        given: str | LinesTable,
        cells: frozenset[Cell],
        place: tuple[str, int, str],
    ) -> Marks:
        """Return the marks of one kind; `place` is table, its number and key."""
        drawings, lines = {}, set()
        if isinstance(given, str):
            drawings[ON_CELL] = (given, place)
        else:
            for axis, letter in enumerate(AXES):
                lines |= {(axis, *uv) for uv in getattr(given, letter)}
            for face, way in FACE_NAMES.items():
                if (drawing := getattr(given, face, None)) is not None:
                    drawings[way] = (drawing, (*place[:2], f"{place[2]}.{face}"))
        is_line = kind.rule is Rule.THROUGH
        drawn = () if is_line else kind.rule.ways
        if (lines and not is_line) or not drawings.keys() <= set(drawn):
            raise self._error(f"{kind.name} are {WRITTEN[kind.rule]}", *place)
        if is_line:
            try:
                return along_lines(lines, cells, kind.name)
            except PuzzleError as error:
                raise self._error(str(error), *place) from error
        return frozenset(
            Mark(kind.name, cell, way, value)
            for way, (drawing, where) in drawings.items()
            for cell, value in self._signs(drawing, cells, where)
        )

    def _signs(
        self, drawing: str, cells: frozenset[Cell], place: tuple[str, int, str]
    ) -> Iterator[tuple[Cell, int]]:
        for cell, mark in self._drawing(drawing, SIGNS + NO_SIGN, *place).items():
            if mark == NO_SIGN:
                continue
            if cell not in cells:
                x, y, z = self._lattice.place_of(cell)
                line = self._lines.row(*place, y)
                raise PuzzleFileError(
                    f"{self._where}, line {line}: {place[2]} has {mark!r} at column {x + 1} of "
                    f"layer {z + 1}, where the {place[0]} has no {self._lattice.cell}; write "
                    f"'{NO_SIGN}' there."
                )
            yield cell, SIGNS.index(mark) + 1

    def _piece(self, table: PieceTable, index: int) -> Piece:
        cells = self._cells(table.layers, index, "layers")
        least, most = (
            (table.copies, table.copies) if isinstance(table.copies, int) else table.copies
        )
        fixed = None if table.fixed_at is None else self._cells(table.fixed_at, index, "fixed_at")
        given = {BORES.name: table.bores, COLOURS.name: table.colours}
        marks = self._marks(given, table, cells, "piece", index)
        x, y, z = self._lattice.low(cells)
        try:
            return Piece(
                table.name,
                Shape(cells, self._lattice),
                least,
                most,
                fixed,
                shifted(marks, (-x, -y, -z)),
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
        return f"{self._where}, line {self._lines.of(table, index, '.'.join(keys))}"


def load(path: Path, target: str | None = None) -> PackingPuzzle:
    """Read a puzzle file, with the target of a name or the first.

    Raises PuzzleFileError with file and line if it is malformed, or has no target of the name.
    """
    return _reader(path).puzzle(target)


def load_target(path: Path, name: str | None = None) -> Target:
    """Read a target of a puzzle file, which need not have pieces."""
    return _reader(path).target(name)


def _reader(path: Path) -> TomlReader:
    text = read_bytes(path, PuzzleFileError, "The puzzle file", LARGEST_TOML_BYTES)
    return TomlReader(text, str(path))


def loads(text: str, where: str = "puzzle", target: str | None = None) -> PackingPuzzle:
    """Read a puzzle from text; `where` names its origin in error messages."""
    return TomlReader(_encode(text), where).puzzle(target)


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
    if pairs := puzzle.kind(COLOURS.name).pairs:
        document["colour_pairs"] = [list(pair) for pair in sorted(pairs)]
    if puzzle.max_holes is not None:
        document["max_holes"] = puzzle.max_holes
    for flag in ("reflections", "mirror_pieces"):
        if getattr(puzzle, flag):
            document[flag] = True
    if kinds := [kind for kind in puzzle.kinds if kind.name not in (BORES.name, COLOURS.name)]:
        document["marks"] = {kind.name: _kind(kind) for kind in kinds}
    document["target"] = _target(puzzle)
    pieces = tomlkit.aot()
    for piece in puzzle.pieces:
        pieces.append(_piece(piece, puzzle))
    document["piece"] = pieces
    if puzzle.saved:
        solutions = tomlkit.aot()
        for solution in puzzle.saved:
            solutions.append(_solution(solution, puzzle.target))
        document["solution"] = solutions
    return tomlkit.dumps(document)


def _kind(kind: MarkKind) -> dict[str, Any]:
    pairs = [f"{sign(one)}{sign(other)}" for one, other in sorted(kind.pairs)]
    return {"rule": kind.rule.value} | ({"pairs": pairs} if pairs else {})


def _target(puzzle: PackingPuzzle) -> "Table":
    import tomlkit

    table, target = tomlkit.table(), puzzle.target
    if puzzle.target_name:
        table["name"] = toml_text(puzzle.target_name)
    places = dict.fromkeys(target.required, REQUIRED) | dict.fromkeys(target.optional, OPTIONAL)
    table["layers"] = _drawing(draw(target.cells, places, target.lattice))
    marks = _marks(target.marks, target.cells, puzzle)
    if COLOURS.name in marks:
        table[COLOURS.name] = marks.pop(COLOURS.name)
    if marks:
        table["marks"] = marks
    return table


def _marks(marks: Marks, cells: frozenset[Cell], puzzle: PackingPuzzle) -> dict[str, Any]:
    """Return marks by their kinds, as a file has them."""
    import tomlkit

    found: dict[str, Any] = {}
    for name in sorted({mark.kind for mark in marks}):
        rule = puzzle.kind(name).rule
        if rule is Rule.FIT:
            found[name] = _signs(cells, marks, name, ON_CELL, puzzle.lattice)
        elif rule is Rule.THROUGH:
            found[name] = tomlkit.inline_table()
            lines = sorted(lines_of(marks, name))
            for axis, letter in enumerate(AXES):
                if places := [[u, v] for a, u, v in lines if a == axis]:
                    found[name][letter] = places
        else:
            found[name] = {
                face: _signs(cells, marks, name, way, puzzle.lattice)
                for face, way in FACE_NAMES.items()
                if any(mark.kind == name and mark.way == way for mark in marks)
            }
    return found


def _signs(cells: frozenset[Cell], marks: Marks, kind: str, way: Cell, lattice: Lattice) -> Any:
    signs = dict.fromkeys(cells, NO_SIGN)
    signs |= {mark.cell: sign(mark.value) for mark in marks if (mark.kind, mark.way) == (kind, way)}
    return _drawing(draw(cells, signs, lattice))


def _piece(piece: Piece, puzzle: PackingPuzzle) -> "Table":
    import tomlkit

    table, target = tomlkit.table(), puzzle.target
    table["name"] = toml_text(piece.name)
    shape = piece.shape.cells
    marks = _marks(piece.marks, shape, puzzle)
    table["layers"] = _drawing(draw(shape, dict.fromkeys(shape, REQUIRED), target.lattice))
    if (piece.copies_min, piece.copies_max) != (1, 1):
        table["copies"] = [piece.copies_min, piece.copies_max]
    if COLOURS.name in marks:
        table[COLOURS.name] = marks.pop(COLOURS.name)
    if piece.weight != 1:
        table["weight"] = piece.weight
    if piece.groups:
        table["groups"] = [list(group) for group in piece.groups]
    if BORES.name in marks:
        table[BORES.name] = marks.pop(BORES.name)
    if piece.fixed_at is not None:
        places = {cell: REQUIRED if cell in piece.fixed_at else OUTSIDE for cell in target.cells}
        table["fixed_at"] = _drawing(draw(target.cells, places, target.lattice))
    if marks:
        table["marks"] = marks  # the last, since what follows would belong to them
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
