"""Programs on the brick: what joins telegrams, menu and the virtual machine."""

from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Final, Protocol

import numpy as np

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
