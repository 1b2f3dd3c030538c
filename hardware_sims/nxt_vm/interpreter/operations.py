"""Arithmetic and comparison, of single values and element by element of arrays and clusters.

Numbers are converted and rounded as the firmware does.
"""

import numpy as np

from hardware_sims.nxt_vm import codes, dataspace
from hardware_sims.nxt_vm.arrays import resize, size_of
from solvers.foundation.compiled import kernel

ZERO = np.float32(0)
ONE = np.float32(1)


@kernel
def is_unsigned(kind: int) -> bool:
    return kind & 1 == 1


@kernel
def compare(comparison: int, left: int, right: int, left_kind: int, right_kind: int) -> bool:
    if not (is_unsigned(left_kind) or is_unsigned(right_kind)):
        left, right = dataspace.signed(left), dataspace.signed(right)
    if comparison == codes.LESS:
        return left < right
    if comparison == codes.GREATER:
        return left > right
    if comparison == codes.LESS_EQUAL:
        return left <= right
    if comparison == codes.GREATER_EQUAL:
        return left >= right
    if comparison == codes.EQUAL:
        return left == right
    return comparison == codes.NOT_EQUAL and left != right


@kernel
def compare_floats(comparison: int, left: np.float32, right: np.float32) -> bool:
    if comparison == codes.LESS:
        return bool(left < right)
    if comparison == codes.GREATER:
        return bool(left > right)
    if comparison == codes.LESS_EQUAL:
        return bool(left <= right)
    if comparison == codes.GREATER_EQUAL:
        return bool(left >= right)
    if comparison == codes.EQUAL:
        return bool(left == right)
    return comparison == codes.NOT_EQUAL and bool(left != right)


@kernel
def quotient(left: int, right: int, both_signed: bool) -> int:
    """Divide toward zero; x / 0 is 0."""
    if right == 0:
        return 0
    if not both_signed:
        return left // right
    left, right = dataspace.signed(left), dataspace.signed(right)
    size = abs(left) // abs(right)
    return size if (left < 0) == (right < 0) else -size


@kernel
def remainder(left: int, right: int, both_signed: bool) -> int:
    """Return what is left, with the sign of the dividend; x % 0 is x."""
    if right == 0:
        return left
    if not both_signed:
        return left % right
    left, right = dataspace.signed(left), dataspace.signed(right)
    size = abs(left) % abs(right)
    return -size if left < 0 else size


@kernel
def binary(
    opcode: int, comparison: int, left: int, right: int, left_kind: int, right_kind: int
) -> int:
    """Return the 32-bit pattern that an instruction makes of two integers."""
    both_signed = not (is_unsigned(left_kind) or is_unsigned(right_kind))
    if opcode == codes.ADD:
        return (left + right) & dataspace.LONG
    if opcode == codes.SUB:
        return (left - right) & dataspace.LONG
    if opcode == codes.MUL:
        return (left * right) & dataspace.LONG
    if opcode == codes.DIV:
        return quotient(left, right, both_signed) & dataspace.LONG
    if opcode == codes.MOD:
        return remainder(left, right, both_signed) & dataspace.LONG
    if opcode == codes.AND:
        return left & right
    if opcode == codes.OR:
        return left | right
    if opcode == codes.XOR:
        return left ^ right
    if opcode == codes.CMP:
        return int(compare(comparison, left, right, left_kind, right_kind))
    return 0


