"""A device behind a TCP port."""

import socket

from hardware_sims.endpoints.endpoint import CHUNK, SEND_PATIENCE_S, Waker
from hardware_sims.errors import SimulatorError


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
