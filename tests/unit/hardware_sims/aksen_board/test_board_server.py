"""The board behind a TCP port and a pseudo-terminal, as pyserial sees it."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import serial

from hardware_sims.aksen_board.board import Board
from hardware_sims.aksen_board.serial_line import SerialFaults, SerialPort, SerialTerminal
from hardware_sims.aksen_board.server import BoardServer
from hardware_sims.mcs51.microcontroller import Microcontroller
from solvers.foundation.clock import SystemClock
from tests.oracles.assembler import assemble

SPEED = 20  # simulated seconds per second, so that the loader's silences are short
WHO = bytes([0, 0x0A, 0, 0, 0, 0, 0, 0x0A])
IDENTIFIER = bytes.fromhex("55c5150c01dd")
CHATTER = (
    "MOV SCON,#0x50\nMOV SRELH,#3\nMOV SRELL,#0xD9\nSETB ADCON0.7\nORL PCON,#0x80\nSETB SCON.1\n"
    "again:\nJNB SCON.1,again\nCLR SCON.1\nMOV SBUF,#0x41\nSJMP again"
)


@pytest.fixture(scope="module", autouse=True)
def compiled_core() -> None:
    """Compile before anybody waits for an answer with a clock in hand."""
    Microcontroller().run_cycles(1)


@contextmanager
def served(
    link: str, tmp_path: Path, board: Board, faults: SerialFaults | None = None
) -> Iterator[tuple[BoardServer, serial.Serial]]:
    endpoint = SerialPort() if link == "tcp" else SerialTerminal(tmp_path / "tty")
    with BoardServer(board, SystemClock(SPEED), endpoint, faults=faults) as server:
        port = serial.serial_for_url(server.address, baudrate=9600, timeout=10)
        try:
            yield server, port
        finally:
            port.close()


@pytest.mark.parametrize("link", ["tcp", "pty"])
def test_the_loader_answers(link: str, tmp_path: Path) -> None:
    with served(link, tmp_path, Board()) as (_, port):
        port.write(b"\0")
        assert port.read(1) == b"\x55"
        port.write(WHO)
        assert port.read(6) == IDENTIFIER


def test_a_paced_loader_answers_too(tmp_path: Path) -> None:
    with served("pty", tmp_path, Board(is_paced=True)) as (_, port):
        port.write(WHO)
        assert port.read(6) == IDENTIFIER


def test_another_baud_rate_is_not_heard(tmp_path: Path) -> None:
    with served("pty", tmp_path, Board()) as (_, port):
        port.baudrate, port.timeout = 19200, 0.2
        port.write(WHO)
        assert port.read(6) == b""
        port.baudrate, port.timeout = 9600, 10
        port.write(WHO)
        assert port.read(6) == IDENTIFIER


@pytest.mark.parametrize("link", ["tcp", "pty"])
def test_a_program_talks_over_the_line(link: str, tmp_path: Path) -> None:
    with served(link, tmp_path, Board(assemble(CHATTER))) as (_, port):
        assert port.read(20) == b"A" * 20


def test_a_terminal_that_nobody_reads_does_not_stop_the_board(tmp_path: Path) -> None:
    board = Board(assemble(CHATTER))
    reached = threading.Event()
    endpoint = SerialTerminal(tmp_path / "tty")

    def look(seen: Board) -> None:
        if seen.now_us > 12_000_000:  # 11,000 bytes; the terminal takes 4,096
            reached.set()

    with BoardServer(board, SystemClock(500), endpoint, on_step=look):
        assert reached.wait(timeout=60)


def test_a_frame_belongs_to_the_board_and_not_to_the_connection() -> None:
    """As on a serial line, where one program may begin a frame and the next one end it."""
    endpoint = SerialPort()
    patient = SystemClock(0.01)  # the loader gives a frame up after ten real seconds
    with BoardServer(Board(), patient, endpoint) as server:
        with socket.create_connection((endpoint.host, endpoint.port)) as first:
            first.sendall(WHO[:5])
        with socket.create_connection((endpoint.host, endpoint.port), timeout=30) as second:
            second.sendall(WHO[5:])
            assert second.recv(6, socket.MSG_WAITALL) == IDENTIFIER
        assert not server.board.is_running


def test_half_a_frame_of_an_earlier_client_does_not_spoil_the_next_ones(tmp_path: Path) -> None:
    with served("tcp", tmp_path, Board()) as (server, port):
        port.write(WHO[:5])
        port.close()
        with serial.serial_for_url(server.address, timeout=10) as again:
            again.write(b"\0")
            answer = again.read(1)
            if answer == b"\xff":  # the frame that was given up, unless nobody listened then
                again.write(b"\0")
                answer = again.read(1)
            assert answer == b"\x55"
            again.write(WHO)
            assert again.read(6) == IDENTIFIER


def test_a_fault_resets_the_board_in_the_middle(tmp_path: Path) -> None:
    board = Board(assemble(CHATTER))
    board.reset("red")
    with served("tcp", tmp_path, board, SerialFaults(reset_after_bytes=4)) as (_, port):
        port.write(WHO)
        assert port.read(1) == b"\xff"  # only the second half of the frame was heard
        port.write(WHO)
        assert port.read(6) == IDENTIFIER


def test_a_fault_cuts_the_line(tmp_path: Path) -> None:
    with served("tcp", tmp_path, Board(), SerialFaults(disconnect_after_bytes=4)) as (_, port):
        port.write(WHO)
        with pytest.raises(serial.SerialException):
            port.read(6)


def test_actions_are_done_between_steps(tmp_path: Path) -> None:
    done = threading.Event()
    with served("tcp", tmp_path, Board()) as (server, _):
        server.do(lambda board: board.reset("green"))
        server.do(lambda _: done.set())
        assert done.wait(timeout=10)
    assert server.board.mode_led == "red flashing"


def test_one_client_too_many_is_sent_away_and_the_first_stays(tmp_path: Path) -> None:
    with served("tcp", tmp_path, Board()) as (server, port):
        port.write(b"\0")
        assert port.read(1) == b"\x55"
        host, number = server.address.removeprefix("socket://").split(":")
        with socket.create_connection((host, int(number)), timeout=10) as second:
            assert second.recv(1) == b""
        port.write(WHO)
        assert port.read(6) == IDENTIFIER
