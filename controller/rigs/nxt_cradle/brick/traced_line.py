"""The line below nxt-python's brick: logs each telegram and detects a dead line.

nxt-python's back ends (USB, Bluetooth, device file, socket) have four methods: `send`, `recv`,
`close` and a block size. They raise OSError where the system does (pyusb's and PyBluez' errors are
of that kind), return nothing at the end of a stream, or fail at unpacking its length.
"""

import logging
import struct
from collections.abc import Callable, Mapping
from typing import Any, Final

_log: Final = logging.getLogger(__name__)

_LEAST_REPLY_BYTES: Final = 3  # type, command, status
_COMMAND: Final = 1  # where a telegram has its command


class DeadLineError(Exception):
    """The line broke, ended, or carries what is no telegram."""


class TracedLine:
    """Stands between nxt-python's Brick and its back end. `names` are those of the commands."""

    def __init__(self, inner: Any, names: Mapping[int, str]) -> None:
        self.inner = inner
        self.bsize = inner.bsize
        self.type = inner.type
        self.has_answered = False
        """Whether a reply has come since this was last set to False."""
        self._names = names

    def __str__(self) -> str:
        return str(self.inner)

    def send(self, telegram: bytes) -> None:
        """Send one telegram. Raises DeadLineError."""
        self._trace("->", telegram)
        _alive(self.inner.send, telegram)

    def recv(self) -> bytes:
        """Return one telegram. Raises DeadLineError."""
        telegram = _alive(self.inner.recv)
        if telegram is None or len(telegram) < _LEAST_REPLY_BYTES:
            raise DeadLineError("the line has ended")
        self._trace("<-", telegram)
        self.has_answered = True
        return bytes(telegram)

    def close(self) -> None:
        """Close the line. Raises DeadLineError if it was dead already."""
        _alive(self.inner.close)

    def _trace(self, arrow: str, telegram: bytes) -> None:
        if _log.isEnabledFor(logging.DEBUG):
            name = self._names.get(telegram[_COMMAND], "?")
            _log.debug("%s %s %s", arrow, telegram.hex(" "), name)


def _alive(function: Callable[..., Any], *values: Any) -> Any:
    """Return what a function of the back end returns. Raises DeadLineError."""
    try:
        return function(*values)
    except (OSError, struct.error) as error:
        raise DeadLineError(str(error)) from error
