"""A wait on the line can be cancelled, and takes no longer if it is not."""

import pytest

from firmware_tools.line.byte_link import SLICE_S, CancellableLink


class SlowLink:
    """Gives one byte in each read that waits; notes how long each may wait."""

    def __init__(self) -> None:
        self.waits: list[float] = []
        self.written = b""

    def write(self, data: bytes) -> None:
        self.written += data

    def read(self, count: int, timeout_s: float) -> bytes:
        del count
        self.waits.append(timeout_s)
        return b"x" if timeout_s > 0 else b""

    def discard_input(self) -> None:
        return

    def close(self) -> None:
        return


class EndedError(Exception):
    """The job shall end."""


def test_a_read_waits_in_slices_and_no_longer_than_it_may() -> None:
    link = SlowLink()
    assert CancellableLink(link, lambda: None).read(3, 10) == b"xxx"
    assert CancellableLink(link, lambda: None).read(9, 2.5 * SLICE_S) == b"xxx"
    assert link.waits[3:] == pytest.approx([SLICE_S, SLICE_S, SLICE_S / 2])
    assert CancellableLink(link, lambda: None).read(1, 0) == b""


def test_what_the_check_raises_ends_a_wait_and_sends_nothing() -> None:
    link, checks = SlowLink(), list[int]()

    def check() -> None:
        checks.append(1)
        if len(checks) == 3:
            raise EndedError

    steered = CancellableLink(link, check)
    with pytest.raises(EndedError):
        steered.read(99, 10)
    assert len(link.waits) == 2
    del checks[2:]
    with pytest.raises(EndedError):
        steered.write(b"frame")
    assert link.written == b""
