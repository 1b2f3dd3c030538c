"""Writes the files a user asked for: whole or not at all."""

from pathlib import Path

from solvers.errors import PuzzlerigError


def write_text(path: Path, text: str) -> None:
    """Write a text file; PuzzlerigError says why if that is not possible."""
    write_bytes(path, text.encode("utf-8"))


def write_bytes(path: Path, data: bytes) -> None:
    """Write a file; PuzzlerigError says why if that is not possible."""
    partial = path.with_name(path.name + ".partial")
    try:
        partial.write_bytes(data)
        partial.replace(path)
    except OSError as error:
        partial.unlink(missing_ok=True)
        raise PuzzlerigError(f"{path} cannot be written: {error.strerror}.") from error
