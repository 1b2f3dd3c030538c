"""Temperatures as the input module tells them, from -20 to 70 degrees (c_input.c)."""

from typing import Final

from hardware_sims.nxt_brick.motors.arithmetic import whole
from solvers.foundation.compiled import kernel

# The converter's readings between which a temperature is told, and the polynomial that gives tenths
# of a degree for a reading above the first: highest power first, times 2**48. It stands for LEGO's
# table (firmware 1.29.8), but falls short of its end by 0.2 degrees.
WARMEST: Final = 290
COLDEST: Final = 928
TERMS: Final = (
    -5425,
    9261399,
    -6686663252,
    2573629857807,
    -822478326197838,
    195856762719738784,
)
SHIFT: Final = 48
LOWEST_TENTHS: Final = -200
TENTHS: Final = 900  # from the lowest to the highest


@kernel
def scaled_temperature(raw: int, full_scale: int) -> int:
    """Return a reading's temperature as 0 (lowest) to `full_scale`."""
    above = min(max(raw, WARMEST), COLDEST) - WARMEST
    total = whole(0)
    for term in TERMS:
        total = total * above + term
    tenths = (total + (1 << (SHIFT - 1))) >> SHIFT
    return max(tenths - LOWEST_TENTHS, 0) * full_scale // TENTHS


@kernel
def tenths_of_degrees(value: int, full_scale: int, fahrenheit: bool) -> int:
    """Return a scaled value as tenths of a degree, 16 bits with a sign.

    Fahrenheit is wrong below 0 Celsius, as the brick takes what is negative for very large.
    """
    tenths = value * TENTHS // full_scale + LOWEST_TENTHS
    if fahrenheit:
        tenths = (180 * tenths & 0xFFFFFFFF) // 100 + 320
    return ((tenths & 0xFFFF) ^ 0x8000) - 0x8000
