"""Command and output module with a host's telegrams, millisecond by millisecond, and nothing else.

As the golden programs were recorded: no input, sound, display or low speed module runs, and a
telegram is carried out in the very millisecond it is given for.
"""

import struct
from collections.abc import Callable
from typing import Any

import numpy as np

from hardware_sims.nxt_brick.motors.output_module import run_output_module
from hardware_sims.nxt_brick.motors.state import new_outputs
from hardware_sims.nxt_firmware import io_maps
from hardware_sims.nxt_firmware.flash import FlashFiles, matcher
from hardware_sims.nxt_firmware.io_maps import IoMap
from hardware_sims.nxt_firmware.statuses import CommandError
from hardware_sims.nxt_vm.command_module import CommandModule

NO_SENSOR_YET = 1
EDGE = 1000
STEP_PER_SPEED = 9


class LoneBrick:
    """The peripherals of a command module, its host, and toy motors."""

    def __init__(self, instructions_per_ms: int) -> None:
        self._maps = {module.name: _recorded(module.new_map()) for module in io_maps.MODULES}
        self.output = self._maps["Output.mod"]
        self.input = self._maps["Input.mod"]
        self.sound = self._maps["Sound.mod"]
        self.buttons = self._maps["Button.mod"]
        self.display = self._maps["Display.mod"]
        self.low_speed = self._maps["Low Speed.mod"]
        self.communication = self._maps["Comm.mod"]
        self.ui = self._maps["Ui.mod"]
        self.ui["battery_voltage"] = 8000
        self.ui["sleep_timeout"] = 10
        self.ui["volume"] = self.sound["volume"] = 4
        self.files = FlashFiles()
        state = new_outputs(self.output)
        self.outputs = state._replace(io_map=_recorded(state.io_map))
        self.command = CommandModule(self, instructions_per_ms)
        self._maps["Command.mod"] = self.command.io_map
        self.shafts = [0, 0, 0]
        self._travel = [0, 0, 0]
        self.tick = 0

    # What a command module needs.

    def read_io_map(self, pattern: bytes, offset: int, count: int) -> bytes:
        data = self._module(pattern)
        if offset + count > len(data):
            raise CommandError(0x91)
        return bytes(data[offset : offset + count])

    def write_io_map(self, pattern: bytes, offset: int, data: bytes) -> None:
        content = self._module(pattern)
        if offset + len(data) > len(content):
            raise CommandError(0x91)
        content[offset : offset + len(data)] = np.frombuffer(data, np.uint8)

    def stay_awake(self) -> None:
        pass

    def _module(self, pattern: bytes) -> Any:
        matches = matcher(pattern)
        for name, io_map in self._maps.items():
            if matches(name.encode()):
                return io_map.view(np.ndarray).view(np.uint8)
        raise CommandError(0x90)

    # Time.

    def turn_shafts(self) -> None:
        """Let each shaft turn as far as its motor's speed asks for."""
        for port in range(3):
            self._travel[port] += STEP_PER_SPEED * int(self.outputs.io_map["actual_speed"][port])
            steps = int(self._travel[port] / EDGE)
            self._travel[port] -= steps * EDGE
            self.shafts[port] += steps
            self.outputs.motors["edges"][port] += steps

    def run_outputs(self) -> None:
        run_output_module(self.outputs)

    def run_program(self) -> None:
        self.command.run(self.tick)

    # Telegrams.

    def answer(self, telegram: bytes) -> bytes | None:
        """Carry out a direct command; return the reply, None if none is asked for."""
        opcode, body = telegram[1], telegram[2:]
        handler, size = _HANDLERS.get(opcode, (_unknown, 0))
        try:
            status, reply = 0, handler(self, body)
        except CommandError as error:
            status, reply = error.status, error.body if error.body is not None else bytes(size)
        return bytes([2, opcode, status]) + reply if telegram[0] == 0 else None


def _recorded(io_map: IoMap) -> IoMap:
    """Return the same array with fields as attributes, which the interpreted form needs."""
    return io_map.view(np.recarray)


def _start(brick: LoneBrick, body: bytes) -> bytes:
    name = body.split(b"\0", 1)[0]
    file = brick.files.lookup(name)
    if file is None:
        raise CommandError(0xC0)
    if not brick.command.is_active:
        brick.command.start(file.name, bytes(file.data), brick.tick)
    return b""


def _stop(brick: LoneBrick, body: bytes) -> bytes:
    del body
    brick.command.stop()
    return b""


def _play_tone(brick: LoneBrick, body: bytes) -> bytes:
    sound = brick.sound
    sound["frequency"], sound["duration"] = struct.unpack_from("<2H", body)
    sound["mode"] = 2
    sound["volume"] = brick.ui["volume"]
    sound["flags"] |= 1
    return b""


