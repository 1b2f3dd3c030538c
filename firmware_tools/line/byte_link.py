"""The line to the board as sessions see it: bytes out, bytes in, and the passing of time."""

from typing import Protocol


class ByteLink(Protocol):
    """A serial line, or anything that behaves like one.

    Time belongs to the link: a session waits only by reading, so a link in virtual time makes the
    whole session run in virtual time.
    """

    def write(self, data: bytes) -> None:
        """Send `data`. Raises PortError if the line is gone."""

    def read(self, count: int, timeout_s: float) -> bytes:
        """Return `count` bytes, or what came until `timeout_s` was over. Raises PortError."""

    def discard_input(self) -> None:
        """Forget what has come in and was not read."""

    def close(self) -> None:
        """End the connection; may be called twice."""
