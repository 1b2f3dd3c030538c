"""A line on which every wait can be ended from elsewhere."""

from collections.abc import Callable
from typing import Final

from firmware_tools.line.byte_link import ByteLink

SLICE_S: Final = 0.1


class SteeredLink:
    """Passes everything on to another link, and calls `check` at least every `SLICE_S`.

    What `check` raises ends the job in the middle of whatever it waits for: a boot loader forgets
    half a frame by itself.
    """

    def __init__(self, link: ByteLink, check: Callable[[], object]) -> None:
        self._link = link
        self._check = check

    def write(self, data: bytes) -> None:
        """Send `data`."""
        self._check()
        self._link.write(data)

    def read(self, count: int, timeout_s: float) -> bytes:
        """Return `count` bytes, or what came in time."""
        data, left_s = b"", timeout_s
        while True:
            self._check()
            data += self._link.read(count - len(data), min(left_s, SLICE_S))
            left_s -= SLICE_S
            if len(data) == count or left_s <= 0:
                return data

    def discard_input(self) -> None:
        """Forget what has come in and was not read."""
        self._link.discard_input()

    def close(self) -> None:
        """Close the other link."""
        self._link.close()
