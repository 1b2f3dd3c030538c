"""The board's serial line: what a byte carries, its faults, and a TCP port or terminal for it."""

import random
import select
import socket
from collections import deque
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Annotated

import msgspec

from hardware_sims.endpoints import PtyEndpoint, TcpEndpoint
from hardware_sims.errors import InvalidScenarioError
from solvers.foundation.typed_files import read_toml

DATA_BITS = 8
MOST_ON_THE_LINE = 4096
"""Bytes on their way: as many as Linux keeps for a serial port (N_TTY_BUF_SIZE)."""


def received(value: int, sender_bit: float, receiver_bit: float) -> tuple[int, bool]:
    """Sample an 8-N-1 frame in the middle of each of the receiver's bits.

    Returns the byte and whether its stop bit was there; bit lengths in any common unit. With equal
    speeds the byte comes out as sent, and so it does up to about 5 % of difference.
    """
    levels = [0, *(value >> bit & 1 for bit in range(DATA_BITS)), 1]

    def level(position: float) -> int:
        sent_bit = int((position + 0.5) * receiver_bit / sender_bit)
        return levels[sent_bit] if sent_bit < len(levels) else 1

    byte = sum(level(1 + bit) << bit for bit in range(DATA_BITS))
    return byte, level(1 + DATA_BITS) == 1


Chance = Annotated[float, msgspec.Meta(ge=0, le=1)]
Count = Annotated[int, msgspec.Meta(ge=0)]


class Direction(StrEnum):
    """Which way the damaged bytes go."""

    BOTH = "both"
    TO_BOARD = "to_board"
    TO_HOST = "to_host"


class SerialFaults(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Chances per byte from 0 to 1; counts of bytes that came to the board, 0 for never."""

    seed: int = 0
    direction: Direction = Direction.BOTH
    lose: Chance = 0.0
    flip: Chance = 0.0
    double: Chance = 0.0
    late: Chance = 0.0
    late_ms: Count = 150
    disconnect_after_bytes: Count = 0
    reset_after_bytes: Count = 0
    board_baud: Count = 0
    """Speed to which the board's oscillator drags its serial line; 0 for the right one."""
    full_from: Count | None = None
    """First flash address that takes no more bytes; None: all do."""


def load_serial_faults(path: Path) -> SerialFaults:
    """Read a faults file; InvalidScenarioError says what in it makes no sense."""
    return read_toml(path, SerialFaults, "The faults file", InvalidScenarioError)


class FaultyLine:
    """One direction of the line: bytes go in, and come out damaged, late, twice or not at all."""

    def __init__(self, faults: SerialFaults, direction: Direction) -> None:
        self._faults = faults
        self._chance = random.Random(f"{faults.seed} {direction}")
        self._is_on = faults.direction in (Direction.BOTH, direction)
        self._waiting: deque[tuple[int, int]] = deque()

    def put(self, data: bytes, now_us: int) -> None:
        """Send bytes into the line now. A late byte holds up those behind it."""
        for value in data[: max(0, MOST_ON_THE_LINE - len(self._waiting))]:
            self._put_byte(value, now_us)

    def _put_byte(self, value: int, now_us: int) -> None:
        due_us = max(now_us, self._waiting[-1][0] if self._waiting else 0)
        faults, chance = self._faults, self._chance
        copies = 1
        if self._is_on:
            if chance.random() < faults.lose:
                return
            if chance.random() < faults.flip:
                value ^= 1 << chance.randrange(8)
            if chance.random() < faults.double:
                copies = 2
            if chance.random() < faults.late:
                due_us += faults.late_ms * 1000
        self._waiting += [(due_us, value)] * copies

    def take(self, now_us: int) -> bytes:
        """Return, once, what has come out by now."""
        arrived = bytearray()
        while self._waiting and self._waiting[0][0] <= now_us:
            arrived.append(self._waiting.popleft()[1])
        return bytes(arrived)


class SerialPort(TcpEndpoint):
    """A TCP endpoint that never lets a client wait for another one's end."""

    def receive(self, timeout_s: float) -> bytes:
        """Return what the client sent, or b"" when nothing came in that time."""
        data = super().receive(timeout_s)
        if self._client and _is_connected(self._client):
            while select.select([self._listener], [], [], 0)[0]:
                self._listener.accept()[0].close()
        return data


def _is_connected(client: socket.socket) -> bool:
    """Return whether a client that has sent nothing more is there; one with more to read may go."""
    return not select.select([client], [], [], 0)[0]


SPEED_FIELD = 5  # of tcgetattr: the output speed, which is the host's


@cache
def speeds() -> dict[int, int]:
    """Return the baud rate of each of this system's codes for speeds."""
    import termios  # where there are no terminals, nothing below is called

    names = (name for name in dir(termios) if name.startswith("B") and name[1:].isdigit())
    return {getattr(termios, name): int(name[1:]) for name in names}


class SerialTerminal(PtyEndpoint):
    """A terminal whose client sets the baud rate, as on a real serial port."""

    def __init__(self, link: Path) -> None:
        super().__init__(link, self._take_terminal)

    def _take_terminal(self, descriptor: int) -> None:
        self._descriptor = descriptor

    @property
    def baud(self) -> int:
        """Speed that the client has set; the system's own default until it has."""
        import termios

        return speeds().get(termios.tcgetattr(self._descriptor)[SPEED_FIELD], 0)

    def send(self, data: bytes) -> None:
        """Write what the terminal's buffer takes; the rest is lost, as without a listener."""
        self._write(data)
