"""What each direct command does; the methods are named in the opcode table (c_cmd.c)."""

import struct
from typing import Final

from hardware_sims.nxt_brick.machine import Machine
from hardware_sims.nxt_brick.motors.output_module import (
    RESET_BLOCK_COUNT,
    RESET_ROTATION_COUNT,
    RESET_TACHO_COUNT,
    UPDATE_MODE,
    UPDATE_SPEED,
    UPDATE_TACHO_LIMIT,
)
from hardware_sims.nxt_brick.sensors.low_speed import BUFFER_BYTES
from hardware_sims.nxt_brick.sound import STOP, TONE, UPDATE
from hardware_sims.nxt_brick.ui import MOST_VOLUME, MS_PER_MINUTE
from hardware_sims.nxt_firmware import statuses
from hardware_sims.nxt_firmware.io_maps import INPUTS, OUTPUTS
from hardware_sims.nxt_firmware.statuses import CommandError

ALL_PORTS: Final = 0xFF
LONGEST_MESSAGE: Final = 59  # with the zero byte at its end
LONGEST_DATALOG: Final = 60
NO_NAME: Final = bytes(17)

PROPERTY_BLUETOOTH: Final = 0
PROPERTY_VOLUME: Final = 1
PROPERTY_SLEEP_TIMEOUT: Final = 2
BLUETOOTH_OFF: Final = 4  # a state of the UI's map


def stored_text(field: bytes) -> bytes:
    """Return a text field up to its zero byte."""
    return field.split(b"\0", 1)[0]


def _checked(port: int, ports: int) -> int:
    if port >= ports:
        raise CommandError(statuses.OUT_OF_RANGE)
    return port


