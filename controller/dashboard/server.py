"""HTTP server of the dashboard. At its end it stops everything, motors first."""

import asyncio
import os
import re
import secrets
import signal
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

import uvicorn
from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.exceptions import InvalidState

from controller.dashboard.app import Dashboard, application
from controller.dashboard.guard import Guard, Lan
from solvers.foundation.errors import PuzzlerigError
from solvers.foundation.files import atomic_write

HOST: Final = "127.0.0.1"
NAMES: Final = (HOST, "localhost")
_ENDING_S: Final = 2


class _Tab(WebSocketsSansIOProtocol):
    def send_receive_event_to_app(self) -> None:
        """Close the line on whatever arrives: pages send nothing here, and text may be no UTF-8."""
        self.frames = []
        self.conn.send_close(1003, "This socket takes no messages.")
        self.handle_parser_exception()

    async def send(self, message: Any) -> None:
        """Send a message. Raises ClientDisconnected if this side has closed the connection.

        uvicorn raises RuntimeError there, but the application may not yet have received the
        disconnect.
        """
        try:
            await super().send(message)
        except RuntimeError:
            if not self.close_sent:
                raise
            raise ClientDisconnected from None

    def shutdown(self) -> None:
        """Close the line to a tab. One that is closing by itself ended the server with an error."""
        try:
            super().shutdown()
        except InvalidState:
            self.transport.close()


class _MotorsFirst(uvicorn.Server):
    def __init__(self, dashboard: Dashboard, config: uvicorn.Config) -> None:
        super().__init__(config)
        self._dashboard = dashboard

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Let SIGHUP, which a closed terminal sends, end the server as SIGTERM does.

        uvicorn handles SIGINT and SIGTERM alone. A SIGHUP that is ignored (`nohup`) stays so.
        """
        hangup = getattr(signal, "SIGHUP", None)  # Windows has none
        is_main = threading.current_thread() is threading.main_thread()
        if hangup is None or not is_main or signal.getsignal(hangup) is signal.SIG_IGN:
            with super().capture_signals():
                yield
            return
        before = signal.signal(hangup, self.handle_exit)
        try:
            with super().capture_signals():
                yield
        finally:
            signal.signal(hangup, before)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop everything while the pages can still show it; then close the sockets."""
        await asyncio.to_thread(self._dashboard.close)
        await super().shutdown(sockets)


class Server:
    """A dashboard at an address of this computer. Port 0 takes one that is free."""

    def __init__(
        self, dashboard: Dashboard, port: int = 0, *, token: str = "", network_host: str = ""
    ) -> None:
        """Take the port. Without a `token`, the secret, make a new one.

        With `network_host`, our address in a network, others there can watch, and steer with a
        code. Raises PuzzlerigError if the port is in use.
        """
        self._dashboard = dashboard
        self._sockets = [_listening(HOST, port)]
        self.port: int = self._sockets[0].getsockname()[1]
        self.token = token or secrets.token_urlsafe(24)
        self.lan: Lan | None = None
        if network_host:
            try:
                self._sockets.append(_listening(network_host, self.port))
            except PuzzlerigError:
                self._sockets[0].close()
                raise
            self.lan = Lan(f"{network_host}:{self.port}")
        hosts = [f"{name}:{self.port}" for name in NAMES]
        cookie = f"puzzlerig_{self.port}"
        app = Guard(application(dashboard), hosts, self.token, cookie, self.lan)
        self._server = _MotorsFirst(
            dashboard,
            uvicorn.Config(
                app,
                log_level="warning",
                access_log=False,
                server_header=False,
                ws=_Tab,
                lifespan="off",
                timeout_graceful_shutdown=_ENDING_S,
            ),
        )

    @property
    def origin(self) -> str:
        """Where the pages are."""
        return f"http://{HOST}:{self.port}"

    @property
    def address(self) -> str:
        """The address with the secret, for a browser."""
        return f"{self.origin}/?token={self.token}"

    @property
    def watching_address(self) -> str:
        """The address for others in the network; "" without one."""
        return "" if self.lan is None else f"http://{self.lan.host}/?token={self.lan.watch}"

    def run(self) -> None:
        """Serve until `end`, Ctrl-C, SIGTERM or SIGHUP; then stop everything, motors off."""
        try:
            self._server.run(sockets=self._sockets)
        finally:
            for each in self._sockets:
                each.close()

    def end(self) -> None:
        """Let `run` return, from any thread."""
        self._server.should_exit = True


def host_in_network() -> str:
    """Return this computer's address in its network. Raises PuzzlerigError where it has none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as line:
        try:
            line.connect(_ELSEWHERE)  # of a datagram socket: chooses the way and sends nothing
        except OSError:
            raise PuzzlerigError(
                "This computer is in no network now, so nobody else could watch. Connect it, or "
                "leave out --lan."
            ) from None
        host: str = line.getsockname()[0]
        return host


_ELSEWHERE: Final = ("192.0.2.1", 9)
"""An address that nobody has (RFC 5737), on the same way out as all others."""


def _listening(host: str, port: int) -> socket.socket:
    listening = socket.socket()
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
        listening.listen()  # a browser may be opened before the server runs, and waits then
    except OSError as error:
        listening.close()
        where = "this computer" if host == HOST else f"the address {host}"
        raise PuzzlerigError(
            f"Port {port} of {where} cannot be used: {error.strerror}. Perhaps a dashboard "
            "is already open; take another with --port, or 0 for any that is free."
        ) from None
    return listening


def lasting_secret(path: Path) -> str:
    """Return the secret in a file that only its owner can read; a new one where there is none.

    With the same secret at each start, bookmarks and open pages go on working. Where the file
    cannot be written, the secret is for this start alone.
    """
    with suppress(OSError, UnicodeDecodeError):
        is_private = os.name == "nt" or not path.stat().st_mode & 0o077
        found = path.read_text("ascii")
        if is_private and _SECRET.fullmatch(found):
            return found
    secret = secrets.token_urlsafe(24)
    with suppress(OSError), atomic_write(path, is_private=True) as file:
        file.write(secret.encode())
    return secret


_SECRET: Final = re.compile(r"[\w-]{32}", re.ASCII)
