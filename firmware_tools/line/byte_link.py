"""The interface of a line to the board, cancellable waits, and listening to a program."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import Final, Protocol

from solvers.foundation.clock import Clock


class ByteLink(Protocol):
    """A serial line, or anything that behaves like one.

    Time belongs to the link: a session waits only by reading, so a link in virtual time makes the
    whole session run in virtual time.
    """

    def write(self, data: bytes) -> None:
        """Send `data`. Raises PortError if the line is gone."""

    def read(self, count: int, timeout_s: float) -> bytes:
        """Return `count` bytes, or what came until `timeout_s` was over. Raises PortError."""

    def discard_input(self) -> None:
        """Forget what has come in and was not read."""

    def close(self) -> None:
        """End the connection; may be called twice."""


SLICE_S: Final = 0.1


class CancellableLink:
    """A link whose waits can be cancelled: it calls `check` at least every `SLICE_S`.

    What `check` raises ends the job at any point. A frame that is cut off does no harm, because
    boot loaders drop partial frames after a silence.
    """

    def __init__(self, link: ByteLink, check: Callable[[], object]) -> None:
        self._link = link
        self._check = check

    def write(self, data: bytes) -> None:
        """Send `data`."""
        self._check()
        self._link.write(data)

    def read(self, count: int, timeout_s: float) -> bytes:
        """Return `count` bytes, or what came in time."""
        data, left_s = b"", timeout_s
        while True:
            self._check()
            data += self._link.read(count - len(data), min(left_s, SLICE_S))
            left_s -= SLICE_S
            if len(data) == count or left_s <= 0:
                return data

    def discard_input(self) -> None:
        """Forget what has come in and was not read."""
        self._link.discard_input()

    def close(self) -> None:
        """Close the other link."""
        self._link.close()


POLL_S = 0.05
CHUNK_BYTES = 256


def listen(
    link: ByteLink,
    outgoing: "SimpleQueue[bytes]",
    clock: Clock,
    duration_s: float | None = None,
) -> Iterator[bytes]:
    """Yield what the board sends, and send it what is put into `outgoing`.

    Ends after `duration_s` by `clock`; without it, only with the connection (PortError).
    """
    end_s = None if duration_s is None else clock.now() + duration_s
    while end_s is None or clock.now() < end_s:
        with suppress(Empty):
            link.write(outgoing.get_nowait())
        data = link.read(1, POLL_S)
        if data:
            yield data + link.read(CHUNK_BYTES, 0)
