"""Instructions that work on numbers, and element by element on whole arrays and clusters.

A variable inside an aggregate is its entry and an offset, that of the element in the dataspace. An
operation is an opcode | comparison code << 8; one with a single source has NOTHING on the right.
The walk keeps one frame a level: how many parts are left, then for the destination and for both
sources entry, offset, step to the next element and kind.
"""

from hardware_sims.nxt_vm.arrays import resize, size_of
from hardware_sims.nxt_vm.codes import (
    ARRAY,
    CLUSTER,
    DONE,
    ERR_ARG,
    ERR_BEYOND,
    FLOAT,
    MOV,
    NOTHING,
    VOID,
)
from hardware_sims.nxt_vm.dataspace import (
    data_at,
    element_size,
    fetch_float,
    following,
    is_aggregate,
    is_integer,
    kind_of,
    member_count,
    move_bytes,
    number,
    place_of,
    spend,
    store,
    store_float,
    value_of,
    vector_count,
    vector_of,
    vector_offset,
)
from hardware_sims.nxt_vm.interpreter.arithmetic import binary, binary_float, unary, unary_float
from hardware_sims.nxt_vm.machine_state import FRAME, MachineRecord
from solvers.foundation.compiled import kernel

ENTERED = 1
MOST_ELEMENTS = 0xFFFF


@kernel
def apply_scalar(
    machine: MachineRecord, operation: int, to: int, to_offset: int, entry: int, offset: int
) -> None:
    """Do an operation with one source on scalars."""
    opcode = operation & 0xFF
    to_kind, kind = kind_of(machine, to), kind_of(machine, entry)
    at = place_of(machine, to, to_offset)
    if to_kind == FLOAT or kind == FLOAT:
        value = fetch_float(machine, kind, place_of(machine, entry, offset))
        store_float(machine, to_kind, at, unary_float(opcode, operation >> 8, value))
        return
    whole = value_of(machine, entry, offset)
    if opcode != MOV:
        whole = unary(opcode, operation >> 8, whole, kind)
    store(machine, to_kind, at, whole)


@kernel
def combine_scalars(
    machine: MachineRecord,
    operation: int,
    to: int,
    to_offset: int,
    left: int,
    left_offset: int,
    right: int,
    right_offset: int,
) -> None:
    """Do an operation with two sources on scalars."""
    opcode, comparison = operation & 0xFF, operation >> 8
    to_kind = kind_of(machine, to)
    left_kind, right_kind = kind_of(machine, left), kind_of(machine, right)
    at = place_of(machine, to, to_offset)
    if to_kind == FLOAT or left_kind == FLOAT or right_kind == FLOAT:
        one = fetch_float(machine, left_kind, place_of(machine, left, left_offset))
        other = fetch_float(machine, right_kind, place_of(machine, right, right_offset))
        store_float(machine, to_kind, at, binary_float(opcode, comparison, one, other))
        return
    one_whole = value_of(machine, left, left_offset)
    other_whole = value_of(machine, right, right_offset)
    value = binary(opcode, comparison, one_whole, other_whole, left_kind, right_kind)
    store(machine, to_kind, at, value)


@kernel
def copy_integers(machine: MachineRecord, to: int, to_offset: int, entry: int, offset: int) -> int:
    """Copy an array of integers to another of the same type."""
    source = vector_of(machine, entry, offset)
    count = vector_count(machine, source)
    status = resize(machine, to, to_offset, count)
    if status >= 0 and count:
        size = count * size_of(kind_of(machine, entry + 1))
        target = vector_of(machine, to, to_offset)
        move_bytes(machine, data_at(machine, target), data_at(machine, source), size)
    return status


@kernel
def set_side(
    machine: MachineRecord, at: int, entry: int, offset: int, step: int, kind: int
) -> None:
    frames = machine.frames
    frames[at] = entry + 1 if is_aggregate(kind) else entry
    frames[at + 1] = offset
    frames[at + 2] = step
    frames[at + 3] = kind


@kernel
def enter_side(machine: MachineRecord, at: int, entry: int, offset: int) -> int:
    """Write one side of a frame; return how many elements it has if it is an array."""
    kind = kind_of(machine, entry) if entry != NOTHING else 0
    if kind != ARRAY:
        set_side(machine, at, entry, offset, 0, kind)
        return MOST_ELEMENTS
    vector = vector_of(machine, entry, offset)
    set_side(
        machine, at, entry, vector_offset(machine, vector), element_size(machine, vector), kind
    )
    return vector_count(machine, vector)


