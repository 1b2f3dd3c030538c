"""Reads the text of a puzzle file, and says on which line it is wrong."""

import tomllib
from collections.abc import Iterator, Mapping
from typing import Any

from solvers.polycube.drawing import DrawingError, parse_drawing
from solvers.polycube.errors import PuzzleError, PuzzleFileError
from solvers.polycube.files.toml_lines import TomlLines
from solvers.polycube.puzzle import Bore, PackingPuzzle, Piece, Target
from solvers.polycube.rotation import Cell
from solvers.polycube.shape import Shape

AXES = "xyz"
REQUIRED, OPTIONAL, OUTSIDE = "#", "+", "."

PUZZLE_KEYS = {"name", "title", "source", "reflections", "mirror_pieces", "target", "piece"}
TARGET_KEYS = {"box", "layers"}
PIECE_KEYS = {"name", "layers", "copies", "bores", "fixed_at"}


class TomlReader:
    """Reads one text; knows on which line everything stands."""

    def __init__(self, text: str, where: str) -> None:
        self._where = where
        self._lines = TomlLines(text)
        try:
            self._data = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            raise PuzzleFileError(f"{where}: {error}.") from error
        except RecursionError as error:
            raise PuzzleFileError(f"{where}: brackets are nested too deeply.") from error

    def puzzle(self) -> PackingPuzzle:
        data = self._data
        self._check_keys(data, PUZZLE_KEYS, "", 0)
        name = self._typed(data, "name", str, "a text", "", 0)
        title = self._typed(data, "title", str, "a text", "", 0, default=name)
        flags = {
            flag: self._typed(data, flag, bool, "true or false", "", 0, default=False)
            for flag in ("reflections", "mirror_pieces")
        }
        source = self._typed(data, "source", str, "a text", "", 0, default="")
        table = self._typed(data, "target", dict, "a table [target]", "", 0)
        self._check_keys(table, TARGET_KEYS, "target", 0)
        target = self._target(table)
        pieces = tuple(self.pieces())
        try:
            return PackingPuzzle(name, title, target, pieces, source=source, **flags)
        except PuzzleError as error:
            raise PuzzleFileError(f"{self._where}: {error}") from error

    def pieces(self) -> Iterator[Piece]:
        tables = self._data.get("piece", [])
        if not isinstance(tables, list) or not all(isinstance(t, dict) for t in tables):
            raise self._error("pieces are written as tables [[piece]]", "", 0, "piece")
        if not tables:
            raise PuzzleFileError(f"{self._where}: there is no [[piece]] in it.")
        for index, table in enumerate(tables):
            yield self._piece(table, index)

    def _target(self, table: Mapping[str, Any]) -> Target:
        if ("box" in table) == ("layers" in table):
            raise self._error("give the target either a box or layers", "target", 0, "")
        try:
            if "box" in table:
                return self._box(table["box"])
            marks = self._drawing(table, "layers", "target", 0, REQUIRED + OPTIONAL + OUTSIDE)
            cells = {
                mark: frozenset(cell for cell, m in marks.items() if m == mark)
                for mark in (REQUIRED, OPTIONAL)
            }
            return Target(cells[REQUIRED], cells[OPTIONAL])
        except DrawingError:
            raise
        except PuzzleError as error:
            raise self._error(str(error), "target", 0, "") from error

    def _box(self, size: object) -> Target:
        if not _is_list_of_int(size, 2) and not _is_list_of_int(size, 3):
            message = "a box is written as [width, depth] or [width, depth, height]"
            raise self._error(message, "target", 0, "box")
        assert isinstance(size, list)
        return Target.box(*size)

    def _piece(self, table: Mapping[str, Any], index: int) -> Piece:
        self._check_keys(table, PIECE_KEYS, "piece", index)
        name = self._typed(table, "name", str, "a text", "piece", index)
        cells = self._cells(table, "layers", index)
        least, most = self._copies(table, index)
        fixed = self._cells(table, "fixed_at", index) if "fixed_at" in table else None
        try:
            bores = self._bores(table, index, cells)
            return Piece(name, Shape(cells), least, most, bores, fixed)
        except PuzzleFileError:
            raise
        except PuzzleError as error:
            raise self._error(str(error), "piece", index, "") from error

    def _cells(self, table: Mapping[str, Any], key: str, index: int) -> frozenset[Cell]:
        marks = self._drawing(table, key, "piece", index, REQUIRED + OUTSIDE)
        cells = frozenset(cell for cell, mark in marks.items() if mark == REQUIRED)
        if not cells:
            raise self._error(f"the drawing shows no '{REQUIRED}'", "piece", index, key)
        return cells

    def _copies(self, table: Mapping[str, Any], index: int) -> tuple[int, int]:
        copies = table.get("copies", 1)
        if type(copies) is int:
            return copies, copies
        if _is_list_of_int(copies, 2):
            return copies[0], copies[1]
        raise self._error("copies is a number or [least, greatest]", "piece", index, "copies")

    def _bores(
        self, table: Mapping[str, Any], index: int, cells: frozenset[Cell]
    ) -> frozenset[Bore]:
        bores = self._typed(table, "bores", dict, "a table", "piece", index, default={})
        low = [min(cell[axis] for cell in cells) for axis in range(3)]
        found = set()
        for letter, places in bores.items():
            if letter not in ("x", "y", "z") or not isinstance(places, list):
                message = "bores are written as { x = [[y, z], ...], y = [[x, z], ...] }"
                raise self._error(message, "piece", index, "bores")
            axis = AXES.index(letter)
            low_u, low_v = (low[i] for i in range(3) if i != axis)
            for place in places:
                if not _is_list_of_int(place, 2):
                    message = f"a bore along {letter} is written as its two other coordinates"
                    raise self._error(message, "piece", index, "bores")
                found.add((axis, place[0] - low_u, place[1] - low_v))
        return frozenset(found)

    def _drawing(
        self, table: Mapping[str, Any], key: str, name: str, index: int, marks: str
    ) -> dict[Cell, str]:
        text = self._typed(table, key, str, "a drawing in text", name, index)
        try:
            return parse_drawing(text, marks)
        except DrawingError as error:
            line = self._lines.row(name, index, key, error.row)
            raise PuzzleFileError(f"{self._where}, line {line}: {error}") from error

    def _check_keys(self, table: Mapping[str, Any], known: set[str], name: str, index: int) -> None:
        for key in table:
            if key not in known:
                expected = ", ".join(sorted(known))
                message = f"unknown key {key!r}; known are {expected}"
                raise self._error(message, name, index, key)

    def _typed(
        self,
        table: Mapping[str, Any],
        key: str,
        kind: type,
        meaning: str,
        name: str,
        index: int,
        default: Any = None,
    ) -> Any:
        if key not in table:
            if default is not None:
                return default
            raise self._error(f"the key {key!r} is missing; it is {meaning}", name, index, "")
        if not isinstance(table[key], kind):
            raise self._error(f"{key} must be {meaning}", name, index, key)
        return table[key]

    def _error(self, message: str, name: str, index: int, key: str) -> PuzzleFileError:
        line = self._lines.of(name, index, key)
        return PuzzleFileError(f"{self._where}, line {line}: {message.removesuffix('.')}.")


def _is_list_of_int(value: object, length: int) -> bool:
    return isinstance(value, list) and len(value) == length and all(type(n) is int for n in value)
