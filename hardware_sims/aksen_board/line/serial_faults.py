"""What shall go wrong on the board's serial line, as a TOML file tells.

The format is in docs/aksen-simulator.md. Every fault is drawn from one seeded
generator, so that a failing run can be had again.
"""

import random
from collections import deque
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import msgspec

from hardware_sims.aksen_board.line_coding import MOST_ON_THE_LINE
from hardware_sims.errors import InvalidScenarioError
from solvers.foundation.typed_files import read_toml

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
