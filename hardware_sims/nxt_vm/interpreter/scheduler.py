"""Queues of clumps: who runs, who sleeps, who waits for a mutex.

A clump is on one queue at most, so one link each is enough. A mutex is four bytes among the
program's variables: owner, first and last that wait, and one unused.
"""

from hardware_sims.nxt_vm.codes import (
    CLUMP_DONE,
    CLUMP_SUSPENDED,
    DONE,
    NO_CLUMP,
)
from hardware_sims.nxt_vm.dataspace import byte_at, note, number, put_byte
from hardware_sims.nxt_vm.machine_state import CALLED_WHILE_RUNNING, CLUMPS, MachineRecord
from solvers.foundation.compiled import kernel


@kernel
def queue_to_run(machine: MachineRecord, clump: int) -> None:
    """Put a clump at the tail of those that run."""
    machine.link[clump] = NO_CLUMP
    machine.active[clump] = 1
    if number(machine.run_head) == NO_CLUMP:
        machine.run_head = clump
    else:
        machine.link[number(machine.run_tail)] = clump
    machine.run_tail = clump


@kernel
def leave_run_queue(machine: MachineRecord) -> int:
    """Take the clump that is being executed off its queue and return it."""
    clump = number(machine.run_head)
    machine.run_head = number(machine.link[clump])
    machine.link[clump] = NO_CLUMP
    if number(machine.run_head) == NO_CLUMP:
        machine.run_tail = NO_CLUMP
    return clump


@kernel
def rotate(machine: MachineRecord) -> None:
    if number(machine.run_head) != number(machine.run_tail):
        queue_to_run(machine, leave_run_queue(machine))


@kernel
def sleep(machine: MachineRecord, wake_tick: int) -> int:
    clump = leave_run_queue(machine)
    machine.wake_tick[clump] = wake_tick
    if number(machine.rest_head) == NO_CLUMP:
        machine.rest_head = clump
    else:
        machine.link[number(machine.rest_tail)] = clump
    machine.rest_tail = clump
    return CLUMP_SUSPENDED


@kernel
def wake_sleepers(machine: MachineRecord) -> None:
    """Queue the clumps whose time has come, in the order in which they went to sleep."""
    clump, before = number(machine.rest_head), NO_CLUMP
    for _ in range(CLUMPS):
        if clump == NO_CLUMP:
            break
        behind = number(machine.link[clump])
        # Looked at once a millisecond and before any clump runs, so a WAIT ends at the start of a
        # slice.
        if number(machine.wake_tick[clump]) <= number(machine.tick):
            if before == NO_CLUMP:
                machine.rest_head = behind
            else:
                machine.link[before] = behind
            if behind == NO_CLUMP:
                machine.rest_tail = before
            queue_to_run(machine, clump)
        else:
            before = clump
        clump = behind


@kernel
def first_wake_tick(machine: MachineRecord) -> int:
    """Return when the first sleeping clump wakes; -1 if none sleeps."""
    clump, first = number(machine.rest_head), -1
    for _ in range(CLUMPS):
        if clump == NO_CLUMP:
            break
        tick = number(machine.wake_tick[clump])
        if first < 0 or tick < first:
            first = tick
        clump = number(machine.link[clump])
    return first


@kernel
def acquire(machine: MachineRecord, mutex: int) -> int:
    """Take a mutex, or leave the run queue and wait for it."""
    if byte_at(machine, mutex) == NO_CLUMP:
        put_byte(machine, mutex, number(machine.run_head))
        return DONE
    clump = leave_run_queue(machine)
    if byte_at(machine, mutex + 1) == NO_CLUMP:
        put_byte(machine, mutex + 1, clump)
    else:
        machine.link[byte_at(machine, mutex + 2)] = clump
    put_byte(machine, mutex + 2, clump)
    return CLUMP_SUSPENDED


@kernel
def release(machine: MachineRecord, mutex: int) -> int:
    """Hand a mutex to the clump that waits longest."""
    clump = byte_at(machine, mutex + 1)
    # The owner is changed at once, although the new one only runs when its turn comes: a third
    # clump cannot slip in between.
    put_byte(machine, mutex, clump)
    if clump != NO_CLUMP:
        put_byte(machine, mutex + 1, number(machine.link[clump]))
        if number(machine.link[clump]) == NO_CLUMP:
            put_byte(machine, mutex + 2, NO_CLUMP)
        queue_to_run(machine, clump)
    return DONE


@kernel
def fire(machine: MachineRecord, clump: int) -> None:
    """Count down a clump's dependencies, of which one has ended."""
    count = (number(machine.fire_count[clump]) - 1) & 0xFF
    machine.fire_count[clump] = count
    if count == 0:
        queue_to_run(machine, clump)


@kernel
def finish(machine: MachineRecord, first: int, last: int) -> int:
    """End a clump and notify its dependents `first` to `last`; 65535 twice: none."""
    clump = leave_run_queue(machine)
    if first != 0xFFFF or last != 0xFFFF:
        # Both are signed 16-bit indices into the clump's own list; FFFFh alone means "none".
        first, last = (first ^ 0x8000) - 0x8000, (last ^ 0x8000) - 0x8000
        at = number(machine.dependents_at[clump])
        for i in range(first, last + 1):
            fire(machine, number(machine.dependents[(at + i) & 0xFFFF]))
    return CLUMP_DONE


@kernel
def call(machine: MachineRecord, clump: int, caller_at: int) -> int:
    """Let another clump run until it returns; the caller waits on no queue."""
    clump &= 0xFF
    if machine.active[clump]:
        note(machine, CALLED_WHILE_RUNNING, clump)
    put_byte(machine, caller_at, number(machine.run_head))
    leave_run_queue(machine)
    # At the tail: where other tasks run, a call costs a turn of the whole queue.
    queue_to_run(machine, clump)
    return CLUMP_SUSPENDED


@kernel
def give_back(machine: MachineRecord, caller: int) -> int:
    """End a called clump; its caller resumes."""
    leave_run_queue(machine)
    queue_to_run(machine, caller)
    return CLUMP_DONE


@kernel
def reset_clump(machine: MachineRecord, clump: int) -> None:
    """Make a clump that has ended ready for another time."""
    machine.active[clump] = 0
    machine.counter[clump] = number(machine.first_word[clump])
    machine.fire_count[clump] = number(machine.first_fire_count[clump])
