"""Time as the simulators see it: real, scaled or virtual.

A simulator never reads the computer's clock. It is given a `Clock` and asks that for the seconds
that have passed in the simulated world.
"""

import threading
import time
from collections.abc import Callable
from typing import Protocol


class Clock(Protocol):
    """Seconds of the simulated world; zero when the clock was made."""

    def now(self) -> float:
        """Return the simulated seconds that have passed."""

    def sleep(self, seconds: float) -> None:
        """Return after `seconds` of simulated time; at once if that is not positive."""


class RealClock:
    """Simulated time that runs `speed` times as fast as the computer's."""

    def __init__(self, speed: float = 1.0) -> None:
        if not speed > 0:
            raise ValueError(f"speed must be above 0, not {speed}")
        self.speed = speed
        self._start = time.monotonic()

    def now(self) -> float:
        """Return the simulated seconds that have passed."""
        return (time.monotonic() - self._start) * self.speed

    def sleep(self, seconds: float) -> None:
        """Wait `seconds` of simulated time."""
        if seconds > 0:
            time.sleep(seconds / self.speed)


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
