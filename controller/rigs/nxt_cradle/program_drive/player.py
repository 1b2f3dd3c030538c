"""The running program as the host sees it: orders and scripts in, its register out."""

import secrets
from collections.abc import Sequence
from typing import Final

from controller.errors import BrickRefusedError, MotorStalledError
from controller.motion.mechanism import Battery
from controller.rigs.nxt_cradle.brick.brick_link import EMPTY_MAILBOX, NO_PROGRAM, BrickLink
from controller.rigs.nxt_cradle.brick.guard import ORDERS_MAILBOX, Heartbeat
from controller.rigs.nxt_cradle.brick.programs import (
    name_on_brick,
    run_program,
    running_program,
    shipped_program,
)
from controller.rigs.nxt_cradle.motions.motion import Motion
from controller.rigs.nxt_cradle.program_drive.scripts import (
    BRAKE,
    DROP,
    SCRIPTS_MAILBOX,
    encode_script,
    hello,
    scripts_of,
)
from controller.rigs.nxt_cradle.program_drive.status import REGISTER_MAILBOX, Fault, Status
from solvers.foundation.clock import Clock

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
