"""Calls that hang are given up, others come back unchanged."""

import threading

import pytest

from controller.rigs.nxt_brick.brick_link import CallTimeoutError, Watchdog


def test_results_and_errors_come_back() -> None:
    watchdog = Watchdog(timeout_s=10)
    assert watchdog.call(lambda: 42) == 42
    with pytest.raises(ZeroDivisionError):
        watchdog.call(lambda: 1 / 0)
    assert watchdog.call(lambda: "still there") == "still there"
    watchdog.close()


def test_a_call_that_hangs_is_given_up() -> None:
    never = threading.Event()
    watchdog = Watchdog(timeout_s=0.05)
    with pytest.raises(CallTimeoutError):
        watchdog.call(never.wait)
    never.set()
    watchdog.close()
