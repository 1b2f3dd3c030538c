"""A move as the MotorControl program makes it: a planned path, followed tick by tick to +-1 degree.

The planned position runs ahead with bounded acceleration and the power follows it. A move that is
blocked gives up after a while, as the program's anti-stall does, and reports ready.
"""

import math
from typing import Final

from numba import njit

from hardware_sims.nxt_brick.motor_state import (
    MODE_BRAKE,
    MODE_ON,
    MODE_REGULATED,
    REGULATION_SPEED,
    STATE_HOLD,
    STATE_IDLE,
    TICK_S,
    MotorArray,
    MotorRecord,
)

ACCELERATION_DEG_S2: Final = 4000.0
# 0.468 V s/rad at 8 V: a power unit is worth about 9 degrees per second without load.
POWER_PER_SPEED: Final = 1.0 / 9.0
POWER_PER_DEGREE: Final = 4.0
POWER_PER_SPEED_ERROR: Final = 0.15
POWER_AGAINST_FRICTION: Final = 8.0
POWER_PER_ERROR_SUM: Final = 0.1  # per degree and tick; takes over where friction is higher
ERROR_SUM_POWER: Final = 60.0
LEAD_LIMIT_DEG: Final = 25.0  # the plan waits for a motor that is this far behind
TOLERANCE_DEG: Final = 1
QUIET_TICKS: Final = 20
STALL_TICKS: Final = 500


@njit(cache=True)
def begin_move(
    motors: MotorArray, port: int, power: int, degrees: int, smooth: bool, holds: bool
) -> None:
    """Start a move by `degrees` in the direction of `power`'s sign."""
    motor = motors[port]
    motor.move_active = 1
    motor.move_holds = 1 if holds else 0
    motor.move_goal = motor.tacho_count + (degrees if power > 0 else -degrees)
    motor.move_top_speed = 10.0 * abs(power) * (0.7 if smooth else 1.0)
    motor.move_setpoint = motor.tacho_count
    motor.move_setpoint_speed = 0.0
    motor.move_error_sum = 0.0
    motor.move_quiet_ticks = 0
    motor.move_stalled_ticks = 0
    motor.power = power
    motor.mode = MODE_ON | MODE_BRAKE
    motor.regulation_mode = REGULATION_SPEED
    motor.tacho_limit = degrees
    motor.brakes_when_off = 1


@njit(cache=True)
def follow_move(motor: MotorRecord) -> None:
    """Do one tick of a move: advance the plan, set the power, end when there or stuck."""
    _advance_plan(motor)
    error = motor.move_setpoint - motor.tacho_count
    if motor.move_setpoint == motor.move_goal and abs(error) > TOLERANCE_DEG:
        motor.move_error_sum += POWER_PER_ERROR_SUM * error
        motor.move_error_sum = max(-ERROR_SUM_POWER, min(ERROR_SUM_POWER, motor.move_error_sum))
    else:
        motor.move_error_sum = 0.0
    power = POWER_PER_DEGREE * error + motor.move_error_sum
    power += POWER_PER_SPEED * motor.move_setpoint_speed
    power += POWER_PER_SPEED_ERROR * (motor.move_setpoint_speed - motor.speed_deg_s)
    if abs(error) > TOLERANCE_DEG:
        power += math.copysign(POWER_AGAINST_FRICTION, error)
    motor.actual_speed = int(max(-100.0, min(100.0, power)))
    _end_when_done(motor)


@njit(cache=True)
def _advance_plan(motor: MotorRecord) -> None:
    left = motor.move_goal - motor.move_setpoint
    direction = math.copysign(1.0, left)
    if abs(motor.move_setpoint - motor.tacho_count) > LEAD_LIMIT_DEG:
        motor.move_setpoint_speed *= 0.9
    else:
        stopping_speed = math.sqrt(2.0 * ACCELERATION_DEG_S2 * 0.5 * abs(left))
        speed = abs(motor.move_setpoint_speed) + ACCELERATION_DEG_S2 * TICK_S
        speed = min(speed, motor.move_top_speed, stopping_speed)
        motor.move_setpoint_speed = direction * speed
    step = motor.move_setpoint_speed * TICK_S
    if abs(left) < 0.5 or abs(step) >= abs(left):
        motor.move_setpoint = motor.move_goal
        motor.move_setpoint_speed = 0.0
    else:
        motor.move_setpoint += step


@njit(cache=True)
def _end_when_done(motor: MotorRecord) -> None:
    near = abs(motor.move_goal - motor.tacho_count) <= TOLERANCE_DEG
    slow = abs(motor.speed_deg_s) < 20.0
    motor.move_quiet_ticks = motor.move_quiet_ticks + 1 if near and slow else 0
    motor.move_stalled_ticks = motor.move_stalled_ticks + 1 if slow and not near else 0
    if motor.move_quiet_ticks < QUIET_TICKS and motor.move_stalled_ticks < STALL_TICKS:
        return
    motor.move_active = 0
    motor.actual_speed = 0
    motor.target_speed = 0
    motor.set_speed = 0
    motor.position_error = 0
    motor.accumulated_error = 0
    motor.count_to_run = motor.tacho_count
    motor.runs_forever = 1
    if motor.move_holds:
        motor.run_state = STATE_HOLD
        motor.mode = MODE_ON | MODE_BRAKE | MODE_REGULATED
        motor.regulation = REGULATION_SPEED
    else:
        motor.run_state = STATE_IDLE
        motor.mode = 0
        motor.brakes_when_off = 0
