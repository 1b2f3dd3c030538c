"""Base class of the pages' controllers: requests in, files out."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, Final, TypeVar, get_type_hints

import msgspec

from solvers.foundation.errors import InvalidInputError

NAME_SHOWN: Final = 20
"""Letters of an unknown request's name that its error repeats."""


class Request(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Body of a request, as JSON."""


class NoParams(Request, frozen=True):
    """A request without parameters."""


@dataclass(frozen=True, slots=True)
class File:
    """A file that a page asks for: a picture, a sheet, a whole page."""

    content: bytes
    media_type: str


Method = TypeVar("Method", bound=Callable[..., object])
_handlers: Final[set[Callable[..., object]]] = set()


def handler(method: Method) -> Method:
    """Let `POST /api/PAGE/METHOD` call this method.

    Its parameter `request`, if it has one, is read from the body: a Request, or bytes for the body
    itself. What it returns is the answer, as JSON.
    """
    _handlers.add(method)
    return method


class Controller(ABC):
    """One page's side of the dashboard. Any thread may call; everything raises PuzzlerigError."""

    page: ClassVar[str]
    """Its name in sentences."""
    _methods: ClassVar[dict[str, tuple[Any, Callable[..., object]]]]

    def __init_subclass__(cls) -> None:
        cls._methods = {
            name: (get_type_hints(method).get("request", NoParams), method)
            for name, method in vars(cls).items()
            if callable(method) and method in _handlers
        }

    def handle(self, name: str, body: bytes) -> object:
        """Carry out a request. Raises InvalidInputError for one that is unknown or malformed."""
        if name not in self._methods:
            raise InvalidInputError(f"The {self.page} knows no command {name[:NAME_SHOWN]!r}.")
        kind, method = self._methods[name]
        if kind is bytes:
            return method(self, body)
        try:
            request = msgspec.json.decode(body or b"{}", type=kind)
        except msgspec.DecodeError as error:
            raise InvalidInputError(f"The command {name} cannot be read: {error}.") from None
        return method(self) if kind is NoParams else method(self, request)

    @abstractmethod
    def file(self, name: str) -> File | None:
        """Return what `GET /files/PAGE/NAME` shows, or None if there is no such file."""

    @abstractmethod
    def stop(self) -> None:
        """Stop whatever moves or computes, soon and in order."""

    @abstractmethod
    def close(self) -> None:
        """Stop, wait, and release everything."""
