"""The input module: what a port's type and mode make of the converter's reading (c_input.c).

There is no colour sensor: its types are never valid, as where none is plugged in. Nor is there a
rotation sensor, so its mode counts nothing.
"""

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hardware_sims.nxt_brick.motors.arithmetic import whole
from hardware_sims.nxt_brick.sensors.temperature import scaled_temperature, tenths_of_degrees
from hardware_sims.nxt_firmware.io_maps import INPUT_MAP, INPUTS
from solvers.foundation.compiled import kernel

NO_SENSOR: Final = 0
SWITCH: Final = 1
TEMPERATURE: Final = 2
REFLECTION: Final = 3
ANGLE: Final = 4
LIGHT_ACTIVE: Final = 5
LIGHT_INACTIVE: Final = 6
SOUND_DB: Final = 7
SOUND_DBA: Final = 8
CUSTOM: Final = 9
LOW_SPEED: Final = 10
LOW_SPEED_9V: Final = 11
FIRST_COLOR: Final = 13
LAST_COLOR: Final = 17

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
# Where the usable range of a sensor begins, and its width in percent of the converter's range.
REFLECTION_RANGE: Final = (476, 41)
LIGHT_RANGE: Final = (200, 68)
SOUND_RANGE: Final = (162, 83)
TRUE_BELOW: Final = 460  # 45 % of full scale
FALSE_ABOVE: Final = 562  # 55 %
DEBOUNCE_TICKS: Final = 100
INVALID_TICKS: Final = 20  # after a change of the type
INVALID_TICKS_SOUND: Final = 300

PORT: Final = np.dtype(
    [
        ("raw", "<u2"),  # what the converter reads
        ("old_type", "u1"),
        ("debounce", "u1"),
        ("edges", "u1"),
        ("invalid_ticks", "<u2"),
        ("is_settled", "u1"),
    ]
)


class InputState(NamedTuple):
    """What the input module works on: its I/O map's records and its own, both of shape (4,)."""

    io_map: NDArray[np.void]
    ports: NDArray[np.void]


def new_inputs(io_map: NDArray[np.void] | None = None) -> InputState:
    """Return four empty ports, on the I/O map of the module (shape (1,)) if given."""
    whole = np.zeros(1, INPUT_MAP) if io_map is None else io_map
    inputs: NDArray[np.void] = whole["inputs"][0]
    inputs["invalid_data"] = 1
    ports = np.zeros(INPUTS, PORT)
    ports["raw"] = FULL_SCALE
    ports["invalid_ticks"] = INVALID_TICKS
    return InputState(inputs, ports)


@kernel
def are_settled(inputs: InputState) -> bool:
    """Return whether the coming milliseconds change nothing while the sensors see the same."""
    for port in range(INPUTS):
        if not inputs.ports[port].is_settled:
            return False
        kind = inputs.io_map[port].sensor_type
        if inputs.io_map[port].invalid_data and not _is_color(kind):
            return False
        if kind != inputs.ports[port].old_type:
            return False
    return True


@kernel
def _is_color(kind: int) -> bool:
    return FIRST_COLOR <= kind <= LAST_COLOR


@kernel
def unsettle(inputs: InputState) -> None:
    """Let the module look again, as somebody may have written into its map."""
    for port in range(INPUTS):
        inputs.ports[port].is_settled = 0


@kernel
def advance_inputs(inputs: InputState, ticks: int) -> None:
    """Let the module do its work for `ticks` milliseconds."""
    for port in range(INPUTS):
        for _ in range(ticks):
            inputs.ports[port].is_settled = not _tick(inputs.io_map[port], inputs.ports[port])
            if inputs.ports[port].is_settled:
                break


@kernel
def _tick(told: Any, port: Any) -> bool:
    """Do one millisecond of a port; return whether the next one may differ from it."""
    busy = False
    if told.sensor_type != port.old_type:
        _set_up(told, port)
        busy = True
    elif _is_color(told.sensor_type):
        told.invalid_data = 1
        return False
    elif port.invalid_ticks > 0:
        port.invalid_ticks -= 1
        busy = True
        if port.invalid_ticks == 0:
            told.invalid_data = 0
    else:
        told.invalid_data = 0
    if told.invalid_data:
        return True
    may_change: bool = _read(told, port)
    return may_change or busy


