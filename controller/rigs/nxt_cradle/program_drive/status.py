"""The program's register: its state as the host reads it, and what follows from that."""

import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Final, Self

from controller.errors import BrickRefusedError, MotorStalledError, RobotError
from controller.motion.mechanism import MotorSeen
from controller.motion.primitives import Primitive
from controller.rigs.nxt_cradle.motions.motion import CutOff
from controller.rigs.nxt_cradle.motors import MOTOR_NAMES, Motor
from controller.rigs.nxt_cradle.program_drive.scripts import next_sequence

REGISTER_MAILBOX: Final = 10

VERSION: Final = 2
"""Of the messages in both directions; `player.nxc` has the same."""

# struct Status of player.nxc, as the firmware flattens it: little endian, no padding.
_STATUS: Final = struct.Struct("<HBBBBBBBBiiiII")


class Fault(IntEnum):
    """Why the program stopped a script."""

    NONE = 0
    STALLED = 1
    BAD_SCRIPT = 2
    BRAKED = 3
    UNATTENDED = 4


@dataclass(frozen=True, slots=True)
class Status:
    """The register: counts in degrees since the program's start, ticks in ms of the brick."""

    session: int
    version: int
    started: int
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
        """Read a message as read from the mailbox, its final zero and padding included.

        Raises BrickRefusedError if no program of this version wrote it.
        """
        if len(message) < _STATUS.size or message[2] != VERSION:
            raise BrickRefusedError(
                "The program on the brick does not answer like the one of this version; "
                "stop it with the brick's grey button and try again."
            )
        values = _STATUS.unpack(message[: _STATUS.size])
        session, version, started, finished, phase, is_idle, fault, culprit, orders = values[:9]
        cradle, arm, pusher, finished_at, tick = values[9:]
        return cls(
            session,
            version,
            started,
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


def places(
    status: Status,
    home: Sequence[int],
    goals: Mapping[Motor, int],
    names: Mapping[Motor, str] = MOTOR_NAMES,
) -> list[MotorSeen]:
    """Return where the motors stand; `home` are their counts there, `goals` degrees from it."""
    return [
        MotorSeen(names[motor], count - at, goals.get(motor))
        for motor, count, at in zip(Motor, status.counts, home, strict=True)
    ]


def stalled(
    primitive: Primitive,
    status: Status,
    home: Sequence[int],
    names: Mapping[Motor, str] = MOTOR_NAMES,
) -> RobotError:
    """Return the error for a primitive that the program gave up."""
    if status.fault is Fault.BAD_SCRIPT:
        return BrickRefusedError("The program on the brick does not know what it was sent.")
    motor = list(Motor)[status.culprit]
    stands_deg = status.counts[status.culprit] - home[status.culprit]
    return MotorStalledError(
        f"Motor {motor} ({names[motor]}) does not move on: it stands at {stands_deg} "
        f"degrees in the middle of a {str(primitive).split()[0]}. Is something in its way?"
    )


def cut_off_after(done: int, status: Status, home: Sequence[int]) -> CutOff | None:
    """Return where the primitive after number `done` was cut off, None if it was not started."""
    if status.started != next_sequence(done) or status.started == status.finished:
        return None
    cradle, _, pusher = (count - at for count, at in zip(status.counts, home, strict=True))
    return CutOff(status.phase, cradle, pusher)
