"""The colour sensor of NXT 2.0 as the input module drives it (c_input.c, d_input.r).

The module sends the sensor its type, reads its calibration, 52 bytes of one millisecond each, and
then samples it: all four lights every third millisecond, or one light in every one.
"""

from typing import Any, Final

from hardware_sims.nxt_brick.motors.state import whole
from hardware_sims.nxt_brick.sensors.conversion import Reading, convert, evaluated, scaled
from solvers.foundation.compiled import kernel

FULL: Final = 13
LAMP_RED: Final = 14
LAMP_OFF: Final = 17
EXIT: Final = 18  # the module's own: it puts the lamps out before there is "no sensor"
RED, GREEN, BLUE, BLANK = range(4)
COLORS: Final = 4
BLACK_COLOR: Final = 1
BLUE_COLOR: Final = 2
GREEN_COLOR: Final = 3
YELLOW_COLOR: Final = 4
RED_COLOR: Final = 5
WHITE_COLOR: Final = 6

READY: Final = 0  # calibration states
CALIBRATING: Final = 1
OFF: Final = 2
INVALID_TICKS: Final = 400  # until data count as valid, even where nothing answers
SETTLING_TICKS: Final = 10  # after the calibration was read
MOST_RAW: Final = 50  # what the port's converter reads at most with a colour sensor on it
FACTOR_ONE: Final = 1 << 16  # this sensor needs no correction, whatever the brightness
BRIGHTNESSES: Final = 3
BACKGROUND_RANGE: Final = (71, 93)  # zero, and width in percent of the converter's range
SAMPLING_TICKS: Final = 3
FIRST_WAIT: Final = 4  # steps before, then 100 ms, the type, the bytes, their sum
WAITED: Final = FIRST_WAIT + 101
BYTES_READ: Final = WAITED + 1 + 52


@kernel
def is_color(kind: int) -> bool:
    """Return whether a type is a colour sensor's."""
    return FULL <= kind <= EXIT


@kernel
def has_lamp(kind: int) -> bool:
    """Return whether a type leaves a lamp on that has to be put out."""
    return kind != LAMP_OFF and is_color(kind)


@kernel
def set_up(io: Any, color: Any, port: Any) -> None:
    """Start with a type that has just been set."""
    port.color_step = 0
    port.is_sampled = 0
    for light in range(COLORS):
        port.levels[light] = 0
        port.debounces[light] = 0
        port.edge_counts[light] = 0
        port.rests[light] = 0
    if io.sensor_type != EXIT:
        port.invalid_ticks = INVALID_TICKS
        color.calibration_state = CALIBRATING
        io.sensor_value = BLACK_COLOR


@kernel
def tick(io: Any, color: Any, port: Any, is_sampling: bool) -> None:
    """Do a millisecond of a port that has a colour type."""
    is_there = port.raw <= MOST_RAW
    if io.sensor_type == EXIT:
        port.is_sampled = 0
        done = _advance_calibration(color, port)
        if done or not is_there:
            io.sensor_type = 0
        if done:
            color.calibration_state = READY
            port.old_type = 0
    elif color.calibration_state == OFF:
        if is_there:
            port.color_step = 0
            color.calibration_state = CALIBRATING
    elif color.calibration_state == CALIBRATING:
        done = _advance_calibration(color, port)
        if not is_there:
            color.calibration_state = OFF
            port.is_sampled = 0
        elif done:
            color.calibration_state = READY
            port.is_sampled = io.sensor_type == FULL
    elif io.sensor_type == FULL and not is_sampling:
        pass
    elif not is_there:
        color.calibration_state = OFF
        port.is_sampled = 0
    elif io.sensor_type == FULL:
        _sample_all(io, color, port)
    else:
        _sample_one(io, port)


