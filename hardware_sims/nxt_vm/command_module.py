"""The command module: runs programs millisecond by millisecond and holds their messages.

Once in each millisecond, after the output module, the brick calls `run`. A compiled loop over many
milliseconds may call `slices.run_slice_at` on `state` instead, and `serve_pending` when that asks
for it. Starting, showing the end and the delays between them are the menu's business.
"""

import random
from dataclasses import dataclass
from typing import Final

import numpy as np

from hardware_sims.nxt_firmware import statuses
from hardware_sims.nxt_firmware.io_maps import COMMAND_MAP, IoMap
from hardware_sims.nxt_firmware.statuses import CommandError
from hardware_sims.nxt_vm import codes, dataspace
from hardware_sims.nxt_vm import dataspace as kinds
from hardware_sims.nxt_vm.interpreter.polled_calls import (
    NO_MESSAGE,
    oldest_datalog,
    oldest_message,
    remove_datalog,
    remove_message,
)
from hardware_sims.nxt_vm.interpreter.requests import WRITE_MESSAGE
from hardware_sims.nxt_vm.interpreter.slices import (
    DEACTIVATE_AT,
    STATUS_AT,
    ProgramState,
    end_program,
    next_tick,
    run_slice,
)
from hardware_sims.nxt_vm.loading import load_program
from hardware_sims.nxt_vm.program_file import InvalidProgramError, parse_program
from hardware_sims.nxt_vm.syscalls.call import (
    CallContext,
    Memory,
    Peripherals,
    reset_devices,
    stop_sound,
)
from hardware_sims.nxt_vm.syscalls.files import close_all
from hardware_sims.nxt_vm.syscalls.screen import restore
from hardware_sims.nxt_vm.syscalls.service import serve
from solvers.foundation.compiled import address_of

# What a brick does not report: where and why a program ended, and what went wrong before.