@kernel
def _set_up(told: Any, port: Any) -> None:
    port.debounce = 0
    port.edges = 0
    is_sound = told.sensor_type in (SOUND_DB, SOUND_DBA)
    port.invalid_ticks = INVALID_TICKS_SOUND if is_sound else INVALID_TICKS
    port.old_type = told.sensor_type
    told.invalid_data = 1


@kernel
def _read(told: Any, port: Any) -> bool:
    """Convert the reading; return whether the same reading may give something else next time."""
    kind = told.sensor_type
    raw = whole(port.raw)
    if kind == REFLECTION:
        value = scaled(raw, REFLECTION_RANGE[0], REFLECTION_RANGE[1], True)
    elif kind in (LIGHT_ACTIVE, LIGHT_INACTIVE):
        value = scaled(raw, LIGHT_RANGE[0], LIGHT_RANGE[1], True)
    elif kind in (SOUND_DB, SOUND_DBA):
        value = scaled(raw, SOUND_RANGE[0], SOUND_RANGE[1], True)
    elif kind == CUSTOM:
        zero, percent = whole(told.custom_zero_offset), whole(told.custom_full_scale)
        value = scaled(raw, zero, percent, False)
    elif kind in (SWITCH, ANGLE):
        value = raw
    elif kind == TEMPERATURE:
        value = scaled_temperature(raw, FULL_SCALE)
    else:
        return False
    told.ad_raw = raw
    return _evaluate(told, port, value)


@kernel
def scaled(raw: int, zero: int, percent: int, inverted: bool) -> int:
    """Stretch the usable part of the converter's range to 0..1023."""
    value = max(0, raw - zero) * 100
    value = min(FULL_SCALE, value // percent) if percent else FULL_SCALE
    return FULL_SCALE - value if inverted else value


@kernel
def _is_on(told: Any, value: int) -> int:
    """Return the boolean value: below a threshold, or having dropped by more than the slope."""
    slope = whole(told.sensor_mode & SLOPE_MASK)
    upper = FALSE_ABOVE if slope == 0 else FULL_SCALE - slope
    lower = TRUE_BELOW if slope == 0 else slope
    if value > upper:
        return 0
    if value < lower:
        return 1
    drop = whole(told.sensor_raw) - value
    if slope != 0 and abs(drop) > slope:
        return 1 if drop > 0 else 0
    return whole(told.sensor_boolean)


@kernel
def _evaluate(told: Any, port: Any, value: int) -> bool:
    is_on = _is_on(told, value)
    changed: bool = told.sensor_raw != value or told.sensor_boolean != is_on
    told.sensor_raw = value
    mode = told.sensor_mode & MODE_MASK
    if mode == RAW:
        told.sensor_value = value
    elif mode == BOOLEAN:
        told.sensor_value = is_on
    elif mode == PERCENT:
        told.sensor_value = value * 100 // FULL_SCALE
    elif mode in (CELSIUS, FAHRENHEIT):
        told.sensor_value = tenths_of_degrees(value, FULL_SCALE, mode == FAHRENHEIT)
    elif mode == ANGLE_STEPS:
        pass
    elif port.debounce > 0:
        port.debounce -= 1
        changed = True
    elif told.sensor_boolean != is_on:
        port.debounce = DEBOUNCE_TICKS
        _count(told, port, mode, is_on)
    told.sensor_boolean = is_on
    return changed


@kernel
def _count(told: Any, port: Any, mode: int, is_on: int) -> None:
    if mode == TRANSITIONS:
        told.sensor_value += 1
    elif mode == PERIODS:
        port.edges += 1
        if port.edges > 1 and is_on == 0:
            port.edges = 0
            told.sensor_value += 1
