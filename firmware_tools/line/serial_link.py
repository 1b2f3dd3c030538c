"""Serial ports, addresses, and sessions recorded in a file; the only user of pyserial."""

import errno
import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

import serial
from serial.tools import list_ports
from serial.tools.list_ports_common import ListPortInfo

from firmware_tools.errors import InvalidTraceError, PortBusyError, PortError, PortNotFoundError
from firmware_tools.line.byte_link import ByteLink
from solvers.foundation.clock import Clock
from solvers.foundation.device_lock import DeviceLock
from solvers.foundation.files import read_text

# A trace is a session recorded byte by byte in a text file:
#
#     # aksen trace 1
#     0.000000 > 00
#     0.103112 < 55
#
# Each line is seconds since the start, `>` from the host or `<` from the board, and bytes in
# hexadecimal. A trace plays back as a link that accepts what the host sent and answers as recorded.
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


WRITE_TIMEOUT_S = 10.0
CHUNK_BYTES = 4096
DISCARDED_CHUNKS = 64  # pyserial's reset_input_buffer never returns on a socket that keeps sending
_TAKEN = (errno.EBUSY, errno.EACCES, errno.EPERM, errno.EAGAIN)


class SerialLink:
    """An open port as a byte link."""

    def __init__(self, port: serial.SerialBase, name: str, lock: DeviceLock | None) -> None:
        self._port = port
        self._name = name
        self._lock = lock
        self._has_received = False

    def write(self, data: bytes) -> None:
        """Send `data`."""
        with self._line_errors():
            self._port.write(data)

    def read(self, count: int, timeout_s: float) -> bytes:
        """Return `count` bytes, or what came in time."""
        with self._line_errors():
            if self._port.timeout != timeout_s:
                self._port.timeout = timeout_s
            data = bytes(self._port.read(count))
            self._has_received |= bool(data)
            return data

    def discard_input(self) -> None:
        """Forget what has come in; give up after some data on a line that never stops."""
        for _ in range(DISCARDED_CHUNKS):
            if not self.read(CHUNK_BYTES, 0):
                return

    def close(self) -> None:
        """Close the port."""
        self._port.close()
        if self._lock is not None:
            self._lock.close()

    @contextmanager
    def _line_errors(self) -> Iterator[None]:
        try:
            yield
        except (serial.SerialException, OSError) as error:
            if "://" in self._name and not self._has_received:
                raise PortBusyError(
                    f"{self._name} accepts no further connection: the board is in use by another "
                    "program. Close that one first."
                ) from error
            raise PortError(
                f"The connection to {self._name} broke off ({error}). Check the cable, press reset "
                "on the board and start again."
            ) from error


def open_port(name: str, baud: int) -> SerialLink:
    """Open a port: a device (/dev/ttyUSB0, COM3, a pty) or any URL of pyserial's serial_for_url.

    DTR and RTS are left alone: no line of the board hangs on them, and a pty has none.
    Raises PortNotFoundError, PortBusyError, PortError.
    """
    # pyserial gives each opened loop:// its own buffer, so there is nothing to lock.
    lock = None if name == "loop://" else DeviceLock(f"The port {_device(name)}", PortBusyError)
    try:
        return SerialLink(_open_serial(name, baud), name, lock)
    except PortError:
        if lock is not None:
            lock.close()
        raise


def _device(name: str) -> str:
    """Return the canonical name of a port: symbolic links are resolved."""
    return name if "://" in name else os.path.realpath(name)


def _open_serial(name: str, baud: int) -> serial.SerialBase:
    try:
        port = serial.serial_for_url(name, do_not_open=True)
        port.baudrate = baud
        port.write_timeout = WRITE_TIMEOUT_S
        port.exclusive = True  # two programs on one line would take each other's answers
        port.open()
    except ValueError as error:
        raise PortNotFoundError(
            f"{name} is neither a serial port nor an address such as socket://HOST:PORT ({error})."
        ) from error
    except (serial.SerialException, OSError) as error:
        raise _open_error(name, error) from error
    return port


def _open_error(name: str, error: OSError) -> PortError:
    """Return the error for a port that does not open; pyserial gives many reasons as text only."""
    text = str(error)
    number = error.errno
    if number in _TAKEN or any(word in text for word in ("Permission", "busy", "denied", "lock")):
        return PortBusyError(
            f"{name} is in use by another program, or you may not open it. Close the other "
            "program; on Linux your user must be in the group dialout."
        )
    if "://" in name:
        return PortNotFoundError(f"Nothing answers at {name}: is the simulated board running?")
    if number in (errno.ENOENT, errno.ENXIO, errno.ENODEV) or "FileNotFound" in text:
        return PortNotFoundError(
            f"There is no port {name}. `aksen ports` lists the ports of this computer."
        )
    return PortError(f"{name} cannot be opened: {text}.")


@dataclass(frozen=True)
class PortInfo:
    """A serial port of this computer; `is_usb` if it is an adapter."""

    device: str
    description: str
    is_usb: bool


def available_ports() -> list[PortInfo]:
    """Return the serial ports of this computer."""
    ports = (
        PortInfo(port.device, _description(port), port.vid is not None)
        for port in list_ports.comports()
    )
    return sorted(ports, key=lambda port: port.device)


def _description(port: ListPortInfo) -> str:
    """Return the system's description of a port."""
    if port.vid is None:
        return port.description if port.description != "n/a" else "built in, or of another program"
    name = port.description if port.description != "n/a" else "USB adapter"
    maker = f", {port.manufacturer}" if port.manufacturer else ""
    return f"{name}{maker}, USB {port.vid:04x}:{port.pid:04x}"


def only_port(ports: Sequence[PortInfo]) -> PortInfo:
    """Return the only port, or the only adapter among several. Raises PortNotFoundError."""
    adapters = [port for port in ports if port.is_usb]
    for candidates in (ports, adapters):
        if len(candidates) == 1:
            return candidates[0]
    if not ports:
        raise PortNotFoundError(
            "This computer has no serial port. Plug the adapter in, or give the address that "
            "`hwsim aksen` prints as --port."
        )
    names = ", ".join(port.device for port in ports)
    raise PortNotFoundError(f"Which port is the board's: {names}? Name it with --port.")


REPLAY = "replay:"


def open_link(name: str, baud: int, clock: Clock, trace: Path | None = None) -> ByteLink:
    """Open the port `name`; with `trace`, record every byte in that file, timed by `clock`.

    `replay:FILE` plays a trace back. Raises PortError, InvalidTraceError.
    """
    link: ByteLink
    if name.startswith(REPLAY):
        link = ReplayLink(read_trace(Path(name.removeprefix(REPLAY))))
    else:
        link = open_port(name, baud)
    if trace is None:
        return link
    try:
        return TracingLink(link, trace.open("w", encoding="ascii"), clock)
    except OSError as error:
        link.close()
        raise PortError(f"The trace {trace} cannot be written: {error.strerror}.") from error
