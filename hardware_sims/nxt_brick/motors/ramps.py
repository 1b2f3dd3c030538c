"""Ramps: one unit of speed more or less each so many degrees (d_output.c)."""

from typing import Final

from hardware_sims.nxt_brick.motors.arithmetic import divide
from hardware_sims.nxt_brick.motors.state import (
    REGULATION_NONE,
    REGULATION_SPEED,
    REGULATION_SYNC,
    SLOWEST_RAMP,
    STATE_IDLE,
    MotorArray,
    MotorRecord,
)
from hardware_sims.nxt_brick.motors.synchronisation import (
    end_ramp_down,
    passed,
    slow_partner_down,
    watch_common_limit,
)
from solvers.foundation.compiled import kernel

PATIENCE_TICKS: Final = 100  # an unregulated ramp-up that does not move gets one more step
# A ramp-down without movement is helped up after 30 ticks a degree, then every 10.
HELP_TICKS: Final = 30
HELPED_TICKS: Final = 20


@kernel
def ramp_up(motor: MotorRecord) -> None:
    """Do one tick of a ramp-up; it ends in coasting."""
    forward = motor.set_speed > 0
    direction = 1 if forward else -1
    if motor.target_speed == 0:
        motor.target_speed = SLOWEST_RAMP * direction
    else:
        _climb(motor, direction)
    if passed(motor, forward):
        motor.target_speed = motor.set_speed
        motor.run_state = STATE_IDLE
    if direction * (int(motor.target_speed) - motor.set_speed) > 0:
        motor.target_speed = motor.set_speed
    if motor.regulation == REGULATION_NONE:
        motor.actual_speed = motor.target_speed


@kernel
def _climb(motor: MotorRecord, direction: int) -> None:
    if motor.ramp_up_increment == 0:
        way = int(motor.count_to_run) - motor.ramp_start_count
        motor.ramp_up_increment = direction * divide(way, int(motor.set_speed) - motor.target_speed)
        motor.ramp_last_count = motor.tacho_count
    next_step = int(motor.ramp_last_count) + motor.ramp_up_increment
    if direction * (motor.tacho_count - next_step) > 0:
        motor.target_speed += direction
        motor.ramp_last_count = motor.tacho_count
        motor.ramp_up_ticks = 0
    elif not motor.regulation & REGULATION_SPEED:
        motor.ramp_up_ticks += 1
        if motor.ramp_up_ticks > PATIENCE_TICKS:
            motor.ramp_up_ticks = 0
            motor.target_speed += direction


@kernel
def ramp_down(motors: MotorArray, port: int) -> None:
    """Do one tick of a ramp-down."""
    motor = motors[port]
    _descend(motors, port, 1 if motor.target_speed > 0 else -1)
    if motor.regulation & REGULATION_SYNC and motor.turn_parameter != 0:
        watch_common_limit(motors, port)
        if motor.run_state == STATE_IDLE:
            end_ramp_down(motors, port)
    elif passed(motor, motor.target_speed > 0):
        end_ramp_down(motors, port)
    if motor.regulation == REGULATION_NONE:
        motor.actual_speed = motor.target_speed


@kernel
def _descend(motors: MotorArray, port: int, direction: int) -> None:
    motor = motors[port]
    if motor.ramp_down_increment == 0:
        steps = int(motor.target_speed) - motor.set_speed
        if motor.set_speed == 0 and abs(int(motor.target_speed)) > SLOWEST_RAMP:
            steps -= direction * SLOWEST_RAMP
        way = int(motor.count_to_run) - motor.tacho_count
        motor.ramp_down_increment = direction * divide(way, steps)
        motor.ramp_last_count = motor.tacho_count
    next_step = int(motor.ramp_last_count) + motor.ramp_down_increment
    if direction * (motor.tacho_count - next_step) > 0:
        slower = max(SLOWEST_RAMP, direction * int(motor.target_speed) - 1)
        motor.target_speed = direction * slower
        motor.ramp_last_count = motor.tacho_count
        motor.ramp_down_ticks = 0
        slow_partner_down(motors, port)
    elif not motor.regulation & REGULATION_SPEED:
        motor.ramp_down_ticks += 1
        degrees = direction * int(motor.ramp_down_increment)
        if motor.ramp_down_ticks > (HELP_TICKS * degrees) & 0xFFFF:
            motor.ramp_down_ticks = HELPED_TICKS * degrees
            motor.target_speed += direction
