"""What clients in other languages send: names that are not filled up, zeros behind telegrams.

ruby-nxt ends every telegram with a zero byte and sends names as long as they are; its own tests on
a brick expect what stands here. NXT for Haskell reads and writes I/O maps of modules that it finds
by name, and reads the ultrasonic sensor as soon as it has asked it. nodejs-nxt fills messages up.
"""

import socket
import struct
from collections.abc import Iterator
from contextlib import ExitStack
from io import RawIOBase
from pathlib import Path

import pytest

from hardware_sims.clock import VirtualClock
from hardware_sims.nxt_brick.brick import LineCutError, SimulatedBrick
from hardware_sims.nxt_brick.commands import Link
from hardware_sims.nxt_brick.faults import BLUETOOTH_LATENCY
from hardware_sims.nxt_brick.sensors.plugged_in import parse_sensor
from hardware_sims.nxt_brick.server import BareStream, BrickServer
from tests.unit.hardware_sims.nxt_brick.host import PROGRAMS

TRY_TOUCH, GOOD_JOB = b"Try-Touch.rtm", b"Good Job.rso"
SOUND_FILE = struct.pack(">4H", 0x0100, 16000, 8000, 0) + bytes(16000)  # two seconds
NO_PROGRAM, OUT_OF_RANGE, EMPTY, FILE_NOT_FOUND, CLOSED = 0xEC, 0xC0, 0x40, 0x87, 0x88
PENDING = 0x20


class Client:
    """Sends telegrams with a zero byte at their end over Bluetooth, in virtual time."""

    def __init__(self) -> None:
        self.clock = VirtualClock()
        self.brick = SimulatedBrick(self.clock, latency=BLUETOOTH_LATENCY)
        files = self.brick.machine.files
        files.store(GOOD_JOB, SOUND_FILE)
        files.store(TRY_TOUCH, (PROGRAMS / "host_errors.rxe").read_bytes())
        for port in ("1:touch", "2:sound", "3:light", "4:ultrasonic=42"):
            self.brick.machine.plug_in(*parse_sensor(port))

    def ask(self, kind: int, opcode: int, body: bytes = b"") -> tuple[int, bytes]:
        """Return status and what follows it."""
        reply = self.brick.handle(bytes((kind, opcode)) + body + b"\0", Link.BLUETOOTH)
        assert reply is not None
        assert reply[:2] == bytes((2, opcode))
        return reply[2], reply[3:]

    def status(self, kind: int, opcode: int, body: bytes = b"") -> int:
        return self.ask(kind, opcode, body)[0]

    def module(self, name: bytes) -> bytes:
        """Return a module's identifier, as the client finds it."""
        status, body = self.ask(1, 0x90, name.ljust(19, b"\0"))
        assert (status, self.status(1, 0x92, body[:1])) == (0, 0)
        return body[21:25]

    def read_sensor(self, register: int, count: int) -> bytes:
        """Write without waiting for the reply, then read until it is no longer pending."""
        self.brick.handle(bytes((0x80, 0x0F, 3, 2, count, 2, register)), Link.BLUETOOTH)
        while True:
            status, body = self.ask(0, 0x10, b"\x03")
            if status != PENDING:
                assert (status, len(body)) == (0, 17)
                return body[1 : 1 + body[0]]


@pytest.fixture
def client() -> Client:
    return Client()


# ruby-nxt


def test_a_program_is_started_named_and_stopped(client: Client) -> None:
    assert client.status(0, 0x11) == NO_PROGRAM
    assert client.status(0, 0x01) == NO_PROGRAM
    assert client.status(0, 0x00, b"foo") == OUT_OF_RANGE
    assert client.status(0, 0x00, TRY_TOUCH) == 0
    client.clock.sleep(1)
    status, name = client.ask(0, 0x11)
    assert (status, name) == (0, TRY_TOUCH.ljust(20, b"\0"))
    assert client.status(0, 0x01) == 0


