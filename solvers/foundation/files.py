"""Bounded reading of files, and writing that leaves a whole file or none.

A file may be anything: a device that never ends, a pipe, a log that grows. Readers therefore name
the most they take, and what a file says of its size is not believed.

Each writer fills a temporary file next to the target and moves it into place in one step, so a
reader never gets half a file. Of two that write at once, the later one wins.
"""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, Final, TextIO

from solvers.foundation.errors import InvalidInputError, PuzzlerigError

LARGEST_FILE_BYTES: Final = 16 << 20
LONGEST_LINE: Final = 10_000
"""Characters; a line of input that is longer was not meant for us."""


def read_bytes(
    path: Path, error: type[PuzzlerigError], what: str, most_bytes: int = LARGEST_FILE_BYTES
) -> bytes:
    """Return the content of a file that is `what`. Raises `error` with a sentence."""
    try:
        with path.open("rb") as file:
            data = file.read(most_bytes + 1)
    except OSError as reason:
        raise error(f"{what} {path} cannot be read: {reason.strerror}.") from None
    except ValueError as reason:  # a zero byte in the name
        raise error(f"{what} {path} cannot be read: {reason}.") from None
    if len(data) > most_bytes:
        raise error(f"{what} {path} has more than {format_size(most_bytes)}.")
    return data


def read_text(
    path: Path, error: type[PuzzlerigError], what: str, most_bytes: int = LARGEST_FILE_BYTES
) -> str:
    """Return the content of a text file in UTF-8. Raises `error` with a sentence."""
    data = read_bytes(path, error, what, most_bytes)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as reason:
        line = data[: reason.start].count(b"\n") + 1
        raise error(f"{what} {path}, line {line}, is not text in UTF-8.") from None


def iter_lines(stream: TextIO, error: type[PuzzlerigError], what: str) -> Iterator[str]:
    """Yield a stream's lines as they come. Raises `error` at one that does not end."""
    while line := stream.readline(LONGEST_LINE + 1):
        if len(line) > LONGEST_LINE:
            raise error(f"{what} has a line of more than {LONGEST_LINE} characters.")
        yield line


def format_size(number: int) -> str:
    """Return a number of bytes in MB, or in KB below one."""
    return f"{number >> 20} MB" if number >= 1 << 20 else f"{number >> 10} KB"


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
def atomic_write(path: Path, *, is_private: bool = False) -> Iterator[BinaryIO]:
    """Yield a file open for writing that replaces `path` when the block ends without an error.

    Missing folders are made; a private file is closed to all other users from its beginning.
    Raises OSError; `path` is then as it was.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".partial")
    partial = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
        if not is_private:
            partial.chmod(_usual_mode())
        partial.replace(path)
    except BaseException:
        with suppress(OSError):
            partial.unlink()
        raise


def write_bytes(
    path: Path, data: bytes, *, error: type[PuzzlerigError] = PuzzlerigError, hint: str = ""
) -> None:
    """Write a file. Raises `error` with a sentence and `hint` if that is not possible."""
    try:
        with atomic_write(path) as file:
            file.write(data)
    except OSError as reason:
        raise error(f"{path} cannot be written: {reason.strerror}. {hint}".rstrip()) from reason


def write_text(
    path: Path, text: str, *, error: type[PuzzlerigError] = PuzzlerigError, hint: str = ""
) -> None:
    """Write a text file in UTF-8. Raises `error` with a sentence if that is not possible."""
    write_bytes(path, text.encode("utf-8"), error=error, hint=hint)


def _usual_mode() -> int:
    """Return the mode of a newly made file; temporary ones are closed to all other users."""
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
