"""Arithmetic and comparison of two numbers, as integers or in single precision.

Integers come as 32-bit patterns. Division is signed only if both types are; a comparison is
unsigned as soon as one type is.
"""

import numpy as np

from hardware_sims.nxt_vm.codes import (
    ABS,
    ADD,
    AND,
    CMP,
    DIV,
    EQUAL,
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
    XOR,
)
from hardware_sims.nxt_vm.dataspace.memory import LONG, signed, truncated
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
