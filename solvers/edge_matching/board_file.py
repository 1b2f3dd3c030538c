"""Topology files: a board drawn with letters, in TOML.

    title = "nine triangles in a big triangle"
    tiles = "triangles"           # or "squares"
    rows = ["  A", " AVA", "AVAVA"]
    match = "opposite halves"     # or "same label"; the default is opposite halves
    rim = 1                       # optional: the label every outer side must carry

`A` is a triangle that stands on its side, `V` one that stands on its point, `#` a square and a
blank no tile. The triangles of a row overlap by half a side, so A and V alternate like the
squares of a chess board.
"""

from importlib import resources
from pathlib import Path
from typing import Final, Literal

import msgspec

from solvers.edge_matching.board import Board, Cell, CellKind
from solvers.edge_matching.errors import BoardFileError
from solvers.foundation.typed_files import convert, parse_toml, read_bytes

KINDS: dict[str, dict[str, CellKind]] = {
    "triangles": {"A": "up", "V": "down"},
    "squares": {"#": "square"},
}
MATCH_RULES = {"opposite halves": False, "same label": True}
MAX_CELLS = 400
MAX_FILE_BYTES: Final = 1 << 20


class BoardFile(msgspec.Struct, forbid_unknown_fields=True):
    """A topology file."""

    tiles: Literal["triangles", "squares"]
    rows: list[str]
    title: str | None = None
    match: Literal["opposite halves", "same label"] = "opposite halves"
    rim: int | None = None


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
    if read.rim == 0:
        raise BoardFileError(f"{source}: rim must be a label, a whole number other than 0.")
    name = Path(source).stem
    board = Board(
        name=name,
        title=name if read.title is None else read.title,
        cells=_cells(read.rows, KINDS[read.tiles], source),
        same_labels=MATCH_RULES[read.match],
        rim=read.rim,
    )
    if not board.is_connected():
        raise BoardFileError(f"{source}: the board falls into parts that do not touch.")
    return board


def _cells(rows: list[str], kinds: dict[str, CellKind], source: str) -> tuple[Cell, ...]:
    cells = [
        Cell(_kind(letter, kinds, f"{source}: row {row + 1}, column {column + 1}"), row, column)
        for row, line in enumerate(rows)
        for column, letter in enumerate(line)
        if letter != " "
    ]
    if not 1 <= len(cells) <= MAX_CELLS:
        raise BoardFileError(f"{source} draws {len(cells)} cells; 1 to {MAX_CELLS} are possible.")
    for cell in cells:
        # Overlapping half triangles fit together only where A and V alternate.
        standing = (cell.row + cell.column) % 2 == (cells[0].row + cells[0].column) % 2
        if cell.kind != "square" and standing != (cell.kind == cells[0].kind):
            raise BoardFileError(
                f"{source}: row {cell.row + 1}, column {cell.column + 1} must hold the other kind "
                "of triangle: A and V alternate like the squares of a chess board."
            )
    return tuple(cells)


def _kind(letter: str, kinds: dict[str, CellKind], where: str) -> CellKind:
    if letter not in kinds:
        wanted = " or ".join(kinds)
        raise BoardFileError(f"{where} holds {letter!r}; expected {wanted} or a blank.")
    return kinds[letter]
