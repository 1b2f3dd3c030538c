"""Reading and writing telegrams as bytes; nothing here knows what they do."""

import struct
from dataclasses import dataclass
from typing import Final

from hardware_sims.nxt_brick.telegrams.opcodes import (
    COMMANDS,
    NO_REPLY_FLAG,
    TYPE_DIRECT,
    TYPE_REPLY,
    TYPE_SYSTEM,
    Command,
)
from hardware_sims.nxt_firmware.statuses import OK, CommandError

HEADER_LENGTH: Final = 2  # telegram type and opcode
BUFFER_BYTES: Final = 256  # more than any telegram's fixed part and longest data


@dataclass(frozen=True)
class Request:
    """A telegram taken apart: its command, the values of its arguments, and the data after them."""

    command: Command
    arguments: tuple[int | bytes, ...]
    tail: bytes


class ReceiveBuffer:
    """Where telegrams arrive. Behind a short one the bytes of its forerunners are still there."""

    def __init__(self) -> None:
        self._bytes = bytearray(BUFFER_BYTES)

    def decode(self, command: Command, telegram: bytes) -> Request:
        """Take a telegram apart, however short it is."""
        self._bytes[: len(telegram)] = telegram[:BUFFER_BYTES]
        del self._bytes[BUFFER_BYTES:]
        arguments = struct.unpack_from(command.arguments, self._bytes, HEADER_LENGTH)
        end = HEADER_LENGTH + struct.calcsize(command.arguments)
        tail = telegram[end:]
        if command.length_at is not None:
            tail = bytes(self._bytes[end : end + int(arguments[command.length_at])])
        return Request(command, arguments, tail)


def is_known_type(telegram: bytes) -> bool:
    """Return whether the telegram is of a type that the brick reacts to at all."""
    return len(telegram) >= HEADER_LENGTH and telegram[0] & ~NO_REPLY_FLAG in (
        TYPE_DIRECT,
        TYPE_SYSTEM,
    )


def is_system(telegram: bytes) -> bool:
    """Return whether this is a system command."""
    return telegram[0] & ~NO_REPLY_FLAG == TYPE_SYSTEM


def wants_reply(telegram: bytes) -> bool:
    """Return whether the sender waits for an answer."""
    return not telegram[0] & NO_REPLY_FLAG


def command_of(telegram: bytes) -> Command | None:
    """Return the command of a telegram, None for an opcode that is not in the table."""
    return COMMANDS.get((telegram[0] & ~NO_REPLY_FLAG, telegram[1]))


def encode_reply(opcode: int, body: bytes) -> bytes:
    """Return the answer to a command that succeeded."""
    return bytes((TYPE_REPLY, opcode, OK)) + body


def encode_error(opcode: int, error: CommandError, command: Command | None) -> bytes:
    """Return the answer to a command that failed.

    Unless the error brings a body of its own, it is as long as the usual one, filled with zeros.
    """
    body = error.body
    if body is None:
        body = bytes(struct.calcsize(command.reply) if command else 0)
    return bytes((TYPE_REPLY, opcode, error.status)) + body


def split_stream(data: bytes) -> tuple[list[bytes], bytes]:
    """Cut bytes that came over a line without any framing into telegrams.

    A client that needs no reply may have sent several at once, and each of those has a length that
    its opcode tells. Any other telegram ends with the data at the latest, since its sender waits
    for the reply; zeros behind it belong to it, as some clients end or fill every telegram so.
    Returns the telegrams, and the start of one whose rest is still to come.
    """
    telegrams = []
    while len(data) >= HEADER_LENGTH:
        length = _length(data)
        if len(data) < length:
            if not wants_reply(data):
                break
            length = len(data)
        elif wants_reply(data) and not any(data[length:]):
            length = len(data)
        telegrams.append(data[:length])
        data = data[length:]
    return telegrams, data


def _length(data: bytes) -> int:
    """Return how long the telegram is with which `data` begins, as far as that can be told."""
    command = command_of(data)
    if command is None:
        return len(data)
    fixed = HEADER_LENGTH + struct.calcsize(command.arguments)
    if command.length_at is not None and len(data) >= fixed:
        arguments = struct.unpack_from(command.arguments, data, HEADER_LENGTH)
        return fixed + int(arguments[command.length_at])
    return max(fixed, len(data)) if command.tail and command.length_at is None else fixed