@kernel
def binary_float(opcode: int, comparison: int, left: np.float32, right: np.float32) -> np.float32:
    """Return what an instruction makes of two numbers if one or the destination is a float."""
    if opcode == codes.ADD:
        return np.float32(left + right)
    if opcode == codes.SUB:
        return np.float32(left - right)
    if opcode == codes.MUL:
        return np.float32(left * right)
    if opcode == codes.DIV:
        return ZERO if right == ZERO else np.float32(left / right)
    if opcode == codes.CMP:
        return ONE if compare_floats(comparison, left, right) else ZERO
    if opcode == codes.MOD and right == ZERO:
        return left
    whole_left, whole_right = dataspace.truncated(left), dataspace.truncated(right)
    if opcode == codes.MOD:
        return np.float32(
            dataspace.signed(remainder(whole_left, whole_right, True) & dataspace.LONG)
        )
    if opcode == codes.AND:
        return np.float32(dataspace.signed(whole_left & whole_right))
    if opcode == codes.OR:
        return np.float32(dataspace.signed(whole_left | whole_right))
    if opcode == codes.XOR:
        return np.float32(dataspace.signed(whole_left ^ whole_right))
    return ZERO


@kernel
def unary(opcode: int, comparison: int, value: int, kind: int) -> int:
    """Return what an instruction makes of one integer; there is no square root of integers."""
    if opcode == codes.NEG:
        return -value & dataspace.LONG
    if opcode == codes.NOT:
        return int(value == 0)
    if opcode == codes.TST:
        return int(compare(comparison, value, 0, kind, kind))
    if opcode == codes.ABS:
        return abs(dataspace.signed(value)) & dataspace.LONG
    return 0


@kernel
def unary_float(opcode: int, comparison: int, value: np.float32) -> np.float32:
    """Return what an instruction makes of one number if it or the destination is a float."""
    if opcode == codes.NEG:
        return np.float32(-value)
    if opcode == codes.NOT:
        return ONE if value == ZERO else ZERO
    if opcode == codes.TST:
        return ONE if compare_floats(comparison, value, ZERO) else ZERO
    if opcode == codes.ABS:
        return np.float32(abs(value))
    if opcode == codes.SQRT:
        return np.float32(np.sqrt(value))
    return value


EQUAL_SO_FAR = 2
DEEPER = 3


@kernel
def enter_compared(machine: dataspace.MachineRecord, at: int, entry: int, offset: int) -> int:
    """Write entry, offset and step of one side of a frame; return its number of parts."""
    frames = machine.frames
    frames[at] = entry + 1
    if dataspace.kind_of(machine, entry) == codes.CLUSTER:
        frames[at + 1] = offset
        frames[at + 2] = 0
        return dataspace.member_count(machine, entry)
    vector = dataspace.vector_of(machine, entry, offset)
    frames[at + 1] = dataspace.vector_offset(machine, vector)
    frames[at + 2] = dataspace.element_size(machine, vector)
    return dataspace.vector_count(machine, vector)


@kernel
def compare_parts(
    machine: dataspace.MachineRecord,
    comparison: int,
    depth: int,
    left: int,
    left_offset: int,
    right: int,
    right_offset: int,
) -> int:
    """Return 0 or 1 if these parts decide, else EQUAL_SO_FAR, DEEPER or an error."""
    kind, right_kind = dataspace.kind_of(machine, left), dataspace.kind_of(machine, right)
    if not dataspace.is_aggregate(kind):
        if dataspace.is_aggregate(right_kind):
            return EQUAL_SO_FAR  # undefined on a brick
        one = dataspace.value_of(machine, left, left_offset)
        other = dataspace.value_of(machine, right, right_offset)
        if not compare(codes.NOT_EQUAL, one, other, kind, right_kind):
            return EQUAL_SO_FAR
        return int(compare(comparison, one, other, kind, right_kind))
    if kind != right_kind:
        return codes.ERR_ARG
    frames, at = machine.frames, depth * dataspace.FRAME
    left_count = enter_compared(machine, at + 3, left, left_offset)
    right_count = enter_compared(machine, at + 6, right, right_offset)
    if left_count != right_count and comparison >= codes.EQUAL:
        return int(comparison == codes.NOT_EQUAL)
    frames[at] = min(left_count, right_count)
    frames[at + 1] = left_count - right_count
    frames[at + 2] = int(kind == codes.ARRAY)
    return DEEPER


