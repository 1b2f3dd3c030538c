"""The parts of a brick, the order in which they work in each millisecond, and its programs.

Each module of the firmware has one I/O map, a block of bytes on which telegrams, programs and the
module itself work. As on the brick a millisecond goes: telegrams, sensors, motors, sound, program,
menu (m_sched.c).
"""

from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final, Protocol

import numpy as np

from hardware_sims.nxt_brick.buttons import Buttons
from hardware_sims.nxt_brick.firmware import Firmware, FreeMotors, Mechanism
from hardware_sims.nxt_brick.motors.physics import Battery, Supply, loaded_v
from hardware_sims.nxt_brick.motors.state import new_outputs
from hardware_sims.nxt_brick.sensors.conversion import FULL_SCALE
from hardware_sims.nxt_brick.sensors.input_module import new_inputs
from hardware_sims.nxt_brick.sensors.low_speed import LowSpeed
from hardware_sims.nxt_brick.sensors.plugged_in import DARK, Sensor
from hardware_sims.nxt_brick.sound import Sound
from hardware_sims.nxt_brick.ui import Ui
from hardware_sims.nxt_firmware import io_maps, statuses
from hardware_sims.nxt_firmware.flash import FlashFiles, matcher
from hardware_sims.nxt_firmware.io_maps import MODULES, IoMap, Module
from hardware_sims.nxt_firmware.statuses import CommandError
from hardware_sims.nxt_vm.command_module import INSTRUCTIONS_PER_MS, CommandModule
from hardware_sims.nxt_vm.interpreter.slices import ProgramState
from hardware_sims.nxt_vm.program_file import InvalidProgramError

FOREVER: Final = 1 << 62
REPORTS_REMEMBERED: Final = 100


class Parts(Protocol):
    """What programs need of the brick that they run on."""

    files: FlashFiles
    ui: Ui

    @property
    def tick(self) -> int:
        """Return the millisecond that is under way."""

    def map_of(self, module: Module) -> IoMap:
        """Return the I/O map of a module, an array of one record."""

    def map_bytes(self, identifier: int) -> IoMap:
        """Return the bytes of a module's I/O map."""


class Peripherals:
    """The brick as the virtual machine sees it; implements nxt_vm's protocol of this name."""

    def __init__(self, machine: Parts) -> None:
        self._machine = machine
        self.output = machine.map_of(io_maps.OUTPUT)
        self.input = machine.map_of(io_maps.INPUT)
        self.sound = machine.map_of(io_maps.SOUND)
        self.buttons = machine.map_of(io_maps.BUTTONS)
        self.display = machine.map_of(io_maps.DISPLAY)
        self.low_speed = machine.map_of(io_maps.LOW_SPEED)
        self.communication = machine.map_of(io_maps.COMMUNICATION)
        self.ui = machine.map_of(io_maps.UI)
        self.files = machine.files

    def read_io_map(self, pattern: bytes, offset: int, count: int) -> bytes:
        """Read from the first module whose name matches. Raises CommandError."""
        return bytes(self._place(pattern, offset, count)[offset : offset + count])

    def write_io_map(self, pattern: bytes, offset: int, data: bytes) -> None:
        """Write to the first module whose name matches. Raises CommandError."""
        self._place(pattern, offset, len(data))[offset : offset + len(data)] = list(data)

    def _place(self, pattern: bytes, offset: int, count: int) -> IoMap:
        matches = matcher(pattern)
        for module in MODULES:
            if matches(module.name.encode("ascii")):
                found: IoMap = self._machine.map_bytes(module.identifier)
                if offset + count > len(found):
                    raise CommandError(statuses.OUT_OF_BOUNDS)
                return found
        raise CommandError(statuses.MODULE_NOT_FOUND)

    def stay_awake(self) -> None:
        """Start the sleep timer again."""
        self._machine.ui.stay_awake()


@dataclass(frozen=True, slots=True)
class ProgramReport:
    """What a brick does not report: how a program ended, and what went wrong before."""

    name: str
    end: str
    notes: tuple[str, ...]

    def __str__(self) -> str:
        return "; ".join((f"{self.name} {self.end}", *self.notes))


