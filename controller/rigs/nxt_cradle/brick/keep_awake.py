"""Keeps the brick from switching itself off.

Its sleep timer, 2 to 60 minutes, knows nothing of motor commands (firmware source, c_ui.c): only
the keep-alive command puts it back. While the robot moves, its driver calls `if_due`
between motions; a background thread does it during a search or a pause.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final

from controller.errors import RobotError
from controller.rigs.nxt_cradle.brick.brick_link import BrickLink
from solvers.foundation.clock import Clock

_OVERDUE: Final = 2.0  # intervals; a telegram in the middle of a motion would delay its brake
_LOOK_INTERVAL_S: Final = 0.2  # of the computer's time; a simulated brick's may pass faster


class KeepAwake:
    """Sends the keep-alive command at a given interval, or a little later."""

    def __init__(
        self,
        link: BrickLink,
        clock: Clock,
        interval_s: float,
        look_interval_s: float = _LOOK_INTERVAL_S,
    ) -> None:
        self._link = link
        self._clock = clock
        self._interval_s = interval_s
        self._look_interval_s = look_interval_s
        self._last_s = -interval_s
        self._lock = threading.Lock()

    def if_due(self) -> None:
        """Keep the brick awake unless that was done lately. Raises RobotError."""
        self._send_after(self._interval_s)

    @contextmanager
    def in_background(self) -> Iterator[None]:
        """Keep the brick awake while the block runs, even if `if_due` is never called."""
        self.if_due()
        ended = threading.Event()

        def work() -> None:
            # Not a sleep of the clock: StoppedError has to reach the thread that drives.
            with suppress(RobotError):  # a dead line: its next user gets the error
                while not ended.wait(self._look_interval_s):
                    self._send_after(_OVERDUE * self._interval_s)

        thread = threading.Thread(target=work, name="keep awake", daemon=True)
        thread.start()
        try:
            yield
        finally:
            ended.set()
            thread.join()  # its last telegram, if any, ends with the link's time limit

    def _send_after(self, interval_s: float) -> None:
        now_s = self._clock.now()
        with self._lock:
            is_due = now_s - self._last_s >= interval_s
            if is_due:
                self._last_s = now_s
        if is_due:
            self._link.keep_alive()