def _set_output(brick: LoneBrick, body: bytes) -> bytes:
    port, speed, mode, regulation, turn, state, limit = struct.unpack_from("<BbBBbBI", body)
    if port > 2 and port != 0xFF:
        raise CommandError(0xC0)
    for output in brick.output["outputs"][0][:] if port == 0xFF else [_out(brick, port)]:
        output["speed"], output["mode"], output["regulation_mode"] = speed, mode, regulation
        output["turn_parameter"], output["run_state"], output["tacho_limit"] = turn, state, limit
        output["flags"] |= 7
    return b""


def _out(brick: LoneBrick, port: int) -> Any:
    if port > 2:
        raise CommandError(0xC0)
    return brick.output["outputs"][0][port]


def _get_output(brick: LoneBrick, body: bytes) -> bytes:
    out = _out(brick, body[0])
    fields = ("speed", "mode", "regulation_mode", "turn_parameter", "run_state", "tacho_limit")
    counts = ("tacho_count", "block_tacho_count", "rotation_count")
    values = [int(out[field]) for field in fields + counts]
    return bytes([body[0]]) + struct.pack("<bBBbBIiii", *values)


def _reset_position(brick: LoneBrick, body: bytes) -> bytes:
    _out(brick, body[0])["flags"] |= 0x20 if body[1] else 0x40
    return b""


def _sensor(brick: LoneBrick, port: int) -> Any:
    if port > 3:
        raise CommandError(0xC0)
    return brick.input["inputs"][0][port]


def _set_input(brick: LoneBrick, body: bytes) -> bytes:
    sensor = _sensor(brick, body[0])
    sensor["sensor_type"], sensor["sensor_mode"], sensor["invalid_data"] = body[1], body[2], 1
    return b""


def _get_input(brick: LoneBrick, body: bytes) -> bytes:
    sensor = _sensor(brick, body[0])
    fields = ("ad_raw", "sensor_raw", "sensor_value", "sensor_raw")
    head = [
        body[0],
        int(not sensor["invalid_data"]),
        0,
        sensor["sensor_type"],
        sensor["sensor_mode"],
    ]
    return bytes(head) + struct.pack("<HHhH", *(int(sensor[field]) for field in fields))


def _reset_scaled(brick: LoneBrick, body: bytes) -> bytes:
    _sensor(brick, body[0])["sensor_value"] = 0
    return b""


def _write_message(brick: LoneBrick, body: bytes) -> bytes:
    # What is missing behind a short telegram is what the last one left there: here zeros.
    brick.command.write_message(body[0], body[2 : 2 + body[1]].ljust(body[1], b"\0"))
    return b""


def _read_message(brick: LoneBrick, body: bytes) -> bytes:
    try:
        message = brick.command.read_message(body[0], bool(body[2]))
    except CommandError as error:
        raise CommandError(error.status, bytes([body[1]]) + bytes(60)) from None
    return bytes([body[1], len(message)]) + message.ljust(59, b"\0")


def _low_speed_status(brick: LoneBrick, body: bytes) -> bytes:
    del brick
    raise CommandError(0xC0 if body[0] > 3 else 0xE0)


def _current_program(brick: LoneBrick, body: bytes) -> bytes:
    del body
    if not brick.command.is_active:
        raise CommandError(0xEC)
    return brick.command.name.ljust(20, b"\0")


def _battery(brick: LoneBrick, body: bytes) -> bytes:
    del body
    return brick.ui["battery_voltage"].tobytes()


def _keep_alive(brick: LoneBrick, body: bytes) -> bytes:
    del body
    return struct.pack("<I", int(brick.ui["sleep_timeout"][0]) * 60000)


def _unknown(brick: LoneBrick, body: bytes) -> bytes:
    del brick, body
    raise CommandError(0xBE)


# Opcode to what answers it, and the length of the body of an error's reply.
_HANDLERS: dict[int, tuple[Callable[[LoneBrick, bytes], bytes], int]] = {
    0x00: (_start, 0),
    0x01: (_stop, 0),
    0x03: (_play_tone, 0),
    0x04: (_set_output, 0),
    0x05: (_set_input, 0),
    0x06: (_get_output, 22),
    0x07: (_get_input, 13),
    0x08: (_reset_scaled, 0),
    0x09: (_write_message, 0),
    0x0A: (_reset_position, 0),
    0x0B: (_battery, 2),
    0x0D: (_keep_alive, 4),
    0x0E: (_low_speed_status, 0),
    0x11: (_current_program, 20),
    0x13: (_read_message, 61),
}
