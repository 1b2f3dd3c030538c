"""Tells which function is being compiled: the first use on a computer takes up to a minute."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from numba.core import event


@contextmanager
def compiling_told(hear: Callable[[str], object]) -> Iterator[None]:
    """Call `hear` with the name of each function as its compiling begins, with "" when all is done.

    What comes from the cache of compiled code is not told. `hear` is called in whichever thread
    compiles.
    """
    with event.install_listener("numba:compile", _Listener(hear)):
        yield


class _Listener(event.Listener):
    def __init__(self, hear: Callable[[str], object]) -> None:
        self._hear = hear
        self._depth = 0  # compiling one function compiles those that it calls

    def on_start(self, event: Any) -> None:
        self._depth += 1
        self._hear(event.data["dispatcher"].py_func.__name__)

    def on_end(self, event: Any) -> None:  # noqa: ARG002 - the listener's own shape
        self._depth -= 1
        if not self._depth:
            self._hear("")
