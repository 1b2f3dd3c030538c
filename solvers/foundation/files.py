"""Writes files whole or not at all: a reader, or a second writer, never meets half a file.

Each writer fills a file of its own beside the target and moves it into place in one step. Two that
write at once do not meet; the later one wins.
"""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from solvers.foundation.errors import PuzzlerigError


@contextmanager
def replaced_file(path: Path) -> Iterator[BinaryIO]:
    """Yield a file open for writing that takes the place of `path` when the block ends well.

    Missing folders are made. Raises OSError; `path` is then as it was.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".partial")
    partial = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
        partial.chmod(_usual_mode())
        partial.replace(path)
    except BaseException:
        with suppress(OSError):
            partial.unlink()
        raise


def write_bytes(
    path: Path, data: bytes, *, error: type[PuzzlerigError] = PuzzlerigError, remedy: str = ""
) -> None:
    """Write a file. Raises `error` with a sentence and `remedy` if that is not possible."""
    try:
        with replaced_file(path) as file:
            file.write(data)
    except OSError as reason:
        raise error(f"{path} cannot be written: {reason.strerror}. {remedy}".rstrip()) from reason


def write_text(
    path: Path, text: str, *, error: type[PuzzlerigError] = PuzzlerigError, remedy: str = ""
) -> None:
    """Write a text file in UTF-8. Raises `error` with a sentence if that is not possible."""
    write_bytes(path, text.encode("utf-8"), error=error, remedy=remedy)


def _usual_mode() -> int:
    """Return the mode of a newly made file; temporary ones are closed to everybody else."""
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
