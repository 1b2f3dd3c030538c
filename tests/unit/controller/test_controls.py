"""Pause, go on and stop from another thread."""

import threading

import pytest

from controller.controls import STOPS_WITHIN_S, Controls
from controller.errors import StoppedError
from hardware_sims.clock import VirtualClock


def test_sleep_passes_the_time_of_the_clock() -> None:
    controls = Controls(VirtualClock())
    controls.sleep(2.5)
    assert controls.now() == 2.5


def test_a_stop_is_told_once_so_that_cleaning_up_may_sleep() -> None:
    controls = Controls(VirtualClock())
    controls.stop()
    with pytest.raises(StoppedError):
        controls.sleep(1.0)
    controls.sleep(1.0)
    controls.check()


def test_a_stop_during_a_sleep_is_told_soon() -> None:
    controls = Controls(VirtualClock())

    class StopsMeanwhile(VirtualClock):
        def sleep(self, seconds: float) -> None:
            super().sleep(seconds)
            controls.stop()

    controls._clock = clock = StopsMeanwhile()
    with pytest.raises(StoppedError):
        controls.sleep(1.0)
    assert clock.now() == STOPS_WITHIN_S


def test_a_pause_is_waited_for_until_somebody_ends_it() -> None:
    controls = Controls(VirtualClock())
    controls.wait()
    controls.pause()
    assert controls.is_paused
    thread = threading.Thread(target=controls.wait)
    thread.start()
    thread.join(timeout=0.05)
    assert thread.is_alive()
    controls.resume()
    thread.join()
    assert not controls.is_paused


def test_a_stop_ends_a_pause() -> None:
    controls = Controls(VirtualClock())
    controls.pause()
    controls.stop()
    with pytest.raises(StoppedError):
        controls.wait()


def test_a_pause_that_comes_after_a_stop_holds_nobody() -> None:
    controls, told = Controls(VirtualClock()), threading.Event()
    controls.stop()
    controls.pause()

    def wait() -> None:
        with pytest.raises(StoppedError):
            controls.wait()
        told.set()

    threading.Thread(target=wait, daemon=True).start()
    assert told.wait(10)