class Programs:
    """The program that runs, if any. What clients may ask raises CommandError.

    `reports` has the programs that have ended; each is given to `on_end` as well.
    """

    def __init__(self, machine: Parts, instructions_per_ms: int | None = None) -> None:
        self._machine = machine
        self._handle: int | None = None  # keeps the running program's file from being deleted
        self._is_busy = False  # from a start until the end has been cleared up after
        self._was_running = False
        self._started = ""
        self._refusal = ""
        self.reports: deque[ProgramReport] = deque(maxlen=REPORTS_REMEMBERED)
        self.on_end: Callable[[ProgramReport], None] = lambda report: None  # noqa: ARG005
        self.command = CommandModule(
            Peripherals(machine), instructions_per_ms or INSTRUCTIONS_PER_MS
        )
        # Looked at in each millisecond that is not compiled: fields of the array itself take an
        # eighth of the time of a record array's.
        machine_record = np.asarray(self.command.state.machine)
        self._running = machine_record["running"]
        self._service_pending = machine_record["service_pending"]
        self._deactivated = self.command.io_map["deactivate_flag"]

    @property
    def state(self) -> ProgramState:
        """What the compiled loop works on."""
        return self.command.state

    @property
    def command_map(self) -> IoMap:
        """The I/O map with the program's status and memory."""
        return self.command.io_map

    @property
    def is_active(self) -> bool:
        """Whether a program runs."""
        return self.command.is_active

    @property
    def name(self) -> bytes:
        """The running program's file name. Raises CommandError if there is none."""
        if not self.is_active:
            raise CommandError(statuses.NO_PROGRAM)
        return self.command.name

    def start(self, name: bytes) -> None:
        """Load a program and let it run; a file that is none only leaves its mark as an error."""
        files = self._machine.files
        file = files.lookup(name)
        # The firmware executes a program in flash where it is, so a file in pieces cannot be
        # started.
        image = bytes(file.data) if file is not None and file.is_linear else b""
        self._is_busy = self._was_running = True
        full_name = file.name if file else name
        self._started, self._refusal = full_name.decode("ascii", "replace"), ""
        try:
            self.command.start(full_name, image, self._machine.tick)
        except InvalidProgramError as error:
            self._refusal = f"is no program: {error}"
            return
        with suppress(CommandError):
            self._handle, _ = files.open_read(name)

    def ticks_to_event(self) -> int:
        """Return how many milliseconds the compiled loop may do before it is this one's turn."""
        return 1 if self._is_busy and not self._runs_freely else FOREVER

    @property
    def _runs_freely(self) -> bool:
        """Whether a program runs without a request to end."""
        return bool(self._running[0]) and not self._deactivated[0]

    def finish_millisecond(self, tick: int) -> None:
        """Do what the compiled loop has left of a program's millisecond."""
        if not self._is_busy:
            return
        if self._service_pending[0]:
            self.command.serve_pending()
            self.command.run(tick)
        elif not self._runs_freely:
            if self._was_running and not self._running[0]:
                self.command.note_end()
            else:
                self.command.run(tick)
        self._was_running = bool(self._running[0])
        if not self.is_active:
            self._is_busy = False
            self._report()
            if self._handle is not None:
                with suppress(CommandError):  # the program may have closed it itself
                    self._machine.files.close(self._handle)
                self._handle = None

    def _report(self) -> None:
        notes = tuple(dict.fromkeys(str(event) for event in self.command.events))
        report = ProgramReport(self._started, self._refusal or str(self.command.end), notes)
        self.reports.append(report)
        self.on_end(report)

    def continue_reports(self, earlier: "Programs") -> None:
        """Take over what was reported, and to whom, before the brick was switched off."""
        self.reports, self.on_end = earlier.reports, earlier.on_end

    def request_stop(self) -> None:
        """Ask for the running program's end, which comes in the next millisecond."""
        self.command.stop()

    def reset(self) -> None:
        """Let go of all motors and sensors, zero the counts, say that there is no program."""
        self.command.reset()

    def write_message(self, queue: int, message: bytes) -> None:
        """Send a message to the running program."""
        self.command.write_message(queue, message)

    def read_message(self, queue: int, remove: bool) -> bytes:
        """Return the oldest message of a mailbox."""
        return self.command.read_message(queue, remove)

    def read_datalog(self, remove: bool) -> bytes:
        """Return the oldest entry of the data log."""
        return self.command.read_datalog(remove)


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
        self.switch_off("got the boot command, which erases its firmware")
        self.has_firmware = False

    def switch_off(self, why: str) -> None:
        """Let go of everything; only a new machine comes after this one."""
        self.is_off = True
        self.why_off = why
        self.programs.reset()  # motors get no power any more
