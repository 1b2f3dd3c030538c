"""What counts as a dead line, and what does not."""

import struct

import pytest

from controller.rigs.nxt_brick.brick_link import DeadLineError, TracedLine


class BackEnd:
    """Stands where nxt-python has a socket, and answers or fails as it is told."""

    bsize = 60
    type = "test"

    def __init__(self, outcome: bytes | Exception | None) -> None:
        self._outcome = outcome

    def recv(self) -> bytes | None:
        if isinstance(self._outcome, Exception):
            raise self._outcome
        return self._outcome

    def send(self, data: bytes) -> None:  # noqa: ARG002
        self.recv()

    close = recv


@pytest.mark.parametrize("error", [OSError("unplugged"), TimeoutError(), struct.error("cut off")])
def test_what_systems_and_back_ends_raise_is_a_dead_line(error: Exception) -> None:
    line = TracedLine(BackEnd(error), {})
    for call in (line.recv, line.close, lambda: line.send(b"\x00\x06\x00")):
        with pytest.raises(DeadLineError):
            call()
    assert not line.has_answered


@pytest.mark.parametrize("reply", [None, b"", b"\x02\x06"])
def test_no_reply_or_half_a_head_is_a_dead_line(reply: bytes | None) -> None:
    with pytest.raises(DeadLineError, match="ended"):
        TracedLine(BackEnd(reply), {}).recv()


@pytest.mark.parametrize("error", [AttributeError("x"), ValueError("x"), TypeError("x")])
def test_bugs_are_not(error: Exception) -> None:
    line = TracedLine(BackEnd(error), {})
    for call in (line.recv, line.close, lambda: line.send(b"\x00\x06\x00")):
        with pytest.raises(type(error), match="x"):
            call()


def test_a_reply_is_handed_on_and_noted() -> None:
    line = TracedLine(BackEnd(b"\x02\x0d\x00\x01"), {})
    assert line.recv() == b"\x02\x0d\x00\x01"
    assert line.has_answered
