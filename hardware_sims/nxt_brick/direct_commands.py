"""What each direct command does; the methods are named in the opcode table."""

import struct

from hardware_sims.nxt_brick.machine import Machine
from hardware_sims.nxt_brick.mailboxes import LONGEST_MESSAGE
from hardware_sims.nxt_brick.motor_control import FILE_NAME, INBOX, MotorControl
from hardware_sims.nxt_brick.opcodes import STATUS_NO_PROGRAM, STATUS_OUT_OF_RANGE
from hardware_sims.nxt_brick.telegrams import CommandError


def stored_text(field: bytes) -> bytes:
    """Return a text field of fixed width up to its zero byte."""
    return field.split(b"\0", 1)[0]


class DirectCommands:
    """Each method takes the arguments of its telegram and returns the body of the reply."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self._motor_control = MotorControl(machine.outputs, machine.mailboxes, machine.beep)

    def start_program(self, name: bytes) -> bytes:
        """Run a file; a missing one is "out of range" to the firmware, not "not found"."""
        name = stored_text(name)
        if not self._machine.files.exists(name):
            raise CommandError(STATUS_OUT_OF_RANGE)
        self._reset_for_program()
        self._machine.program = name
        self._machine.stay_awake()
        return b""

    def stop_program(self) -> bytes:
        """End the running program."""
        self._running_program()
        self._reset_for_program()
        self._machine.program = None
        return b""

    def get_current_program(self) -> bytes:
        """Tell which program runs."""
        return self._running_program().ljust(20, b"\0")

    def _reset_for_program(self) -> None:
        self._machine.outputs.reset_all()
        self._machine.inputs.reset_all()
        self._machine.mailboxes.clear()

    def _running_program(self) -> bytes:
        if self._machine.program is None:
            raise CommandError(STATUS_NO_PROGRAM)
        return self._machine.program

    def play_sound_file(self, loop: bool, name: bytes) -> bytes:  # noqa: ARG002 - not heard
        """Play a sound that is in the flash."""
        if not self._machine.files.exists(stored_text(name)):
            raise CommandError(STATUS_OUT_OF_RANGE)
        return b""

    def play_tone(self, frequency_hz: int, duration_ms: int) -> bytes:
        """Play a tone."""
        self._machine.beep(frequency_hz, duration_ms)
        return b""

    def stop_sound(self) -> bytes:
        """Be quiet."""
        return b""

    def set_output_state(self, port: int, *state: int) -> bytes:
        """Drive a motor."""
        self._machine.outputs.set_state(port, *state)
        return b""

    def get_output_state(self, port: int) -> bytes:
        """Tell what a motor was told, and its counts."""
        return self._machine.outputs.state(port)

    def reset_motor_position(self, port: int, relative: bool) -> bytes:
        """Zero the block count (relative) or the rotation count."""
        self._machine.outputs.reset_position(port, block=relative)
        return b""

    def reset_tacho_count(self, port: int) -> bytes:
        """Zero the tacho count."""
        self._machine.outputs.reset_tacho(port)
        return b""

    def set_input_mode(self, port: int, sensor_type: int, sensor_mode: int) -> bytes:
        """Tell what sensor is plugged in."""
        self._machine.inputs.set_mode(port, sensor_type, sensor_mode)
        return b""

    def get_input_values(self, port: int) -> bytes:
        """Read a sensor."""
        return self._machine.inputs.values(port)

    def reset_input_value(self, port: int) -> bytes:
        """Zero a sensor's counted value."""
        self._machine.inputs.reset_scaled(port)
        return b""

    def ls_get_status(self, port: int) -> bytes:
        """Tell how many bytes the bus has received."""
        self._machine.inputs.check_bus(port)
        return b"\0"

    def ls_write(self, port: int, sent: int, expected: int, data: bytes) -> bytes:  # noqa: ARG002
        """Send to a sensor on the bus."""
        self._machine.inputs.check_bus(port)
        return b""

    def ls_read(self, port: int) -> bytes:
        """Return what a sensor on the bus answered."""
        self._machine.inputs.check_bus(port)
        return bytes(17)

    def message_write(self, inbox: int, size: int, message: bytes) -> bytes:  # noqa: ARG002
        """Send a message to the running program."""
        program = self._running_program()
        self._machine.mailboxes.write(inbox, message)
        if inbox == INBOX and program.lower() == FILE_NAME.lower():
            self._motor_control.handle(self._machine.mailboxes.read(inbox))
        return b""

    def message_read(self, remote_inbox: int, local_inbox: int, remove: bool) -> bytes:
        """Fetch a message from the running program."""
        self._running_program()
        message = self._machine.mailboxes.read(remote_inbox, remove)
        return struct.pack(f"<BB{LONGEST_MESSAGE}s", local_inbox, len(message), message)

    def get_battery_level(self) -> bytes:
        """Tell the battery's voltage."""
        return struct.pack("<H", self._machine.battery_mv)

    def keep_alive(self) -> bytes:
        """Start the sleep timer again; tell its limit in milliseconds."""
        self._machine.stay_awake()
        return struct.pack("<I", round(self._machine.sleep_timeout_s * 1000))
