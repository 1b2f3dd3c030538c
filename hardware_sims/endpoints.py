"""Lines to a simulated device: a TCP port or a pseudo-terminal, and where each may listen.

An endpoint carries bytes and knows nothing of what they mean. The device's own thread calls
`receive` in a loop; `send` and `drop_client` may come from that thread, `wake` from any.
"""

import os
import select
import socket
from collections.abc import Callable
from ipaddress import AddressValueError, IPv4Address
from pathlib import Path
from typing import Final, Protocol

from hardware_sims.errors import InvalidScenarioError, SimulatorError
from solvers.foundation.device_lock import DeviceLock
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


class TcpEndpoint:
    """A listening TCP port that serves one client after another.

    Replies leave at once (TCP_NODELAY), and what arrives is acknowledged at once (TCP_QUICKACK,
    which Linux wants set again after each read): a client that writes twice before it reads would
    otherwise wait 40 ms for the delayed acknowledgement.
    """

    def __init__(self, host: str = "127.0.0.1", port: int = 0) -> None:
        self._waker = Waker()
        self._client: socket.socket | None = None
        self._connections = 0
        self._is_unplugged = False
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
        if self._is_unplugged:
            return self._waker.wait_for(None, timeout_s)
        source = self._client or self._listener
        return self._waker.wait_for(source.fileno(), timeout_s)

    def _accept(self) -> None:
        self._client, _ = self._listener.accept()
        self._client.settimeout(SEND_PATIENCE_S)
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
        # Linux sends an acknowledgement up to 40 ms late, and Nagle's algorithm in the client waits
        # for it: a command without reply followed by a question took 44 ms.
        if hasattr(socket, "TCP_QUICKACK"):
            client.setsockopt(socket.IPPROTO_TCP, socket.TCP_QUICKACK, 1)

    def send(self, data: bytes) -> None:
        """Write `data` in one piece; a client that does not take it is dropped."""
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

    def unplug(self) -> None:
        """Refuse connections, as a computer does on which nothing listens; keep the port."""
        if self._is_unplugged:
            return
        self._is_unplugged = True
        self._listener.close()
        # A port that is bound but not listened to refuses, and no other process can take it.
        self._listener = socket.socket()
        self._listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self._listener.bind((self.host, self.port))
        self.drop_client()

    def plug_in(self) -> None:
        """Listen at the same port again."""
        self._listener.listen()
        self._is_unplugged = False

    def wake(self) -> None:
        """Make a `receive` that waits in another thread return at once."""
        self._waker.wake()

    def close(self) -> None:
        """Give the port back."""
        self.drop_client()
        self._listener.close()
        self._waker.close()


class PtyEndpoint:
    """A raw pseudo-terminal behind a symbolic link, as a serial port or /dev/rfcomm0 looks.

    The slave side stays open here, so that clients may come and go; a pseudo-terminal does not
    show when they do, and `connections` counts the terminals opened. `on_new_terminal` is called
    with each slave descriptor (a board that paces itself reads the baud rate from it).
    """

    def __init__(self, link: Path, on_new_terminal: Callable[[int], None] | None = None) -> None:
        if link.exists() and not link.is_symlink():
            raise InvalidScenarioError(
                f"{link} exists and is not a link; name a path that is free for the terminal."
            )
        self.link = link
        self._lock = DeviceLock(f"The pseudo-terminal {link.absolute()}", SimulatorError)
        self._on_new_terminal = on_new_terminal
        self._waker = Waker()
        self._connections = 0
        self._is_unplugged = False
        try:
            self._open()
        except SimulatorError:
            self._waker.close()
            self._lock.close()
            raise

    def _open(self) -> None:
        self._master, self._slave = _raw_terminal()
        partial = self.link.with_name(self.link.name + ".partial")
        partial.unlink(missing_ok=True)
        try:
            partial.symlink_to(os.ttyname(self._slave))
            partial.replace(self.link)
        except OSError as error:
            os.close(self._master)
            os.close(self._slave)
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
        return self._waker.wait_for(None if self._is_unplugged else self._master, timeout_s)

    def send(self, data: bytes) -> None:
        """Write `data`; where the client does not take it, the terminal is hung up."""
        while data and not self._is_unplugged:
            _, writable, _ = select.select([], [self._master], [], SEND_PATIENCE_S)
            if not writable:
                self.drop_client()
                return
            data = data[self._write(data) :]

    def _write(self, data: bytes) -> int:
        """Write what the terminal's buffer takes; return how many bytes that were."""
        os.set_blocking(self._master, False)
        try:
            return os.write(self._master, data)
        except BlockingIOError:
            return 0
        finally:
            os.set_blocking(self._master, True)

    def drop_client(self) -> None:
        """Hang the terminal up and put a new one behind the link."""
        if not self._is_unplugged:
            os.close(self._master)
            os.close(self._slave)
            self._open()

    def unplug(self) -> None:
        """Hang up and remove the link, as /dev/rfcomm0 goes when its device is gone."""
        if not self._is_unplugged:
            self._is_unplugged = True
            self.link.unlink(missing_ok=True)
            os.close(self._master)
            os.close(self._slave)

    def plug_in(self) -> None:
        """Put a new terminal behind the link."""
        self._open()
        self._is_unplugged = False

    def wake(self) -> None:
        """Make a `receive` that waits in another thread return at once."""
        self._waker.wake()

    def close(self) -> None:
        """Remove the link and close both sides."""
        self.unplug()
        self._waker.close()
        self._lock.close()


def _raw_terminal() -> tuple[int, int]:
    """Return both sides of a new terminal that leaves every byte as it is."""
    try:
        import pty
        import tty
    except ImportError:
        raise SimulatorError(
            "This system has no pseudo-terminals; listen on a TCP port with --listen instead."
        ) from None
    master, slave = pty.openpty()
    tty.setraw(slave)
    return master, slave
