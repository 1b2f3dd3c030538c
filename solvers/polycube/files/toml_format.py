"""Puzzle files: TOML with drawings of the pieces. docs/packing.md describes the format."""

import json
from collections.abc import Iterator
from pathlib import Path

from solvers.polycube.drawing import draw
from solvers.polycube.errors import PuzzleFileError
from solvers.polycube.files.toml_reader import AXES, OPTIONAL, OUTSIDE, REQUIRED, TomlReader
from solvers.polycube.puzzle import PackingPuzzle, Piece, Target

# A puzzle file is a page of text; more than this is not one.
MAX_FILE_BYTES = 1_000_000


def load(path: Path) -> PackingPuzzle:
    """Read a puzzle file; raise PuzzleFileError with file and line if it is not one."""
    return loads(read_text(path), str(path))


def load_pieces(path: Path) -> tuple[Piece, ...]:
    """Read a file that has pieces but no target."""
    text = read_text(path)
    return tuple(TomlReader(text, str(path)).pieces())


def loads(text: str, where: str = "puzzle") -> PackingPuzzle:
    """Read a puzzle from text; `where` names its origin in error messages."""
    return TomlReader(text, where).puzzle()


def loads_pieces(text: str, where: str = "pieces") -> tuple[Piece, ...]:
    """Read a text that has pieces but no target."""
    return tuple(TomlReader(text, where).pieces())


def read_text(path: Path) -> str:
    """Return the text of a puzzle file of sensible size."""
    try:
        with path.open("rb") as file:
            data = file.read(MAX_FILE_BYTES + 1)
    except OSError as error:
        raise PuzzleFileError(f"Cannot read {path}: {error.strerror}.") from error
    if len(data) > MAX_FILE_BYTES:
        raise PuzzleFileError(f"{path} has more than {MAX_FILE_BYTES} bytes; no puzzle file has.")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise PuzzleFileError(f"{path}, line {line}: this is not UTF-8 text.") from error


def dumps(puzzle: PackingPuzzle) -> str:
    """Return the puzzle as the text of a puzzle file, moved so that its target starts at 0."""
    return "\n".join(_puzzle_lines(puzzle)) + "\n"


def dump(puzzle: PackingPuzzle, path: Path) -> None:
    """Write a puzzle file."""
    path.write_text(dumps(puzzle), encoding="utf-8")


def _puzzle_lines(puzzle: PackingPuzzle) -> Iterator[str]:
    yield f"name = {_quoted(puzzle.name)}"
    yield f"title = {_quoted(puzzle.title)}"
    if puzzle.source:
        yield f"source = {_quoted(puzzle.source)}"
    for flag in ("reflections", "mirror_pieces"):
        if getattr(puzzle, flag):
            yield f"{flag} = true"
    target = puzzle.target
    marks = dict.fromkeys(target.required, REQUIRED) | dict.fromkeys(target.optional, OPTIONAL)
    yield "\n[target]"
    yield from _drawing_lines("layers", draw(target.cells, marks))
    for piece in puzzle.pieces:
        yield "\n[[piece]]"
        yield from _piece_lines(piece, target)


def _piece_lines(piece: Piece, target: Target) -> Iterator[str]:
    yield f"name = {_quoted(piece.name)}"
    shape = piece.shape.cells
    yield from _drawing_lines("layers", draw(shape, dict.fromkeys(shape, REQUIRED)))
    if (piece.copies_min, piece.copies_max) != (1, 1):
        yield f"copies = [{piece.copies_min}, {piece.copies_max}]"
    if piece.bores:
        lines = {
            axis: [[u, v] for a, u, v in sorted(piece.bores) if AXES[a] == axis] for axis in AXES
        }
        inner = ", ".join(f"{axis} = {places}" for axis, places in lines.items() if places)
        yield f"bores = {{ {inner} }}"
    if piece.fixed_at is not None:
        fixed = piece.fixed_at
        marks = {cell: REQUIRED if cell in fixed else OUTSIDE for cell in target.cells}
        yield from _drawing_lines("fixed_at", draw(target.cells, marks))


def _drawing_lines(key: str, drawing: str) -> Iterator[str]:
    yield f"{key} = '''"
    yield from drawing.splitlines()
    yield "'''"


def _quoted(text: str) -> str:
    """Return a TOML basic string; JSON's escapes are a subset of TOML's."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
