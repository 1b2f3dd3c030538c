"""Comparison of two variables as a whole: the first difference decides, then the counts."""

from hardware_sims.nxt_vm.codes import (
    ARRAY,
    CLUSTER,
    EQUAL,
    ERR_ARG,
    ERR_BEYOND,
    GREATER_EQUAL,
    LESS_EQUAL,
    NOT_EQUAL,
    U16,
)
from hardware_sims.nxt_vm.dataspace.memory import number, spend
from hardware_sims.nxt_vm.dataspace.variables import (
    element_size,
    following,
    is_aggregate,
    kind_of,
    member_count,
    value_of,
    vector_count,
    vector_of,
    vector_offset,
)
from hardware_sims.nxt_vm.interpreter.arithmetic import compare
from hardware_sims.nxt_vm.machine_state import FRAME, MachineRecord
from solvers.foundation.compiled import kernel

ALIKE = 2  # so far
ENTERED = 3


@kernel
def enter_side(machine: MachineRecord, at: int, entry: int, offset: int) -> int:
    """Write entry, offset and step of one side of a frame; return its number of parts."""
    frames = machine.frames
    frames[at] = entry + 1
    if kind_of(machine, entry) == CLUSTER:
        frames[at + 1] = offset
        frames[at + 2] = 0
        return member_count(machine, entry)
    vector = vector_of(machine, entry, offset)
    frames[at + 1] = vector_offset(machine, vector)
    frames[at + 2] = element_size(machine, vector)
    return vector_count(machine, vector)


@kernel
def compare_parts(
    machine: MachineRecord,
    comparison: int,
    depth: int,
    left: int,
    left_offset: int,
    right: int,
    right_offset: int,
) -> int:
    """Return 0 or 1 if these parts decide, else ALIKE, ENTERED or an error."""
    kind, right_kind = kind_of(machine, left), kind_of(machine, right)
    if not is_aggregate(kind):
        if is_aggregate(right_kind):
            return ALIKE  # undefined on a brick
        one = value_of(machine, left, left_offset)
        other = value_of(machine, right, right_offset)
        if not compare(NOT_EQUAL, one, other, kind, right_kind):
            return ALIKE
        return int(compare(comparison, one, other, kind, right_kind))
    if kind != right_kind:
        return ERR_ARG
    frames, at = machine.frames, depth * FRAME
    left_count = enter_side(machine, at + 3, left, left_offset)
    right_count = enter_side(machine, at + 6, right, right_offset)
    if left_count != right_count and comparison >= EQUAL:
        return int(comparison == NOT_EQUAL)
    frames[at] = min(left_count, right_count)
    frames[at + 1] = left_count - right_count
    frames[at + 2] = int(kind == ARRAY)
    return ENTERED


@kernel
def step_sides(machine: MachineRecord, at: int) -> None:
    """Go on to the next element or member on both sides."""
    frames = machine.frames
    for side in (at + 3, at + 6):
        if number(frames[at + 2]):
            frames[side + 1] = (number(frames[side + 1]) + number(frames[side + 2])) & 0xFFFF
        else:
            frames[side] = following(machine, number(frames[side]))


@kernel
def compare_whole(machine: MachineRecord, comparison: int, left: int, right: int) -> int:
    """Compare two variables as a whole; return 0, 1 or an error."""
    frames = machine.frames
    frames[0], frames[1], frames[2] = 1, 0, 1
    frames[3], frames[4], frames[5] = left, 0, 0
    frames[6], frames[7], frames[8] = right, 0, 0
    depth = 1
    while depth:
        if not spend(machine, 1):
            return ERR_BEYOND
        at = (depth - 1) * FRAME
        parts = number(frames[at])
        if parts == 0:
            depth -= 1
            surplus = number(frames[at + 1])
            if surplus:
                return int(compare(comparison, max(surplus, 0), max(-surplus, 0), U16, U16))
            continue
        one, one_offset = number(frames[at + 3]), number(frames[at + 4])
        other, other_offset = number(frames[at + 6]), number(frames[at + 7])
        frames[at] = parts - 1
        step_sides(machine, at)
        result = compare_parts(machine, comparison, depth, one, one_offset, other, other_offset)
        if result < ALIKE:
            return result
        depth += int(result == ENTERED)
    return int(comparison in (EQUAL, GREATER_EQUAL, LESS_EQUAL))
