"""What shall go wrong on the board's serial line, as a TOML file tells.

The format is in docs/aksen-simulator.md. Every fault is drawn from one seeded
generator, so that a failing run can be had again.
"""

import random
import tomllib
from collections import deque
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from hardware_sims.aksen_board.flash import FLASH_BYTES
from hardware_sims.errors import InvalidScenarioError

DIRECTIONS = ("both", "to_board", "to_host")


@dataclass(frozen=True)
class SerialFaults:
    """Chances per byte from 0 to 1; counts of bytes that came to the board, 0 for never."""

    seed: int = 0
    direction: str = "both"
    lose: float = 0.0
    flip: float = 0.0
    double: float = 0.0
    late: float = 0.0
    late_ms: int = 150
    disconnect_after_bytes: int = 0
    reset_after_bytes: int = 0
    board_baud: int = 0
    """Speed to which the board's oscillator drags its serial line; 0 for the right one."""
    full_from: int = FLASH_BYTES
    """First flash address that takes no more bytes."""


def load_serial_faults(path: Path) -> SerialFaults:
    """Read a faults file; InvalidScenarioError says what in it makes no sense."""
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InvalidScenarioError(f"Cannot read {path}: {error.strerror or error}.") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InvalidScenarioError(f"{path} is no TOML file: {error}.") from error
    _check(document, path)
    return SerialFaults(**document)


def _check(document: dict[str, Any], path: Path) -> None:
    known = {field.name: field.default for field in fields(SerialFaults)}
    for key, value in document.items():
        if key not in known:
            raise InvalidScenarioError(
                f"{path} knows no fault called {key!r}; there are {', '.join(known)}."
            )
        if key == "direction":
            fits = value in DIRECTIONS
            wanted = f"one of {', '.join(DIRECTIONS)}"
        elif isinstance(known[key], float):
            fits = isinstance(value, int | float) and 0 <= value <= 1
            wanted = "a chance from 0 to 1"
        else:
            fits = isinstance(value, int) and not isinstance(value, bool) and value >= 0
            wanted = "a whole number, 0 or more"
        if not fits:
            raise InvalidScenarioError(f"{key} in {path} must be {wanted}, not {value!r}.")


class FaultyLine:
    """One direction of the line: bytes go in, and come out damaged, late, twice or not at all."""

    def __init__(self, faults: SerialFaults, direction: str) -> None:
        self._faults = faults
        self._chance = random.Random(f"{faults.seed} {direction}")
        self._is_on = faults.direction in ("both", direction)
        self._waiting: deque[tuple[int, int]] = deque()

    def put(self, data: bytes, now_us: int) -> None:
        """Send bytes into the line now. A late byte holds up those behind it."""
        for value in data:
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
