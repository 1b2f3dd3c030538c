"""The first signal interrupts, further ones do not disturb, and afterwards all is as before."""

import os
import signal

import pytest

from solvers.foundation.command_line.progress_view import interrupted_later, interrupted_once

ENDINGS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@pytest.mark.parametrize("number", ENDINGS)
def test_the_first_interrupts_and_the_second_lets_the_motors_be_switched_off(
    number: signal.Signals,
) -> None:
    before = [signal.getsignal(each) for each in ENDINGS]
    switched_off: list[signal.Signals] = []

    def work() -> None:
        try:
            os.kill(os.getpid(), number)
        finally:
            for again in ENDINGS:
                os.kill(os.getpid(), again)
                switched_off.append(again)

    with pytest.raises(KeyboardInterrupt), interrupted_once():
        work()
    assert switched_off == list(ENDINGS)
    assert [signal.getsignal(each) for each in ENDINGS] == before


def test_what_was_ignored_stays_ignored() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with interrupted_once():
            os.kill(os.getpid(), signal.SIGHUP)
        assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, before)


@pytest.mark.usefixtures("hears_ctrl_c")
def test_ctrl_c_waits_for_the_end_of_a_block_once() -> None:
    done: list[int] = []

    def print_whole(interruptions: int) -> None:
        for _ in range(interruptions):
            os.kill(os.getpid(), signal.SIGINT)
        done.append(interruptions)

    for interruptions in (1, 2):
        with pytest.raises(KeyboardInterrupt), interrupted_later():
            print_whole(interruptions)
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    assert done == [1]


@pytest.mark.usefixtures("hears_ctrl_c")
def test_ctrl_c_that_is_ignored_stays_ignored() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with interrupted_later():
        os.kill(os.getpid(), signal.SIGINT)
