"""What every line to a simulated device can do.

An endpoint carries bytes and knows nothing of what they mean. The device's own thread calls
`receive` in a loop; `send` and `drop_client` may come from that thread, `wake` from any.
"""

import select
import socket
from typing import Final, Protocol

CHUNK: Final = 4096
SEND_PATIENCE_S: Final = 1.0  # a client that takes no bytes for so long has lost its line


class Endpoint(Protocol):
    """One line to one client at a time."""

    @property
    def connections(self) -> int:
        """How many clients have come so far; a change means that a new conversation began."""

    def receive(self, timeout_s: float) -> bytes:
        """Return what the client sent, or b"" when nothing came in that time."""

    def wait(self, timeout_s: float) -> bool:
        """Return whether there is something to receive before the time is over."""

    def send(self, data: bytes) -> None:
        """Write `data` in one piece; it is lost when nobody is connected.

        A client that does not read loses its line, so that this always returns.
        """

    def drop_client(self) -> None:
        """Cut the line as a pulled plug does, and wait for the next client."""

    def wake(self) -> None:
        """Make a `receive` that waits in another thread return at once."""

    def close(self) -> None:
        """Give the port or file back."""


class Waker:
    """A pair of sockets that ends a `select` early; Windows selects nothing but sockets."""

    def __init__(self) -> None:
        self._read, self._write = socket.socketpair()

    def wake(self) -> None:
        """End the `wait_for` under way, or else the next one."""
        self._write.send(b"\0")

    def wait_for(self, readable: int, timeout_s: float) -> bool:
        """Return whether the descriptor has something to read before the time is over."""
        woken = self._read.fileno()
        ready, _, _ = select.select([readable, woken], [], [], timeout_s)
        if woken in ready:
            self._read.recv(CHUNK)
        return readable in ready

    def close(self) -> None:
        """Close both ends."""
        self._read.close()
        self._write.close()
