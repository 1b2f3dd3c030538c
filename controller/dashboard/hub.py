"""Publish/subscribe hub: keeps the latest value of each topic, and the last lines of a log.

Any thread may publish. A new subscriber gets everything that is known at once, and from then on
what changes. A slow one misses values that were replaced meanwhile, never the last of a topic, and
delays no other.
"""

import threading
from collections import deque
from collections.abc import Callable
from typing import Any, Final, Generic, TypeVar

import msgspec

MOST_LINES: Final = 500
LOG: Final = "log"

View = TypeVar("View", bound=msgspec.Struct)


class Message(msgspec.Struct, frozen=True):
    """Something published, and its number `n`: a topic's new value, or one more line of the log."""

    n: int
    topic: str
    value: Any


class Subscriber:
    """One listener; `wake` is called, in the publishing thread, when there is something to take."""

    def __init__(self, hub: "Hub", wake: Callable[[], object], first: list[Message]) -> None:
        self._hub = hub
        self._wake = wake
        self._waiting: dict[str, Message] = {message.topic: message for message in first[:-1]}
        self._lines: deque[Message] = deque(first[-1:], MOST_LINES)

    def take(self) -> list[Message]:
        """Return what was published since the last call, in its order."""
        with self._hub.lock:
            taken = sorted([*self._waiting.values(), *self._lines], key=lambda message: message.n)
            self._waiting.clear()
            self._lines.clear()
        return taken

    def close(self) -> None:
        """Unsubscribe."""
        self._hub.unsubscribe(self)

    def put(self, message: Message) -> None:
        """Keep a message until it is taken; the hub's lock is held."""
        if message.topic == LOG:
            self._lines.append(message)
        else:
            self._waiting[message.topic] = message
        self._wake()


class Hub:
    """Remembers the last value of every topic, and passes it to the subscribers."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self._count = 0
        self._values: dict[str, Message] = {}
        self._log: deque[Any] = deque(maxlen=MOST_LINES)
        self._subscribers: set[Subscriber] = set()

    def publish(self, topic: str, value: object) -> None:
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
        """Return the value of a topic, or None if there is none yet."""
        with self.lock:
            message = self._values.get(topic)
        return None if message is None else message.value

    def subscribe(self, wake: Callable[[], object]) -> Subscriber:
        """Return a new subscriber, for which the present values are waiting."""
        with self.lock:
            lines = Message(self._count, LOG, list(self._log))
            subscriber = Subscriber(self, wake, [*self._values.values(), lines])
            self._subscribers.add(subscriber)
        wake()
        return subscriber

    def unsubscribe(self, subscriber: Subscriber) -> None:
        """Forget a subscriber."""
        with self.lock:
            self._subscribers.discard(subscriber)

    @property
    def subscribers(self) -> int:
        """How many there are."""
        with self.lock:
            return len(self._subscribers)

    def _next(self, topic: str, value: object) -> Message:
        self._count += 1
        return Message(self._count, topic, value)

    def _spread(self, message: Message) -> None:
        for subscriber in self._subscribers:
            subscriber.put(message)


class Topic(Generic[View]):
    """A topic whose value is a view, published whenever fields of it change. Any thread may."""

    def __init__(self, hub: Hub, name: str, view: View) -> None:
        self._hub = hub
        self._name = name
        # Publishing happens within the lock, or an older view could overtake a newer one.
        self.lock = threading.RLock()
        self.view = view
        hub.publish(name, view)

    def change(self, **fields: Any) -> None:
        """Replace fields of the view."""
        with self.lock:
            self.show(msgspec.structs.replace(self.view, **fields))

    def show(self, view: View) -> None:
        """Replace the view."""
        with self.lock:
            self.view = view
            self._hub.publish(self._name, view)