def test_messages_need_a_program(client: Client) -> None:
    text = b"Chunky Robotic Bacon!"
    message = bytes((0, len(text) + 1)) + text
    assert client.status(0, 0x09, message) == NO_PROGRAM
    assert client.status(0, 0x13, b"\x01\x01\0") == NO_PROGRAM
    client.ask(0, 0x00, TRY_TOUCH)
    client.clock.sleep(1)
    assert client.status(0, 0x09, message) == 0
    assert client.status(0, 0x13, b"\x05\x01\0") == EMPTY


def test_a_program_is_started_a_second_after_another_was_stopped(client: Client) -> None:
    """As ruby-nxt's tests do it: the end has been shown long enough by then."""
    client.ask(0, 0x00, TRY_TOUCH)
    client.clock.sleep(1)
    assert client.status(0, 0x01) == 0
    assert client.status(0, 0x09, b"\0\x02A") == NO_PROGRAM
    client.clock.sleep(1)
    assert client.status(0, 0x00, TRY_TOUCH) == 0
    client.clock.sleep(1)
    assert client.status(0, 0x09, b"\0\x02A") == 0


def test_sounds(client: Client) -> None:
    assert client.status(0, 0x02, b"\0" + GOOD_JOB) == 0
    client.clock.sleep(1)
    assert client.status(0, 0x02, b"\0foo") == OUT_OF_RANGE
    assert client.status(0, 0x03, struct.pack("<HH", 500, 300)) == 0
    assert client.status(0, 0x02, b"\x01" + GOOD_JOB) == 0
    client.clock.sleep(2)
    assert client.status(0, 0x0C) == 0


def test_files_are_found_by_patterns_and_after_their_handle_was_closed(client: Client) -> None:
    _, first = client.ask(1, 0x86, b"*.*")
    assert client.status(1, 0x84, first[:1]) == 0
    status, second = client.ask(1, 0x87, first[:1])
    assert (status, second[1:].rstrip(b"\0")[:12]) == (0, GOOD_JOB)
    assert client.status(1, 0x84, first[:1]) == CLOSED
    assert client.ask(1, 0x86, b"*.rso")[1][0] == first[0]
    assert client.status(1, 0x86, b"*.foo") == FILE_NOT_FOUND


def test_a_file_is_made_and_deleted_with_names_as_long_as_they_are(client: Client) -> None:
    opened = b"test.txt".ljust(20, b"\0") + struct.pack("<I", 100)
    assert client.ask(1, 0x81, opened) == (0, b"\0")
    assert client.status(1, 0x84, b"\0") == 0
    assert client.status(1, 0x85, b"test.txt") == FILE_NOT_FOUND  # nothing was written to it
    assert client.ask(1, 0x8B, opened) == (0, b"\0")
    assert client.status(1, 0x84, b"\0") == 0
    assert client.ask(1, 0x85, b"test.txt") == (0, b"test.txt".ljust(20, b"\0"))


def test_the_brick_gets_another_name(client: Client) -> None:
    for name in (b"Foo", b"NXT"):
        assert client.status(1, 0x98, name) == 0
        client.clock.sleep(1)
        assert client.ask(1, 0x9B)[1][:15] == name.ljust(15, b"\0")


def test_motors_and_sensors(client: Client) -> None:
    assert client.status(0, 0x04, bytes.fromhex("00 64 01 01 64 20 00000000")) == 0
    assert client.ask(0, 0x06, b"\0")[1][1] == 100
    client.clock.sleep(1)
    assert client.status(0, 0x04, bytes.fromhex("00 00 02 01 00 40 00000000")) == 0
    assert client.ask(0, 0x06, b"\0")[1][1] == 0
    assert client.status(0, 0x0A, b"\0\0") == 0
    for mode in (0x00, 0x20):
        assert client.status(0, 0x05, bytes((0, 1, mode))) == 0
        assert client.ask(0, 0x07, b"\0")[1][4] == mode
    assert client.status(0, 0x08, b"\0") == 0


def test_an_order_is_obeyed_before_the_next_telegram_is_answered(client: Client) -> None:
    """NXT's own tests: a count after an order, a valid sensor after its type."""
    assert client.status(0, 0x04, bytes.fromhex("00 4b 03 01 00 20 68010000")) == 0
    _, state = client.ask(0, 0x06, b"\0")
    assert state[:10] == bytes.fromhex("00 4b 03 01 00 20 68010000")
    assert int.from_bytes(state[10:14], "little", signed=True) > 0
    assert client.status(0, 0x05, b"\0\x01\x20") == 0
    _, values = client.ask(0, 0x07, b"\0")
    assert values[:5] == bytes((0, 1, 0, 1, 0x20))
    assert values[9:11] == b"\0\0"


