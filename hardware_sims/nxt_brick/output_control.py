"""The firmware's control of one motor output, called once per millisecond.

Rules and constants: d_output.c of LEGO's firmware 1.29. A regulated motor is looked at only every
101 ticks, so it starts a tenth of a second late; a tacho limit ends in a coast that overshoots, and
because limits are added to where the previous one should have ended, the next move makes up for it.
"""

from typing import Final

from numba import njit

from hardware_sims.nxt_brick.motor_state import (
    MODE_BRAKE,
    MODE_ON,
    MODE_REGULATED,
    REGULATION_NONE,
    REGULATION_SPEED,
    REGULATION_SYNC,
    STATE_HOLD,
    STATE_IDLE,
    STATE_RAMP_DOWN,
    STATE_RAMP_UP,
    STATE_RUNNING,
    MotorArray,
    MotorRecord,
)

REGULATION_TICKS: Final = 100
PROPORTIONAL: Final = 96 // 32
INTEGRAL: Final = 32 // 32
DIFFERENTIAL: Final = 32 // 32
TERM_LIMIT: Final = 100
ACCUMULATED_LIMIT: Final = 800
SLOWEST_RAMP: Final = 10  # power at which a ramp begins and ends
RAMP_PATIENCE_TICKS: Final = 100  # an unregulated ramp that does not move gets one more power step


@njit(cache=True)
def count_degrees(motor: MotorRecord) -> None:
    """Let the counters follow the encoder, which sees whole degrees."""
    encoder_deg = int(round(motor.shaft_deg))  # noqa: RUF046 - numba's round gives a float
    counts = encoder_deg - motor.encoder_deg
    motor.encoder_deg = encoder_deg
    motor.tacho_count += counts
    motor.block_count += counts
    motor.rotation_count += counts
    motor.counts_since_regulation += counts


@njit(cache=True)
def control_output(motor: MotorRecord) -> None:
    """Do one tick of the output's control."""
    motor.regulation_ticks += 1
    if motor.run_state == STATE_RAMP_UP:
        _ramp_up(motor)
    if motor.run_state == STATE_RAMP_DOWN:
        _ramp_down(motor)
    if motor.run_state == STATE_RUNNING:
        _watch_limit(motor)
    if motor.run_state == STATE_IDLE:
        _run_out(motor)
    if motor.run_state == STATE_HOLD:
        _begin_hold(motor)
    if motor.regulation_ticks > REGULATION_TICKS:
        motor.regulation_ticks = 0
        if motor.regulation == REGULATION_SPEED:
            _regulate_speed(motor)
        motor.counts_since_regulation = 0


@njit(cache=True)
def _bound(value: int, limit: int) -> int:
    return max(-limit, min(limit, value))


@njit(cache=True)
def _divide(value: int, divisor: int) -> int:
    """Divide as C does, towards zero."""
    quotient = abs(value) // abs(divisor)
    return quotient if (value < 0) == (divisor < 0) else -quotient


@njit(cache=True)
def _towards_zero(value: int) -> int:
    if value > 0:
        return value - 1
    if value < 0:
        return value + 1
    return 0


@njit(cache=True)
def _follow_target(motor: MotorRecord) -> None:
    # Two motors kept in step by the firmware are driven side by side here, without correction.
    if motor.regulation == REGULATION_NONE or motor.regulation == REGULATION_SYNC:
        motor.actual_speed = motor.target_speed


@njit(cache=True)
def _has_passed_limit(motor: MotorRecord, direction: int) -> bool:
    if direction > 0:
        return bool(motor.tacho_count >= motor.count_to_run)
    return bool(motor.tacho_count <= motor.count_to_run)


@njit(cache=True)
def _watch_limit(motor: MotorRecord) -> None:
    if motor.runs_forever:
        if motor.target_speed != 0:
            motor.count_to_run = motor.tacho_count
    elif motor.set_speed != 0 and _has_passed_limit(motor, motor.set_speed):
        motor.run_state = STATE_IDLE
        motor.regulation = REGULATION_NONE
    _follow_target(motor)


@njit(cache=True)
def _run_out(motor: MotorRecord) -> None:
    motor.brakes_when_off = 0
    motor.actual_speed = _towards_zero(motor.actual_speed)
    motor.target_speed = _towards_zero(motor.target_speed)
    motor.set_speed = _towards_zero(motor.set_speed)


@njit(cache=True)
def _begin_hold(motor: MotorRecord) -> None:
    motor.set_speed = 0
    motor.actual_speed = 0
    motor.target_speed = 0
    motor.regulation_ticks = 0
    motor.counts_since_regulation = 0
    motor.run_state = STATE_RUNNING


