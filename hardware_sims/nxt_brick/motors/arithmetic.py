"""Whole numbers as C's compilers for the brick's processor treat them."""

from typing import Any

import numpy as np

from solvers.foundation.compiled import kernel


@kernel
def whole(value: Any) -> int:
    """Return a field of a record as a number wide enough to calculate with."""
    return np.int64(value)  # type: ignore[return-value]


@kernel
def bound(value: int, limit: int) -> int:
    """Return `value` cut to -limit .. limit."""
    return max(-limit, min(limit, value))


@kernel
def divide(value: int, divisor: int) -> int:
    """Divide towards zero; by zero the result is 0, as IAR's library has it."""
    if divisor == 0:
        return 0
    quotient = abs(value) // abs(divisor)
    return quotient if (value < 0) == (divisor < 0) else -quotient


@kernel
def towards_zero(value: int) -> int:
    """Return the next number on the way to zero."""
    if value > 0:
        return value - 1
    if value < 0:
        return value + 1
    return 0
