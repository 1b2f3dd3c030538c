"""Ends a connection of nxt-python, in whatever state its line is."""

import socket
from contextlib import suppress
from typing import Any

from controller.rigs.nxt_cradle.brick.traced_line import DeadLineError


def close_whatever_happens(brick: Any) -> None:
    """Close a brick whose line may be dead.

    nxt-python says goodbye before it closes its socket and leaves it open, with a second try from
    the destructor, when that fails; so the socket is closed and taken out of its hands here.
    """
    raw = getattr(brick._sock.inner, "_sock", None)
    if isinstance(raw, socket.socket):
        with suppress(OSError):
            raw.shutdown(socket.SHUT_RDWR if brick._lock.locked() else socket.SHUT_RD)
    try:
        brick.close()
    except DeadLineError:
        brick._sock = None
        if isinstance(raw, socket.socket):
            raw.close()
