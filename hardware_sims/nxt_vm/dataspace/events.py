"""What a brick does not tell: notes of things that go wrong without ending the program."""

from hardware_sims.nxt_vm.codes import NO_CLUMP
from hardware_sims.nxt_vm.dataspace.memory import number
from hardware_sims.nxt_vm.machine_state import (
    CODE_MARGIN,
    EVENT_FIELDS,
    EVENT_SLOTS,
    MachineRecord,
)
from solvers.foundation.compiled import kernel


@kernel
def note(machine: MachineRecord, kind: int, detail: int) -> None:
    """Remember an event at the instruction that is being executed; the newest 64 stay."""
    clump = number(machine.run_head)
    word = -1
    if clump != NO_CLUMP:
        word = number(machine.counter[clump]) - CODE_MARGIN
    at = number(machine.event_count) % EVENT_SLOTS * EVENT_FIELDS
    machine.events[at] = kind
    machine.events[at + 1] = number(machine.tick)
    machine.events[at + 2] = clump
    machine.events[at + 3] = word
    machine.events[at + 4] = detail
    machine.event_count = number(machine.event_count) + 1
