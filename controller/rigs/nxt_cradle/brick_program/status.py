"""What the program on the brick tells of itself: the register that the host looks at."""

import struct
from dataclasses import dataclass
from enum import IntEnum
from typing import Final, Self

from controller.errors import BrickRefusedError

REGISTER_MAILBOX: Final = 10

VERSION: Final = 1
"""Of the messages in both directions; `player.nxc` has the same."""

# struct Status of player.nxc, as the firmware flattens it: little endian, no padding.
_STATUS: Final = struct.Struct("<HBBBBBBBBiiiII")


class Fault(IntEnum):
    """Why the program stopped a script."""

    NONE = 0
    STALLED = 1
    BAD_SCRIPT = 2
    BRAKED = 3


@dataclass(frozen=True, slots=True)
class Status:
    """The register: counts in degrees since the program's start, ticks in ms of the brick."""

    session: int
    version: int
    begun: int
    finished: int
    phase: int
    is_idle: bool
    fault: Fault
    culprit: int
    orders: int
    counts: tuple[int, int, int]
    finished_at: int
    tick: int

    @classmethod
    def decode(cls, message: bytes) -> Self:
        """Read a message as it lay in the mailbox, its final zero and padding included.

        Raises BrickRefusedError if no program of this version wrote it.
        """
        if len(message) < _STATUS.size or message[2] != VERSION:
            raise BrickRefusedError(
                "The program on the brick does not answer like the one of this version; "
                "stop it with the brick's grey button and try again."
            )
        values = _STATUS.unpack(message[: _STATUS.size])
        session, version, begun, finished, phase, is_idle, fault, culprit, orders = values[:9]
        cradle, arm, pusher, finished_at, tick = values[9:]
        return cls(
            session,
            version,
            begun,
            finished,
            phase,
            bool(is_idle),
            Fault(fault) if fault in list(Fault) else Fault.BAD_SCRIPT,
            culprit,
            orders,
            (cradle, arm, pusher),
            finished_at,
            tick,
        )
