"""Time as the robot sees it, injected so that tests need not wait."""

import time
from typing import Protocol


class Clock(Protocol):
    """Seconds of robot time. `sleep` is the only way in which the products wait."""

    def now(self) -> float:
        """Return seconds since an arbitrary moment; never goes backwards."""

    def sleep(self, seconds: float) -> None:
        """Let `seconds` of robot time pass."""


class SystemClock:
    """The machine's clock; `speed` > 1 for a simulated brick whose time runs faster."""

    def __init__(self, speed: float = 1.0) -> None:
        self.speed = speed

    def now(self) -> float:
        """Return robot seconds: the machine's monotonic clock times the speed."""
        return time.monotonic() * self.speed

    def sleep(self, seconds: float) -> None:
        """Wait `seconds` of robot time."""
        time.sleep(seconds / self.speed)


class ImmediateClock:
    """Time that passes only in sleeps, and then at once: for runs that move nothing."""

    def __init__(self) -> None:
        self._now_s = 0.0

    def now(self) -> float:
        """Return the seconds slept so far."""
        return self._now_s

    def sleep(self, seconds: float) -> None:
        """Let `seconds` pass at once."""
        self._now_s += seconds
