"""Traces: sessions recorded byte by byte in a text file, and played back.

    # aksen trace 1
    0.000000 > 00
    0.103112 < 55

Each line is seconds since the start, `>` from the host or `<` from the board, and bytes in
hexadecimal. A trace plays back as a link that accepts what the host sent and answers as recorded.
"""

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import TextIO

from firmware_tools.errors import InvalidTraceError, PortError
from firmware_tools.line.byte_link import ByteLink
from solvers.foundation.clock import Clock
from solvers.foundation.files import read_text

HEADING = "# aksen trace 1"
HOST, BOARD = ">", "<"
LARGEST_TRACE_BYTES = 4 << 20  # to flash 64 KB takes less than 1 MB


class TracingLink:
    """A link that records everything that passes through it."""

    def __init__(self, link: ByteLink, file: TextIO, clock: Clock) -> None:
        self._link = link
        self._file = file
        self._clock = clock
        self._start_s = clock.now()
        file.write(HEADING + "\n")

    def write(self, data: bytes) -> None:
        """Send `data`."""
        self._record(HOST, data)
        self._link.write(data)

    def read(self, count: int, timeout_s: float) -> bytes:
        """Return what the other link returns."""
        data = self._link.read(count, timeout_s)
        if data:
            self._record(BOARD, data)
        return data

    def discard_input(self) -> None:
        """Forget what has come in; it does not appear in the trace."""
        self._link.discard_input()

    def close(self) -> None:
        """Close link and file."""
        self._link.close()
        with suppress(OSError):  # a full disk was reported when the line was written
            self._file.close()

    def _record(self, direction: str, data: bytes) -> None:
        at_s = self._clock.now() - self._start_s
        try:
            self._file.write(f"{at_s:.6f} {direction} {data.hex(' ').upper()}\n")
            self._file.flush()
        except OSError as error:
            raise PortError(f"The trace cannot be written any more: {error.strerror}.") from error


class ReplayLink:
    """A link that plays a trace back; the host must send what it sent when it was recorded."""

    def __init__(self, entries: Iterable[tuple[str, bytes]]) -> None:
        self._entries = list(entries)
        self._input = bytearray()
        self._collect()

    def write(self, data: bytes) -> None:
        """Accept `data` if the trace has it at this place. Raises PortError if not."""
        if not self._entries or self._entries[0] != (HOST, data):
            raise PortError(
                f"The session differs from the trace: it sends {data.hex(' ').upper()}, but the "
                "recording has something else here."
            )
        self._entries.pop(0)
        self._collect()

    def read(self, count: int, timeout_s: float) -> bytes:  # noqa: ARG002 - no time passes
        """Return the next recorded bytes."""
        data = bytes(self._input[:count])
        del self._input[:count]
        return data

    def discard_input(self) -> None:
        """Do nothing: what was discarded then is not in the trace."""

    def close(self) -> None:
        """Do nothing."""

    def _collect(self) -> None:
        while self._entries and self._entries[0][0] == BOARD:
            self._input += self._entries.pop(0)[1]


def read_trace(path: Path) -> list[tuple[str, bytes]]:
    """Return the entries of a trace file. Raises InvalidTraceError if it cannot be read."""
    lines = read_text(path, InvalidTraceError, "The trace", LARGEST_TRACE_BYTES).splitlines()
    if not lines or lines[0] != HEADING:
        raise InvalidTraceError(f"{path} is not a trace: its first line must be {HEADING!r}.")
    return [_entry(line, path, number) for number, line in enumerate(lines[1:], 2) if line.strip()]


def _entry(line: str, path: Path, number: int) -> tuple[str, bytes]:
    try:
        seconds, direction, digits = line.split(maxsplit=2)
        float(seconds)
        if direction not in (HOST, BOARD):
            raise ValueError
        return direction, bytes.fromhex(digits)
    except ValueError as error:
        raise InvalidTraceError(
            f"{path}, line {number} is not a trace line: {line[:80]!r}."
        ) from error