# NXT for Haskell


def test_the_kind_of_battery_is_read_from_the_menus_map(client: Client) -> None:
    menu = client.module(b"Ui.mod")
    status, body = client.ask(1, 0x94, menu + struct.pack("<HH", 35, 1))
    assert (status, body) == (0, menu + b"\x01\0\0")


def test_a_count_is_reset_by_the_output_modules_map(client: Client) -> None:
    client.ask(0, 0x04, bytes.fromhex("00 64 01 00 00 20 00000000"))
    client.clock.sleep(0.5)
    client.ask(0, 0x04, bytes.fromhex("00 00 00 00 00 00 00000000"))
    client.clock.sleep(1)
    assert client.ask(0, 0x06, b"\0")[1][10:14] != bytes(4)
    flags = client.module(b"Output.mod") + struct.pack("<HH", 18, 1) + b"\x08"
    assert client.status(1, 0x95, flags) == 0
    assert client.ask(0, 0x06, b"\0")[1][10:14] == bytes(4)


@pytest.mark.parametrize("word", [0x5A00, 0xA55A])
def test_the_io_control_modules_map_switches_the_brick_off(client: Client, word: int) -> None:
    module = client.module(b"IOCtrl.mod")
    order = module + struct.pack("<HHH", 0, 2, word)
    client.brick.handle(b"\x81\x95" + order, Link.BLUETOOTH)
    with pytest.raises(LineCutError):
        client.ask(0, 0x0B)


def test_the_ultrasonic_sensor_is_read_at_once(client: Client) -> None:
    assert client.status(0, 0x05, b"\x03\x0b\0") == 0
    assert client.ask(0, 0x0E, b"\x03") == (0, b"\0")
    assert client.status(0, 0x0F, b"\x03\x03\0\x02\x41\x04") == 0
    told = {register: client.read_sensor(register, 8) for register in (0x00, 0x08, 0x10)}
    assert [text.rstrip(b"\0") for text in told.values()] == [b"V1.0", b"LEGO", b"Sonar"]
    assert client.read_sensor(0x14, 7) == b"10E-2m\0"
    assert client.read_sensor(0x41, 1) == b"\x02"
    assert [client.read_sensor(register, 1)[0] for register in (0x42, 0x43)] == [42, 255]
    assert client.read_sensor(0x50, 3) == bytes((0, 1, 14))


# The line without framing


def test_zeros_behind_a_telegram_belong_to_it() -> None:
    telegrams = [b"\0\x0b\0", b"\0\x04" + bytes(11), b"\0\x09\0\x02a\0".ljust(64, b"\0"), b"\0\x0b"]
    framing = BareStream()
    assert [framing.feed(telegram) for telegram in telegrams] == [[each] for each in telegrams]


@pytest.fixture
def server(tmp_path: Path, link: str) -> Iterator[BrickServer]:
    terminal = tmp_path / "rfcomm" if link == "pty" else None
    with BrickServer(SimulatedBrick(VirtualClock()), pty_link=terminal) as running:
        yield running


@pytest.mark.parametrize("link", ["tcp", "pty"])
def test_telegrams_that_end_with_a_zero_byte_are_answered_one_by_one(
    server: BrickServer, link: str
) -> None:
    kind, _, place = server.address.partition(":")
    prefix = b"\x03\0" if link == "pty" else b""
    with ExitStack() as stack:
        if kind == "devfile":
            line: RawIOBase = stack.enter_context(Path(place).open("r+b", buffering=0))
        else:
            host, _, port = place.rpartition(":")
            connection = stack.enter_context(socket.create_connection((host, int(port)), 10))
            line = stack.enter_context(connection.makefile("rwb", buffering=0))
        for _ in range(3):
            line.write(prefix + b"\0\x0b\0")
            assert (line.read(64) or b"").endswith(b"\x02\x0b\0\x40\x1f")
