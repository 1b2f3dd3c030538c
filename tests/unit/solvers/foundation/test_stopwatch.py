"""CPU and wall seconds are told apart, and children count."""

import subprocess
import sys
import time

from solvers.foundation.command_line.progress_view import Stopwatch

BUSY = "import time\nwhile time.process_time() < 0.3: pass"


def test_waiting_takes_wall_seconds_alone() -> None:
    watch = Stopwatch()
    time.sleep(0.2)
    taken = watch.as_json()
    assert set(taken) == {"cpu_seconds", "wall_seconds"}
    assert taken["wall_seconds"] >= 0.2
    assert taken["cpu_seconds"] < taken["wall_seconds"]


def test_a_child_that_has_ended_counts() -> None:
    watch = Stopwatch()
    subprocess.run([sys.executable, "-c", BUSY], check=True)
    assert watch.cpu_seconds >= 0.2
