"""Arithmetic and comparison of single values, as the firmware converts and rounds them."""

import numpy as np

from hardware_sims.nxt_vm.codes import (
    ABS,
    ADD,
    AND,
    ARRAY,
    CLUSTER,
    CMP,
    DIV,
    EQUAL,
    ERR_ARG,
    ERR_BEYOND,
    GREATER,
    GREATER_EQUAL,
    LESS,
    LESS_EQUAL,
    MOD,
    MUL,
    NEG,
    NOT,
    NOT_EQUAL,
    OR,
    SQRT,
    SUB,
    TST,
    U16,
    XOR,
)
from hardware_sims.nxt_vm.dataspace import (
    LONG,
    element_size,
    following,
    is_aggregate,
    kind_of,
    member_count,
    number,
    signed,
    spend,
    truncated,
    value_of,
    vector_count,
    vector_of,
    vector_offset,
)
from hardware_sims.nxt_vm.machine_state import FRAME, MachineRecord
from solvers.foundation.compiled import kernel

ZERO = np.float32(0)
ONE = np.float32(1)


@kernel
def is_unsigned(kind: int) -> bool:
    return kind & 1 == 1


@kernel
def compare(comparison: int, left: int, right: int, left_kind: int, right_kind: int) -> bool:
    if not (is_unsigned(left_kind) or is_unsigned(right_kind)):
        left, right = signed(left), signed(right)
    if comparison == LESS:
        return left < right
    if comparison == GREATER:
        return left > right
    if comparison == LESS_EQUAL:
        return left <= right
    if comparison == GREATER_EQUAL:
        return left >= right
    if comparison == EQUAL:
        return left == right
    return comparison == NOT_EQUAL and left != right


@kernel
def compare_floats(comparison: int, left: np.float32, right: np.float32) -> bool:
    if comparison == LESS:
        return bool(left < right)
    if comparison == GREATER:
        return bool(left > right)
    if comparison == LESS_EQUAL:
        return bool(left <= right)
    if comparison == GREATER_EQUAL:
        return bool(left >= right)
    if comparison == EQUAL:
        return bool(left == right)
    return comparison == NOT_EQUAL and bool(left != right)


@kernel
def quotient(left: int, right: int, both_signed: bool) -> int:
    """Divide toward zero; x / 0 is 0."""
    if right == 0:
        return 0
    if not both_signed:
        return left // right
    left, right = signed(left), signed(right)
    size = abs(left) // abs(right)
    return size if (left < 0) == (right < 0) else -size


@kernel
def remainder(left: int, right: int, both_signed: bool) -> int:
    """Return what is left, with the sign of the dividend; x % 0 is x."""
    if right == 0:
        return left
    if not both_signed:
        return left % right
    left, right = signed(left), signed(right)
    size = abs(left) % abs(right)
    return -size if left < 0 else size


@kernel
def binary(
    opcode: int, comparison: int, left: int, right: int, left_kind: int, right_kind: int
) -> int:
    """Return the 32-bit pattern that an instruction makes of two integers."""
    both_signed = not (is_unsigned(left_kind) or is_unsigned(right_kind))
    if opcode == ADD:
        return (left + right) & LONG
    if opcode == SUB:
        return (left - right) & LONG
    if opcode == MUL:
        return (left * right) & LONG
    if opcode == DIV:
        return quotient(left, right, both_signed) & LONG
    if opcode == MOD:
        return remainder(left, right, both_signed) & LONG
    if opcode == AND:
        return left & right
    if opcode == OR:
        return left | right
    if opcode == XOR:
        return left ^ right
    if opcode == CMP:
        return int(compare(comparison, left, right, left_kind, right_kind))
    return 0


@kernel
def binary_float(opcode: int, comparison: int, left: np.float32, right: np.float32) -> np.float32:
    """Return what an instruction makes of two numbers if one or the destination is a float."""
    if opcode == ADD:
        return np.float32(left + right)
    if opcode == SUB:
        return np.float32(left - right)
    if opcode == MUL:
        return np.float32(left * right)
    if opcode == DIV:
        return ZERO if right == ZERO else np.float32(left / right)
    if opcode == CMP:
        return ONE if compare_floats(comparison, left, right) else ZERO
    if opcode == MOD and right == ZERO:
        return left
    whole_left, whole_right = truncated(left), truncated(right)
    if opcode == MOD:
        return np.float32(signed(remainder(whole_left, whole_right, True) & LONG))
    if opcode == AND:
        return np.float32(signed(whole_left & whole_right))
    if opcode == OR:
        return np.float32(signed(whole_left | whole_right))
    if opcode == XOR:
        return np.float32(signed(whole_left ^ whole_right))
    return ZERO


@kernel
def unary(opcode: int, comparison: int, value: int, kind: int) -> int:
    """Return what an instruction makes of one integer; there is no square root of integers."""
    if opcode == NEG:
        return -value & LONG
    if opcode == NOT:
        return int(value == 0)
    if opcode == TST:
        return int(compare(comparison, value, 0, kind, kind))
    if opcode == ABS:
        return abs(signed(value)) & LONG
    return 0


@kernel
def unary_float(opcode: int, comparison: int, value: np.float32) -> np.float32:
    """Return what an instruction makes of one number if it or the destination is a float."""
    if opcode == NEG:
        return np.float32(-value)
    if opcode == NOT:
        return ONE if value == ZERO else ZERO
    if opcode == TST:
        return ONE if compare_floats(comparison, value, ZERO) else ZERO
    if opcode == ABS:
        return np.float32(abs(value))
    if opcode == SQRT:
        return np.float32(np.sqrt(value))
    return value


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
    """Advance to the next element or member on both sides."""
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
