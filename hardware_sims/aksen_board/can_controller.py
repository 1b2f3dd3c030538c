"""The CAN controller, an SJA1000 in PeliCAN mode, alone with the operator, who types messages.

Source: Philips SJA1000 data sheet. Simulated: reset and operating mode, status, commands to send
and to release, transmit buffer and receive FIFO, acceptance filter wide open. Not simulated:
BasicCAN, bit timing (a message is sent at once and always acknowledged), errors, interrupts.
"""

from collections import deque
from dataclasses import dataclass
from typing import Final

REGISTERS: Final = 32
MODE, COMMAND, STATUS, FRAME, COUNT = 0, 1, 2, 16, 29
RESET_MODE: Final = 0x01
SEND, RELEASE = 0x01, 0x04
RECEIVED, OVERRUN, FREE, SENT = 0x01, 0x02, 0x04, 0x08
EXTENDED: Final = 0x80
LENGTH: Final = 0x0F
FIFO_BYTES: Final = 64
IDENTIFIER_BYTES: Final = 4
LARGEST_DATA: Final = 8


@dataclass(frozen=True, slots=True)
class CanMessage:
    """A frame with an extended identifier, whose four bytes are as in the controller."""

    identifier: bytes
    data: bytes

    @property
    def fifo_bytes(self) -> int:
        """Return what it takes of the receive FIFO: frame information, identifier, data."""
        return 1 + IDENTIFIER_BYTES + len(self.data)


class CanController:
    """The registers, what came in, and what went out."""

    def __init__(self) -> None:
        self.sent: list[CanMessage] = []
        self.reset()

    def reset(self) -> None:
        """Pull the reset pin."""
        self._registers = bytearray(REGISTERS)
        self._registers[MODE] = RESET_MODE
        self._received: deque[CanMessage] = deque()
        self._has_overrun = False

    @property
    def _is_reset(self) -> bool:
        return bool(self._registers[MODE] & RESET_MODE)

    def receive(self, message: CanMessage) -> None:
        """Take a message from the bus; lost in reset mode, or when the FIFO is full."""
        if self._is_reset:
            return
        if sum(m.fifo_bytes for m in self._received) + message.fifo_bytes > FIFO_BYTES:
            self._has_overrun = True
            return
        self._received.append(message)

    def read(self, number: int) -> int:
        """Return what a register reads."""
        if number == STATUS:
            status = FREE | SENT | (OVERRUN if self._has_overrun else 0)
            return status | (RECEIVED if self._received else 0)
        if number == COUNT:
            return len(self._received)
        if FRAME <= number < COUNT and not self._is_reset:
            return self._frame_byte(number - FRAME)
        return 0 if number == COMMAND else self._registers[number]

    def _frame_byte(self, place: int) -> int:
        if not self._received:
            return 0
        message = self._received[0]
        frame = bytes([EXTENDED | len(message.data)]) + message.identifier + message.data
        return frame[place] if place < len(frame) else 0

    def write(self, number: int, value: int) -> None:
        """Take what is written to a register."""
        if number == COMMAND:
            self._command(value)
        elif number not in (STATUS, COUNT):
            self._registers[number] = value

    def _command(self, value: int) -> None:
        if value & RELEASE and self._received:
            self._received.popleft()
        if value & SEND and not self._is_reset:
            first = FRAME + 1
            length = min(self._registers[FRAME] & LENGTH, LARGEST_DATA)
            data = first + (IDENTIFIER_BYTES if self._registers[FRAME] & EXTENDED else 2)
            self.sent.append(
                CanMessage(
                    bytes(self._registers[first:data]), bytes(self._registers[data : data + length])
                )
            )
