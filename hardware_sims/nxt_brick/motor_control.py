"""MotorControl 2.2 (L. Atorf, RWTH Aachen) as seen through its messages.

The host writes ASCII messages to mailbox 1 and reads answers from mailbox 0:

    "1" port power(3) tacho(6) mode   precise move; mode bit 0 hold, 1 regulated, 2 smooth start
    "2" port                          reset the tacho count
    "3" port                          ask whether the port is ready; answer: port, "0" or "1"
    "4" port power(3) tacho(6) reg    set the output as the direct command does

Ports 0 to 6 are A, B, C, AB, AC, BC, ABC; a power above 100 means minus (power - 100).
"""

import re
from collections.abc import Callable
from typing import Final

from hardware_sims.nxt_brick.mailboxes import Mailboxes
from hardware_sims.nxt_brick.motor_state import (
    MODE_BRAKE,
    MODE_ON,
    MODE_REGULATED,
    REGULATION_NONE,
    REGULATION_SPEED,
    STATE_IDLE,
    STATE_RUNNING,
)
from hardware_sims.nxt_brick.outputs import Outputs

FILE_NAME: Final = b"MotorControl22.rxe"
FILE_SIZE: Final = 29_734
INBOX: Final = 1
OUTBOX: Final = 0
BUSY_TONES: Final = ((2000, 100), (1500, 100))  # Hz, ms

_PORTS: Final = ((0,), (1,), (2,), (0, 1), (0, 2), (1, 2), (0, 1, 2))
_MOVE = re.compile(rb"1([0-6])(\d{3})(\d{6})([0-7])\0")
_RESET = re.compile(rb"2([0-6])\0")
_IS_READY = re.compile(rb"3([0-2])\0")
# The last character is read as a number; anything else, such as the T of "True", counts as 0.
_SET_OUTPUT = re.compile(rb"4([0-6])(\d{3})(\d{6})(.).*\0", re.DOTALL)


class MotorControl:
    """The running program: `handle` takes each message as it arrives."""

    def __init__(
        self, outputs: Outputs, mailboxes: Mailboxes, beep: Callable[[int, int], None]
    ) -> None:
        self._outputs = outputs
        self._mailboxes = mailboxes
        self._beep = beep

    def handle(self, message: bytes) -> None:
        """Do what a message asks; one that is malformed is dropped."""
        if match := _MOVE.fullmatch(message):
            self._move(_ports(match[1]), _power(match[2]), int(match[3]), int(match[4]))
        elif match := _RESET.fullmatch(message):
            for port in _ports(match[1]):
                self._outputs.reset_tacho(port)
        elif match := _IS_READY.fullmatch(message):
            ready = not self._outputs.is_moving(int(match[1]))
            self._mailboxes.write(OUTBOX, match[1] + (b"1" if ready else b"0") + b"\0")
        elif match := _SET_OUTPUT.fullmatch(message):
            self._set_output(
                _ports(match[1]), _power(match[2]), int(match[3]), regulated=match[4] == b"1"
            )

    def _move(self, ports: tuple[int, ...], power: int, degrees: int, mode: int) -> None:
        if any(self._outputs.is_moving(port) for port in ports):
            for tone in BUSY_TONES:
                self._beep(*tone)
            return
        if power == 0 or degrees == 0:
            return
        for port in ports:
            self._outputs.begin_move(
                port, power, degrees, smooth=bool(mode & 4), holds=bool(mode & 1)
            )

    def _set_output(
        self, ports: tuple[int, ...], power: int, tacho_limit: int, regulated: bool
    ) -> None:
        mode = MODE_ON | MODE_BRAKE | (MODE_REGULATED if regulated else 0)
        run_state = STATE_RUNNING
        if power == 0 and not regulated:
            mode, run_state = 0, STATE_IDLE
        regulation = REGULATION_SPEED if regulated else REGULATION_NONE
        for port in ports:
            self._outputs.set_state(port, power, mode, regulation, 0, run_state, tacho_limit)


def _ports(text: bytes) -> tuple[int, ...]:
    return _PORTS[int(text)]


def _power(text: bytes) -> int:
    power = int(text)
    return power if power <= 100 else max(-100, 100 - power)
