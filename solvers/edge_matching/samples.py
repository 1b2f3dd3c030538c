"""Puzzles that come with the program, and puzzles from the user's files."""

from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from typing import Final

from solvers.edge_matching.board import Board
from solvers.edge_matching.board_file import (
    HintEntry,
    find_board,
    load_board,
    parse_board,
    with_hints,
)
from solvers.edge_matching.puzzle import TilePuzzle
from solvers.edge_matching.tile_file import load_tiles, parse_tiles
from solvers.foundation.errors import InvalidInputError

_SAMPLES: Final = files("solvers.edge_matching") / "data" / "samples"


def sample_names() -> list[str]:
    """Return the names of the sample puzzles, sorted."""
    return sorted(
        each.name.removesuffix(".txt") for each in _SAMPLES.iterdir() if each.name.endswith(".txt")
    )


def load_puzzle(
    name_or_path: str, board_name: str | None = None, hints: Sequence[str] = ()
) -> TilePuzzle:
    """Return a sample, or the tiles of a file on the board of that name or size.

    `hints` are added to the board's own, each as "tile row column", optionally followed by labels.
    Raises TileFileError and BoardFileError.
    """
    own_board: Board | None = None
    if name_or_path in sample_names():
        tiles = parse_tiles(_text(f"{name_or_path}.txt"), name_or_path)
        if (_SAMPLES / f"{name_or_path}.toml").is_file():
            own_board = parse_board(_text(f"{name_or_path}.toml"), name_or_path)
    else:
        tiles = load_tiles(Path(name_or_path))
    if board_name is not None:
        board = load_board(board_name)
    else:
        board = own_board or find_board(len(tiles.tiles), tiles.sides)
    for words in hints:
        board = with_hints(board, [_hint(words, board)], f"--hint {words!r}")
    return TilePuzzle(board, tiles)


def _hint(words: str, board: Board) -> HintEntry:
    has_layers = board.lattice.dimensions == 3
    try:
        tile, *numbers = map(int, words.split())
        layer = numbers.pop(0) if has_layers else 1
        row, column, *labels = numbers
        if min(tile, layer, row, column) < 1:
            raise ValueError
    except (ValueError, IndexError):
        place = "LAYER ROW COLUMN" if has_layers else "ROW COLUMN"
        raise InvalidInputError(
            f"A hint is 'TILE {place}', all from 1, and the labels it shows, not {words!r}."
        ) from None
    return HintEntry(tile, row, column, layer, labels or None)


def _text(name: str) -> str:
    return (_SAMPLES / name).read_text(encoding="utf-8")
