"""Keeps the finished parts of a long search for tiles in a file, so that it can go on."""

import hashlib
from dataclasses import replace
from pathlib import Path
from typing import Final

from solvers.edge_matching.puzzle import TilePuzzle
from solvers.edge_matching.solver import Searched
from solvers.search.kept_parts import KeptParts

# Raise this when parts are cut or counted differently, so that old files are not taken for new.
VERSION: Final = 2


class FinishedParts(KeptParts[Searched]):
    """A file in `folder` that belongs to one puzzle, by a hash of what it is."""

    def __init__(self, folder: Path, puzzle: TilePuzzle, *, resume: bool) -> None:
        super().__init__(
            folder / f"{_puzzle_hash(puzzle)}.json",
            VERSION,
            resume=resume,
            row=list,
            read=_searched,
        )


def _searched(row: list[object]) -> Searched:
    match row:
        case [list(rows), int(found), int(nodes)]:
            return Searched([tuple(each) for each in rows], found, nodes)
    raise ValueError("no part of a search")


def _puzzle_hash(puzzle: TilePuzzle) -> str:
    """Return a name for what the puzzle is, whatever its board is called."""
    text = repr((replace(puzzle.board, name="", title=""), puzzle.tiles.tiles))
    return hashlib.sha256(text.encode("utf-8")).hexdigest()[:32]
