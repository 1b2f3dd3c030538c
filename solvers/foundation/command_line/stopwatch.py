"""How long a command's work took: the same two figures, measured the same way, everywhere."""

import os
import time


class Stopwatch:
    """Runs from its making on; made after everything is loaded and compiled.

    CPU seconds are those of this process and of the child processes that have ended.
    """

    def __init__(self) -> None:
        self._cpu_s = _cpu_s()
        self._wall_s = time.perf_counter()

    @property
    def cpu_seconds(self) -> float:
        """CPU seconds since the start."""
        return _cpu_s() - self._cpu_s

    @property
    def wall_seconds(self) -> float:
        """Seconds since the start by the clock on the wall."""
        return time.perf_counter() - self._wall_s

    def as_json(self) -> dict[str, float]:
        """Return both under the keys that every command's `--json` uses."""
        return {
            "cpu_seconds": round(self.cpu_seconds, 6),
            "wall_seconds": round(self.wall_seconds, 6),
        }


def _cpu_s() -> float:
    used = os.times()
    return time.process_time() + used.children_user + used.children_system
