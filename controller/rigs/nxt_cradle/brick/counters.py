"""Reads several tacho counters in one telegram.

They stand in the output module's I/O map, whose records of 32 bytes begin with the counter
(firmware 1.29, c_output.iom).
"""

import struct
from collections.abc import Sequence
from typing import Any, Final

from controller.rigs.nxt_cradle.brick.brick_link import BrickLink
from controller.rigs.nxt_cradle.motors import Motor

_OUTPUT_MODULE: Final = 0x00020001
_RECORD_BYTES: Final = 32
_COUNT: Final = struct.Struct("<i")
_HEADER_BYTES: Final = 9  # of a telegram with a part of an I/O map


def read_counters(link: BrickLink, motors: Sequence[Motor]) -> dict[Motor, int]:
    """Return the counts of those of some motors, sorted by port, of which one telegram can tell.

    The first is always among them. Raises RobotError.
    """
    room = (link.block_bytes - _HEADER_BYTES - _COUNT.size) // _RECORD_BYTES
    first = _record(motors[0])
    together = {motor: _record(motor) - first for motor in motors if _record(motor) - first <= room}
    size = max(together.values()) * _RECORD_BYTES + _COUNT.size

    def read(brick: Any) -> dict[Motor, int]:
        _, data = brick.read_io_map(_OUTPUT_MODULE, first * _RECORD_BYTES, size)
        return {
            motor: _COUNT.unpack_from(data, record * _RECORD_BYTES)[0]
            for motor, record in together.items()
        }

    counts = link.ask(read)
    assert counts is not None  # no refusal was asked to be none
    return counts


def _record(motor: Motor) -> int:
    """Return which of the output module's records is a motor's."""
    return ord(motor.value) - ord("A")
