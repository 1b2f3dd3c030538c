"""Real, scaled and virtual time."""

import threading

import pytest

from hardware_sims.clock import VirtualClock
from solvers.foundation.clock import SystemClock


def test_virtual_time_passes_only_while_somebody_sleeps() -> None:
    clock = VirtualClock()
    assert clock.now() == 0.0
    clock.sleep(2.5)
    clock.sleep(-1.0)
    assert clock.now() == 2.5


def test_threads_share_one_virtual_time() -> None:
    clock = VirtualClock()

    def nap() -> None:
        for _ in range(500):
            clock.sleep(0.25)

    threads = [threading.Thread(target=nap) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert clock.now() == 4 * 500 * 0.25


def test_real_time_never_runs_back() -> None:
    clock = SystemClock(speed=1000.0)
    before = clock.now()
    clock.sleep(0.5)
    assert clock.now() - before >= 0.5


@pytest.mark.parametrize("speed", [0.0, -1.0, float("nan")])
def test_time_that_stands_still_or_runs_back_is_refused(speed: float) -> None:
    with pytest.raises(ValueError, match="speed"):
        SystemClock(speed)
