"""Solutions on their way from the search of a part: rows of options, many of them in a file.

As rows they take a few bytes for each piece, a hundredth of what they take as solutions. In a file
they take no memory at all, however many they are and however long they have to wait for their turn.
"""

import os
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Final

import numpy as np
from numpy.typing import NDArray

from solvers.foundation.errors import PuzzlerigError

Rows = NDArray[Any]
"""One solution a row: ascending option numbers, filled up with the number of options."""

MOST_IN_MEMORY: Final = 65_536
"""In bytes, of each of some hundred parts, where there is a folder for the others."""
ROWS_AT_ONCE: Final = 1000


@dataclass(frozen=True)
class FoundRows:
    """The rows of one part: those of the file first. It can be sent to another process."""

    width: int
    kind: str
    file: Path | None
    rest: bytes

    def take(self) -> Iterator[Rows]:
        """Yield the rows in their order, some at a time; the file is gone afterwards."""
        if self.width == 0:
            return
        kind = np.dtype(self.kind)
        if self.file is not None:
            with self.file.open("rb") as file:
                while data := file.read(ROWS_AT_ONCE * self.width * kind.itemsize):
                    yield np.frombuffer(data, kind).reshape(-1, self.width)
            self.file.unlink()
        rest = np.frombuffer(self.rest, kind).reshape(-1, self.width)
        for start in range(0, len(rest), ROWS_AT_ONCE):
            yield rest[start : start + ROWS_AT_ONCE]


class RowsKeeper:
    """Collects the rows of a part, numbers up to `options`.

    With a `folder` they are put into a file there when they become many.
    """

    def __init__(self, options: int, folder: Path | None) -> None:
        self._kind = np.min_scalar_type(options)
        self._folder = folder
        self._width = 0
        self._waiting = bytearray()
        self._file: Path | None = None

    def add(self, rows: Rows) -> None:
        """Take in rows, all as wide as the ones before."""
        self._width = rows.shape[1]
        self._waiting += rows.astype(self._kind).tobytes()
        if self._folder is not None and len(self._waiting) > MOST_IN_MEMORY:
            self._put_away(self._folder)

    def found(self) -> FoundRows:
        """Return all rows."""
        return FoundRows(self._width, self._kind.str, self._file, bytes(self._waiting))

    def _put_away(self, folder: Path) -> None:
        try:
            with self._opened(folder) as file:
                file.write(self._waiting)
        except OSError as error:
            raise PuzzlerigError(
                f"Solutions cannot be kept in {folder}: {error.strerror}. Make room there, or name "
                "another folder by TMPDIR."
            ) from error
        self._waiting.clear()

    def _opened(self, folder: Path) -> BinaryIO:
        if self._file is None:
            handle, name = tempfile.mkstemp(dir=folder, suffix=".rows")
            self._file = Path(name)
            return os.fdopen(handle, "wb")
        return self._file.open("ab")
