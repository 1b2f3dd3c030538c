"""Puzzle files: TOML with drawings of the pieces. docs/packing.md describes the format."""

from pathlib import Path
from typing import Any, Final

import tomlkit
from tomlkit.items import String, StringType, Table, Trivia

from solvers.foundation.toml_text import toml_text
from solvers.foundation.typed_files import read_bytes
from solvers.polycube.drawing import draw
from solvers.polycube.errors import PuzzleFileError
from solvers.polycube.files.toml_reader import (
    AXES,
    COLOURS,
    NEUTRAL,
    OPTIONAL,
    OUTSIDE,
    REQUIRED,
    TomlReader,
)
from solvers.polycube.lattice.cubes import CUBES
from solvers.polycube.lattice.lattice import Cell, Lattice
from solvers.polycube.puzzle import Colours, PackingPuzzle, Piece, Target

# A puzzle file is a page of text; more than this is not one.
MAX_FILE_BYTES: Final = 1 << 20


def load(path: Path) -> PackingPuzzle:
    """Read a puzzle file; raise PuzzleFileError with file and line if it is not one."""
    return _reader(path).puzzle()


def load_target(path: Path) -> Target:
    """Read the target of a puzzle file, which may be without pieces; raise PuzzleFileError."""
    return _reader(path).target()


def _reader(path: Path) -> TomlReader:
    text = read_bytes(path, PuzzleFileError, "The puzzle file", MAX_FILE_BYTES)
    return TomlReader(text, str(path))


def loads(text: str, where: str = "puzzle") -> PackingPuzzle:
    """Read a puzzle from text; `where` names its origin in error messages."""
    return TomlReader(_encoded(text), where).puzzle()


def loads_pieces(text: str, where: str = "pieces") -> tuple[Piece, ...]:
    """Read a text that has pieces but no target."""
    return TomlReader(_encoded(text), where).pieces()


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", errors="surrogatepass")


def dumps(puzzle: PackingPuzzle) -> str:
    """Return the puzzle as the text of a puzzle file, moved so that its target starts at 0."""
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
    return tomlkit.dumps(document)


def _target(target: Target) -> Table:
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


def _piece(piece: Piece, target: Target) -> Table:
    table = tomlkit.table()
    table["name"] = toml_text(piece.name)
    shape = piece.shape.cells
    table["layers"] = _drawing(draw(shape, dict.fromkeys(shape, REQUIRED), target.lattice))
    if (piece.copies_min, piece.copies_max) != (1, 1):
        table["copies"] = [piece.copies_min, piece.copies_max]
    if piece.colours:
        table["colours"] = _colours(shape, piece.colours, target.lattice)
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


def _drawing(text: str) -> Any:
    """Return a drawing as a text of several lines, the first below the quotes."""
    # tomlkit.string writes a blank line for the one below the quotes, which TOML leaves out.
    return String(StringType.MLL, f"{text}\n", f"\n{text}\n", Trivia())
