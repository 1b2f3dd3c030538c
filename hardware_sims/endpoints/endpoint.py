"""What every line to a simulated device can do, and where it may listen.

An endpoint carries bytes and knows nothing of what they mean. The device's own thread calls
`receive` in a loop; `send` and `drop_client` may come from that thread, `wake` from any.
"""

import select
import socket
from ipaddress import AddressValueError, IPv4Address
from typing import Final, Protocol

from hardware_sims.errors import InvalidScenarioError
from solvers.foundation.wording import whole_number

CHUNK: Final = 4096
SEND_PATIENCE_S: Final = 1.0  # a client that takes no bytes for so long has lost its line


class Endpoint(Protocol):
    """One line to one client at a time."""

    @property
    def connections(self) -> int:
        """How many clients have come so far; a change means that a new conversation started."""

    def receive(self, timeout_s: float) -> bytes:
        """Return what the client sent, or b"" when nothing came in that time."""

    def wait(self, timeout_s: float) -> bool:
        """Return whether there is something to receive before the time is over."""

    def send(self, data: bytes) -> None:
        """Write `data` in one piece; it is lost without a client.

        A client that does not read loses its line, so that this always returns.
        """

    def drop_client(self) -> None:
        """Cut the line as a pulled plug does, and wait for the next client."""

    def unplug(self) -> None:
        """Cut the line and refuse clients, as a device that is off; harmless if repeated."""

    def plug_in(self) -> None:
        """Let clients connect again, at the same address."""

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

    def wait_for(self, readable: int | None, timeout_s: float) -> bool:
        """Return whether the descriptor, if there is one, can be read before the time is over."""
        woken = self._read.fileno()
        sources = [woken] if readable is None else [readable, woken]
        ready, _, _ = select.select(sources, [], [], timeout_s)
        if woken in ready:
            self._read.recv(CHUNK)
        return readable in ready

    def close(self) -> None:
        """Close both ends."""
        self._read.close()
        self._write.close()


LARGEST_PORT: Final = 65535


def parse_listen_address(text: str, allow_remote: bool = False) -> tuple[str, int]:
    """Return host and port of `HOST:PORT`.

    Raises:
        InvalidScenarioError: the text has another form, or the host is not this computer's
            loopback address and `allow_remote` is not set.
    """
    host, separator, port = text.rpartition(":")
    number = whole_number(port, LARGEST_PORT)
    if not separator or not host or number is None:
        raise InvalidScenarioError(
            f"{text!r} is no address to listen on; write HOST:PORT, for example 127.0.0.1:0."
        )
    host = host.strip("[]")
    if not allow_remote and not _is_loopback(host):
        raise InvalidScenarioError(
            f"{host} can be reached from other computers, and any client drives the machine. "
            "Use 127.0.0.1, or add --allow-remote if that is what you want."
        )
    return host, number


def _is_loopback(host: str) -> bool:
    """Return whether only this computer reaches a host: localhost and 127.0.0.0/8 (RFC 1122).

    No other name: whatever its form, another computer's name server resolves it.
    """
    try:
        return IPv4Address(host).is_loopback
    except AddressValueError:
        return host == "localhost"
