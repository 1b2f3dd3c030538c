"""Listens to a running program on the serial line."""

from collections.abc import Iterator
from contextlib import suppress
from queue import Empty, SimpleQueue

from firmware_tools.line.byte_link import ByteLink
from solvers.foundation.clock import Clock

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