_REASONS: Final = {
    codes.ERR_ARG: "bad argument, such as an index beyond the end of an array",
    codes.ERR_INSTR: (
        "illegal instruction or system call; the enhanced firmware knows more than LEGO's"
    ),
    codes.ERR_FILE: "malformed file",
    codes.ERR_VER: "made for another firmware",
    codes.ERR_MEM: "out of memory",
    codes.ERR_BAD_PTR: "an argument has no place in memory",
    codes.ERR_BEYOND: "it works on more than the memory can hold; a brick hangs or crashes there",
    codes.ERR_CHANNEL_NOT_READY: "sensor not set up or not ready",
}
_EVENTS: Final = {
    kinds.MESSAGE_PUSHED_OUT: "a sixth message pushed the oldest out of mailbox {}",
    kinds.FREE_LIST_EMPTY: (
        "array {} was freed while no spare array was left: a brick overwrites two bytes there"
    ),
    kinds.GREW_BESIDE_UNFILLED: "array {} grew over memory that is still free, as on the brick",
    kinds.CALLED_WHILE_RUNNING: "subroutine {} was called while it was running",
    kinds.EMPTY_STRING: "variable {} is a string without its zero byte; a brick reads anything",
    kinds.NEVER_ENDING_MILLISECOND: "{} instructions in one millisecond: a brick hangs here",
}
_LONG_FORM: Final = 0x0800
# Of the enhanced firmware 1.32, which NBC's `-EF` builds for (its c_cmd_bytecodes.h).
_ENHANCED_OPCODES: Final = range(0x64, 0x97)
_ENHANCED_NAMES: Final = {
    0x64: "WAITI", 0x65: "WAITV", 0x66: "SIGN", 0x67: "STOPCLUMP", 0x68: "STARTCLUMP",
    0x69: "PRIORITY", 0x6A: "FMTNUM", 0x6B: "ARROP", 0x89: "ADDROF",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Event:
    """Something that went wrong without ending the program. Words count from the code's start."""

    tick: int
    clump: int
    word: int
    text: str

    def __str__(self) -> str:
        return f"{self.text} (task {self.clump}, word {self.word}, {self.tick} ms)"


@dataclass(frozen=True, slots=True)
class ProgramEnd:
    """How the last program ended."""

    status: int
    """A code `PROGRAM_...`: ended well, by an error, aborted."""
    code: int
    tick: int
    clump: int
    word: int
    """Where: a word of the code, counted as in a listing; -1 if nothing was being executed."""
    instruction: int
    """The first word of the instruction there."""
    system_call: int | None
    instructions: int
    """How many were executed since the program's start."""

    def __str__(self) -> str:
        if self.status == codes.PROGRAM_ABORTED:
            return f"aborted after {self.instructions} instructions"
        if self.status != codes.PROGRAM_ERROR:
            return f"ended well after {self.instructions} instructions"
        what = f"instruction {self.instruction:04X}h{_enhanced(self.instruction & 0xFF)}"
        if self.system_call is not None:
            what += f", system call {self.system_call}"
        reason = _REASONS.get(self.code, "error")
        place = f"at word {self.word}" if self.word >= 0 else "outside its code"
        return (
            f"ended by error {self.code} ({reason}) in task {self.clump} {place}, "
            f"{what}, after {self.instructions} instructions"
        )


def _enhanced(opcode: int) -> str:
    """Return whose an opcode is that only the enhanced firmware has, and what to do about it."""
    if opcode not in _ENHANCED_OPCODES:
        return ""
    name = _ENHANCED_NAMES.get(opcode, "one")
    return f" ({name} of the enhanced firmware; build the program without -EF)"


def program_end(machine: dataspace.MachineRecord) -> ProgramEnd:
    """Return how the last program ended."""
    word = int(machine.end_word)
    at = dataspace.CODE_MARGIN + max(word, 0)
    instruction = int(machine.code[at]) if word >= 0 else 0
    calls = word >= 0 and instruction & 0xFF == codes.SYSCALL and not instruction & _LONG_FORM
    clump = int(machine.end_clump)
    return ProgramEnd(
        status=int(machine.end_status),
        code=int(machine.end_code),
        tick=int(machine.end_tick),
        clump=-1 if clump == codes.NO_CLUMP else clump,
        word=word,
        instruction=instruction,
        system_call=int(machine.code[at + 1]) if calls and machine.end_code != codes.DONE else None,
        instructions=int(machine.executed),
    )


def events(machine: dataspace.MachineRecord) -> list[Event]:
    """Return the newest events since the program's start, the oldest first."""
    count = int(machine.event_count)
    found = []
    for number in range(max(0, count - dataspace.EVENT_SLOTS), count):
        at = number % dataspace.EVENT_SLOTS * dataspace.EVENT_FIELDS
        kind, tick, clump, word, detail = (
            int(v) for v in machine.events[at : at + dataspace.EVENT_FIELDS]
        )
        clump = -1 if clump == codes.NO_CLUMP else clump
        found.append(Event(tick, clump, word, _EVENTS[kind].format(detail)))
    return found


INSTRUCTIONS_PER_MS: Final = 100  # a brick does 115 to 130 of the cheap ones
NEVER: Final = 1 << 62  # a tick that no brick lives to see
_FORMAT_STRING: Final = b"MindstormsNXT"
_NO_OFFSET: Final = 0xFFFF


class CommandModule:
    """One virtual machine in its brick. `instructions_per_ms` is how fast the brick's CPU is."""

    def __init__(
        self, peripherals: Peripherals, instructions_per_ms: int = INSTRUCTIONS_PER_MS
    ) -> None:
        machines = dataspace.new_machine()
        self._machine = machines[0]
        self._machine.instructions_per_ms = instructions_per_ms
        self._running = machines["running"]
        self._memory = Memory(self._machine)
        self._peripherals = peripherals
        self._context = CallContext(peripherals, random.Random(0))
        self._name = b""
        self._has_ended = False
        self._start_tick = -1
        self.state = ProgramState(
            machines, peripherals.output, peripherals.input, peripherals.sound, peripherals.buttons
        )
        self.io_map: IoMap = self._machine.memory[: COMMAND_MAP.itemsize].view(COMMAND_MAP)
        self.io_map["format_string"][0, : len(_FORMAT_STRING)] = list(_FORMAT_STRING)
        self.io_map["awake"] = 1
        self.io_map["dataspace_offset"] = self.io_map["dope_vectors_offset"] = _NO_OFFSET

    @property
    def name(self) -> bytes:
        """The running program's name, empty if there is none."""
        return self._name

    @property
    def is_active(self) -> bool:
        """Whether a program runs, or has ended so recently that its messages can still be read."""
        return bool(self._running[0]) or self._has_ended

    @property
    def status(self) -> int:
        """The code `PROGRAM_...` that clients find in the I/O map."""
        return int(self._memory.bytes[STATUS_AT])

    @property
    def has_ended(self) -> bool:
        """Whether the last program has come to its end."""
        return bool(self._machine.end_status)

    @property
    def end(self) -> ProgramEnd:
        """How the last program ended."""
        return program_end(self._machine)

    @property
    def events(self) -> list[Event]:
        """What went wrong since the program's start without ending it."""
        return events(self._machine)

    def start(self, name: bytes, image: bytes, tick: int) -> None:
        """Load a program in the millisecond `tick`; its first instruction is done in the next.

        Raises:
            InvalidProgramError: the image is no program; the status is "error" then.
        """
        self._end_calls()
        self._start_tick = tick
        self._has_ended = False
        self._context = CallContext(self._peripherals, random.Random(tick))
        self._load_calibrations()
        self._machine.event_count = 0
        self._machine.run_head = codes.NO_CLUMP
        try:
            load_program(self.state, parse_program(image), tick)
        except InvalidProgramError as error:
            self._machine.tick = tick
            end_program(self._machine, codes.PROGRAM_ERROR, error.code)
            self._has_ended = True
            raise
        self._machine.run_slice_address = address_of(run_slice, self.state, tick)
        self._name = name
        reset_devices(self._peripherals)

    def stop(self) -> None:
        """Ask for the program's end; it is aborted in the next `run`.

        Raises:
            CommandError: no program runs.
        """
        self._check_active()
        self.io_map["deactivate_flag"] = 1

    def reset(self) -> None:
        """Forget the last program, as the menu asks for when it has shown how that ended."""
        reset_devices(self._peripherals)
        self._memory.bytes[STATUS_AT] = codes.PROGRAM_IDLE

    def run(self, tick: int) -> None:
        """Do the module's millisecond `tick`: execute the program, abort it, or clear up behind it.

        A program's end is cleared up after in the millisecond that follows it: until then clients
        see it as running.
        """
        if tick <= self._start_tick:
            return
        if self._has_ended:
            self._clear_up()
        elif self._running[0] and self._memory.bytes[DEACTIVATE_AT]:
            self._memory.bytes[DEACTIVATE_AT] = 0
            self._machine.tick = tick
            end_program(self._machine, codes.PROGRAM_ABORTED, codes.DONE)
            self._has_ended = True
        elif self._running[0]:
            while run_slice(self.state, tick) == codes.NEEDS_SERVICE:
                self.serve_pending()
            self._has_ended = not self._running[0]

    def load_kernels(self) -> None:
        """Load or compile what runs a program in milliseconds that stop for a service."""
        run_slice(self.state, 0)
        next_tick(self.state)
        oldest_message(self._machine, 0)

    def note_end(self) -> None:
        """Take note that a compiled loop has run the program to its end; `run` clears up later."""
        self._has_ended = True

    def serve_pending(self) -> None:
        """Do what the interpreter has left its millisecond for; `run_slice` resumes there."""
        self._machine.service_status = serve(self._memory, self._context)

    def next_tick(self) -> int:
        """Return the next tick after the last run one in which the module has something to do."""
        if self._has_ended or (self._running[0] and self._memory.bytes[DEACTIVATE_AT]):
            return int(self._machine.tick) + 1
        tick = next_tick(self.state)
        return NEVER if tick < 0 else int(tick)

    def write_message(self, queue: int, message: bytes) -> None:
        """Append a message of the host, 1 to 59 bytes of which the last is zero.

        Raises:
            CommandError: C0 for a malformed message, EE for a queue above 19, EC without program.
        """
        if not 0 < len(message) <= codes.LONGEST_MESSAGE or message[-1]:
            raise CommandError(statuses.OUT_OF_RANGE)
        if queue >= codes.QUEUES:
            raise CommandError(statuses.BAD_MAILBOX)
        self._check_active()
        self._memory.bytes[dataspace.SCRATCH_AT : dataspace.SCRATCH_AT + len(message)] = message
        self._machine.work = 0
        self._machine.request = WRITE_MESSAGE
        self._machine.request_queue, self._machine.request_length = queue, len(message)
        status = run_slice(self.state, int(self._machine.tick))
        if status < 0:
            raise CommandError(status & 0xFF)

    def read_message(self, queue: int, remove: bool) -> bytes:
        """Return the oldest message of a queue with its zero byte, and take it out if asked.

        Raises:
            CommandError: EC without program, EE for a queue above 19, 40h if there is none.
        """
        self._check_active()
        vector = oldest_message(self._machine, queue)
        if vector == codes.ERR_INVALID_QUEUE:
            raise CommandError(statuses.BAD_MAILBOX)
        if vector == NO_MESSAGE:
            raise CommandError(statuses.MAILBOX_EMPTY)
        message = self._content(vector)
        if remove and message:
            remove_message(self._machine, queue, vector)
        return message

    def read_datalog(self, remove: bool) -> bytes:
        """Return the oldest entry of the data log's buffer, and take it out if asked.

        Raises:
            CommandError: EC without program, 40h if there is none.
        """
        self._check_active()
        vector = oldest_datalog(self._machine)
        if vector == NO_MESSAGE:
            raise CommandError(statuses.MAILBOX_EMPTY)
        entry = self._content(vector)
        if remove and entry:
            remove_datalog(self._machine, vector)
        return entry

    def _content(self, vector: int) -> bytes:
        at, size, count = self._memory.vector(vector)
        return bytes(self._memory.bytes[at : at + min(size * count, codes.LONGEST_DATALOG)])

    def _check_active(self) -> None:
        if not self.is_active:
            raise CommandError(statuses.NO_PROGRAM)

    def _clear_up(self) -> None:
        if self.status == codes.PROGRAM_ABORTED:
            reset_devices(self._peripherals)
        self._has_ended = False
        self._name = b""
        self._end_calls()
        stop_sound(self._peripherals)

    def _end_calls(self) -> None:
        close_all(self._context)
        restore(self._context)

    def _load_calibrations(self) -> None:
        """Take smallest and largest reading of each sensor that has a calibration file."""
        for file in self._peripherals.files.listing():
            if file.name.lower().endswith(b".cal"):
                low, high = 0, 0
                if len(file.data) == 4:
                    low, high = np.frombuffer(bytes(file.data), "<i2").tolist()
                self._context.calibrations[file.name[:-4]] = low, high
