"""What is so now, and who wants to hear of it: any thread tells, every tab hears the same.

A topic holds one value, which the next one replaces; the log holds the last lines. A tab that
comes late gets all of it at once, and from then on what changes. A slow tab loses values that
have been replaced meanwhile, never the last of a topic, and keeps nobody waiting.
"""

import threading
from collections import deque
from collections.abc import Callable
from typing import Any, Final

import msgspec

MOST_LINES: Final = 500
LOG: Final = "log"


class Message(msgspec.Struct, frozen=True):
    """What was told, and its number `n`: a topic's new value, or one more line of the log."""

    n: int
    topic: str
    value: Any


class Tab:
    """One listener; `wake` is called, in the thread that tells, when there is something to take."""

    def __init__(self, hub: "Hub", wake: Callable[[], object], first: list[Message]) -> None:
        self._hub = hub
        self._wake = wake
        self._waiting: dict[str, Message] = {message.topic: message for message in first[:-1]}
        self._lines: deque[Message] = deque(first[-1:], MOST_LINES)

    def take(self) -> list[Message]:
        """Return what was told since the last call, in the order in which it was told."""
        with self._hub.lock:
            taken = sorted([*self._waiting.values(), *self._lines], key=lambda message: message.n)
            self._waiting.clear()
            self._lines.clear()
        return taken

    def close(self) -> None:
        """Hear nothing any more."""
        self._hub.leave(self)

    def put(self, message: Message) -> None:
        """Keep a message until it is taken; the hub's lock is held."""
        if message.topic == LOG:
            self._lines.append(message)
        else:
            self._waiting[message.topic] = message
        self._wake()


class Hub:
    """Remembers the last value of every topic, and tells the tabs."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self._count = 0
        self._values: dict[str, Message] = {}
        self._log: deque[Any] = deque(maxlen=MOST_LINES)
        self._tabs: set[Tab] = set()

    def tell(self, topic: str, value: object) -> None:
        """Replace the value of a topic; it must be what msgspec can write as JSON."""
        with self.lock:
            message = self._next(topic, value)
            self._values[topic] = message
            self._spread(message)

    def log(self, line: object) -> None:
        """Add a line to the log."""
        with self.lock:
            self._log.append(line)
            self._spread(self._next(LOG, [line]))

    def value(self, topic: str) -> Any:
        """Return the value of a topic, or None if nothing was told yet."""
        with self.lock:
            message = self._values.get(topic)
        return None if message is None else message.value

    def enter(self, wake: Callable[[], object]) -> Tab:
        """Return a new tab, for which everything that is so now is waiting."""
        with self.lock:
            lines = Message(self._count, LOG, list(self._log))
            tab = Tab(self, wake, [*self._values.values(), lines])
            self._tabs.add(tab)
        wake()
        return tab

    def leave(self, tab: Tab) -> None:
        """Forget a tab."""
        with self.lock:
            self._tabs.discard(tab)

    @property
    def tabs(self) -> int:
        """How many listen."""
        with self.lock:
            return len(self._tabs)

    def _next(self, topic: str, value: object) -> Message:
        self._count += 1
        return Message(self._count, topic, value)

    def _spread(self, message: Message) -> None:
        for tab in self._tabs:
            tab.put(message)
