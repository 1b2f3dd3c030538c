"""The brick behind a line: reconnection, cut lines, and virtual time across threads."""

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Self

import pytest

from hardware_sims.clock import VirtualClock
from hardware_sims.nxt_brick.brick import SimulatedBrick
from hardware_sims.nxt_brick.faults import Faults, Restart
from hardware_sims.nxt_brick.operator_commands import parse_command
from hardware_sims.nxt_brick.server import BrickServer

PATIENCE_S = 10.0
BATTERY = b"\x00\x0b"
RUN_A = bytes.fromhex("80 04 00 4b 03 00 00 20 00 00 00 00")
STOP_A = bytes.fromhex("80 04 00 00 00 00 00 00 00 00 00 00")
COUNT_A = b"\x00\x06\x00"


class Client:
    """A host that speaks as nxt-python's socket backend does."""

    def __init__(self, address: str) -> None:
        host, port = address.removeprefix("ip:").split(":")
        self.socket = socket.create_connection((host, int(port)), timeout=PATIENCE_S)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.greeting = self.ask(b"\x98")

    def ask(self, telegram: bytes) -> bytes:
        self.socket.sendall(telegram)
        return self.socket.recv(1024)

    def count(self) -> int:
        return int.from_bytes(self.ask(COUNT_A)[13:17], "little", signed=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        with self.socket, suppress(OSError):
            self.socket.sendall(b"\x99")


@pytest.fixture
def clock() -> VirtualClock:
    return VirtualClock()


@pytest.fixture
def server(clock: VirtualClock) -> Iterator[BrickServer]:
    with BrickServer(SimulatedBrick(clock, faults=Faults(drop_at=(3,)))) as server:
        yield server


def test_a_new_client_finds_the_brick_as_the_last_one_left_it(
    server: BrickServer, clock: VirtualClock
) -> None:
    with Client(server.address) as client:
        assert client.greeting == b"usb"
        client.socket.sendall(RUN_A)
        clock.sleep(1.0)
        moved = client.count()
    assert moved > 300
    with Client(server.address) as client:
        assert client.ask(BATTERY) == b""  # the third telegram is where the line is cut
    with Client(server.address) as client:
        assert client.count() >= moved


def test_nobody_sleeps_past_a_command_that_is_on_its_way(clock: VirtualClock) -> None:
    """A command without reply counts from when it was sent, however late the thread reads it."""
    counts = set()
    with BrickServer(SimulatedBrick(clock)) as server, Client(server.address) as client:
        for _ in range(20):
            before = client.count()
            client.socket.sendall(RUN_A)
            clock.sleep(0.2)
            client.socket.sendall(STOP_A)
            clock.sleep(2.0)
            counts.add(client.count() - before)
    assert max(counts) - min(counts) <= 1


def test_a_brick_that_fell_asleep_is_gone_until_its_orange_button_is_pressed(
    clock: VirtualClock,
) -> None:
    brick = SimulatedBrick(clock, faults=Faults(sleep_timeout_s=5.0))
    brick.machine.files.store(b"kept.txt", b"data")
    said: list[str] = []
    brick.on_power = said.append
    with BrickServer(brick) as server:
        with Client(server.address) as client:
            clock.sleep(6.0)
            assert client.ask(BATTERY) == b""
            assert brick.is_off
        clock.sleep(1.0)
        with pytest.raises(ConnectionRefusedError):
            Client(server.address)
        assert said == [
            "The brick is off: it fell asleep after 5 seconds without a keep-alive, a program's "
            "start or a button. Type on to press its orange button."
        ]
        brick.operate(parse_command("on"))
        clock.sleep(1.0)
        with Client(server.address) as client:
            assert client.ask(BATTERY)[2] == 0
        assert len(said) == 2
        assert "on again" in said[1]
        assert brick.machine.files.lookup(b"kept.txt") is not None
        for _ in range(3):
            clock.sleep(4.0)
            brick.operate(parse_command("on"))  # a button keeps a brick awake
        assert not brick.is_off


def test_the_terminal_of_a_brick_that_is_off_is_not_there(
    clock: VirtualClock, tmp_path: Path
) -> None:
    line = tmp_path / "rfcomm"
    brick = SimulatedBrick(clock, faults=Faults(restarts=(Restart(3.0, time_s=5.0),)))
    with BrickServer(brick, pty_link=line):
        assert line.exists()
        clock.sleep(6.0)
        brick.advance()
        clock.sleep(0.1)
        assert not line.exists()
        clock.sleep(3.0)
        assert line.exists()


def test_files_that_a_client_left_open_are_closed_for_the_next(clock: VirtualClock) -> None:
    brick = SimulatedBrick(clock)
    brick.machine.files.store(b"a.txt", b"text")
    open_read = b"\x01\x80" + b"a.txt".ljust(20, b"\0")
    with BrickServer(brick) as server:
        for _ in range(2):
            with Client(server.address) as client:
                statuses = [client.ask(open_read)[2] for _ in range(17)]
            assert statuses == [0] * 16 + [0x81]


def test_a_brick_is_advanced_while_a_telegram_arrives(clock: VirtualClock) -> None:
    """A camera advances the brick at the moment at which the serving thread does so as well."""
    is_done = threading.Event()

    def advance_as_a_telegram_arrives() -> None:
        brick = SimulatedBrick(clock)
        advancing = threading.get_ident()
        with BrickServer(brick) as server, Client(server.address) as client:

            def telegram_arrives() -> None:
                if threading.get_ident() != advancing or brick.telegrams:
                    return
                client.socket.sendall(BATTERY)
                until = time.monotonic() + 0.2  # longer only where the thread cannot go on
                while not brick.telegrams and time.monotonic() < until:
                    time.sleep(0.001)

            clock.before_now.insert(0, telegram_arrives)
            brick.advance()
        is_done.set()

    # In a thread that can be left behind: its server could not be stopped either.
    threading.Thread(target=advance_as_a_telegram_arrives, daemon=True).start()
    assert is_done.wait(PATIENCE_S)
