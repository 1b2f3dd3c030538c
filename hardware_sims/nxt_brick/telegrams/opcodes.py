"""The telegrams that the brick understands, as one table.

Source: LEGO Mindstorms NXT Communication Protocol and Direct Commands (appendices 1 and 2 of the
Bluetooth developer kit), checked against c_cmd.c and c_comm.c of the firmware.

`arguments` and `reply` are formats of the `struct` module, little endian, for what stands after the
opcode and after the status byte. In a request with a `tail`, data of any length follows; where
`length_at` names one of the arguments, that argument tells how long it is.
"""

from dataclasses import dataclass
from typing import Final

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
