"""FLATTEN and UNFLATTEN: all bytes of a variable without padding, to a string and back."""

from hardware_sims.nxt_vm.codes import ARRAY, CLUSTER, DONE
from hardware_sims.nxt_vm.dataspace.arrays import set_count, size_of
from hardware_sims.nxt_vm.dataspace.memory import move_bytes, number, put_byte, spend
from hardware_sims.nxt_vm.dataspace.variables import (
    array_count,
    element_size,
    following,
    is_aggregate,
    kind_of,
    member_count,
    place_of,
    set_value,
    vector_count,
    vector_of,
    vector_offset,
)
from hardware_sims.nxt_vm.interpreter.aggregates import move
from hardware_sims.nxt_vm.interpreter.array_instructions import argument
from hardware_sims.nxt_vm.interpreter.strings import text_at
from hardware_sims.nxt_vm.machine_state import FRAME, MOST_WORK, SCRATCH_AT, MachineRecord
from solvers.foundation.compiled import kernel

COUNTS = 0
FLATTENS = 1
FILLS = 2


@kernel
def copy_part(machine: MachineRecord, at: int, place: int, size: int, what: int) -> int:
    """Count bytes, or copy them to or from `at`; return where they end.

    What would go beyond the memory is left out, and the instruction has no time left then.
    """
    if what != COUNTS and at + size > SCRATCH_AT:
        spend(machine, MOST_WORK)
    elif what == FLATTENS:
        move_bytes(machine, at, place, size)
    elif what == FILLS:
        move_bytes(machine, place, at, size)
    return at + size


@kernel
def enter(machine: MachineRecord, depth: int, entry: int, offset: int) -> None:
    """Begin the walk through an array of aggregates, or a cluster."""
    frames, at = machine.frames, depth * FRAME
    is_array = kind_of(machine, entry) == ARRAY
    frames[at] = member_count(machine, entry)
    frames[at + 2] = offset
    frames[at + 3] = 0
    if is_array:
        vector = vector_of(machine, entry, offset)
        frames[at] = vector_count(machine, vector)
        frames[at + 2] = vector_offset(machine, vector)
        frames[at + 3] = element_size(machine, vector)
    frames[at + 1] = entry + 1
    frames[at + 4] = int(is_array)


@kernel
def copy_flat(machine: MachineRecord, at: int, entry: int, what: int) -> int:
    """Walk through a variable and count or copy its bytes; return where they end."""
    frames = machine.frames
    frames[0], frames[1], frames[2], frames[3], frames[4] = 1, entry, 0, 0, 1
    depth = 1
    while depth and spend(machine, 1):
        frame = (depth - 1) * FRAME
        left = number(frames[frame])
        if left == 0:
            depth -= 1
            continue
        part, offset = number(frames[frame + 1]), number(frames[frame + 2])
        frames[frame] = left - 1
        frames[frame + 2] = (offset + number(frames[frame + 3])) & 0xFFFF
        if not number(frames[frame + 4]):
            frames[frame + 1] = following(machine, part)
        kind = kind_of(machine, part)
        if kind == CLUSTER or (kind == ARRAY and is_aggregate(kind_of(machine, part + 1))):
            enter(machine, depth, part, offset)
            depth += 1
        elif kind == ARRAY:
            vector = vector_of(machine, part, offset)
            size = (element_size(machine, vector) * vector_count(machine, vector)) & 0xFFFF
            place = number(machine.dataspace) + vector_offset(machine, vector)
            at = copy_part(machine, at, place, size, what)
        else:
            at = copy_part(machine, at, place_of(machine, part, offset), size_of(kind), what)
    return at


@kernel
def flatten(machine: MachineRecord, to: int, entry: int) -> int:
    """FLATTEN: all bytes of a variable, and a zero byte."""
    size = copy_flat(machine, 0, entry, COUNTS) & 0xFFFF
    status = set_count(machine, to, size + 1)
    if status >= 0:
        end = copy_flat(machine, text_at(machine, to), entry, FLATTENS)
        put_byte(machine, end, 0)
    return status


@kernel
def unflatten(machine: MachineRecord, at: int) -> int:
    """UNFLATTEN: fill a variable if the string has the size of the given one."""
    to, error = argument(machine, at, 1), argument(machine, at, 2)
    source, template = argument(machine, at, 3), argument(machine, at, 4)
    status = move(machine, to, template)
    if status < 0:
        return status
    fits = array_count(machine, source, 0) - 1 == copy_flat(machine, 0, template, COUNTS)
    if fits:
        copy_flat(machine, text_at(machine, source), to, FILLS)
    set_value(machine, error, int(not fits))
    return DONE
