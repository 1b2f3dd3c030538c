"""The arithmetic of the 8051 with its flags, as small functions that the kernel inlines."""

from solvers.foundation.compiled import kernel

Flagged = tuple[int, int, int, int]


@kernel(error_model="numpy")
def add(left: int, right: int, carry: int) -> Flagged:
    """Return sum, CY, AC and OV of two bytes and a carry."""
    total = left + right + carry
    result = total & 0xFF
    half = ((left ^ right ^ result) >> 4) & 1
    overflow = ((~(left ^ right) & (left ^ result)) >> 7) & 1
    return result, total >> 8, half, overflow


@kernel(error_model="numpy")
def subtract(left: int, right: int, borrow: int) -> Flagged:
    """Return difference, CY, AC and OV of two bytes and a borrow."""
    result = (left - right - borrow) & 0xFF
    carry = ((left - right - borrow) >> 8) & 1
    half = ((left ^ right ^ result) >> 4) & 1
    overflow = (((left ^ right) & (left ^ result)) >> 7) & 1
    return result, carry, half, overflow


@kernel(error_model="numpy")
def decimal_adjust(value: int, carry: int, half: int) -> tuple[int, int]:
    """Return `value` corrected after a BCD addition, and CY, which is set but never cleared."""
    if half or value & 0x0F > 9:
        value += 0x06
        carry |= value >> 8
    if carry or value & 0xF0 > 0x90:
        value = (value & 0xFF) + 0x60
        carry |= value >> 8
    return value & 0xFF, carry


@kernel(error_model="numpy")
def program_status(old: int, carry: int, half: int, overflow: int, accumulator: int) -> int:
    """Return PSW: the flags, P as the parity of A, and the other bits of `old`."""
    parity = accumulator ^ accumulator >> 4
    parity ^= parity >> 2
    parity = (parity ^ parity >> 1) & 1
    return old & 0x3A | carry << 7 | half << 6 | overflow << 2 | parity
