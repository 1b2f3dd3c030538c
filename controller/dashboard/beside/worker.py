"""A process beside the dashboard that is there for as long as the dashboard is."""

import threading
from collections.abc import Callable
from typing import Final, ParamSpec, TypeVar

from controller.dashboard.beside.child import Child, Hear

Answer = TypeVar("Answer")
Asked = ParamSpec("Asked")

MOST_S: Final = 120.0
"""A function that is compiled at the first start of all takes less."""


class Worker:
    """Asks a `Child`, and a new one after that has ended."""

    def __init__(self, title: str, *, hear: Hear = lambda _: None) -> None:
        """`title` and `hear` are the child's."""
        self._title = title
        self._hear = hear
        self._lock = threading.Lock()
        self._child = Child(title, hear=hear)
        self._is_closed = False

    @property
    def child(self) -> Child:
        """The process that is there now, or is begun when it is asked."""
        with self._lock:
            if self._child.is_gone and not self._is_closed:
                self._child.end()
                self._child = Child(self._title, hear=self._hear)
            return self._child

    def ask(
        self, function: Callable[Asked, Answer], *args: Asked.args, **named: Asked.kwargs
    ) -> Answer:
        """Return what a function returns there. Raises PuzzlerigError if that takes too long."""
        return self.child.ask(MOST_S, function, *args, **named)

    def close(self) -> None:
        """End the process for good."""
        with self._lock:
            self._is_closed = True
        self._child.end()
