"""Speed regulation and keeping two motors in step, done once in 101 ticks (d_output.c)."""

from typing import Final

from hardware_sims.nxt_brick.motors.arithmetic import bound, divide, whole
from hardware_sims.nxt_brick.motors.state import (
    REGULATION_SPEED,
    REGULATION_SYNC,
    MotorArray,
    MotorRecord,
    SyncRecord,
)
from hardware_sims.nxt_brick.motors.synchronisation import regulation_partner
from solvers.foundation.compiled import kernel

FULL_SPEED: Final = 100
PARAMETER_UNIT: Final = 32  # a parameter of 96 stands for a factor of 3
TERM_LIMIT: Final = 100
ERROR_LIMIT: Final = 32000
ACCUMULATED_LIMIT: Final = 800
SYNC_ERROR_LIMIT: Final = 500
SYNC_ACCUMULATED_LIMIT: Final = 900


@kernel
def regulate(motors: MotorArray, sync: SyncRecord, port: int) -> None:
    """Let the regulation of one output set its actual speed, and that of its partner."""
    motor = motors[port]
    if motor.regulation & REGULATION_SPEED:
        _regulate_speed(motor)
    elif motor.regulation & REGULATION_SYNC:
        partner = regulation_partner(motors, port)
        if partner >= 0:
            _regulate_pair(motor, motors[partner], sync)


@kernel
def _factor(parameter: int) -> int:
    return whole(parameter) // PARAMETER_UNIT


@kernel
def _regulate_speed(motor: MotorRecord) -> None:
    # At power 100 the target is 100 degrees in 100 ms: 10 degrees per second and unit of power.
    old_error = int(motor.position_error)
    limit = ERROR_LIMIT
    if motor.p_parameter != 0:
        limit = ERROR_LIMIT // whole(motor.p_parameter)
    error = bound(old_error - motor.counts_since_regulation + motor.target_speed, limit)
    proportional = bound(error * _factor(motor.p_parameter), TERM_LIMIT)
    differential = (error - old_error) * _factor(motor.d_parameter)
    motor.position_error = error
    accumulated = divide(int(motor.accumulated_error) * 3 + error, 4)
    motor.accumulated_error = bound(accumulated, ACCUMULATED_LIMIT)
    integral = int(motor.accumulated_error) * _factor(motor.i_parameter)
    power = divide(proportional + bound(integral, TERM_LIMIT) + differential, 2)
    if abs(power) > FULL_SPEED:
        motor.overloaded = 1
    motor.actual_speed = bound(power, FULL_SPEED)


@kernel
def _turn(one: MotorRecord, two: MotorRecord) -> int:
    """Return how far the pair shall come apart in 100 ms."""
    if one.turn_parameter == 0:
        return 0
    if one.block_count == 0 and two.block_count == 0:
        return int(one.turn_parameter)
    forward = one.target_speed >= 0
    turning = two if forward == (one.turn_parameter > 0) else one
    speed = int(turning.target_speed)
    return divide(int(turning.turn_parameter) * (speed if forward else -speed), 100)


@kernel
def _regulate_pair(one: MotorRecord, two: MotorRecord, sync: SyncRecord) -> None:
    sync.turn_sum += _turn(one, two) * 2
    error = bound(int(one.block_count) - two.block_count + sync.turn_sum, SYNC_ERROR_LIMIT)
    proportional = error * _factor(one.p_parameter)
    differential = (error - sync.old_error) * _factor(one.d_parameter)
    sync.old_error = error
    sync.accumulated_error = bound(sync.accumulated_error + error, SYNC_ACCUMULATED_LIMIT)
    integral = sync.accumulated_error * _factor(one.i_parameter)
    correction = divide(proportional + integral + differential, 4)
    one.actual_speed = _corrected(int(one.target_speed), -correction, one.turn_parameter)
    two.actual_speed = _corrected(int(two.target_speed), correction, one.turn_parameter)


@kernel
def _corrected(target_speed: int, correction: int, turn_parameter: int) -> int:
    speed = bound(target_speed + correction, FULL_SPEED)
    return bound(speed, abs(target_speed)) if turn_parameter != 0 else speed
