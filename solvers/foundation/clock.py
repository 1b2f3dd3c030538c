"""Time, handed in so that tests need not wait: nothing else in the products reads a clock."""

import time
from datetime import date, datetime
from typing import Protocol


class Clock(Protocol):
    """Seconds since an arbitrary moment; they never go backwards."""

    def now(self) -> float:
        """Return the seconds that have passed."""

    def sleep(self, seconds: float) -> None:
        """Return after `seconds`; at once if that is not positive."""


class SystemClock:
    """The computer's clock; with `speed` above 1 its seconds are shorter (a simulated device)."""

    def __init__(self, speed: float = 1.0) -> None:
        if not speed > 0:
            raise ValueError(f"speed must be above 0, not {speed}")
        self.speed = speed
        self._start_s = time.monotonic()

    def now(self) -> float:
        """Return the seconds since this clock was made, times the speed."""
        return (time.monotonic() - self._start_s) * self.speed

    def sleep(self, seconds: float) -> None:
        """Wait `seconds` of this clock."""
        if seconds > 0:
            time.sleep(seconds / self.speed)


def today() -> date:
    """Return the date, for what is written down to be read by people."""
    return date.today()


def time_of_day() -> str:
    """Return the local time, such as 16:10:44, for what people read a while later."""
    return datetime.now().strftime("%H:%M:%S")


def cpu_seconds() -> float:
    """Return the processor time of this process, for searches that are given a share of it."""
    return time.process_time()


class ImmediateClock:
    """Time that passes only in sleeps, and then at once: for runs that move nothing."""

    def __init__(self) -> None:
        self._now_s = 0.0

    def now(self) -> float:
        """Return the seconds slept so far."""
        return self._now_s

    def sleep(self, seconds: float) -> None:
        """Let `seconds` pass at once."""
        self._now_s += max(0.0, seconds)
