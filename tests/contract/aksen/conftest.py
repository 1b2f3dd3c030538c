"""The board of the contract: simulated in this process, or a real one with `--port`.

`pytest tests/contract/aksen --port /dev/ttyUSB0` (mode switch at red, reset pressed) erases the
program in the board. The simulated board lives in virtual time.
"""

from collections.abc import Iterator

import pytest

from firmware_tools.boards.facts import Board, load_board
from firmware_tools.line.byte_link import ByteLink
from firmware_tools.line.serial_link import open_link
from hardware_sims.aksen_board import board as simulated
from solvers.foundation.clock import SystemClock

STEP_US = 1000


class VirtualLine:
    """A byte link to a simulated board; its time passes while the host reads or writes."""

    def __init__(self) -> None:
        self.board = simulated.Board(is_paced=True)
        self._input = bytearray()

    def write(self, data: bytes) -> None:
        self.board.send(data)

    def read(self, count: int, timeout_s: float) -> bytes:
        deadline_us = self.board.now_us + round(timeout_s * 1e6)
        self._input += self.board.take_serial()
        while len(self._input) < count and (now_us := self.board.now_us) < deadline_us:
            self.board.run_us(self._next_us(now_us, deadline_us) - now_us)
            self._input += self.board.take_serial()
        data = bytes(self._input[:count])
        del self._input[:count]
        return data

    def _next_us(self, now_us: int, deadline_us: int) -> int:
        """Return when the boot loader does something next; a program may at any time."""
        due_us = now_us + STEP_US if self.board.loader is None else self.board.next_due_us()
        return deadline_us if due_us is None else min(max(due_us, now_us + 1), deadline_us)

    def discard_input(self) -> None:
        self.board.take_serial()
        self._input.clear()

    def close(self) -> None:
        pass


@pytest.fixture(scope="session")
def aksen() -> Board:
    return load_board()


@pytest.fixture
def line(request: pytest.FixtureRequest, aksen: Board) -> Iterator[ByteLink]:
    """The open line to the board, whose boot loader listens."""
    port = request.config.getoption("--port", default=None)
    link: ByteLink = open_link(port, aksen.baud, SystemClock()) if port else VirtualLine()
    yield link
    link.close()
