"""What a target of the fuzzer is: a reader, and input that it takes."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

Reading: TypeAlias = Callable[[bytes, Path], Any]


@dataclass(frozen=True, slots=True)
class Target:
    """A reader that is handed damaged `seeds` and an empty folder.

    It may refuse them by an error of the project's tree, and by nothing else.
    """

    name: str
    seeds: Callable[[], Sequence[bytes]]
    read: Reading


def text(reader: Callable[[str], Any]) -> Reading:
    """Return what hands input on as text, with what is none in it as a terminal gives it."""
    return lambda data, _: reader(data.decode("utf-8", "surrogateescape"))


def file(reader: Callable[[Path], Any], name: str) -> Reading:
    """Return what hands input on as a file."""

    def read(data: bytes, folder: Path) -> Any:
        path = folder / name
        path.write_bytes(data)
        return reader(path)

    return read


def words(*each: str) -> Callable[[], Sequence[bytes]]:
    """Return seeds that are lines of text."""
    return lambda: [word.encode() for word in each]


def files(*patterns: tuple[Path, str], most: int = 12) -> Callable[[], Sequence[bytes]]:
    """Return seeds that are files of the project."""

    def seeds() -> Sequence[bytes]:
        paths = [path for folder, pattern in patterns for path in sorted(folder.glob(pattern))]
        return [path.read_bytes() for path in paths[:most]]

    return seeds
