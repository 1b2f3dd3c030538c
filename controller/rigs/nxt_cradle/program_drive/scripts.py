"""What the host says to the program on the brick: scripts of motions, and orders.

The other half of these messages is `player.nxc`, which says what each byte means.
"""

import struct
from collections.abc import Sequence
from enum import IntEnum
from typing import Final

from controller.rigs.nxt_cradle.calibration.values import Pace
from controller.rigs.nxt_cradle.motions.motion import (
    Done,
    Go,
    Motion,
    Pause,
    Phase,
    Push,
    Reach,
    Rest,
    Square,
)
from controller.rigs.nxt_cradle.motors import Motor

SCRIPTS_MAILBOX: Final = 1

AHEAD: Final = 3
"""How many scripts the mailbox may hold: a sixth message would push out the first unseen."""

COMMANDS_PER_SCRIPT: Final = 18
"""A message takes 58 bytes: the sequence number and this many commands of three."""

SEQUENCES: Final = 255
"""Sequence numbers go from 1 to this and start over."""

TURN_MS: Final = 5
"""Of the program on the brick, in which it counts pauses."""

PARTS_OF_A_COUNT: Final = 256
"""A pace is in these parts a turn, its speed in units of `SPEED_UNIT` of them."""

SPEED_UNIT: Final = 4

_COMMAND: Final = struct.Struct("<Bh")
_MOTOR_NUMBERS: Final = {Motor.CRADLE: 0, Motor.ARM: 1, Motor.PUSHER: 2}


class _Command(IntEnum):
    """First bytes of a command; the motor's number is added to those that are about a motor."""

    GO = 0
    PUSH = 3
    REACH_UPWARDS = 6
    REACH_DOWNWARDS = 9
    REST = 12
    PHASE = 15  # 0: done
    PAUSE = 16
    PACE = 17
    GO_SMOOTHLY = 18


def next_sequence(sequence: int) -> int:
    """Return the number of the script after the one with number `sequence` (0: none yet)."""
    return sequence % SEQUENCES + 1


def scripts_of(motions: Sequence[Motion]) -> list[tuple[Motion, ...]]:
    """Cut a choreography into parts that fit into a message each."""
    parts: list[list[Motion]] = []
    left = 0
    for motion in motions:
        if left < _commands(motion):
            parts.append([])
            left = COMMANDS_PER_SCRIPT
        parts[-1].append(motion)
        left -= _commands(motion)
    return [tuple(part) for part in parts]


def encode_script(sequence: int, motions: Sequence[Motion], home: Sequence[int]) -> bytes:
    """Return the message for up to 18 commands; `home` are the counts of all motors at home.

    Raises ValueError if an angle is beyond what 16 bits can count, which a rig reaches after more
    than a hundred quarters the same way.
    """
    if not 1 <= sequence <= SEQUENCES or sum(map(_commands, motions)) > COMMANDS_PER_SCRIPT:
        raise ValueError(f"no script: number {sequence} with {len(motions)} motions")
    try:
        return bytes([sequence]) + b"".join(_encode(motion, home) for motion in motions)
    except struct.error:
        raise ValueError("an angle does not fit into a command") from None


def _commands(motion: Motion) -> int:
    """Return how many commands a motion takes."""
    return 2 if isinstance(motion, Go) and motion.pace else 1


def _encode_pace(pace: Pace) -> bytes:
    """Return the command for the pace of what follows, in the program's units."""
    turn_s = TURN_MS / 1000
    speed = round(pace.speed_deg_s * turn_s * PARTS_OF_A_COUNT / SPEED_UNIT)
    step = round(pace.acceleration_deg_s2 * turn_s**2 * PARTS_OF_A_COUNT)
    return _COMMAND.pack(_Command.PACE, min(max(step, 1), 127) * 256 + min(max(speed, 1), 255))


def _encode(motion: Motion, home: Sequence[int]) -> bytes:
    match motion:
        case Square():
            raise ValueError("the program needs no looks at where motors came to stand")
        case Done():
            return _COMMAND.pack(_Command.PHASE, 0)
        case Phase():
            return _COMMAND.pack(_Command.PHASE, motion.number)
        case Pause():
            return _COMMAND.pack(_Command.PAUSE, -(-motion.milliseconds // TURN_MS))
        case Go(pace=Pace() as pace):
            motor = _MOTOR_NUMBERS[motion.motor]
            command = _Command.GO_SMOOTHLY + motor
            return _encode_pace(pace) + _COMMAND.pack(command, motion.angle_deg + home[motor])
        case Go():
            command, number = _Command.GO, motion.angle_deg
        case Push():
            return _COMMAND.pack(_Command.PUSH + _MOTOR_NUMBERS[motion.motor], motion.power)
        case Rest():
            return _COMMAND.pack(_Command.REST + _MOTOR_NUMBERS[motion.motor], motion.within_deg)
        case Reach():
            command = _Command.REACH_UPWARDS if motion.upwards else _Command.REACH_DOWNWARDS
            number = motion.angle_deg
    motor = _MOTOR_NUMBERS[motion.motor]
    return _COMMAND.pack(command + motor, number + home[motor])


def hello(session: int, top_powers: tuple[int, int, int]) -> bytes:
    """Return the order that starts a session, drops what was sent ahead and clears an error.

    `session` is a number 1..65535 of the host's choice; powers in percent, cradle, arm, pusher.
    """
    return struct.pack("<cHBBB", b"H", session, *top_powers)


DROP: Final = b"D"
"""Order: forget the scripts that have not started."""

BRAKE: Final = b"B"
"""Order: forget all scripts, brake, and let the motors go a fifth of a second later."""
