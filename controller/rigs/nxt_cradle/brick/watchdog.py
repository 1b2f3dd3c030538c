"""Ends calls that would block for ever.

nxt-python reads from its device without a time limit on most back ends, so each call runs on a
thread of its own and the caller waits for it only so long.
"""

import queue
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

Result = TypeVar("Result")


class CallTimeoutError(Exception):
    """A call did not come back in time. The thread it runs on is given up."""


@dataclass(slots=True)
class _Call:
    function: Callable[[], Any]
    # Released when it is done. An Event does the same at six times the cost, for each telegram.
    under_way: threading.Lock = field(default_factory=threading.Lock)
    result: Any = None
    error: BaseException | None = None

    def __post_init__(self) -> None:
        self.under_way.acquire()

    def run(self) -> None:
        try:
            self.result = self.function()
        except BaseException as error:
            self.error = error
        self.under_way.release()


class Watchdog:
    """Runs calls one after another on a daemon thread and waits at most `timeout_s` for each."""

    def __init__(self, timeout_s: float) -> None:
        self.timeout_s = timeout_s
        self._calls: queue.SimpleQueue[_Call | None] = queue.SimpleQueue()
        threading.Thread(target=self._work, name="brick link", daemon=True).start()

    def call(self, function: Callable[[], Result], timeout_s: float | None = None) -> Result:
        """Return what `function` returns or raise what it raises; CallTimeoutError if it hangs."""
        call = _Call(function)
        self._calls.put(call)
        if not call.under_way.acquire(timeout=timeout_s or self.timeout_s):
            raise CallTimeoutError
        if call.error is not None:
            raise call.error
        result: Result = call.result
        return result

    def close(self) -> None:
        """Let the thread end after the calls it has."""
        self._calls.put(None)

    def _work(self) -> None:
        while (call := self._calls.get()) is not None:
            call.run()
