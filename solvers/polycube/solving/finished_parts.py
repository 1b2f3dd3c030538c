"""Keeps the finished parts of a long count in a file, so that a stopped count can go on."""

import hashlib
from dataclasses import astuple, replace
from pathlib import Path
from typing import Any, Final

from solvers.polycube.files.toml_format import dumps
from solvers.polycube.puzzle import PackingPuzzle
from solvers.polycube.solving.problem import PartCount
from solvers.search.kept_parts import KeptParts

# Raise this when parts are cut or counted differently, so that old files are not taken for new.
VERSION: Final = 3


class FinishedParts(KeptParts[PartCount]):
    """A file in `folder` that belongs to one puzzle, by a hash of what it is."""

    def __init__(self, folder: Path, puzzle: PackingPuzzle, *, resume: bool) -> None:
        super().__init__(
            folder / f"{puzzle_hash(puzzle)}.json",
            VERSION,
            resume=resume,
            row=_row,
            read=_count,
        )


def _row(count: PartCount) -> list[Any]:
    return list(astuple(count))


def _count(row: list[Any]) -> PartCount:
    return PartCount(*row)


def puzzle_hash(puzzle: PackingPuzzle) -> str:
    """Return a name for what the puzzle is, whatever it is called."""
    text = dumps(replace(puzzle, name="puzzle", title="", source=""))
    return hashlib.sha256(text.encode("utf-8")).hexdigest()[:32]
