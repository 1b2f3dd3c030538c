"""Bluetooth for nxt-python by Python's own sockets, on Linux and Windows, instead of PyBluez.

nxt-python's back end takes a module that looks like PyBluez; `OwnBluetooth` has as much of it as
that back end uses. Python's sockets cannot look for devices: a brick needs its hardware address.
Nobody has tried this with a real brick; the tests have a stand-in for the socket.
"""

import socket
from typing import Any, Final

FAMILY: Final[int | None] = getattr(socket, "AF_BLUETOOTH", None)
"""None on macOS, and where Python was built without Bluetooth's headers."""


class RfcommSocket(socket.socket):
    """A serial line over Bluetooth that sends and receives whole blocks.

    nxt-python takes what one `recv` returns for all that it asked for; a stream may give less.
    """

    def __init__(self, protocol: int) -> None:
        """Make a socket. Raises OSError where the system has no Bluetooth."""
        assert FAMILY is not None
        super().__init__(FAMILY, socket.SOCK_STREAM, protocol)

    def send(self, data: Any, flags: int = 0, /) -> int:
        """Send all of `data`."""
        self.sendall(data, flags)
        return len(data)

    def recv(self, size: int, flags: int = 0, /) -> bytes:
        """Return exactly `size` bytes. Raises ConnectionResetError if the line ends before."""
        received = b""
        while len(received) < size:
            part = super().recv(size - len(received), flags)
            if not part:
                raise ConnectionResetError("the brick has closed the connection")
            received += part
        return received


class OwnBluetooth:
    """What nxt-python uses of PyBluez, for a brick whose address is known."""

    RFCOMM: Final[int] = getattr(socket, "BTPROTO_RFCOMM", 3)
    BluetoothError = OSError
    BluetoothSocket = RfcommSocket
