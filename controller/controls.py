"""Pause, resume and stop for a job that another thread runs."""

import threading
from typing import Final

from controller.errors import StoppedError
from solvers.foundation.clock import Clock

STOPS_WITHIN_S: Final = 0.02
"""The longest time from a stop to the end of a sleep."""


class Controls:
    """A clock whose `sleep` ends when the job is stopped, and a switch for pauses.

    It is handed to everything that waits in the job, as its Clock. `sleep` raises StoppedError
    once; cleaning up may sleep again. Any thread may call `pause`, `resume` and `stop`.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._going = threading.Event()
        self._going.set()
        self._stopping = threading.Event()

    def now(self) -> float:
        """Return the seconds that have passed."""
        return self._clock.now()

    def sleep(self, seconds: float) -> None:
        """Return after `seconds`. Raises StoppedError as soon as the job is stopped."""
        self.check()
        until_s = self._clock.now() + seconds
        while seconds > STOPS_WITHIN_S:
            self._clock.sleep(STOPS_WITHIN_S)
            self.check()
            seconds = until_s - self._clock.now()
        self._clock.sleep(seconds)
        self.check()

    def check(self) -> None:
        """Raise StoppedError if the job was stopped, once for each stop."""
        if self._stopping.is_set():
            self._stopping.clear()
            raise StoppedError("The job was stopped.")

    def wait(self) -> None:
        """Return when the job is not paused. Raises StoppedError if it was stopped."""
        self.check()  # a stop ends a pause that was asked for after it, too
        self._going.wait()
        self.check()

    @property
    def is_paused(self) -> bool:
        """Whether the job has to wait at the next place where it can."""
        return not self._going.is_set()

    def pause(self) -> None:
        """Let the job wait between two primitives or views."""
        self._going.clear()

    def resume(self) -> None:
        """End a pause."""
        self._going.set()

    def stop(self) -> None:
        """End the job with StoppedError, also out of a pause."""
        self._stopping.set()
        self._going.set()
