"""Where a simulated device meets its client: a TCP port or a pseudo-terminal.

An endpoint carries bytes and knows nothing of what they mean. The device's own thread calls
`receive` in a loop; `send` and `drop_client` may come from that thread, `wake` from any.
"""

import os
import pty
import select
import socket
import tty
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Protocol, Self

from hardware_sims.errors import InvalidScenarioError, SimulatorError

CHUNK = 4096
LOOPBACK = ("localhost",)  # and all of 127.0.0.0/8


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
        """Write `data` in one piece; it is lost when nobody is connected."""

    def drop_client(self) -> None:
        """Cut the line as a pulled plug does, and wait for the next client."""

    def wake(self) -> None:
        """Make a `receive` that waits in another thread return at once."""

    def close(self) -> None:
        """Give the port or file back."""


class _Waker:
    """A pipe that ends a `select` early."""

    def __init__(self) -> None:
        self._read, self._write = os.pipe()

    def wake(self) -> None:
        os.write(self._write, b"\0")

    def wait_for(self, readable: int, timeout_s: float) -> bool:
        """Return whether the descriptor has something to read before the time is over."""
        ready, _, _ = select.select([readable, self._read], [], [], timeout_s)
        if self._read in ready:
            os.read(self._read, CHUNK)
        return readable in ready

    def close(self) -> None:
        os.close(self._read)
        os.close(self._write)


class TcpEndpoint:
    """A listening TCP port that serves one client after another.

    Replies leave at once (TCP_NODELAY), and what arrives is acknowledged at once (TCP_QUICKACK,
    which Linux wants set again after each read): a client that writes twice before it reads would
    otherwise wait 40 ms for the delayed acknowledgement.
    """

    def __init__(self, host: str = "127.0.0.1", port: int = 0) -> None:
        self._waker = _Waker()
        self._client: socket.socket | None = None
        self._connections = 0
        try:
            self._listener = socket.create_server((host, port))
        except OSError as error:
            self._waker.close()
            raise SimulatorError(
                f"Cannot listen on {host}:{port}: {error.strerror or error}. "
                "Choose another port, or port 0 for any free one."
            ) from error
        self.host, self.port = self._listener.getsockname()[:2]

    @property
    def connections(self) -> int:
        """How many clients have come so far."""
        return self._connections

    def receive(self, timeout_s: float) -> bytes:
        """Return what the client sent, or b"" when nothing came in that time."""
        if not self.wait(timeout_s):
            return b""
        if self._client is None:
            self._accept()
            return b""
        return self._read(self._client)

    def wait(self, timeout_s: float) -> bool:
        """Return whether a client or data from one comes before the time is over."""
        source = self._client or self._listener
        return self._waker.wait_for(source.fileno(), timeout_s)

    def _accept(self) -> None:
        self._client, _ = self._listener.accept()
        self._client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._acknowledge_at_once(self._client)
        self._connections += 1

    def _read(self, client: socket.socket) -> bytes:
        try:
            data = client.recv(CHUNK)
        except OSError:
            data = b""
        if data:
            self._acknowledge_at_once(client)
        else:
            self.drop_client()
        return data

    @staticmethod
    def _acknowledge_at_once(client: socket.socket) -> None:
        if hasattr(socket, "TCP_QUICKACK"):
            client.setsockopt(socket.IPPROTO_TCP, socket.TCP_QUICKACK, 1)

    def send(self, data: bytes) -> None:
        """Write `data` in one piece; it is lost when nobody is connected."""
        if self._client is None:
            return
        try:
            self._client.sendall(data)
        except OSError:
            self.drop_client()

    def drop_client(self) -> None:
        """Cut the line and wait for the next client."""
        if self._client is not None:
            self._client.close()
            self._client = None

    def wake(self) -> None:
        """Make a `receive` that waits in another thread return at once."""
        self._waker.wake()

    def close(self) -> None:
        """Give the port back."""
        self.drop_client()
        self._listener.close()
        self._waker.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()


class PtyEndpoint:
    """A raw pseudo-terminal behind a symbolic link, as a serial port or /dev/rfcomm0 looks.

    The slave side is kept open here, so that clients may come and go; a pseudo-terminal does not
    tell when they do, and `connections` counts the terminals opened. `on_new_terminal` is called
    with each slave descriptor (a board that paces itself reads the baud rate from it).
    """

    def __init__(self, link: Path, on_new_terminal: Callable[[int], None] | None = None) -> None:
        if link.exists() and not link.is_symlink():
            raise InvalidScenarioError(
                f"{link} exists and is not a link; name a path that is free for the terminal."
            )
        self.link = link
        self._on_new_terminal = on_new_terminal
        self._waker = _Waker()
        self._connections = 0
        self._open()

    def _open(self) -> None:
        self._master, self._slave = pty.openpty()
        tty.setraw(self._slave)
        partial = self.link.with_name(self.link.name + ".partial")
        partial.unlink(missing_ok=True)
        try:
            partial.symlink_to(os.ttyname(self._slave))
            partial.replace(self.link)
        except OSError as error:
            os.close(self._master)
            os.close(self._slave)
            self._waker.close()
            raise SimulatorError(
                f"Cannot create the link {self.link}: {error.strerror or error}."
            ) from error
        self._connections += 1
        if self._on_new_terminal is not None:
            self._on_new_terminal(self._slave)

    @property
    def connections(self) -> int:
        """How many terminals have been opened so far."""
        return self._connections

    def receive(self, timeout_s: float) -> bytes:
        """Return what the client sent, or b"" when nothing came in that time."""
        return os.read(self._master, CHUNK) if self.wait(timeout_s) else b""

    def wait(self, timeout_s: float) -> bool:
        """Return whether data comes before the time is over."""
        return self._waker.wait_for(self._master, timeout_s)

    def send(self, data: bytes) -> None:
        """Write `data` in one piece; a client that does not read makes this wait."""
        os.write(self._master, data)

    def drop_client(self) -> None:
        """Hang the terminal up and put a new one behind the link."""
        os.close(self._master)
        os.close(self._slave)
        self._open()

    def wake(self) -> None:
        """Make a `receive` that waits in another thread return at once."""
        self._waker.wake()

    def close(self) -> None:
        """Remove the link and close both sides."""
        self.link.unlink(missing_ok=True)
        os.close(self._master)
        os.close(self._slave)
        self._waker.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()


def parse_listen_address(text: str, allow_remote: bool = False) -> tuple[str, int]:
    """Return host and port of `HOST:PORT`.

    Raises:
        InvalidScenarioError: the text has another form, or the host is not this computer's
            loopback address and `allow_remote` is not set.
    """
    host, separator, port = text.rpartition(":")
    if not separator or not host or not port.isdigit() or int(port) > 65535:
        raise InvalidScenarioError(
            f"{text!r} is no address to listen on; write HOST:PORT, for example 127.0.0.1:0."
        )
    host = host.strip("[]")
    if not allow_remote and not (host in LOOPBACK or host.startswith("127.")):
        raise InvalidScenarioError(
            f"{host} can be reached from other computers, and whoever connects drives the machine. "
            "Use 127.0.0.1, or add --allow-remote if that is what you want."
        )
    return host, int(port)
