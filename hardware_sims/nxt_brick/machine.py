"""The parts of a brick, and the order in which they work in each millisecond.

Each module of the firmware has one I/O map, a block of bytes on which telegrams, programs and the
module itself work. As on the brick a millisecond goes: telegrams, sensors, motors, sound, program,
menu (m_sched.c).
"""

from typing import Any, Final

import numpy as np

from hardware_sims.nxt_brick.buttons import Buttons
from hardware_sims.nxt_brick.firmware import Firmware, FreeMotors, Mechanism
from hardware_sims.nxt_brick.motors.physics import Battery, Supply, loaded_v
from hardware_sims.nxt_brick.motors.state import new_outputs
from hardware_sims.nxt_brick.programs import Programs
from hardware_sims.nxt_brick.sensors.conversion import FULL_SCALE
from hardware_sims.nxt_brick.sensors.input_module import new_inputs
from hardware_sims.nxt_brick.sensors.low_speed import LowSpeed
from hardware_sims.nxt_brick.sensors.plugged_in import DARK, Sensor
from hardware_sims.nxt_brick.sound import Sound
from hardware_sims.nxt_brick.ui import Ui
from hardware_sims.nxt_firmware import io_maps
from hardware_sims.nxt_firmware.flash import FlashFiles
from hardware_sims.nxt_firmware.io_maps import IoMap

BLUETOOTH_ADDRESS: Final = bytes.fromhex("00165301020300")  # 00:16:53 is LEGO's; one byte unused
NAME_LENGTH: Final = 15
SWITCH_OFF: Final = (0x5A00, 0xA55A)  # orders to the I/O control module: power down, boot
MEASURING_MS: Final = 100  # how often a battery that changes is looked at


class Machine:
    """A brick that has just been switched on; `tick` counts its milliseconds."""

    def __init__(
        self,
        name: bytes,
        battery_mv: int,
        sleep_timeout_s: float,
        mechanism: Mechanism | None = None,
        instructions_per_ms: int | None = None,
        supply: Supply | None = None,
        files: FlashFiles | None = None,
    ) -> None:
        self.tick = 0
        self.is_off = False
        self.why_off = ""
        self.has_firmware = True
        self._maps: dict[int, IoMap] = {
            module.identifier: module.new_map() for module in io_maps.MODULES
        }
        self.files = files or FlashFiles()
        self.outputs = new_outputs(self.map_of(io_maps.OUTPUT))
        self.inputs = new_inputs(self.map_of(io_maps.INPUT))
        self.sensors: dict[int, Sensor] = {}
        self.low_speed = LowSpeed(self.map_of(io_maps.LOW_SPEED), self.inputs.io_map, self.sensors)
        self.sound = Sound(self.map_of(io_maps.SOUND), self.files)
        self.programs = Programs(self, instructions_per_ms)
        self._maps[io_maps.COMMAND.identifier] = self.programs.command_map
        self.ui = Ui(
            self.map_of(io_maps.UI),
            self.programs,
            self.sound,
            sleep_timeout_s,
            battery_mv,
            self.switch_off,
        )
        self.buttons = Buttons(self.map_of(io_maps.BUTTONS))
        self._io_control = self.map_of(io_maps.IO_CONTROL)
        self._supply = supply
        self.comm_map = self.map_of(io_maps.COMMUNICATION)
        self.comm_map["brick_data"]["address"][0] = list(BLUETOOTH_ADDRESS)
        self.name = name
        self._mechanism = mechanism or FreeMotors()
        self._mechanism.attach(
            Firmware(self.outputs, self.inputs, self.programs.state, self.sound.io_map)
        )

    def map_of(self, module: io_maps.Module) -> IoMap:
        """Return the I/O map of a module, an array of one record."""
        return self._maps[module.identifier]

    @property
    def command_map(self) -> IoMap:
        """The map with the program's status and memory."""
        return self.map_of(io_maps.COMMAND)

    @property
    def display_map(self) -> IoMap:
        """The map with the screen."""
        return self.map_of(io_maps.DISPLAY)

    @property
    def name(self) -> bytes:
        """The brick's name."""
        return bytes(self.comm_map["brick_data"]["name"][0]).split(b"\0", 1)[0]

    @name.setter
    def name(self, name: bytes) -> None:
        padded = name[:NAME_LENGTH].ljust(NAME_LENGTH + 1, b"\0")
        self.comm_map["brick_data"]["name"][0] = list(padded)

    def map_bytes(self, identifier: int) -> Any:
        """Return the bytes of a module's I/O map as an array, None if there is no such module."""
        io_map = self._maps.get(identifier)
        if io_map is None:
            return None
        self.command_map["tick"] = self.tick
        self.map_of(io_maps.LOADER)["free_user_flash"] = self.files.free
        return io_map.view(np.uint8)

    def plug_in(self, port: int, sensor: Sensor | None) -> None:
        """Put a sensor on a port (0 to 3), or take away the one that is there."""
        self.sensors.pop(port, None)
        if sensor is not None:
            self.sensors[port] = sensor
        self.sense(port)

    def sense(self, port: int) -> None:
        """Let a port read what its sensor sees now."""
        sensor = self.sensors.get(port)
        port_record = self.inputs.ports[port]
        port_record["raw"] = FULL_SCALE if sensor is None else sensor.raw
        port_record["raw_lit"] = FULL_SCALE if sensor is None else sensor.raw_lit
        port_record["seen"] = DARK if sensor is None else sensor.seen
        port_record["follows_rig"] = sensor is not None and sensor.follows_rig
        port_record["is_settled"] = 0

    def advance(self, target: int) -> None:
        """Let milliseconds pass until `target`, after anything may have been done to the brick."""
        self.inputs.ports["is_settled"] = 0
        while self.tick < target and not self.is_off:
            self._advance_some(target - self.tick)

    def _advance_some(self, at_most: int) -> None:
        """Let as many milliseconds pass as only the compiled part of the firmware is busy."""
        tick = self.tick
        ticks = min(
            at_most,
            self.sound.ticks_to_event(tick),
            self.ui.ticks_to_event(tick),
            self.programs.ticks_to_event(),
            self.buttons.ticks_to_event(tick),
        )
        if self.low_speed.is_active:
            ticks = 1
            self.low_speed.tick()
        for port, sensor in self.sensors.items():
            if sensor.move():
                ticks = 1
                self.sense(port)
        if self._supply is None:
            battery = Battery(float(self.ui.io_map["battery_voltage"][0]) / 1000)
        else:
            battery = self._supply.battery(tick)
            ticks = min(ticks, MEASURING_MS)
            measured_v = loaded_v(battery, self.outputs.motors)
            self.ui.io_map["battery_voltage"] = round(1000 * measured_v)
        self.tick = tick + self._mechanism.advance(tick, ticks, battery)
        if self.buttons.advance(self.tick) and self.programs.is_active:
            self.programs.request_stop()
        self.programs.finish_millisecond(self.tick)
        self.sound.advance(self.tick)
        self.ui.advance(self.tick)
        if int(self._io_control["power_on"][0]) in SWITCH_OFF:
            self.switch_off("was switched off by a write to its I/O control module")

    def erase_firmware(self) -> None:
        """Wait for another firmware, which cannot be put on a simulated brick."""
        self.switch_off("was told to boot, which erases its firmware")
        self.has_firmware = False

    def switch_off(self, why: str) -> None:
        """Let go of everything; only a new machine comes after this one."""
        self.is_off = True
        self.why_off = why
        self.programs.reset()  # motors get no power any more
