"""What a sensor's mode makes of one converter's reading (cInputCalcSensorValue of c_input.c)."""

from typing import Any, Final, NamedTuple

from hardware_sims.nxt_brick.motors.state import whole
from solvers.foundation.compiled import kernel

# The converter's readings between which a temperature is given, and the polynomial that gives
# tenths of a degree for a reading above the first: highest power first, times 2**48. It stands for
# LEGO's table (firmware 1.29.8), but falls short of its end by 0.2 degrees.
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


MODE_MASK: Final = 0xE0
SLOPE_MASK: Final = 0x1F
RAW: Final = 0x00
BOOLEAN: Final = 0x20
TRANSITIONS: Final = 0x40
PERIODS: Final = 0x60
PERCENT: Final = 0x80
CELSIUS: Final = 0xA0
FAHRENHEIT: Final = 0xC0
ANGLE_STEPS: Final = 0xE0

FULL_SCALE: Final = 1023
# 45 % of full scale. That false starts at 45 % and true ends at 55 % is so in the source: what is
# between is false, and there is no hysteresis.
FALSE_ABOVE: Final = 460
DEBOUNCE_TICKS: Final = 100
# A rotation sensor's four levels end here. One that has rested for some milliseconds counts only
# after it was seen on its new level some times.
LEVEL_ENDS: Final = (450, 675, 910)
RESTED_TICKS: Final = 30
SEEN_TICKS: Final = 7


class Reading(NamedTuple):
    """The state of a converter's reading from one millisecond to the next."""

    raw: int
    value: int
    is_on: int
    debounce: int
    edges: int
    level: int  # of a rotation sensor
    rested: int


@kernel
def scaled(raw: int, zero: int, percent: int, inverted: bool) -> int:
    """Stretch the usable part of the converter's range to 0..1023."""
    value = max(0, raw - zero) * 100
    value = min(FULL_SCALE, value // percent) if percent else FULL_SCALE
    return FULL_SCALE - value if inverted else value


@kernel
def _is_on(last: Reading, raw: int, slope: int) -> int:
    """Return the boolean value: below a threshold, or having dropped by more than the slope."""
    if slope == 0:
        return 0 if raw > FALSE_ABOVE else 1
    if raw > FULL_SCALE - slope:
        return 0
    if raw < slope:
        return 1
    drop = last.raw - raw
    if abs(drop) > slope:
        return 1 if drop > 0 else 0
    return last.is_on


@kernel
def evaluated(last: Reading, raw: int, mode: int) -> Reading:
    """Return the state after a millisecond in which the converter gave `raw`."""
    is_on = _is_on(last, raw, mode & SLOPE_MASK)
    value, debounce, edges = last.value, last.debounce, last.edges
    level, rested = last.level, last.rested
    kind = mode & MODE_MASK
    if kind == RAW:
        value = raw
    elif kind == BOOLEAN:
        value = is_on
    elif kind == PERCENT:
        value = raw * 100 // FULL_SCALE
    elif kind in (CELSIUS, FAHRENHEIT):
        value = tenths_of_degrees(raw, FULL_SCALE, kind == FAHRENHEIT)
    elif kind == ANGLE_STEPS:
        step, level, rested = _stepped(level, rested, raw)
        value += step
    elif debounce > 0:
        debounce -= 1
    elif last.is_on != is_on:
        debounce = DEBOUNCE_TICKS
        if kind == TRANSITIONS:
            value += 1
        else:
            edges += 1
            if edges > 1 and is_on == 0:
                edges = 0
                value += 1
    return Reading(raw, as_word(value), is_on, debounce, edges, level, rested)


@kernel
def _stepped(level: int, rested: int, raw: int) -> tuple[int, int, int]:
    """Return step, level and rest of a rotation sensor; forwards its levels go 0, 1, 3, 2."""
    now = whole(0)
    for end in LEVEL_ENDS:
        if raw >= end:
            now += 1
    forwards = whole(1 if level == 0 else 3 if level == 1 else 0 if level == 2 else 2)
    backwards = whole(2 if level == 0 else 0 if level == 1 else 3 if level == 2 else 1)
    if level in (1, 2):  # levels on which it does not stay
        rested = whole(0)
    elif now == level:
        return whole(0), level, min(rested + 1, RESTED_TICKS)
    elif now == forwards and rested >= RESTED_TICKS:
        rested += 1
        if rested < RESTED_TICKS + SEEN_TICKS:
            return whole(0), level, rested
    if now == forwards:
        return whole(1), now, rested
    if now == backwards:
        return whole(-1), now, rested
    return whole(0), level, rested


@kernel
def as_word(value: int) -> int:
    """Return a number as 16 bits with a sign hold it."""
    return ((value & 0xFFFF) ^ 0x8000) - 0x8000


@kernel
def convert(io: Any, port: Any, value: int) -> bool:
    """Publish what a port's converter gave; return whether it can give another value next."""
    last = Reading(
        whole(io.sensor_raw),
        whole(io.sensor_value),
        whole(io.sensor_boolean),
        whole(port.debounce),
        whole(port.edges),
        whole(port.level),
        whole(port.rested),
    )
    now = evaluated(last, value, whole(io.sensor_mode))
    io.sensor_raw, io.sensor_value, io.sensor_boolean = now.raw, now.value, now.is_on
    port.debounce, port.edges = now.debounce, now.edges
    port.level, port.rested = now.level, now.rested
    return now != last
