"""What a brick does not report: where a program ended and why, and what went wrong on the way."""

from dataclasses import dataclass
from typing import Final

from hardware_sims.nxt_vm import machine_state as kinds
from hardware_sims.nxt_vm.codes import (
    DONE,
    ERR_ARG,
    ERR_BAD_PTR,
    ERR_BEYOND,
    ERR_CHANNEL_NOT_READY,
    ERR_FILE,
    ERR_INSTR,
    ERR_MEM,
    ERR_VER,
    NO_CLUMP,
    PROGRAM_ABORTED,
    PROGRAM_ERROR,
    SYSCALL,
)
from hardware_sims.nxt_vm.machine_state import (
    CODE_MARGIN,
    EVENT_FIELDS,
    EVENT_SLOTS,
    MachineRecord,
)

_REASONS: Final = {
    ERR_ARG: "bad argument, such as an index beyond the end of an array",
    ERR_INSTR: "illegal instruction or system call; the enhanced firmware knows more than LEGO's",
    ERR_FILE: "malformed file",
    ERR_VER: "made for another firmware",
    ERR_MEM: "out of memory",
    ERR_BAD_PTR: "an argument has no place in memory",
    ERR_BEYOND: "it works on more than the memory can hold; a brick hangs or crashes there",
    ERR_CHANNEL_NOT_READY: "sensor not set up or not ready",
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
        if self.status == PROGRAM_ABORTED:
            return f"aborted after {self.instructions} instructions"
        if self.status != PROGRAM_ERROR:
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


def program_end(machine: MachineRecord) -> ProgramEnd:
    """Return how the last program ended."""
    word = int(machine.end_word)
    at = CODE_MARGIN + max(word, 0)
    instruction = int(machine.code[at]) if word >= 0 else 0
    calls = word >= 0 and instruction & 0xFF == SYSCALL and not instruction & _LONG_FORM
    clump = int(machine.end_clump)
    return ProgramEnd(
        status=int(machine.end_status),
        code=int(machine.end_code),
        tick=int(machine.end_tick),
        clump=-1 if clump == NO_CLUMP else clump,
        word=word,
        instruction=instruction,
        system_call=int(machine.code[at + 1]) if calls and machine.end_code != DONE else None,
        instructions=int(machine.executed),
    )


def events(machine: MachineRecord) -> list[Event]:
    """Return the newest events since the program's start, the oldest first."""
    count = int(machine.event_count)
    found = []
    for number in range(max(0, count - EVENT_SLOTS), count):
        at = number % EVENT_SLOTS * EVENT_FIELDS
        kind, tick, clump, word, detail = (int(v) for v in machine.events[at : at + EVENT_FIELDS])
        clump = -1 if clump == NO_CLUMP else clump
        found.append(Event(tick, clump, word, _EVENTS[kind].format(detail)))
    return found
