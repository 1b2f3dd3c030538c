"""Topology files: a board drawn with letters, in TOML.

    title = "nine triangles in a big triangle"
    tiles = "triangles"           # or "squares", "hexagons", "cubes"
    rows = ["  A", " AVA", "AVAVA"]
    match = "opposite halves"     # or "same label", "nothing"; the default is opposite halves
    rim = 1                       # optional: the label every outer side must carry
    rim_only_outside = true       # optional: and no side between two tiles
    spare_tiles = true            # optional: there may be more tiles than places

    [[hint]]                      # optional: tile 4 is in the fifth column of the third row
    tile = 4
    row = 3
    column = 5
    labels = [1, -2, 1]           # optional: and shows these

`A` is a triangle with its point up, `V` one with its point down, `#` a square or cube, `H` a
hexagon and a blank no tile. The triangles of a row overlap by half a side, so A and V alternate
like the squares of a chess board; hexagons, two columns wide, are on squares of one
colour. Cubes may be drawn in `layers`, lists of rows from the bottom up, instead of `rows`.

`rim` may also be a list, a label for each side of a cell, or "all different": sides on the outside
that face the same way carry different labels. With "nothing" to match, the tiles form a straight
row whose order is irrelevant: each is in the place of its number.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from importlib import resources
from pathlib import Path
from typing import Annotated, Final, Literal

import msgspec

from solvers.edge_matching.board import Board, Cell, Hint
from solvers.edge_matching.errors import BoardFileError
from solvers.edge_matching.lattice import LATTICES
from solvers.edge_matching.lattice.lattice import CellKind, Labels, Lattice
from solvers.foundation.files import read_bytes
from solvers.foundation.typed_files import LARGEST_TOML_BYTES, convert, parse_toml
from solvers.foundation.wording import did_you_mean

MAX_CELLS: Final = 400


def parse_cells(layers: Sequence[Sequence[str]], lattice: Lattice, source: str) -> tuple[Cell, ...]:
    """Return the cells, layer by layer and row by row; `source` names the drawing in messages.

    Raises:
        BoardFileError: a letter is unknown or misplaced, or there are no cells.
    """
    cells = [
        Cell(
            _kind(
                letter, lattice, f"{source}: {place_name(lattice, layer + 1, row + 1, column + 1)}"
            ),
            row,
            column,
            layer,
        )
        for layer, rows in enumerate(layers)
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
            place = place_name(lattice, cell.layer + 1, cell.row + 1, cell.column + 1)
            raise BoardFileError(f"{source}: {place} {lattice.alternation}")
    return tuple(cells)


def place_name(lattice: Lattice, layer: int, row: int, column: int) -> str:
    """Return a place in words; all count from 1."""
    in_layer = f"layer {layer}, " if lattice.dimensions == 3 else ""
    return f"{in_layer}row {row}, column {column}"


def in_straight_row(cells: Sequence[Cell]) -> bool:
    """Return whether cells of one kind differ in row, column or layer alone."""
    places = [{getattr(cell, axis) for cell in cells} for axis in ("row", "column", "layer")]
    return len({cell.kind for cell in cells}) == 1 and sum(len(each) > 1 for each in places) <= 1


def _kind(letter: str, lattice: Lattice, where: str) -> CellKind:
    for kind in lattice.kinds:
        if kind.letter == letter:
            return kind
    wanted = " or ".join(kind.letter for kind in lattice.kinds)
    raise BoardFileError(f"{where} holds {letter!r}; expected {wanted} or a blank.")


ALL_DIFFERENT: Final = "all different"

Counted = Annotated[int, msgspec.Meta(ge=1)]


class HintEntry(msgspec.Struct, forbid_unknown_fields=True):
    """A tile that is fixed in a place; all numbers count from 1."""

    tile: Counted
    row: Counted
    column: Counted
    layer: Counted = 1
    labels: list[int] | None = None


class BoardFile(msgspec.Struct, forbid_unknown_fields=True):
    """A topology file."""

    tiles: str
    rows: list[str] = []
    layers: list[list[str]] = []
    title: str | None = None
    match: Literal["opposite halves", "same label", "nothing"] = "opposite halves"
    rim: int | list[int] | str | None = None
    rim_only_outside: bool = False
    spare_tiles: bool = False
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
        guess = did_you_mean(name_or_path, shipped_board_names())
        raise BoardFileError(
            f"There is no board called {name_or_path!r} and no file of that name.{guess} "
            f"Known boards: {', '.join(shipped_board_names())}."
        )
    data = read_bytes(path, BoardFileError, "The board", LARGEST_TOML_BYTES)
    return _board(data, str(path))


def find_board(tile_count: int, sides: int) -> Board:
    """Return the shipped board with `tile_count` places for tiles with `sides` sides.

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
    lattice = _lattice(read.tiles, source)
    _check_rim(read, lattice, source)
    name = Path(source).stem
    board = Board(
        name=name,
        title=name if read.title is None else read.title,
        lattice=lattice,
        cells=parse_cells(_layers(read, lattice, source), lattice, source),
        same_labels=read.match == "same label",
        rim=_rim_labels(read.rim),
        rim_only_outside=read.rim_only_outside,
        rim_differs=read.rim == ALL_DIFFERENT,
        any_order=read.match == "nothing",
        spare_tiles=read.spare_tiles,
    )
    if board.any_order and (board.spare_tiles or not in_straight_row(board.cells)):
        raise BoardFileError(
            f'{source}: match = "nothing" is for tiles in one straight row, none of them spare: '
            "its order is irrelevant, so each is in the place of its number."
        )
    board = with_hints(board, read.hint, source)
    if not board.is_connected():
        raise BoardFileError(f"{source}: the board falls into parts that do not touch.")
    return board


