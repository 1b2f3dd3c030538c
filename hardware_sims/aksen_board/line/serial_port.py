"""A TCP port as the board's serial line: one client, and a second one is sent away at once."""

import select
import socket

from hardware_sims.endpoints.tcp import TcpEndpoint


class SerialPort(TcpEndpoint):
    """A TCP endpoint that never lets a client wait for another one's end."""

    def receive(self, timeout_s: float) -> bytes:
        """Return what the client sent, or b"" when nothing came in that time."""
        data = super().receive(timeout_s)
        if self._client and _is_connected(self._client):
            while select.select([self._listener], [], [], 0)[0]:
                self._listener.accept()[0].close()
        return data


def _is_connected(client: socket.socket) -> bool:
    """Return whether a client that has sent nothing more is there; one with more to read may go."""
    return not select.select([client], [], [], 0)[0]
