"""The program on the brick as the host sees it: scripts and orders in, its register out.

`player.nxc` is its source and says what each byte of the messages means, `player.rxe` what
`make brick-program` compiles from it.
"""

import secrets
import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Final, Self

from controller.errors import BrickRefusedError, MotorStalledError, RobotError
from controller.motion.mechanism import Battery, MotorSeen
from controller.motion.primitives import Primitive
from controller.rigs.nxt_brick.brick_link import EMPTY_MAILBOX, NO_PROGRAM, BrickLink
from controller.rigs.nxt_brick.calibration import Pace
from controller.rigs.nxt_brick.motion import (
    MOTOR_NAMES,
    CutOff,
    Done,
    Go,
    Motion,
    Motor,
    Pause,
    Phase,
    Push,
    Reach,
    Rest,
    Square,
)
from controller.rigs.nxt_brick.programs import (
    ORDERS_MAILBOX,
    Heartbeat,
    name_on_brick,
    run_program,
    running_program,
    shipped_program,
)
from solvers.foundation.clock import Clock

# Scripts and orders

SCRIPTS_MAILBOX: Final = 1

MAILBOX_HOLDS: Final = 4
"""How many messages may wait. Five use up the program's spare arrays; then the firmware writes
beside its memory as it takes one out. A sixth would push out the first unseen."""

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
    REACH_OR_STAND = 21


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
    match motion:
        case Go(pace=Pace()) | Reach(stands_from=int()):
            return 2
    return 1


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
        case Reach(stands_from=int() as stands):
            surely = _encode(Reach(motion.motor, stands, upwards=True), home)
            motor = _MOTOR_NUMBERS[motion.motor]
            command = _Command.REACH_OR_STAND + motor
            return surely + _COMMAND.pack(command, motion.angle_deg + home[motor])
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


# The register

REGISTER_MAILBOX: Final = 10

VERSION: Final = 3
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


# The running program

LOOK_INTERVAL_S: Final = 0.02
BUSY_LOOK_INTERVAL_S: Final = 0.1  # a third of the shortest primitive
ENDING_S: Final = 4.0  # the firmware shows for some seconds that a program has ended
FARTHEST_COUNT: Final = 12_000
"""Degrees from which on a new run starts the program afresh, to count from zero: orders have 16
bits, which leaves the cradle 16 times round one way."""
LETTING_GO_S: Final = 1.5
"""How long after its last motion the program still holds the motors, and some more."""
APART_S: Final = 8.0
"""How long motions of their own may take: twice a turn by three quarters with an empty battery."""
_ANSWER_TRIES: Final = 100


class Player:
    """The program on one brick. Everything raises RobotError."""

    def __init__(self, link: BrickLink, clock: Clock, top_powers: tuple[int, int, int]) -> None:
        self._link = link
        self._clock = clock
        self._top_powers = top_powers
        self._heartbeat = Heartbeat(link, clock)

    def run(self) -> Status:
        """Let the program run, installed if need be."""
        run_program(self._link, self._clock, shipped_program())
        return self.status()

    def battery(self) -> Battery:
        """Ask for the battery."""
        return self._link.battery()

    def make_way(self) -> None:
        """Leave the motors to direct commands until the next script or start of the program."""
        if self.is_running():
            if max(map(abs, self.status().counts)) > FARTHEST_COUNT:
                self._end()
            else:
                self._clock.sleep(LETTING_GO_S)

    def _end(self) -> None:
        """End the program and wait until the brick has put its motors back, counters and all."""
        self._link.ask(lambda brick: brick.stop_program(), NO_PROGRAM)
        self._clock.sleep(ENDING_S)

    def is_running(self) -> bool:
        """Say whether the program runs, with the counts it started from."""
        return running_program(self._link) == name_on_brick(shipped_program())

    def start_session(self, session: int) -> Status:
        """Start or resume a session; what was sent ahead and an error are forgotten."""
        return self._order(hello(session, self._top_powers))

    def cleared(self, session: int) -> Status:
        """Look, and clear an error of the program before it gets something new."""
        status = self.status()
        return self.start_session(session) if status.fault else status

    def status(self) -> Status:
        """Look at the register."""
        for _ in range(_ANSWER_TRIES):
            answer = self._link.ask(
                lambda brick: brick.message_read(REGISTER_MAILBOX, 0, False), EMPTY_MAILBOX
            )
            if answer is not None:
                return Status.decode(bytes(answer[1]))
            self._clock.sleep(LOOK_INTERVAL_S / 4)  # it is being written
        raise BrickRefusedError("The program on the brick no longer reports its state.")

    def send(self, number: int, script: Sequence[Motion], home: Sequence[int]) -> None:
        """Put a script of primitive `number` behind those that were sent."""
        message = encode_script(number, script, home)
        self.beat()
        self._link.ask(lambda brick: brick.message_write(SCRIPTS_MAILBOX, message))

    def beat(self) -> bool:
        """Send a sign of life if it is due; return as `Heartbeat.beat` does."""
        return self._heartbeat.beat()

    def wait(self, *, has_more: bool = False) -> Status:
        """Wait a moment and look; the program needs neither."""
        self._clock.sleep(BUSY_LOOK_INTERVAL_S if has_more else LOOK_INTERVAL_S)
        self.beat()
        return self.status()

    def finish(self, within_s: float) -> Status:
        """Drop what has not started and wait up to `within_s` for the rest to end."""
        return self._until_idle(self._order(DROP), within_s)

    def brake(self) -> Status:
        """Forget everything and brake; the motors are let go a little later."""
        self._link.ask(lambda brick: brick.message_write(ORDERS_MAILBOX, BRAKE))
        for _ in range(_ANSWER_TRIES):  # to look before would keep the motors waiting
            status = self.wait()
            if status.fault is Fault.BRAKED:
                return status
        raise self._unheard()

    def play_apart(self, motions: Sequence[Motion], home: Sequence[int]) -> None:
        """Play motions in a session of their own, which does not count as a primitive.

        Raises MotorStalledError if they do not come to their end.
        """
        self.start_session(1 + secrets.randbelow(0xFFFF))
        number = 1
        for script in scripts_of(motions):
            self.send(number, script, home)
        for _ in range(round(APART_S / LOOK_INTERVAL_S)):
            status = self.wait()
            if status.fault:
                break
            if status.is_idle and status.finished == number:
                return
        raise MotorStalledError(
            "What was cut off cannot be taken back. Is something in the rig's way?"
        )

    def _until_idle(self, status: Status, within_s: float) -> Status:
        until_s = self._clock.now() + within_s
        while not status.is_idle and self._clock.now() < until_s:
            status = self.wait()
        return status

    def _order(self, order: bytes) -> Status:
        """Give an order and return what the register shows when it has been obeyed."""
        before = self.status().orders
        self._link.ask(lambda brick: brick.message_write(ORDERS_MAILBOX, order))
        for _ in range(_ANSWER_TRIES):
            status = self.wait()
            if status.orders != before:
                return status
        raise self._unheard()

    @staticmethod
    def _unheard() -> BrickRefusedError:
        return BrickRefusedError("The program on the brick does not answer an order.")
