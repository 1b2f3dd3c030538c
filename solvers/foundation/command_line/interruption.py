"""Ends work that drives a machine once and in order, whoever ends it: Ctrl-C, SIGTERM, SIGHUP."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final

# Windows has no SIGHUP.
_ENDINGS: Final = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
)


@contextmanager
def interrupted_once() -> Iterator[None]:
    """Turn the first of these signals into KeyboardInterrupt, and let no further one disturb.

    Switching off is not to be cut off by somebody who presses Ctrl-C twice. Signals that were
    ignored (`nohup`) stay ignored.
    """
    before = {number: signal.getsignal(number) for number in _ENDINGS}

    def end(number: int, frame: FrameType | None) -> None:  # noqa: ARG001
        for each in before:
            signal.signal(each, signal.SIG_IGN)
        raise KeyboardInterrupt

    for number, handler in before.items():
        if handler is not signal.SIG_IGN:
            signal.signal(number, end)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def interrupted_later() -> Iterator[None]:
    """Let Ctrl-C wait for the end of the block, once: a second one is not kept waiting."""
    came = False

    def wait(number: int, frame: FrameType | None) -> None:  # noqa: ARG001
        nonlocal came
        if came:
            raise KeyboardInterrupt
        came = True

    before = signal.getsignal(signal.SIGINT)
    if before is not signal.default_int_handler:
        # Ctrl-C is ignored (`nohup`), or somebody else's matter.
        yield
        return
    signal.signal(signal.SIGINT, wait)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if came:
        raise KeyboardInterrupt
