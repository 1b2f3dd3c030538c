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

from solvers.foundation.errors import InvalidInputError, PuzzlerigError


def check_writable(path: Path) -> None:
    """Find out before the work whether its result can be written; missing folders would be made.

    Raises InvalidInputError.
    """
    if path.is_dir():
        raise InvalidInputError(f"{path} cannot be written: it is a folder; name a file in it.")
    _check_folder(path.parent, path)


def check_writable_folder(path: Path) -> None:
    """As `check_writable`, for a folder that shall take new files."""
    _check_folder(path, path)


def _check_folder(folder: Path, wanted: Path) -> None:
    there = next((each for each in (folder, *folder.parents) if each.exists()), Path())
    if not there.is_dir():
        raise InvalidInputError(f"{wanted} cannot be written: {there} is no folder.")
    if not os.access(there, os.W_OK | os.X_OK):
        raise InvalidInputError(f"{wanted} cannot be written: you may not write in {there}.")


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
