"""The process that draws and reads for the page: one at a time, and never for long."""

import threading
from collections.abc import Callable
from typing import Final, ParamSpec, TypeVar

from controller.dashboard.puzzles.beside.child import Child

Answer = TypeVar("Answer")
Asked = ParamSpec("Asked")

MOST_S: Final = 120.0
"""A first start of all compiles the search meanwhile, which takes half a minute."""


class Worker:
    """Asks a `Child`, and a new one after that has ended."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._child = Child("drawing process")
        self._is_closed = False

    def ask(
        self, function: Callable[Asked, Answer], *args: Asked.args, **named: Asked.kwargs
    ) -> Answer:
        """Return what a function returns there. Raises PuzzlerigError if that takes too long."""
        with self._lock:
            if self._child.is_over and not self._is_closed:
                self._child = Child("drawing process")
            child = self._child
        return child.ask(MOST_S, function, *args, **named)

    def close(self) -> None:
        """End the process for good."""
        with self._lock:
            self._is_closed = True
        self._child.end()
