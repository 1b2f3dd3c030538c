"""Serial ports, addresses and recorded sessions. The one module that imports pyserial."""

import errno
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import serial
from serial.tools import list_ports
from serial.tools.list_ports_common import ListPortInfo

from firmware_tools.errors import PortBusyError, PortError, PortNotFoundError
from firmware_tools.line.byte_link import ByteLink
from firmware_tools.line.trace import ReplayLink, TracingLink, read_trace
from solvers.foundation.clock import Clock
from solvers.foundation.device_lock import DeviceLock

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
    # Each opened loop:// of pyserial has a buffer of its own, so there is nothing to lock.
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