@njit(cache=True)
def _regulate_speed(motor: MotorRecord) -> None:
    # At power 100 the target is 100 degrees in 100 ms: 10 degrees per second and unit of power.
    error = motor.position_error - motor.counts_since_regulation + motor.target_speed
    error = _bound(error, 32000)
    proportional = _bound(error * PROPORTIONAL, TERM_LIMIT)
    differential = (error - motor.position_error) * DIFFERENTIAL
    motor.position_error = error
    accumulated = _divide(motor.accumulated_error * 3 + error, 4)
    motor.accumulated_error = _bound(accumulated, ACCUMULATED_LIMIT)
    integral = _bound(motor.accumulated_error * INTEGRAL, TERM_LIMIT)
    motor.actual_speed = _bound(_divide(proportional + integral + differential, 2), TERM_LIMIT)


@njit(cache=True)
def _ramp_up(motor: MotorRecord) -> None:
    direction = 1 if motor.set_speed > 0 else -1
    if motor.target_speed == 0:
        motor.target_speed = SLOWEST_RAMP * direction
        motor.ramp_last_count = motor.tacho_count
    steps = direction * (motor.set_speed - motor.target_speed)
    if motor.ramp_increment == 0 and steps > 0:
        way = direction * (motor.count_to_run - motor.tacho_count)
        motor.ramp_increment = max(0, way // steps)
    moved = direction * (motor.tacho_count - motor.ramp_last_count)
    motor.ramp_ticks += 1
    patience_over = motor.regulation == REGULATION_NONE and motor.ramp_ticks > RAMP_PATIENCE_TICKS
    if steps > 0 and (moved > motor.ramp_increment or patience_over):
        motor.target_speed += direction
        motor.ramp_ticks = 0
        motor.ramp_last_count = motor.tacho_count
    if _has_passed_limit(motor, direction):
        motor.target_speed = motor.set_speed
        motor.run_state = STATE_IDLE
        motor.regulation = REGULATION_NONE
    _follow_target(motor)


@njit(cache=True)
def _ramp_down(motor: MotorRecord) -> None:
    direction = 1 if motor.target_speed > 0 else -1
    steps = direction * (motor.target_speed - motor.set_speed) - SLOWEST_RAMP
    if motor.ramp_increment == 0:
        way = direction * (motor.count_to_run - motor.tacho_count)
        motor.ramp_increment = max(1, way // max(1, steps))
        motor.ramp_last_count = motor.tacho_count
    if direction * (motor.tacho_count - motor.ramp_last_count) > motor.ramp_increment:
        slower = max(SLOWEST_RAMP, direction * motor.target_speed - 1)
        motor.target_speed = slower * direction
        motor.ramp_last_count = motor.tacho_count
    if _has_passed_limit(motor, direction):
        motor.target_speed = 0
        motor.actual_speed = 0
        motor.run_state = STATE_IDLE
        motor.regulation = REGULATION_NONE
    _follow_target(motor)


@njit(cache=True)
def _set_speed(motor: MotorRecord, run_state: int, power: int, turn_ratio: int) -> None:
    if motor.target_speed == 0:
        motor.accumulated_error = 0
        motor.position_error = 0
        motor.regulation_ticks = 0
        motor.counts_since_regulation = 0
    motor.turn_ratio = turn_ratio
    if run_state == STATE_IDLE:
        motor.regulation = REGULATION_NONE
    else:
        motor.set_speed = power
    if run_state == STATE_RUNNING:
        motor.target_speed = power
        if power == 0:
            run_state = STATE_HOLD
    motor.ramp_increment = 0
    motor.ramp_ticks = 0
    motor.run_state = run_state


@njit(cache=True)
def _set_limit(motor: MotorRecord, tacho_limit: int) -> None:
    motor.runs_forever = 1 if tacho_limit == 0 else 0
    direction = motor.set_speed if motor.set_speed != 0 else motor.target_speed
    motor.count_to_run += tacho_limit if direction > 0 else -tacho_limit


@njit(cache=True)
def set_output_state(
    motors: MotorArray,
    port: int,
    power: int,
    mode: int,
    regulation_mode: int,
    turn_ratio: int,
    run_state: int,
    tacho_limit: int,
) -> None:
    """Do what the telegram SET_OUT_STATE asks of one motor."""
    motor = motors[port]
    # Telling a running motor the same again changes nothing, so that its regulation is not upset.
    unchanged = (
        motor.set_speed == power
        and motor.run_state == run_state
        and run_state != STATE_IDLE
        and motor.turn_ratio == turn_ratio
    )
    motor.power = power
    motor.mode = mode
    motor.regulation_mode = regulation_mode
    motor.tacho_limit = tacho_limit
    motor.move_active = 0
    motor.brakes_when_off = 1 if mode & MODE_BRAKE else 0
    regulated = mode & MODE_ON and mode & MODE_REGULATED
    motor.regulation = regulation_mode if regulated else REGULATION_NONE
    if not mode & MODE_ON:
        _set_speed(motor, STATE_IDLE, 0, 0)
    elif not unchanged:
        _set_speed(motor, run_state, power, turn_ratio)
    _set_limit(motor, tacho_limit)


@njit(cache=True)
def reset_tacho_count(motors: MotorArray, port: int) -> None:
    """Zero the tacho count: forgets the previous limit's error and ends a running movement."""
    motor = motors[port]
    motor.tacho_count = 0
    motor.count_to_run = 0
    motor.runs_forever = 0