@kernel
def _advance_calibration(color: Any, port: Any) -> bool:
    """Do one step of reading the calibration; return whether it was the last."""
    port.color_step += 1
    if port.color_step <= BYTES_READ:
        return False
    port.color_step = 0
    port.invalid_ticks = SETTLING_TICKS
    for light in range(COLORS):
        for brightness in range(BRIGHTNESSES):
            color.calibration[brightness, light] = FACTOR_ONE
    return True


@kernel
def _sample_one(io: Any, port: Any) -> None:
    lamp = io.sensor_type - LAMP_RED
    io.ad_raw = port.seen[lamp]
    raw = scaled(whole(io.ad_raw), BACKGROUND_RANGE[0], BACKGROUND_RANGE[1], False)
    convert(io, port, raw)


@kernel
def _sample_all(io: Any, color: Any, port: Any) -> None:
    blank = whole(port.seen[BLANK])
    for light in range(COLORS):
        color.ad_raw[light] = port.seen[light]
        if light == BLANK:
            raw = scaled(blank, BACKGROUND_RANGE[0], BACKGROUND_RANGE[1], False)
        else:
            raw = max(whole(0), whole(port.seen[light]) - blank)
        last = Reading(
            whole(color.sensor_raw[light]),
            whole(color.sensor_value[light]),
            whole(color.boolean[light]),
            whole(port.debounces[light]),
            whole(port.edge_counts[light]),
            whole(port.levels[light]),
            whole(port.rests[light]),
        )
        now = evaluated(last, raw, whole(io.sensor_mode))
        color.sensor_raw[light], color.sensor_value[light] = now.raw, now.value
        color.boolean[light] = now.is_on
        port.debounces[light], port.edge_counts[light] = now.debounce, now.edges
        port.levels[light], port.rests[light] = now.level, now.rested
    io.sensor_value = named_color(
        whole(color.sensor_raw[RED]),
        whole(color.sensor_raw[GREEN]),
        whole(color.sensor_raw[BLUE]),
        whole(color.sensor_raw[BLANK]),
    )


@kernel
def named_color(red: int, green: int, blue: int, blank: int) -> int:
    """Return the number of the colour that LEGO's thresholds see in four values of 0 to 1023."""
    if red > blue and red > green:
        return _reddish(red, green, blue, blank)
    if green > blue:
        return _greenish(red, green, blue, blank)
    return _bluish(red, green, blue, blank)


@kernel
def _reddish(red: int, green: int, blue: int, blank: int) -> int:
    if red < 65 or (blank < 40 and red < 110):
        return BLACK_COLOR
    if (blue >> 2) + (blue >> 3) + blue < green and green << 1 > red:
        return YELLOW_COLOR
    if (green << 1) - (green >> 2) < red:
        return RED_COLOR
    if blue < 70 or green < 70 or (blank < 140 and red < 140):
        return BLACK_COLOR
    return WHITE_COLOR


@kernel
def _greenish(red: int, green: int, blue: int, blank: int) -> int:
    if green < 40 or (blank < 30 and green < 70):
        return BLACK_COLOR
    if blue << 1 < red:
        return YELLOW_COLOR
    if red + (red >> 2) < green or blue + (blue >> 2) < green:
        return GREEN_COLOR
    if red < 70 or blue < 70 or (blank < 140 and green < 140):
        return BLACK_COLOR
    return WHITE_COLOR


@kernel
def _bluish(red: int, green: int, blue: int, blank: int) -> int:
    if blue < 48 or (blank < 25 and blue < 85):
        return BLACK_COLOR
    far_above_both = (red * 48) >> 5 < blue and (green * 48) >> 5 < blue
    if far_above_both or (red * 58) >> 5 < blue or (green * 58) >> 5 < blue:
        return BLUE_COLOR
    if red < 60 or green < 60 or (blank < 110 and blue < 120):
        return BLACK_COLOR
    if red + (red >> 3) < blue or green + (green >> 3) < blue:
        return BLUE_COLOR
    return WHITE_COLOR
