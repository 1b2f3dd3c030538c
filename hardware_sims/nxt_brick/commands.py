"""The direct and the system commands; the opcode table in `telegrams` names their methods."""

import struct
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final

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
from hardware_sims.nxt_firmware.flash import matcher
from hardware_sims.nxt_firmware.io_maps import INPUTS, MODULES, OUTPUTS, Module
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


# System commands (c_comm.c).


VERSIONS: Final = (124, 1, 31, 1)  # protocol 1.124, firmware 1.31, each minor first
BOOT_PASSWORD: Final = b"Let's dance: SAMBA\0"
USB_POLL_BUFFER: Final = 0


@dataclass(frozen=True)
class _Limits:
    """How much data one reply can hold."""

    read: int
    io_map: int
    poll: int


class Link(Enum):
    """What a client is connected by. A Bluetooth stream carries files of any length."""

    USB = _Limits(read=58, io_map=55, poll=57)
    BLUETOOTH = _Limits(read=0xFFFF, io_map=119, poll=121)


class SystemCommands:
    """Each method takes the arguments of its telegram and returns the body of the reply.

    `link` is what the telegram came by; `client_handles` are the file handles that the client on
    USB has opened, which are closed when it goes.
    """

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self._files = machine.files
        self.link = Link.USB
        self.client_handles: set[int] = set()
        self._module_search: list[Module] | None = None
        self._modules_left: list[Module] = []

    def close_client_handles(self) -> None:
        """Close what the client that has gone left open."""
        for handle in sorted(self.client_handles):
            self._files.close(handle)
        self.client_handles.clear()

    def _opened(self, handle: int) -> int:
        if self.link is Link.USB:
            self.client_handles.add(handle)
        return handle

    # Files

    def open_read(self, name: bytes) -> bytes:
        """Open a file for reading."""
        handle, size = self._files.open_read(stored_text(name))
        return struct.pack("<BI", self._opened(handle), size)

    def open_write(self, name: bytes, size: int) -> bytes:
        """Create a file of a given size."""
        return bytes((self._opened(self._files.open_write(stored_text(name), size)),))

    def open_write_linear(self, name: bytes, size: int) -> bytes:
        """Create a file whose sectors are in one piece."""
        return bytes((self._opened(self._files.open_write_linear(stored_text(name), size)),))

    def open_write_data(self, name: bytes, size: int) -> bytes:
        """Create a file that may stay partly empty."""
        return bytes((self._opened(self._files.open_write_data(stored_text(name), size)),))

    def open_append(self, name: bytes) -> bytes:
        """Open a data file for writing on."""
        handle, room = self._files.open_append(stored_text(name))
        return struct.pack("<BI", self._opened(handle), room)

    def read(self, handle: int, size: int) -> bytes:
        """Read on in a file. The reply has the bytes asked for, zeros where the file ended."""
        fitting = min(size, self.link.value.read)
        start = struct.pack("<BH", handle, size)
        try:
            status, data = self._files.read(handle, fitting)
        except CommandError as error:
            raise CommandError(error.status, start + bytes(fitting)) from error
        body = start + data.ljust(fitting, b"\0")
        if status:
            raise CommandError(status, body)
        return body

    def write(self, handle: int, data: bytes) -> bytes:
        """Write on in a file; what is too much is cut."""
        try:
            status, written = self._files.write(handle, data)
        except CommandError as error:
            raise CommandError(error.status, struct.pack("<BH", handle, 0)) from error
        body = struct.pack("<BH", handle, written)
        if status:
            raise CommandError(status, body)
        return body

    def close(self, handle: int) -> bytes:
        """Close a file or a search for files."""
        self.client_handles.discard(handle)
        try:
            self._files.close(handle)
        except CommandError as error:
            raise CommandError(error.status, bytes((handle,))) from error
        return bytes((handle,))

    def crop(self, handle: int) -> bytes:
        """Close a data file and give back the room that it has not used."""
        self.client_handles.discard(handle)
        try:
            self._files.crop(handle)
        except CommandError as error:
            raise CommandError(error.status, bytes((handle,))) from error
        return bytes((handle,))

    def delete(self, name: bytes) -> bytes:
        """Delete a file; the reply names what was asked for, whatever came of it."""
        named = stored_text(name).ljust(20, b"\0")
        try:
            self._files.delete(stored_text(name))
        except CommandError as error:
            raise CommandError(error.status, named) from error
        return named

    def find_first(self, pattern: bytes) -> bytes:
        """Find the newest file whose name matches; its size is the room reserved for it."""
        handle, file = self._files.find_first(stored_text(pattern))
        return struct.pack("<B20sI", self._opened(handle), file.name, file.size)

    def find_next(self, handle: int) -> bytes:
        """Find the next older file, also after the handle was closed."""
        try:
            file = self._files.find_next(handle)
        except CommandError as error:
            raise CommandError(error.status, struct.pack("<B20sI", handle, b"", 0)) from error
        return struct.pack("<B20sI", handle, file.name, file.size)

    def delete_user_flash(self) -> bytes:
        """Delete all files."""
        self._files.erase()
        self.client_handles.clear()
        return b""

    # Modules and their I/O maps

    def find_first_module(self, pattern: bytes) -> bytes:
        """Find the first module whose name matches; only one search can be open."""
        if self._module_search is not None:
            raise CommandError(statuses.NO_MORE_HANDLES)
        matches = matcher(stored_text(pattern))
        self._module_search = [each for each in MODULES if matches(each.name.encode("ascii"))]
        self._modules_left = list(self._module_search)
        return self.find_next_module(0)

    def find_next_module(self, handle: int) -> bytes:  # noqa: ARG002 - there is but one search
        """Find the next module; any handle does, and 0 is answered."""
        if not self._modules_left:
            raise CommandError(statuses.MODULE_NOT_FOUND)
        module = self._modules_left.pop(0)
        name = module.name.encode("ascii")
        size = module.map_type.itemsize
        return struct.pack("<B20sIIH", 0, name, module.identifier, 0, size)

    def close_module_search(self, handle: int) -> bytes:  # noqa: ARG002 - there is but one search
        """End the search for modules."""
        self._module_search = None
        return b"\0"

    def read_io_map(self, module: int, offset: int, size: int) -> bytes:
        """Read bytes of a module's I/O map."""
        fitting = min(size, self.link.value.io_map)
        try:
            data = self._map_bytes(module, offset, fitting)[offset : offset + fitting]
        except CommandError as error:
            body = struct.pack("<IH", module, 0) + bytes(fitting)
            raise CommandError(error.status, body) from error
        return struct.pack("<IH", module, fitting) + bytes(data)

    def write_io_map(self, module: int, offset: int, size: int, data: bytes) -> bytes:
        """Write bytes into a module's I/O map."""
        try:
            self._map_bytes(module, offset, size)[offset : offset + size] = list(data[:size])
        except CommandError as error:
            raise CommandError(error.status, struct.pack("<IH", module, 0)) from error
        return struct.pack("<IH", module, size)

    def _map_bytes(self, module: int, offset: int, size: int) -> Any:
        found = self._machine.map_bytes(module)
        if found is None:
            raise CommandError(statuses.MODULE_NOT_FOUND)
        if offset + size > len(found):
            raise CommandError(statuses.OUT_OF_BOUNDS)
        return found

    def poll_length(self, buffer: int) -> bytes:
        """Return how many bytes wait in the USB or the high speed poll buffer."""
        return bytes((buffer, len(self._poll(buffer, take=0)[1])))

    def poll(self, buffer: int, size: int) -> bytes:
        """Take bytes out of a poll buffer; what is missing is filled with zeros."""
        if size > self.link.value.poll:
            raise CommandError(statuses.UNDEFINED_ERROR, bytes((buffer, 0)))
        taken, _ = self._poll(buffer, size)
        return bytes((buffer, len(taken))) + taken.ljust(size, b"\0")

    def _poll(self, number: int, take: int) -> tuple[bytes, bytes]:
        """Return bytes taken out of a ring buffer, and those that waited in it."""
        name = "usb_poll" if number == USB_POLL_BUFFER else "high_speed_in"
        buffer = self._machine.comm_map[name][0]
        ring = bytes(buffer["bytes"])
        start, end = int(buffer["out_pointer"]), int(buffer["in_pointer"])
        waiting = bytes(ring[(start + n) % len(ring)] for n in range((end - start) % len(ring)))
        taken = waiting[:take]
        buffer["out_pointer"] = (start + len(taken)) % len(ring)
        return taken, waiting

    # The brick itself

    def get_versions(self) -> bytes:
        """Return the versions of protocol and firmware."""
        return bytes(VERSIONS)

    def get_device_info(self) -> bytes:
        """Return name, Bluetooth address, signal strengths and free flash."""
        data = self._machine.comm_map["brick_data"][0]
        return struct.pack(
            "<15s7s4BI",
            bytes(data["name"]),
            bytes(data["address"]),
            *(int(each) for each in self._machine.comm_map["connections"][0]["link_quality"]),
            self._files.free,
        )

    def set_brick_name(self, name: bytes) -> bytes:
        """Give the brick another name."""
        self._machine.name = stored_text(name)
        return b""

    def get_bluetooth_address(self) -> bytes:
        """Return the brick's Bluetooth address."""
        return bytes(self._machine.comm_map["brick_data"][0]["address"])

    def bluetooth_factory_reset(self) -> bytes:
        """Forget all paired devices; there are none, and over Bluetooth it is refused."""
        if self.link is not Link.USB:
            raise CommandError(statuses.UNDEFINED_ERROR)
        return b""

    def boot(self, password: bytes) -> bytes:
        """Erase the firmware over USB: the brick answers once more and is gone."""
        if password != BOOT_PASSWORD or self.link is not Link.USB:
            raise CommandError(statuses.UNDEFINED_ERROR)
        self._machine.erase_firmware()
        return b"Yes\0"
