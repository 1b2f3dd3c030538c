"""What a page asks for is done at its desk; the application knows no more of a page than this."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Generic, Protocol, TypeVar

import msgspec

from solvers.foundation.errors import InvalidInputError

MOST_NAMED: Final = 20


@dataclass(frozen=True, slots=True)
class Served:
    """A file that a desk has made: a picture, a sheet, a page."""

    content: bytes
    media_type: str


class Desk(Protocol):
    """One page's side of the dashboard. Any thread may ask; everything raises PuzzlerigError."""

    def ask(self, command: str, words: bytes) -> object:
        """Carry out `POST /api/DESK/COMMAND`; what is returned is the answer, as JSON."""

    def file(self, name: str) -> Served | None:
        """Return what `GET /files/DESK/NAME` shows, or None if there is no such thing."""

    def stop(self) -> None:
        """End whatever moves or computes, soon and in order."""

    def close(self) -> None:
        """Stop, wait, and give everything back."""


D = TypeVar("D")


class Commands(Generic[D]):
    """The commands of a desk: for each name the type of its words, and who carries it out."""

    def __init__(
        self, desk: str, table: Mapping[str, tuple[type[Any], Callable[[D, Any], object]]]
    ) -> None:
        """`desk` is what the sentences call it."""
        self._desk = desk
        self._table = table

    def carry_out(self, desk: D, command: str, words: bytes) -> object:
        """Read the words and do it. Raises InvalidInputError for what there is not."""
        if command not in self._table:
            raise InvalidInputError(f"The {self._desk} knows no command {command[:MOST_NAMED]!r}.")
        kind, method = self._table[command]
        try:
            request = msgspec.json.decode(words or b"{}", type=kind)
        except msgspec.DecodeError as error:
            raise InvalidInputError(f"The command {command} cannot be read: {error}.") from None
        return method(desk, request)
