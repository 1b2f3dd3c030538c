"""The line is heard while nobody works with it, and is a job's alone while one does."""

import threading
from queue import Empty, SimpleQueue

import pytest

from controller.dashboard.board.devices import BoardLine
from firmware_tools.errors import PortError
from solvers.foundation.errors import InvalidInputError

LONGEST_S = 10.0


class QueueLink:
    """Bytes that a test puts in; None breaks the line."""

    def __init__(self) -> None:
        self.coming: SimpleQueue[bytes | None] = SimpleQueue()
        self.written = b""
        self.is_closed = False

    def write(self, data: bytes) -> None:
        self.written += data

    def read(self, count: int, timeout_s: float) -> bytes:
        del count
        try:
            data = self.coming.get(timeout=timeout_s) if timeout_s else self.coming.get_nowait()
        except Empty:
            return b""
        if data is None:
            raise PortError("The cable is out.")
        return data

    def discard_input(self) -> None:
        return

    def close(self) -> None:
        self.is_closed = True


class Ear:
    """What the listener told."""

    def __init__(self) -> None:
        self.heard: SimpleQueue[bytes] = SimpleQueue()
        self.broken: SimpleQueue[str] = SimpleQueue()

    def line(self, link: QueueLink) -> BoardLine:
        return BoardLine(link, self.heard.put, lambda error: self.broken.put(str(error)))


def test_a_job_has_the_line_to_itself_and_gives_it_back() -> None:
    link, ear = QueueLink(), Ear()
    line = ear.line(link)
    link.coming.put(b"before")
    assert ear.heard.get(timeout=LONGEST_S) == b"before"
    with line.acquire() as taken:
        link.coming.put(b"answer")
        assert taken.read(6, LONGEST_S) == b"answer"
        with pytest.raises(InvalidInputError, match="in use"):
            line.send(b"typed")
    line.send(b"later")
    link.coming.put(b"after")
    assert ear.heard.get(timeout=LONGEST_S) == b"after"
    line.close()
    assert (link.written, link.is_closed, ear.heard.empty()) == (b"later", True, True)


def test_a_broken_line_is_told_once_by_whoever_finds_it() -> None:
    link, ear = QueueLink(), Ear()
    line = ear.line(link)
    link.coming.put(None)
    assert ear.broken.get(timeout=LONGEST_S) == "The cable is out."
    line.close()

    link, ear = QueueLink(), Ear()
    line = ear.line(link)
    with line.acquire() as taken:
        link.coming.put(None)
        with pytest.raises(PortError) as caught:
            taken.read(1, LONGEST_S)
    with pytest.raises(PortError), line.acquire():
        raise caught.value
    line.close()
    assert ear.broken.empty()
    assert "board line" not in [thread.name for thread in threading.enumerate()]
