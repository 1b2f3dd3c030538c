"""Time that passes only where somebody waits for it.

A simulator never reads the computer's clock. It is given a `Clock` and asks that for the seconds
that have passed in the simulated world: `SystemClock` where it is to be real or scaled, this one
where it is not.
"""

import threading
from collections.abc import Callable


class VirtualClock:
    """Simulated time that passes only while somebody sleeps, and then at once.

    Several threads may share it: each sleep moves the time on for all of them. A simulator that
    reads a line in a thread of its own adds to `before_sleep` a call that returns when all that was
    sent is done, so that nobody sleeps past a command that is still on its way.
    """

    def __init__(self) -> None:
        self.before_sleep: list[Callable[[], None]] = []
        self._now = 0.0
        self._lock = threading.Lock()

    def now(self) -> float:
        """Return the simulated seconds that have passed."""
        with self._lock:
            return self._now

    def sleep(self, seconds: float) -> None:
        """Move the time on by `seconds`; not at all if that is not positive."""
        if seconds > 0:
            for settle in tuple(self.before_sleep):
                settle()
            with self._lock:
                self._now += seconds