def _lattice(name: str, source: str) -> Lattice:
    if name not in LATTICES:
        raise BoardFileError(f"{source}: tiles must be one of {', '.join(LATTICES)}, not {name!r}.")
    return LATTICES[name]


def _check_rim(read: BoardFile, lattice: Lattice, source: str) -> None:
    if read.rim_only_outside and read.rim in (None, ALL_DIFFERENT):
        raise BoardFileError(f"{source}: rim_only_outside needs a rim, the label that is meant.")
    if isinstance(read.rim, str) and read.rim != ALL_DIFFERENT:
        raise BoardFileError(
            f'{source}: rim must be a label, labels or "{ALL_DIFFERENT}", not {read.rim!r}.'
        )
    sides = len(lattice.sides)
    if isinstance(read.rim, list) and (len(read.rim) != sides or len(lattice.kinds) > 1):
        raise BoardFileError(
            f"{source}: rim must be one label"
            + (f", or {sides} for the sides of each cell." if len(lattice.kinds) == 1 else ".")
        )


def _rim_labels(rim: int | list[int] | str | None) -> int | Labels | None:
    if isinstance(rim, list):
        return tuple(rim)
    return None if isinstance(rim, str) else rim


def _layers(read: BoardFile, lattice: Lattice, source: str) -> list[list[str]]:
    if read.layers and (read.rows or lattice.dimensions < 3):
        reason = "rows are given already" if read.rows else f"{lattice.name} are drawn in rows"
        raise BoardFileError(f"{source}: layers must be left out: {reason}.")
    if not read.layers and not read.rows:
        raise BoardFileError(f"{source}: 'rows' is missing.")
    return read.layers or [read.rows]


def with_hints(board: Board, entries: Iterable[HintEntry], source: str) -> Board:
    """Return the board with further hints.

    Raises:
        BoardFileError: a hint names no cell, or a cell or tile a second time.
    """
    cells = {
        (cell.layer + 1, cell.row + 1, cell.column + 1): at for at, cell in enumerate(board.cells)
    }
    hints = list(board.hints)
    for entry in entries:
        place = place_name(board.lattice, entry.layer, entry.row, entry.column)
        where = f"{source}: the hint for tile {entry.tile}, {place}"
        cell = cells.get((entry.layer, entry.row, entry.column))
        if cell is None:
            raise BoardFileError(f"{where} names a place that the board does not have.")
        if any(hint.cell == cell or hint.tile == entry.tile for hint in hints):
            raise BoardFileError(f"{where} names a tile or a place that has a hint already.")
        hints.append(Hint(entry.tile, cell, None if entry.labels is None else tuple(entry.labels)))
    return replace(board, hints=tuple(hints))
