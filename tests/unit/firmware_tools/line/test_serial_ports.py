"""Ports as pyserial opens them, and a sentence for each that does not open."""

import errno
import os
import pty
import socket
import threading
from contextlib import suppress
from typing import Any

import pytest
import serial

from firmware_tools.errors import PortBusyError, PortError, PortNotFoundError
from firmware_tools.line.serial_link import PortInfo, available_ports, only_port, open_port


def test_a_loop_returns_what_is_sent() -> None:
    link = open_port("loop://", 9600)
    link.write(b"abc")
    assert link.read(3, 1.0) == b"abc"
    assert link.read(1, 0.0) == b""
    link.write(b"old")
    link.discard_input()
    assert link.read(3, 0.0) == b""
    link.close()
    link.close()


def test_a_loop_is_shared_with_nobody() -> None:
    first, second = open_port("loop://", 9600), open_port("loop://", 9600)
    first.write(b"abc")
    assert second.read(1, 0.0) == b""
    assert first.read(3, 1.0) == b"abc"
    first.close()
    second.close()


def test_what_never_stops_coming_is_not_discarded_for_ever() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        link = open_port(f"socket://127.0.0.1:{server.getsockname()[1]}", 9600)
        connection, _ = server.accept()

        def flood() -> None:
            with suppress(OSError):
                while True:
                    connection.sendall(bytes(1 << 16))

        thread = threading.Thread(target=flood)
        thread.start()
        link.discard_input()
        assert link.read(1, 1.0) == b"\0"
        link.close()
        thread.join()
        connection.close()


def read_all(descriptor: int, count: int) -> bytes:
    data = b""
    while len(data) < count:
        data += os.read(descriptor, count - len(data))
    return data


def test_a_pty_carries_every_byte() -> None:
    controller, terminal = pty.openpty()
    link = open_port(os.ttyname(terminal), 9600)
    everything = bytes(range(256))
    link.write(everything)
    assert read_all(controller, 256) == everything
    os.write(controller, everything)
    assert link.read(256, 1.0) == everything
    link.close()
    os.close(controller)
    os.close(terminal)


def test_a_port_that_is_open_is_busy() -> None:
    controller, terminal = pty.openpty()
    link = open_port(os.ttyname(terminal), 9600)
    with pytest.raises(PortBusyError, match=r"in use by process \d+ \("):
        open_port(os.ttyname(terminal), 9600)
    link.close()
    open_port(os.ttyname(terminal), 9600).close()
    os.close(controller)
    os.close(terminal)


def test_no_such_device() -> None:
    with pytest.raises(PortNotFoundError, match=r"no port /dev/ttyNONE.*aksen ports"):
        open_port("/dev/ttyNONE", 9600)


def test_no_such_kind_of_address() -> None:
    with pytest.raises(PortNotFoundError, match="neither a serial port nor an address"):
        open_port("gopher://board", 9600)


def test_nobody_listens() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        address = f"socket://127.0.0.1:{unused.getsockname()[1]}"
        with pytest.raises(PortNotFoundError, match="Nothing answers"):
            open_port(address, 9600)


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (serial.SerialException(errno.EBUSY, "could not open port"), PortBusyError),
        (serial.SerialException(errno.EACCES, "could not open port"), PortBusyError),
        (serial.SerialException("could not open port 'COM3': PermissionError(13)"), PortBusyError),
        (serial.SerialException("could not open port 'COM9': FileNotFound"), PortNotFoundError),
        (serial.SerialException(errno.EIO, "could not configure port"), PortError),
    ],
)
def test_each_reason_has_its_error(
    monkeypatch: pytest.MonkeyPatch, error: Exception, kind: type[PortError]
) -> None:
    def refuse(*_: Any, **__: Any) -> None:
        raise error

    monkeypatch.setattr(serial, "serial_for_url", refuse)
    with pytest.raises(PortError) as caught:
        open_port("COM3", 9600)
    assert type(caught.value) is kind


def test_a_line_that_breaks_off() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        link = open_port(f"socket://127.0.0.1:{server.getsockname()[1]}", 9600)
        with server.accept()[0] as line:
            line.sendall(b"x")
        assert link.read(1, 5.0) == b"x"
        with pytest.raises(PortError, match="broke off"):
            link.read(1, 5.0)
        link.close()


def test_ports_are_listed_in_order() -> None:
    devices = [port.device for port in available_ports()]
    assert devices == sorted(devices)


def test_a_line_that_is_taken_says_so() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        link = open_port(f"socket://127.0.0.1:{listener.getsockname()[1]}", 9600)
        listener.accept()[0].close()  # as `hwsim aksen` does with one client too many
        with pytest.raises(PortBusyError, match="in use by another program"):
            link.read(1, 5.0)
        link.close()


BUILT_IN = PortInfo("/dev/ttyS0", "ttyS0", is_usb=False)
ADAPTER = PortInfo("/dev/ttyUSB0", "FT232R, USB 0403:6001", is_usb=True)


def test_the_only_port_or_the_only_adapter_is_found() -> None:
    assert only_port([BUILT_IN]) == BUILT_IN
    assert only_port([BUILT_IN, ADAPTER]) == ADAPTER


@pytest.mark.parametrize(
    ("ports", "message"),
    [
        ([], "has no serial port. Plug"),
        ([BUILT_IN, BUILT_IN], "Which port is the board's: /dev/ttyS0, /dev/ttyS0"),
        ([ADAPTER, ADAPTER, BUILT_IN], "Name it with --port"),
    ],
)
def test_a_port_that_is_not_certain_is_asked_for(ports: list[PortInfo], message: str) -> None:
    with pytest.raises(PortNotFoundError, match=message):
        only_port(ports)