@kernel
def work_on(
    machine: MachineRecord,
    operation: int,
    depth: int,
    to: int,
    to_offset: int,
    left: int,
    left_offset: int,
    right: int,
    right_offset: int,
) -> int:
    """Do the operation if the parts are scalars, else write the frame for walking through them.

    Returns DONE, ENTERED or an error.
    """
    to_kind, left_kind = kind_of(machine, to), kind_of(machine, left)
    right_kind = kind_of(machine, right) if right != NOTHING else 0
    if not is_aggregate(left_kind) and not is_aggregate(right_kind):
        if is_aggregate(to_kind):
            return DONE
        if right == NOTHING:
            apply_scalar(machine, operation, to, to_offset, left, left_offset)
        else:
            combine_scalars(
                machine, operation, to, to_offset, left, left_offset, right, right_offset
            )
        return DONE
    if right == NOTHING and to_kind == ARRAY and left_kind == ARRAY:
        element = kind_of(machine, to + 1)
        if is_integer(element) and element == kind_of(machine, left + 1):
            return copy_integers(machine, to, to_offset, left, left_offset)
    at = depth * FRAME
    count = enter_side(machine, at + 5, left, left_offset)
    count = min(count, enter_side(machine, at + 9, right, right_offset))
    if to_kind == ARRAY:
        if left_kind != ARRAY and right_kind != ARRAY:
            return ERR_ARG
        status = resize(machine, to, to_offset, count)
        if status < 0:
            return status
    elif to_kind == CLUSTER:
        count = member_count(machine, to)
    else:
        return DONE
    enter_side(machine, at + 1, to, to_offset)
    machine.frames[at] = count
    return ENTERED


@kernel
def step_side(machine: MachineRecord, at: int, through_members: bool) -> None:
    """Advance to the next element or member of one side."""
    frames = machine.frames
    frames[at + 1] = (number(frames[at + 1]) + number(frames[at + 2])) & 0xFFFF
    if through_members and number(frames[at + 3]) == CLUSTER:
        frames[at] = following(machine, number(frames[at]))


@kernel
def walk(machine: MachineRecord) -> int:
    """Do `machine.operation` on the parts of the first frame and all that is in them.

    Without arguments, because numba compiles a function once for each constant it is given.
    """
    frames = machine.frames
    operation = number(machine.operation)
    depth = 1
    while depth:
        if not spend(machine, 1):
            return ERR_BEYOND
        at = (depth - 1) * FRAME
        parts = number(frames[at])
        if parts == 0:
            depth -= 1
            continue
        to, to_offset = number(frames[at + 1]), number(frames[at + 2])
        left, left_offset = number(frames[at + 5]), number(frames[at + 6])
        right, right_offset = number(frames[at + 9]), number(frames[at + 10])
        through_members = number(frames[at + 4]) == CLUSTER
        frames[at] = parts - 1
        if parts > 1:
            for side in range(1, FRAME, 4):
                step_side(machine, at + side, through_members)
        status = work_on(
            machine, operation, depth, to, to_offset, left, left_offset, right, right_offset
        )
        if status < DONE:
            return status
        depth += status
    return DONE


@kernel
def set_part(machine: MachineRecord, at: int, entry: int, offset: int) -> None:
    frames = machine.frames
    frames[at] = entry
    frames[at + 1] = offset
    frames[at + 2] = 0
    frames[at + 3] = VOID


@kernel
def start_walk(
    machine: MachineRecord,
    operation: int,
    to: int,
    to_offset: int,
    left: int,
    left_offset: int,
    right: int,
) -> None:
    """Write the first frame for `walk`."""
    machine.operation = operation
    machine.frames[0] = 1
    set_part(machine, 1, to, to_offset)
    set_part(machine, 5, left, left_offset)
    set_part(machine, 9, right, 0)


@kernel
def combine(machine: MachineRecord, operation: int, to: int, left: int, right: int) -> int:
    """Do ADD to XOR or CMP on variables of any kind; return DONE or an error."""
    start_walk(machine, operation, to, 0, left, 0, right)
    return walk(machine)


@kernel
def apply(machine: MachineRecord, operation: int, to: int, entry: int) -> int:
    """Do NEG, NOT, TST, SQRT or ABS on variables of any kind; return DONE or an error.

    As in the firmware, an array of integers is only copied to one of its own type.
    """
    start_walk(machine, operation, to, 0, entry, 0, NOTHING)
    return walk(machine)


@kernel
def move(machine: MachineRecord, to: int, entry: int) -> int:
    """Do MOV; two integers, the most frequent case, the short way."""
    to_kind, kind = kind_of(machine, to), kind_of(machine, entry)
    if is_integer(to_kind) and is_integer(kind):
        store(machine, to_kind, place_of(machine, to, 0), value_of(machine, entry, 0))
        return DONE
    return apply(machine, MOV, to, entry)


@kernel
def copy_in(machine: MachineRecord, to: int, to_offset: int, entry: int) -> int:
    """Copy a variable to an element."""
    start_walk(machine, MOV, to, to_offset, entry, 0, NOTHING)
    return walk(machine)


@kernel
def copy_out(machine: MachineRecord, to: int, entry: int, offset: int) -> int:
    """Copy an element to a variable."""
    start_walk(machine, MOV, to, 0, entry, offset, NOTHING)
    return walk(machine)


@kernel
def copy_element(machine: MachineRecord, to: int, to_offset: int, entry: int, offset: int) -> int:
    """Copy an element to another."""
    start_walk(machine, MOV, to, to_offset, entry, offset, NOTHING)
    return walk(machine)