@kernel
def step_sides(machine: dataspace.MachineRecord, at: int) -> None:
    """Advance to the next element or member on both sides."""
    frames = machine.frames
    for side in (at + 3, at + 6):
        if dataspace.number(frames[at + 2]):
            frames[side + 1] = (
                dataspace.number(frames[side + 1]) + dataspace.number(frames[side + 2])
            ) & 0xFFFF
        else:
            frames[side] = dataspace.following(machine, dataspace.number(frames[side]))


@kernel
def compare_whole(machine: dataspace.MachineRecord, comparison: int, left: int, right: int) -> int:
    """Compare two variables as a whole; return 0, 1 or an error."""
    frames = machine.frames
    frames[0], frames[1], frames[2] = 1, 0, 1
    frames[3], frames[4], frames[5] = left, 0, 0
    frames[6], frames[7], frames[8] = right, 0, 0
    depth = 1
    while depth:
        if not dataspace.spend(machine, 1):
            return codes.ERR_BEYOND
        at = (depth - 1) * dataspace.FRAME
        parts = dataspace.number(frames[at])
        if parts == 0:
            depth -= 1
            surplus = dataspace.number(frames[at + 1])
            if surplus:
                return int(
                    compare(comparison, max(surplus, 0), max(-surplus, 0), codes.U16, codes.U16)
                )
            continue
        one, one_offset = dataspace.number(frames[at + 3]), dataspace.number(frames[at + 4])
        other, other_offset = dataspace.number(frames[at + 6]), dataspace.number(frames[at + 7])
        frames[at] = parts - 1
        step_sides(machine, at)
        result = compare_parts(machine, comparison, depth, one, one_offset, other, other_offset)
        if result < EQUAL_SO_FAR:
            return result
        depth += int(result == DEEPER)
    return int(comparison in (codes.EQUAL, codes.GREATER_EQUAL, codes.LESS_EQUAL))


# Operations on numbers, and element by element on whole arrays and clusters.
#
# A variable inside an aggregate is its entry and an offset, that of the element in the dataspace.
# An operation is an opcode | comparison code << 8; one with a single source has NOTHING on the
# right. The walk keeps one frame a level: how many parts are left, then for the destination and for
# both sources entry, offset, step to the next element and kind.


ENTERED = 1
MOST_ELEMENTS = 0xFFFF


@kernel
def apply_scalar(
    machine: dataspace.MachineRecord,
    operation: int,
    to: int,
    to_offset: int,
    entry: int,
    offset: int,
) -> None:
    """Do an operation with one source on scalars."""
    opcode = operation & 0xFF
    to_kind, kind = dataspace.kind_of(machine, to), dataspace.kind_of(machine, entry)
    at = dataspace.place_of(machine, to, to_offset)
    if to_kind == codes.FLOAT or kind == codes.FLOAT:
        value = dataspace.fetch_float(machine, kind, dataspace.place_of(machine, entry, offset))
        dataspace.store_float(machine, to_kind, at, unary_float(opcode, operation >> 8, value))
        return
    whole = dataspace.value_of(machine, entry, offset)
    if opcode != codes.MOV:
        whole = unary(opcode, operation >> 8, whole, kind)
    dataspace.store(machine, to_kind, at, whole)


