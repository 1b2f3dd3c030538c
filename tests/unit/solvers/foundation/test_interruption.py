"""The first signal interrupts, further ones do not disturb, and afterwards all is as before."""

import os
import signal

import pytest

from solvers.foundation.command_line.interruption import interrupted_once

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