class DirectCommands:
    """Each method takes the arguments of its telegram and returns the body of the reply."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine

    # Programs and their mailboxes

    def start_program(self, name: bytes) -> bytes:
        """Ask the menu to run a file; a missing one is "out of range", not "not found"."""
        self._check_exists(stored_text(name))
        self._machine.ui.request_start(stored_text(name))
        return b""

    def stop_program(self) -> bytes:
        """End the running program."""
        self._machine.programs.request_stop()
        return b""

    def get_current_program(self) -> bytes:
        """Return which program runs."""
        return self._machine.programs.name.ljust(20, b"\0")

    def message_write(self, queue: int, size: int, message: bytes) -> bytes:
        """Send a message to the running program."""
        if not 0 < size <= LONGEST_MESSAGE or message[-1]:
            raise CommandError(statuses.OUT_OF_RANGE)
        self._machine.programs.write_message(queue, message)
        return b""

    def message_read(self, queue: int, local_inbox: int, remove: bool) -> bytes:
        """Fetch a message from the running program; a failure names the local mailbox as well."""
        reply = struct.Struct(f"<BB{LONGEST_MESSAGE}s")
        try:
            message = self._machine.programs.read_message(queue, remove)
        except CommandError as error:
            raise CommandError(error.status, reply.pack(local_inbox, 0, b"")) from error
        return reply.pack(local_inbox, len(message), message)

    def datalog_read(self, remove: bool) -> bytes:
        """Fetch a line of the running program's data log."""
        line = self._machine.programs.read_datalog(remove)
        return struct.pack(f"<B{LONGEST_DATALOG}s", len(line), line)

    def datalog_set_times(self, sync_time: int) -> bytes:
        """Set the time that a program can ask for."""
        command = self._machine.command_map
        command["sync_time"], command["sync_tick"] = sync_time, self._machine.tick
        return b""

    # Sound

    def play_sound_file(self, loop: bool, name: bytes) -> bytes:
        """Play a sound that is in the flash."""
        self._check_exists(stored_text(name))
        self._machine.sound.play(name, loop)
        return b""

    def play_tone(self, frequency_hz: int, duration_ms: int) -> bytes:
        """Play a tone."""
        sound = self._machine.sound.io_map
        sound["mode"], sound["frequency"], sound["duration"] = TONE, frequency_hz, duration_ms
        sound["flags"] |= UPDATE
        return b""

    def stop_sound(self) -> bytes:
        """Be quiet."""
        self._machine.sound.io_map["state"] = STOP
        return b""

    # Motors

    def set_output_state(
        self,
        port: int,
        power: int,
        mode: int,
        regulation_mode: int,
        turn_ratio: int,
        run_state: int,
        tacho_limit: int,
    ) -> bytes:
        """Drive a motor, or all with port 0xFF, from the next millisecond on."""
        ports = range(OUTPUTS) if port == ALL_PORTS else [_checked(port, OUTPUTS)]
        for each in ports:
            output = self._machine.outputs.io_map[each]
            output["speed"], output["mode"] = power, mode
            output["regulation_mode"], output["turn_parameter"] = regulation_mode, turn_ratio
            output["run_state"], output["tacho_limit"] = run_state, tacho_limit
            output["flags"] |= UPDATE_MODE | UPDATE_SPEED | UPDATE_TACHO_LIMIT
        return b""

    def get_output_state(self, port: int) -> bytes:
        """Return a motor's order, and its counts of a millisecond ago at most."""
        output = self._machine.outputs.io_map[_checked(port, OUTPUTS)]
        return struct.pack(
            "<BbBBbBIiii",
            port,
            *(
                int(output[field])
                for field in (
                    "speed",
                    "mode",
                    "regulation_mode",
                    "turn_parameter",
                    "run_state",
                    "tacho_limit",
                    "tacho_count",
                    "block_tacho_count",
                    "rotation_count",
                )
            ),
        )

    def reset_motor_position(self, port: int, relative: bool) -> bytes:
        """Zero the block count (relative) or the rotation count."""
        flag = RESET_BLOCK_COUNT if relative else RESET_ROTATION_COUNT
        self._machine.outputs.io_map[_checked(port, OUTPUTS)]["flags"] |= flag
        return b""

    def reset_tacho_count(self, port: int) -> bytes:
        """Zero the tacho count, which makes the firmware forget the previous limit's error."""
        self._machine.outputs.io_map[_checked(port, OUTPUTS)]["flags"] |= RESET_TACHO_COUNT
        return b""

    # Sensors

    def set_input_mode(self, port: int, sensor_type: int, sensor_mode: int) -> bytes:
        """Set what sensor is plugged in; its values are not valid until the next look at it."""
        sensor = self._machine.inputs.io_map[_checked(port, INPUTS)]
        sensor["sensor_type"], sensor["sensor_mode"] = sensor_type, sensor_mode
        sensor["invalid_data"] = 1
        return b""

    def get_input_values(self, port: int) -> bytes:
        """Read a sensor; "calibrated" is never set, and the calibrated value is the normalized."""
        sensor = self._machine.inputs.io_map[_checked(port, INPUTS)]
        normalized = int(sensor["sensor_raw"])
        return struct.pack(
            "<B??BBHHhH",
            port,
            not sensor["invalid_data"],
            False,
            int(sensor["sensor_type"]),
            int(sensor["sensor_mode"]),
            int(sensor["ad_raw"]),
            normalized,
            int(sensor["sensor_value"]),
            normalized,
        )

    def reset_input_value(self, port: int) -> bytes:
        """Zero a sensor's scaled value."""
        self._machine.inputs.io_map[_checked(port, INPUTS)]["sensor_value"] = 0
        return b""

    def ls_get_status(self, port: int) -> bytes:
        """Return how many bytes the bus has received."""
        low_speed = self._machine.low_speed
        ready = bytes((low_speed.bytes_ready(_checked(port, INPUTS)),))
        try:
            status = low_speed.check_status(port)
        except CommandError as error:
            raise CommandError(error.status, ready) from error
        if status:
            raise CommandError(status, ready)
        return ready

    def ls_write(self, port: int, size: int, wanted: int, data: bytes) -> bytes:  # noqa: ARG002
        """Send to a sensor on the bus; its status says how it went."""
        status = self._machine.low_speed.write(port & 0x03, data, wanted)
        if status:
            raise CommandError(status)
        return b""

    def ls_read(self, port: int) -> bytes:
        """Return what a sensor on the bus answered."""
        low_speed = self._machine.low_speed
        count = low_speed.bytes_ready(_checked(port, INPUTS))
        try:
            status = low_speed.check_status(port)
        except CommandError as error:
            raise CommandError(error.status, bytes((count, *bytes(BUFFER_BYTES)))) from error
        body = bytes((count,)) + low_speed.read(port, count).ljust(BUFFER_BYTES, b"\0")
        if status:
            raise CommandError(status, body)
        return body

    # The brick itself

    def get_battery_level(self) -> bytes:
        """Return the battery's voltage."""
        return struct.pack("<H", int(self._machine.ui.io_map["battery_voltage"][0]))

    def keep_alive(self) -> bytes:
        """Start the sleep timer again; return its limit in milliseconds."""
        self._machine.ui.stay_awake()
        return struct.pack("<I", round(self._machine.ui.sleep_timeout_s * 1000))

    def bluetooth_contact_count(self) -> bytes:
        """Return how many devices the brick's list has room for."""
        return bytes((len(self._machine.comm_map["devices"][0]),))

    def bluetooth_contact_name(self, index: int) -> bytes:  # noqa: ARG002 - none is known
        """Name a device of the list; this brick was never paired."""
        return bytes(1) + NO_NAME

    def bluetooth_connection_count(self) -> bytes:
        """Return how many connections the brick can have."""
        return bytes((len(self._machine.comm_map["connections"][0]),))

    def bluetooth_connection_name(self, index: int) -> bytes:  # noqa: ARG002 - there is none
        """Name the device at the other end of a connection."""
        return bytes(1) + NO_NAME

    def set_property(self, selector: int, value: int) -> bytes:
        """Set Bluetooth, volume or sleep timeout (milliseconds)."""
        ui = self._machine.ui
        if selector == PROPERTY_BLUETOOTH:
            ui.io_map["bluetooth_state"] = 0 if value & 0xFF else BLUETOOTH_OFF
        elif selector == PROPERTY_VOLUME:
            volume = min(value & 0xFF, MOST_VOLUME)
            ui.io_map["volume"] = volume
            self._machine.sound.io_map["volume"] = volume
        elif selector == PROPERTY_SLEEP_TIMEOUT:
            ui.sleep_timeout_s = value // MS_PER_MINUTE % 256 * 60.0
        else:
            raise CommandError(statuses.UNKNOWN_OPCODE, b"")
        return b""

    def get_property(self, selector: int) -> bytes:
        """Return Bluetooth, volume or sleep timeout (milliseconds)."""
        ui = self._machine.ui
        if selector == PROPERTY_BLUETOOTH:
            return bytes((int(ui.io_map["bluetooth_state"][0]) != BLUETOOTH_OFF,))
        if selector == PROPERTY_VOLUME:
            return bytes((int(self._machine.sound.io_map["volume"][0]),))
        if selector == PROPERTY_SLEEP_TIMEOUT:
            return struct.pack("<I", round(ui.sleep_timeout_s * 1000))
        raise CommandError(statuses.UNKNOWN_OPCODE, b"")

    def _check_exists(self, name: bytes) -> None:
        if self._machine.files.lookup(name) is None:
            raise CommandError(statuses.OUT_OF_RANGE)