@kernel
def combine_scalars(
    machine: dataspace.MachineRecord,
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
    to_kind = dataspace.kind_of(machine, to)
    left_kind, right_kind = dataspace.kind_of(machine, left), dataspace.kind_of(machine, right)
    at = dataspace.place_of(machine, to, to_offset)
    if to_kind == codes.FLOAT or left_kind == codes.FLOAT or right_kind == codes.FLOAT:
        one = dataspace.fetch_float(
            machine, left_kind, dataspace.place_of(machine, left, left_offset)
        )
        other = dataspace.fetch_float(
            machine, right_kind, dataspace.place_of(machine, right, right_offset)
        )
        dataspace.store_float(machine, to_kind, at, binary_float(opcode, comparison, one, other))
        return
    one_whole = dataspace.value_of(machine, left, left_offset)
    other_whole = dataspace.value_of(machine, right, right_offset)
    value = binary(opcode, comparison, one_whole, other_whole, left_kind, right_kind)
    dataspace.store(machine, to_kind, at, value)


@kernel
def copy_integers(
    machine: dataspace.MachineRecord, to: int, to_offset: int, entry: int, offset: int
) -> int:
    """Copy an array of integers to another of the same type."""
    source = dataspace.vector_of(machine, entry, offset)
    count = dataspace.vector_count(machine, source)
    status = resize(machine, to, to_offset, count)
    if status >= 0 and count:
        size = count * size_of(dataspace.kind_of(machine, entry + 1))
        target = dataspace.vector_of(machine, to, to_offset)
        dataspace.move_bytes(
            machine, dataspace.data_at(machine, target), dataspace.data_at(machine, source), size
        )
    return status


@kernel
def set_side(
    machine: dataspace.MachineRecord, at: int, entry: int, offset: int, step: int, kind: int
) -> None:
    frames = machine.frames
    frames[at] = entry + 1 if dataspace.is_aggregate(kind) else entry
    frames[at + 1] = offset
    frames[at + 2] = step
    frames[at + 3] = kind


@kernel
def enter_side(machine: dataspace.MachineRecord, at: int, entry: int, offset: int) -> int:
    """Write one side of a frame; return how many elements it has if it is an array."""
    kind = dataspace.kind_of(machine, entry) if entry != codes.NOTHING else 0
    if kind != codes.ARRAY:
        set_side(machine, at, entry, offset, 0, kind)
        return MOST_ELEMENTS
    vector = dataspace.vector_of(machine, entry, offset)
    set_side(
        machine,
        at,
        entry,
        dataspace.vector_offset(machine, vector),
        dataspace.element_size(machine, vector),
        kind,
    )
    return dataspace.vector_count(machine, vector)


@kernel
def work_on(
    machine: dataspace.MachineRecord,
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
    to_kind, left_kind = dataspace.kind_of(machine, to), dataspace.kind_of(machine, left)
    right_kind = dataspace.kind_of(machine, right) if right != codes.NOTHING else 0
    if not dataspace.is_aggregate(left_kind) and not dataspace.is_aggregate(right_kind):
        if dataspace.is_aggregate(to_kind):
            return codes.DONE
        if right == codes.NOTHING:
            apply_scalar(machine, operation, to, to_offset, left, left_offset)
        else:
            combine_scalars(
                machine, operation, to, to_offset, left, left_offset, right, right_offset
            )
        return codes.DONE
    if right == codes.NOTHING and to_kind == codes.ARRAY and left_kind == codes.ARRAY:
        element = dataspace.kind_of(machine, to + 1)
        if dataspace.is_integer(element) and element == dataspace.kind_of(machine, left + 1):
            return copy_integers(machine, to, to_offset, left, left_offset)
    at = depth * dataspace.FRAME
    count = enter_side(machine, at + 5, left, left_offset)
    count = min(count, enter_side(machine, at + 9, right, right_offset))
    if to_kind == codes.ARRAY:
        if left_kind != codes.ARRAY and right_kind != codes.ARRAY:
            return codes.ERR_ARG
        status = resize(machine, to, to_offset, count)
        if status < 0:
            return status
    elif to_kind == codes.CLUSTER:
        count = dataspace.member_count(machine, to)
    else:
        return codes.DONE
    enter_side(machine, at + 1, to, to_offset)
    machine.frames[at] = count
    return ENTERED


@kernel
def step_side(machine: dataspace.MachineRecord, at: int, through_members: bool) -> None:
    """Advance to the next element or member of one side."""
    frames = machine.frames
    frames[at + 1] = (dataspace.number(frames[at + 1]) + dataspace.number(frames[at + 2])) & 0xFFFF
    if through_members and dataspace.number(frames[at + 3]) == codes.CLUSTER:
        frames[at] = dataspace.following(machine, dataspace.number(frames[at]))


@kernel
def walk(machine: dataspace.MachineRecord) -> int:
    """Do `machine.operation` on the parts of the first frame and all that is in them.

    Without arguments, because numba compiles a function once for each constant it is given.
    """
    frames = machine.frames
    operation = dataspace.number(machine.operation)
    depth = 1
    while depth:
        if not dataspace.spend(machine, 1):
            return codes.ERR_BEYOND
        at = (depth - 1) * dataspace.FRAME
        parts = dataspace.number(frames[at])
        if parts == 0:
            depth -= 1
            continue
        to, to_offset = dataspace.number(frames[at + 1]), dataspace.number(frames[at + 2])
        left, left_offset = dataspace.number(frames[at + 5]), dataspace.number(frames[at + 6])
        right, right_offset = dataspace.number(frames[at + 9]), dataspace.number(frames[at + 10])
        through_members = dataspace.number(frames[at + 4]) == codes.CLUSTER
        frames[at] = parts - 1
        if parts > 1:
            for side in range(1, dataspace.FRAME, 4):
                step_side(machine, at + side, through_members)
        status = work_on(
            machine, operation, depth, to, to_offset, left, left_offset, right, right_offset
        )
        if status < codes.DONE:
            return status
        depth += status
    return codes.DONE


@kernel
def set_part(machine: dataspace.MachineRecord, at: int, entry: int, offset: int) -> None:
    frames = machine.frames
    frames[at] = entry
    frames[at + 1] = offset
    frames[at + 2] = 0
    frames[at + 3] = codes.VOID


@kernel
def start_walk(
    machine: dataspace.MachineRecord,
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
def combine(
    machine: dataspace.MachineRecord, operation: int, to: int, left: int, right: int
) -> int:
    """Do ADD to XOR or CMP on variables of any kind; return DONE or an error."""
    start_walk(machine, operation, to, 0, left, 0, right)
    return walk(machine)


@kernel
def apply(machine: dataspace.MachineRecord, operation: int, to: int, entry: int) -> int:
    """Do NEG, NOT, TST, SQRT or ABS on variables of any kind; return DONE or an error.

    As in the firmware, an array of integers is only copied to one of its own type.
    """
    start_walk(machine, operation, to, 0, entry, 0, codes.NOTHING)
    return walk(machine)


@kernel
def move(machine: dataspace.MachineRecord, to: int, entry: int) -> int:
    """Do MOV; two integers, the most frequent case, the short way."""
    to_kind, kind = dataspace.kind_of(machine, to), dataspace.kind_of(machine, entry)
    if dataspace.is_integer(to_kind) and dataspace.is_integer(kind):
        dataspace.store(
            machine,
            to_kind,
            dataspace.place_of(machine, to, 0),
            dataspace.value_of(machine, entry, 0),
        )
        return codes.DONE
    return apply(machine, codes.MOV, to, entry)


@kernel
def copy_in(machine: dataspace.MachineRecord, to: int, to_offset: int, entry: int) -> int:
    """Copy a variable to an element."""
    start_walk(machine, codes.MOV, to, to_offset, entry, 0, codes.NOTHING)
    return walk(machine)


@kernel
def copy_out(machine: dataspace.MachineRecord, to: int, entry: int, offset: int) -> int:
    """Copy an element to a variable."""
    start_walk(machine, codes.MOV, to, 0, entry, offset, codes.NOTHING)
    return walk(machine)


@kernel
def copy_element(
    machine: dataspace.MachineRecord, to: int, to_offset: int, entry: int, offset: int
) -> int:
    """Copy an element to another."""
    start_walk(machine, codes.MOV, to, to_offset, entry, offset, codes.NOTHING)
    return walk(machine)
