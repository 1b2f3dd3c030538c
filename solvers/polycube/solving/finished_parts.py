"""Keeps the finished parts of a long count in a file, so that a stopped count can go on."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import astuple, replace
from pathlib import Path

from solvers.foundation.files import replaced_file
from solvers.polycube.files.toml_format import dumps
from solvers.polycube.puzzle import PackingPuzzle
from solvers.polycube.solving.problem import PartCount

# Raise this when parts are cut or counted differently, so that old files are not taken for new.
VERSION = 1
# The file is written again after so many nodes: about once a second of search.
NODES_BETWEEN_WRITES = 20_000_000


class FinishedParts:
    """A file in `folder` that belongs to one puzzle, by a hash of what it is.

    Without `resume`, what the file holds is not used. The file may vanish at any time; one that
    is damaged, or of another version, counts as empty, and a count goes on where none can be
    written.
    """

    def __init__(self, folder: Path, puzzle: PackingPuzzle, *, resume: bool) -> None:
        self.path = folder / f"{puzzle_hash(puzzle)}.json"
        self._resume = resume
        self._parts = 0
        self._counts: dict[int, PartCount] = {}
        self._nodes_unsaved = 0

    def load(self, parts: int) -> Mapping[int, PartCount]:
        """Return the counts saved by part number, for a search cut into `parts`."""
        self._parts = parts
        self._counts = self._read() if self._resume else {}
        return dict(self._counts)

    def add(self, number: int, count: PartCount) -> None:
        """Keep the count of a part, and now and then write the file."""
        self._counts[number] = count
        self._nodes_unsaved += count.nodes
        if self._nodes_unsaved >= NODES_BETWEEN_WRITES:
            self.save()

    def save(self) -> bool:
        """Write the file, whole or not at all; return whether that was possible."""
        counts = {str(number): list(astuple(count)) for number, count in self._counts.items()}
        data = {"version": VERSION, "parts": self._parts, "counts": counts}
        text = json.dumps({**data, "checksum": _checksum(data)})
        self._nodes_unsaved = 0
        try:
            with replaced_file(self.path) as file:
                file.write(text.encode("utf-8"))
        except OSError:
            return False
        return True

    def remove(self) -> None:
        """Delete the file: the count is complete."""
        self.path.unlink(missing_ok=True)

    @property
    def progress(self) -> tuple[int, int]:
        """How many parts are finished, of how many."""
        return len(self._counts), self._parts

    def _read(self) -> dict[int, PartCount]:
        try:
            data = json.loads(self.path.read_text(encoding="utf-8"))
            checksum = data.pop("checksum")
            if checksum != _checksum(data) or data["version"] != VERSION:
                return {}
            if data["parts"] != self._parts:
                return {}
            return {int(number): PartCount(*count) for number, count in data["counts"].items()}
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return {}


def puzzle_hash(puzzle: PackingPuzzle) -> str:
    """Return a name for what the puzzle is, whatever it is called."""
    text = dumps(replace(puzzle, name="puzzle", title="", source=""))
    return hashlib.sha256(text.encode("utf-8")).hexdigest()[:32]


def _checksum(data: Mapping[str, object]) -> str:
    text = json.dumps(data, sort_keys=True)
    return hashlib.sha256(text.encode("utf-8")).hexdigest()
