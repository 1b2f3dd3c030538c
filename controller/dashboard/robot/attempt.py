"""Something that blocks and cannot be ended, tried on a thread of its own: it may be given up."""

import threading
from collections.abc import Callable
from typing import Final, Generic, TypeVar

from solvers.foundation.errors import PuzzlerigError

LOOK_INTERVAL_S: Final = 0.05
"""Of the computer's time: so soon somebody who gives it up is heard."""

T = TypeVar("T")


class Attempt(Generic[T]):
    """`work` under way. What comes of it after it was given up is undone by `undo`."""

    def __init__(self, work: Callable[[], T], undo: Callable[[T], object] = lambda _: None) -> None:
        self._undo = undo
        self._lock = threading.Lock()
        self._is_given_up = False
        self._result: list[T] = []
        self._error: Exception | None = None
        # A silent brick is waited for by nxt-python for as long as it likes.
        self._thread = threading.Thread(target=self._try, args=(work,), name="attempt", daemon=True)
        self._thread.start()

    def wait(self, check: Callable[[], object]) -> T:
        """Return what came of it, or raise its error; what `check` raises meanwhile gives it up."""
        try:
            self.end(check)
        except PuzzlerigError:
            with self._lock:
                self._is_given_up = True
                done = list(self._result)
            for result in done:
                self._undo(result)
            raise
        if self._error is not None:
            raise self._error
        return self._result[0]

    def end(self, check: Callable[[], object]) -> None:
        """Return when it is over, whatever came of it."""
        while self._thread.is_alive():
            check()
            self._thread.join(LOOK_INTERVAL_S)

    def _try(self, work: Callable[[], T]) -> None:
        try:
            result = work()
        except Exception as error:  # whoever waits gets it
            self._error = error
            return
        with self._lock:
            self._result.append(result)
            is_given_up = self._is_given_up
        if is_given_up:
            self._undo(result)
