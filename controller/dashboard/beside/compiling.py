"""Tells which function is being compiled: the first use on a computer takes up to a minute."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from solvers.foundation.compiled import once_numba_is_loaded


@contextmanager
def compiling_told(hear: Callable[[str], object]) -> Iterator[None]:
    """Call `hear` with the name of each function as its compiling begins, with "" when all is done.

    What comes from the cache of compiled code is not told, and numba is not loaded for this alone:
    that takes longer than most searches. `hear` is called in whichever thread compiles.
    """
    with ExitStack() as kept, once_numba_is_loaded(lambda: kept.enter_context(_by_numba(hear))):
        yield


@contextmanager
def _by_numba(hear: Callable[[str], object]) -> Iterator[None]:
    from numba.core import event

    class Listener(event.Listener):
        def __init__(self) -> None:
            self._depth = 0  # compiling one function compiles those that it calls

        def on_start(self, event: Any) -> None:
            self._depth += 1
            hear(event.data["dispatcher"].py_func.__name__)

        def on_end(self, event: Any) -> None:  # noqa: ARG002 - the listener's own shape
            self._depth -= 1
            if not self._depth:
                hear("")

    with event.install_listener("numba:compile", Listener()):
        yield
