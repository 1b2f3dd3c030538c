"""Time that passes only while a sleeper waits for it.

A simulator never reads the computer's clock. It is given a `Clock` and asks that for the seconds
that have passed in the simulated world: `SystemClock` where it is to be real or scaled, this one
where it is not.
"""

import threading
from collections.abc import Callable


class VirtualClock:
    """Simulated time that passes only during a sleep, and then at once.

    Several threads may share it: each sleep moves the time on for all of them. A simulator that
    reads a line in its own thread adds to `before_sleep` a call that returns when all that was
    sent is done, so that no sleep ends before a command that is still on its way. It adds the same
    to `before_now`, since handling a command takes time: a client that sends one without a reply
    would otherwise read the time before or after it, depending on the threads. What is in
    `after_sleep` is called when the time has moved on, before the sleeper sees it.
    """

    def __init__(self) -> None:
        self.before_now: list[Callable[[], None]] = []
        self.before_sleep: list[Callable[[], None]] = []
        self.after_sleep: list[Callable[[], None]] = []
        self._now = 0.0
        self._lock = threading.Lock()

    def now(self) -> float:
        """Return the simulated seconds that have passed."""
        for settle in tuple(self.before_now):
            settle()
        with self._lock:
            return self._now

    def sleep(self, seconds: float) -> None:
        """Move the time on by `seconds`; not at all if that is not positive."""
        if seconds > 0:
            for settle in tuple(self.before_sleep):
                settle()
            with self._lock:
                self._now += seconds
            for follow in tuple(self.after_sleep):
                follow()
