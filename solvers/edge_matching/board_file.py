"""Topology files: a board drawn with letters, in TOML.

    title = "nine triangles in a big triangle"
    tiles = "triangles"           # or "squares" or "hexagons"
    rows = ["  A", " AVA", "AVAVA"]
    match = "opposite halves"     # or "same label"; the default is opposite halves
    rim = 1                       # optional: the label every outer side must carry
    rim_only_outside = true       # optional: and no side between two tiles

    [[hint]]                      # optional: tile 4 lies in the fifth column of the third row
    tile = 4
    row = 3
    column = 5
    labels = [1, -2, 1]           # optional: and shows these

`A` is a triangle that stands on its side, `V` one that stands on its point, `#` a square, `H` a
hexagon and a blank no tile. The triangles of a row overlap by half a side, so A and V alternate
like the squares of a chess board; hexagons, two columns wide, stand on squares of one colour.
"""

from collections.abc import Iterable
from dataclasses import replace
from importlib import resources
from pathlib import Path
from typing import Annotated, Final, Literal

import msgspec

from solvers.edge_matching.board import Board, Cell, Hint
from solvers.edge_matching.errors import BoardFileError
from solvers.edge_matching.lattice.lattice import CellKind, Lattice
from solvers.edge_matching.lattice.registry import LATTICES
from solvers.foundation.typed_files import convert, parse_toml, read_bytes

MATCH_RULES = {"opposite halves": False, "same label": True}
MAX_CELLS = 400
MAX_FILE_BYTES: Final = 1 << 20


Counted = Annotated[int, msgspec.Meta(ge=1)]


class HintEntry(msgspec.Struct, forbid_unknown_fields=True):
    """A tile that lies in a certain place; all count from 1."""

    tile: Counted
    row: Counted
    column: Counted
    labels: list[int] | None = None


class BoardFile(msgspec.Struct, forbid_unknown_fields=True):
    """A topology file."""

    tiles: str
    rows: list[str]
    title: str | None = None
    match: Literal["opposite halves", "same label"] = "opposite halves"
    rim: int | None = None
    rim_only_outside: bool = False
    hint: list[HintEntry] = []


def shipped_board_names() -> list[str]:
    """Return the names of the boards that come with the program, sorted."""
    data = resources.files("solvers.edge_matching") / "data"
    return sorted(entry.name[:-5] for entry in data.iterdir() if entry.name.endswith(".toml"))


def load_board(name_or_path: str) -> Board:
    """Return a shipped board by its name, or the board of a topology file.

    Raises:
        BoardFileError: there is no such board, or the file describes none.
    """
    if name_or_path in shipped_board_names():
        file = resources.files("solvers.edge_matching") / "data" / f"{name_or_path}.toml"
        return parse_board(file.read_text(encoding="utf-8"), name_or_path)
    path = Path(name_or_path)
    if not path.is_file():
        raise BoardFileError(
            f"There is no board called {name_or_path!r} and no file of that name. "
            f"Known boards: {', '.join(shipped_board_names())}."
        )
    data = read_bytes(path, BoardFileError, "The board", MAX_FILE_BYTES)
    return _board(data, str(path))


def board_for(tile_count: int, sides: int) -> Board:
    """Return the shipped board with this many places for tiles of this many sides.

    Raises:
        BoardFileError: none has.
    """
    boards = [load_board(name) for name in shipped_board_names()]
    for board in boards:
        if len(board.cells) == tile_count and board.sides_per_tile == sides:
            return board
    raise BoardFileError(
        f"No known board has room for exactly {tile_count} tiles of {sides} sides. "
        f"Known boards: {', '.join(f'{b.name} ({len(b.cells)} tiles)' for b in boards)}. "
        "Name a topology file with --board."
    )


def parse_board(text: str, source: str) -> Board:
    """Return the board a topology text describes; `source` names it in messages.

    Raises:
        BoardFileError: the text is no TOML, a key is missing, or the drawing is no board.
    """
    return _board(text.encode("utf-8", errors="surrogatepass"), source)


def _board(data: bytes, source: str) -> Board:
    read = convert(parse_toml(data, source, BoardFileError), BoardFile, source, BoardFileError)
    if read.rim_only_outside and read.rim is None:
        raise BoardFileError(f"{source}: rim_only_outside needs a rim, the label that is meant.")
    lattice = _lattice(read.tiles, source)
    name = Path(source).stem
    board = Board(
        name=name,
        title=name if read.title is None else read.title,
        lattice=lattice,
        cells=_cells(read.rows, lattice, source),
        same_labels=MATCH_RULES[read.match],
        rim=read.rim,
        rim_only_outside=read.rim_only_outside,
    )
    board = with_hints(board, read.hint, source)
    if not board.is_connected():
        raise BoardFileError(f"{source}: the board falls into parts that do not touch.")
    return board


def _lattice(name: str, source: str) -> Lattice:
    if name not in LATTICES:
        raise BoardFileError(f"{source}: tiles must be one of {', '.join(LATTICES)}, not {name!r}.")
    return LATTICES[name]


def _cells(rows: list[str], lattice: Lattice, source: str) -> tuple[Cell, ...]:
    cells = [
        Cell(_kind(letter, lattice, f"{source}: row {row + 1}, column {column + 1}"), row, column)
        for row, line in enumerate(rows)
        for column, letter in enumerate(line)
        if letter != " "
    ]
    if not 1 <= len(cells) <= MAX_CELLS:
        raise BoardFileError(f"{source} draws {len(cells)} cells; 1 to {MAX_CELLS} are possible.")
    first = cells[0]
    for cell in cells:
        of_one_colour = (cell.row + cell.column - first.row - first.column) % 2 == 0
        if lattice.alternation and of_one_colour != (cell.kind == first.kind):
            raise BoardFileError(
                f"{source}: row {cell.row + 1}, column {cell.column + 1} {lattice.alternation}"
            )
    return tuple(cells)


def with_hints(board: Board, entries: Iterable[HintEntry], source: str) -> Board:
    """Return the board with further hints.

    Raises:
        BoardFileError: a hint names no cell, or a cell or tile a second time.
    """
    cells = {(cell.row + 1, cell.column + 1): at for at, cell in enumerate(board.cells)}
    hints = list(board.hints)
    for entry in entries:
        where = f"{source}: the hint for tile {entry.tile}, row {entry.row}, column {entry.column}"
        cell = cells.get((entry.row, entry.column))
        if cell is None:
            raise BoardFileError(f"{where} names a place that the board does not have.")
        if any(hint.cell == cell or hint.tile == entry.tile for hint in hints):
            raise BoardFileError(f"{where} names a tile or a place that has a hint already.")
        hints.append(Hint(entry.tile, cell, None if entry.labels is None else tuple(entry.labels)))
    return replace(board, hints=tuple(hints))


def _kind(letter: str, lattice: Lattice, where: str) -> CellKind:
    for kind in lattice.kinds:
        if kind.letter == letter:
            return kind
    wanted = " or ".join(kind.letter for kind in lattice.kinds)
    raise BoardFileError(f"{where} holds {letter!r}; expected {wanted} or a blank.")
