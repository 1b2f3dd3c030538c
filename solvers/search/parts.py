"""Storage for the finished parts of a long search, so that a stopped search can be resumed."""

import hashlib
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final, Generic, Protocol, TypeVar

from solvers.foundation.files import LARGEST_FILE_BYTES, atomic_write

# Parts that a long search is cut into. Enough to keep many workers busy to the end and to lose
# little when a search is stopped; independent of the number of workers, so that a search can be
# resumed with another number of them.
PARTS: Final = 128

# Nodes between two writes of the file: about a second of search.
NODES_BETWEEN_WRITES: Final = 20_000_000


class Searched(Protocol):
    """Result of a part."""

    @property
    def nodes(self) -> int:
        """Nodes visited for it."""


Result = TypeVar("Result", bound=Searched)


class PartStore(Generic[Result]):
    """A file of the results of parts, as rows of JSON that `read` turns into values again.

    Without `resume`, the file's content is ignored. The file may be deleted at any time; one that
    is damaged or of another version counts as empty, and a search continues if none can be written.
    """

    def __init__(
        self,
        path: Path,
        version: int,
        *,
        resume: bool,
        row: Callable[[Result], list[Any]],
        read: Callable[[list[Any]], Result],
    ) -> None:
        self.path = path
        self._version = version
        self._resume = resume
        self._row = row
        self._read_row = read
        self._parts = 0
        self._way = ""
        self._stored: dict[int, Result] = {}
        self._nodes_unsaved = 0

    def load(self, parts: int, way: str = "") -> Mapping[int, Result]:
        """Return the saved results by part number, for a search cut in this `way` into `parts`."""
        self._parts, self._way = parts, way
        self._stored = self._read() if self._resume else {}
        return dict(self._stored)

    def add(self, number: int, found: Result) -> None:
        """Add the result of a part, and from time to time write the file."""
        self._stored[number] = found
        self._nodes_unsaved += found.nodes
        if self._nodes_unsaved >= NODES_BETWEEN_WRITES:
            self.save()

    def save(self) -> bool:
        """Write the file atomically; return whether that was possible."""
        counts = {str(number): self._row(found) for number, found in self._stored.items()}
        data = {**self._head, "counts": counts}
        # The checksum reveals a file that was cut off or edited.
        text = json.dumps({**data, "checksum": _checksum(data)})
        self._nodes_unsaved = 0
        try:
            with atomic_write(self.path) as file:
                file.write(text.encode("utf-8"))
        except OSError:
            return False
        return True

    def remove(self) -> None:
        """Delete the file: the search is complete."""
        self.path.unlink(missing_ok=True)

    @property
    def progress(self) -> tuple[int, int]:
        """Number of finished parts, and of all parts."""
        return len(self._stored), self._parts

    @property
    def _head(self) -> dict[str, object]:
        way = {"way": self._way} if self._way else {}
        return {"version": self._version, "parts": self._parts, **way}

    def _read(self) -> dict[int, Result]:
        try:
            with self.path.open("rb") as file:
                data = json.loads(file.read(LARGEST_FILE_BYTES))
            checksum = data.pop("checksum")
            counts = data["counts"]
            if checksum != _checksum(data) or data != {**self._head, "counts": counts}:
                return {}
            return {int(number): self._read_row(row) for number, row in counts.items()}
        except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
            return {}


def _checksum(data: Mapping[str, object]) -> str:
    text = json.dumps(data, sort_keys=True)
    return hashlib.sha256(text.encode("utf-8")).hexdigest()
