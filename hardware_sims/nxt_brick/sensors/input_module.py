"""The input module: what a port's type and mode make of the converter's reading (c_input.c)."""

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hardware_sims.nxt_brick.motors.state import whole
from hardware_sims.nxt_brick.sensors import color
from hardware_sims.nxt_brick.sensors.conversion import (
    FULL_SCALE,
    convert,
    scaled,
    scaled_temperature,
)
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
# Start of a sensor's usable range, and its width in percent of the converter's range.
REFLECTION_RANGE: Final = (476, 41)
LIGHT_RANGE: Final = (200, 68)
SOUND_RANGE: Final = (162, 83)
INVALID_TICKS: Final = 20  # after a change of the type
INVALID_TICKS_SOUND: Final = 300

PORT: Final = np.dtype(
    [
        ("raw", "<u2"),  # what the converter reads
        ("raw_lit", "<u2"),  # and while the port lights a light sensor's lamp
        ("seen", "<u2", (color.COLORS,)),  # what a colour sensor would give there, 0 to 1023
        ("debounces", "u1", (color.COLORS,)),
        ("edge_counts", "u1", (color.COLORS,)),
        ("levels", "u1", (color.COLORS,)),
        ("rests", "u1", (color.COLORS,)),
        ("old_type", "u1"),
        ("debounce", "u1"),
        ("edges", "u1"),
        ("level", "u1"),
        ("rested", "u1"),
        ("invalid_ticks", "<u2"),
        ("color_step", "u1"),
        ("is_sampled", "u1"),
        ("is_settled", "u1"),
        ("follows_rig", "u1"),  # `seen` is set by what turns the shafts
    ],
    align=True,
)


class InputState(NamedTuple):
    """What the input module works on: its I/O map's records and its own, all of shape (4,)."""

    io_map: NDArray[np.void]
    colors: NDArray[np.void]
    ports: NDArray[np.void]
    color_phase: NDArray[np.uint8]  # shape (1,): all ports are sampled together


def new_inputs(io_map: NDArray[np.void] | None = None) -> InputState:
    """Return four empty ports, on the I/O map of the module (shape (1,)) if given."""
    whole = np.zeros(1, INPUT_MAP) if io_map is None else io_map
    inputs: NDArray[np.void] = whole["inputs"][0]
    inputs["invalid_data"] = 1
    ports = np.zeros(INPUTS, PORT)
    ports["raw"] = ports["raw_lit"] = FULL_SCALE
    ports["invalid_ticks"] = INVALID_TICKS
    return InputState(inputs, whole["colors"][0], ports, np.zeros(1, np.uint8))


@kernel
def are_settled(inputs: InputState) -> bool:
    """Return whether the coming milliseconds change nothing while the sensors see the same."""
    for port in range(INPUTS):
        if not inputs.ports[port].is_settled:
            return False
        io = inputs.io_map[port]
        if io.invalid_data or io.sensor_type != inputs.ports[port].old_type:
            return False
    return True


@kernel
def unsettle(inputs: InputState) -> None:
    """Let the module look again, as its map may have been written to."""
    for port in range(INPUTS):
        inputs.ports[port].is_settled = 0


@kernel
def advance_inputs(inputs: InputState, ticks: int) -> None:
    """Let the module do its work for `ticks` milliseconds."""
    for _ in range(ticks):
        is_sampling = _advance_phase(inputs)
        for port in range(INPUTS):
            record = inputs.ports[port]
            if not record.is_settled:
                io, colors = inputs.io_map[port], inputs.colors[port]
                record.is_settled = not _tick(io, colors, record, is_sampling)


@kernel
def _advance_phase(inputs: InputState) -> bool:
    """Return whether the colour sensors are sampled in this millisecond."""
    for port in range(INPUTS):
        if inputs.ports[port].is_sampled:
            phase = (whole(inputs.color_phase[0]) + 1) % color.SAMPLING_TICKS
            inputs.color_phase[0] = phase
            return phase == 0
    return bool(inputs.color_phase[0] == 0)


@kernel
def _tick(io: Any, colors: Any, port: Any, is_sampling: bool) -> bool:
    """Do one millisecond of a port; return whether the next one may differ from it."""
    busy = False
    if io.sensor_type != port.old_type:
        _set_up(io, colors, port)
        busy = True
    elif port.invalid_ticks > 0:
        busy = True
        if color.is_color(io.sensor_type):
            color.tick(io, colors, port, is_sampling)
        port.invalid_ticks -= 1
        if port.invalid_ticks == 0:
            io.invalid_data = 0
    else:
        io.invalid_data = 0
    if io.invalid_data:
        return True
    if color.is_color(io.sensor_type):
        color.tick(io, colors, port, is_sampling)
        is_absent = colors.calibration_state == color.OFF and port.raw > color.MOST_RAW
        return busy or not is_absent or io.sensor_type == color.EXIT
    may_change: bool = _read(io, port)
    return may_change or busy


@kernel
def _set_up(io: Any, colors: Any, port: Any) -> None:
    port.debounce = 0
    port.edges = 0
    port.level = 0
    port.rested = 0
    port.is_sampled = 0
    port.invalid_ticks = INVALID_TICKS
    if io.sensor_type == NO_SENSOR and color.has_lamp(port.old_type):
        io.sensor_type = color.EXIT
        port.invalid_ticks = color.INVALID_TICKS
    if io.sensor_type in (SOUND_DB, SOUND_DBA):
        port.invalid_ticks = INVALID_TICKS_SOUND
    if color.is_color(io.sensor_type):
        color.set_up(io, colors, port)
    port.old_type = io.sensor_type
    io.invalid_data = 1


@kernel
def _is_lit(io: Any) -> bool:
    """Return whether a light sensor's lamp is on (cInputSetupType, cInputSetupCustomSensor).

    The first digital pin lights it; REFLECTION is the RCX light sensor, lit whenever it has power.
    """
    if io.sensor_type == CUSTOM:
        return bool(io.pins_direction & io.pins_out & 1)
    return io.sensor_type in (LIGHT_ACTIVE, REFLECTION, SOUND_DB)


@kernel
def _read(io: Any, port: Any) -> bool:
    """Convert the reading; return whether the same reading may give something else next time."""
    kind = io.sensor_type
    raw = whole(port.raw_lit) if _is_lit(io) else whole(port.raw)
    if kind == REFLECTION:
        value = scaled(raw, REFLECTION_RANGE[0], REFLECTION_RANGE[1], True)
    elif kind in (LIGHT_ACTIVE, LIGHT_INACTIVE):
        value = scaled(raw, LIGHT_RANGE[0], LIGHT_RANGE[1], True)
    elif kind in (SOUND_DB, SOUND_DBA):
        value = scaled(raw, SOUND_RANGE[0], SOUND_RANGE[1], True)
    elif kind == CUSTOM:
        zero, percent = whole(io.custom_zero_offset), whole(io.custom_full_scale)
        value = scaled(raw, zero, percent, False)
    elif kind in (SWITCH, ANGLE):
        value = raw
    elif kind == TEMPERATURE:
        value = scaled_temperature(raw, FULL_SCALE)
    else:
        return False
    io.ad_raw = raw
    return convert(io, port, value)
