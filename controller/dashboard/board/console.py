"""What was said on the line, to and fro, with what happened between: the last of it is kept."""

import threading
from collections import deque
from typing import Final

import msgspec

from controller.dashboard.hub import Hub
from solvers.foundation.clock import Clock
from solvers.foundation.errors import InvalidInputError

CONSOLE: Final = "board-console"
MOST_ENTRIES: Final = 2000
LINE_ENDS: Final = {"lf": b"\n", "cr": b"\r", "crlf": b"\r\n", "none": b""}


class ConsoleEntry(msgspec.Struct, frozen=True):
    """The `n`th thing, `at_s` seconds after the console's begin.

    `kind` is `in` or `out` for bytes (their Latin-1 letters are `text`), `mark` or `warn` for what
    happened.
    """

    n: int
    at_s: float
    kind: str
    text: str


class Console:
    """Any thread writes; the pages are told how much there is, and fetch what they lack."""

    def __init__(self, hub: Hub, clock: Clock) -> None:
        self._hub = hub
        self._clock = clock
        self._begin_s = clock.now()
        self._lock = threading.Lock()
        self._count = 0
        self._entries: deque[ConsoleEntry] = deque(maxlen=MOST_ENTRIES)
        hub.publish(CONSOLE, 0)

    def heard(self, data: bytes) -> None:
        """Keep what the board has sent."""
        self._add("in", data.decode("latin-1"))

    def sent(self, data: bytes) -> None:
        """Keep what was sent to the board."""
        self._add("out", data.decode("latin-1"))

    def mark(self, text: str) -> None:
        """Keep what happened."""
        self._add("mark", text)

    def warn(self, text: str) -> None:
        """Keep what went wrong."""
        self._add("warn", text)

    def since(self, count: int) -> list[ConsoleEntry]:
        """Return what came behind the first `count` entries, if it is still kept."""
        with self._lock:
            return [entry for entry in self._entries if entry.n > count]

    def _add(self, kind: str, text: str) -> None:
        with self._lock:
            self._count += 1
            at_s = round(self._clock.now() - self._begin_s, 3)
            self._entries.append(ConsoleEntry(self._count, at_s, kind, text))
            self._hub.publish(CONSOLE, self._count)


def encoded(text: str, end: str) -> bytes:
    """Return a line as it is sent. Raises InvalidInputError for letters that no byte holds."""
    try:
        return text.encode("latin-1") + LINE_ENDS[end]
    except UnicodeEncodeError as error:
        letter = text[error.start]
        raise InvalidInputError(
            f"{letter!r} is no letter that one byte holds; the line takes Latin-1 only."
        ) from None
