"""Reading and writing telegrams as bytes; nothing here knows what they do."""

import struct
from dataclasses import dataclass

from hardware_sims.nxt_brick.opcodes import (
    COMMANDS,
    NO_REPLY_FLAG,
    STATUS_INSANE_PACKET,
    STATUS_OK,
    STATUS_UNKNOWN_OPCODE,
    TYPE_DIRECT,
    TYPE_REPLY,
    TYPE_SYSTEM,
    Command,
)

HEADER_LENGTH = 2  # telegram type and opcode


class CommandError(Exception):
    """A telegram that the brick answers with a status other than success."""

    def __init__(self, status: int) -> None:
        super().__init__(f"status 0x{status:02X}")
        self.status = status


@dataclass(frozen=True)
class Request:
    """A telegram taken apart: its command, the values of its arguments, and the data after them."""

    command: Command
    arguments: tuple[int | bytes, ...]
    tail: bytes


def is_known_type(telegram: bytes) -> bool:
    """Return whether the telegram is of a type that the brick reacts to at all."""
    return len(telegram) >= HEADER_LENGTH and telegram[0] & ~NO_REPLY_FLAG in (
        TYPE_DIRECT,
        TYPE_SYSTEM,
    )


def wants_reply(telegram: bytes) -> bool:
    """Return whether the sender waits for an answer."""
    return not telegram[0] & NO_REPLY_FLAG


def command_of(telegram: bytes) -> Command | None:
    """Return the command of a telegram, None for an opcode that is not in the table."""
    return COMMANDS.get((telegram[0] & ~NO_REPLY_FLAG, telegram[1]))


def decode(telegram: bytes) -> Request:
    """Take a telegram apart.

    Raises:
        CommandError: the opcode is unknown, or the telegram is too short for it.
    """
    command = command_of(telegram)
    if command is None:
        raise CommandError(STATUS_UNKNOWN_OPCODE)
    end = HEADER_LENGTH + struct.calcsize(command.arguments)
    if len(telegram) < end:
        raise CommandError(STATUS_INSANE_PACKET)
    arguments = struct.unpack_from(command.arguments, telegram, HEADER_LENGTH)
    tail = telegram[end:]
    if command.length_at is not None:
        if len(tail) < arguments[command.length_at]:
            raise CommandError(STATUS_INSANE_PACKET)
        tail = tail[: arguments[command.length_at]]
    return Request(command, arguments, tail)


def encode_reply(opcode: int, body: bytes) -> bytes:
    """Return the answer to a command that succeeded."""
    return bytes((TYPE_REPLY, opcode, STATUS_OK)) + body


def encode_error(opcode: int, status: int, command: Command | None) -> bytes:
    """Return the answer to a command that failed: as long as the usual one, filled with zeros."""
    length = struct.calcsize(command.reply) if command else 0
    return bytes((TYPE_REPLY, opcode, status)) + bytes(length)


def split_stream(data: bytes) -> tuple[list[bytes], bytes]:
    """Cut bytes that came over a line without any framing into telegrams.

    A client that needs no reply may have sent several at once, and each of those has a length that
    its opcode tells. A telegram of unknown or open length ends with the data, since its sender
    waits for the reply. Returns the telegrams, and the start of one whose rest is still to come.
    """
    telegrams = []
    while len(data) >= HEADER_LENGTH:
        length = _length(data)
        if len(data) < length:
            break
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
