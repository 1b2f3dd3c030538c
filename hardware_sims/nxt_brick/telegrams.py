"""The telegrams that the brick understands, as one table, and their bytes.

Source: LEGO Mindstorms NXT Communication Protocol and Direct Commands (appendices 1 and 2 of the
Bluetooth developer kit), checked against c_cmd.c and c_comm.c of the firmware.

`arguments` and `reply` are formats of the `struct` module, little endian, for what stands after the
opcode and after the status byte. In a request with a `tail`, data of any length follows; where
`length_at` names one of the arguments, that argument is its length.
"""

import struct
from dataclasses import dataclass
from typing import Final

from hardware_sims.nxt_firmware.statuses import OK, CommandError

TYPE_DIRECT: Final = 0x00
TYPE_SYSTEM: Final = 0x01
TYPE_REPLY: Final = 0x02
NO_REPLY_FLAG: Final = 0x80


@dataclass(frozen=True)
class Command:
    """One telegram: opcode, name of the method that does it, layout of request and reply.

    The brick never checks a telegram's length: what a short one lacks is read from where the
    telegram before it stood.
    """

    opcode: int
    name: str
    arguments: str = "<"
    reply: str = "<"
    tail: bool = False
    length_at: int | None = None


DIRECT_COMMANDS: Final = (
    Command(0x00, "start_program", "<20s"),
    Command(0x01, "stop_program"),
    Command(0x02, "play_sound_file", "<?20s"),
    Command(0x03, "play_tone", "<HH"),
    Command(0x04, "set_output_state", "<BbBBbBI"),
    Command(0x05, "set_input_mode", "<BBB"),
    Command(0x06, "get_output_state", "<B", "<BbBBbBIiii"),
    Command(0x07, "get_input_values", "<B", "<B??BBHHhh"),
    Command(0x08, "reset_input_value", "<B"),
    Command(0x09, "message_write", "<BB", tail=True, length_at=1),
    Command(0x0A, "reset_motor_position", "<B?"),
    Command(0x0B, "get_battery_level", "<", "<H"),
    Command(0x0C, "stop_sound"),
    Command(0x0D, "keep_alive", "<", "<I"),
    Command(0x0E, "ls_get_status", "<B"),
    Command(0x0F, "ls_write", "<BBB", tail=True, length_at=1),
    Command(0x10, "ls_read", "<B"),
    Command(0x11, "get_current_program", "<", "<20s"),
    Command(0x13, "message_read", "<BB?", "<BB59s"),
    Command(0x19, "datalog_read", "<?", "<B60s"),
    Command(0x1A, "datalog_set_times", "<I"),
    Command(0x1B, "bluetooth_contact_count", "<", "<B"),
    Command(0x1C, "bluetooth_contact_name", "<B", "<B17s"),
    Command(0x1D, "bluetooth_connection_count", "<", "<B"),
    Command(0x1E, "bluetooth_connection_name", "<B", "<B17s"),
    Command(0x1F, "set_property", "<BI"),
    Command(0x20, "get_property", "<B"),
    Command(0x21, "reset_tacho_count", "<B"),
)

SYSTEM_COMMANDS: Final = (
    Command(0x80, "open_read", "<20s", "<BI"),
    Command(0x81, "open_write", "<20sI", "<B"),
    Command(0x82, "read", "<BH"),
    Command(0x83, "write", "<B", tail=True),
    Command(0x84, "close", "<B", "<B"),
    Command(0x85, "delete", "<20s"),
    Command(0x86, "find_first", "<20s", "<B20sI"),
    Command(0x87, "find_next", "<B", "<B20sI"),
    Command(0x88, "get_versions", "<", "<BBBB"),
    Command(0x89, "open_write_linear", "<20sI", "<B"),
    Command(0x8B, "open_write_data", "<20sI", "<B"),
    Command(0x8C, "open_append", "<20s", "<BI"),
    Command(0x8D, "crop", "<B", "<B"),
    Command(0x90, "find_first_module", "<20s", "<B20sIIH"),
    Command(0x91, "find_next_module", "<B", "<B20sIIH"),
    Command(0x92, "close_module_search", "<B", "<B"),
    Command(0x94, "read_io_map", "<IHH"),
    Command(0x95, "write_io_map", "<IHH", tail=True, length_at=2),
    Command(0x97, "boot", "<19s", "<4s"),
    Command(0x98, "set_brick_name", "<15s"),
    Command(0x9A, "get_bluetooth_address", "<", "<7s"),
    Command(0x9B, "get_device_info", "<", "<15s7s4BI"),
    Command(0xA0, "delete_user_flash"),
    Command(0xA1, "poll_length", "<B", "<BB"),
    Command(0xA2, "poll", "<BB"),
    Command(0xA4, "bluetooth_factory_reset"),
)

COMMANDS: Final = {
    (telegram_type, command.opcode): command
    for telegram_type, commands in (
        (TYPE_DIRECT, DIRECT_COMMANDS),
        (TYPE_SYSTEM, SYSTEM_COMMANDS),
    )
    for command in commands
}


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

    Unless the error has its own body, it is as long as the usual one, filled with zeros.
    """
    body = error.body
    if body is None:
        body = bytes(struct.calcsize(command.reply) if command else 0)
    return bytes((TYPE_REPLY, opcode, error.status)) + body


def split_stream(data: bytes) -> tuple[list[bytes], bytes]:
    """Cut bytes that came over a line without any framing into telegrams.

    A client that needs no reply may have sent several at once, and each of those has a length that
    its opcode gives. Any other telegram ends with the data at the latest, since its sender waits
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
    """Return the length of the telegram at the start of `data`, as far as it is known."""
    command = command_of(data)
    if command is None:
        return len(data)
    fixed = HEADER_LENGTH + struct.calcsize(command.arguments)
    if command.length_at is not None and len(data) >= fixed:
        arguments = struct.unpack_from(command.arguments, data, HEADER_LENGTH)
        return fixed + int(arguments[command.length_at])
    return max(fixed, len(data)) if command.tail and command.length_at is None else fixed
