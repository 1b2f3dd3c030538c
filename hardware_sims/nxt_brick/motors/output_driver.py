"""The firmware's driver of the outputs, called once per millisecond (d_output.c of LEGO's 1.29).

A regulated motor is looked at only every 101 ticks, so it starts a tenth of a second late; a tacho
limit ends in a coast that overshoots, and because limits are added to where the previous one should
have ended, the next move makes up for it.
"""

from typing import Final

from hardware_sims.nxt_brick.motors.arithmetic import towards_zero, whole
from hardware_sims.nxt_brick.motors.ramps import ramp_down, ramp_up
from hardware_sims.nxt_brick.motors.regulation import regulate
from hardware_sims.nxt_brick.motors.state import (
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
    SyncRecord,
)
from hardware_sims.nxt_brick.motors.synchronisation import (
    partner_of,
    passed,
    watch_common_limit,
)
from hardware_sims.nxt_firmware.io_maps import OUTPUTS
from solvers.foundation.compiled import kernel

REGULATION_TICKS: Final = 100
HIGHEST_COUNT: Final = 10_000_000  # of a run without limit; it starts again at 0


@kernel
def drive_outputs(motors: MotorArray, sync: SyncRecord) -> None:
    """Do one tick of all outputs: count, ramp, watch limits, regulate."""
    for port in range(OUTPUTS):
        motor = motors[port]
        _count(motor)
        motor.regulation_ticks += 1
        if motor.run_state == STATE_RAMP_UP:
            ramp_up(motor)
        if motor.run_state == STATE_RAMP_DOWN:
            ramp_down(motors, port)
        if motor.run_state == STATE_RUNNING:
            _watch_limit(motors, port)
        if motor.run_state == STATE_IDLE:
            _run_out(motor)
        if motor.run_state == STATE_HOLD:
            _begin_hold(motor)
        if motor.regulation_ticks > REGULATION_TICKS:
            motor.regulation_ticks = 0
            regulate(motors, sync, port)
            motor.counts_since_regulation = 0


@kernel
def _count(motor: MotorRecord) -> None:
    motor.counts_since_regulation += motor.edges
    motor.tacho_count += motor.edges
    motor.block_count += motor.edges
    motor.rotation_count += motor.edges
    motor.edges = 0


@kernel
def _watch_limit(motors: MotorArray, port: int) -> None:
    motor = motors[port]
    if motor.runs_forever:
        if motor.tacho_count > HIGHEST_COUNT:
            motor.tacho_count = 0
        if motor.target_speed != 0:
            motor.count_to_run = motor.tacho_count
    elif motor.regulation & REGULATION_SYNC:
        watch_common_limit(motors, port)
    elif motor.set_speed != 0 and passed(motor, motor.set_speed > 0):
        motor.run_state = STATE_IDLE
        motor.regulation = REGULATION_NONE
    if motor.regulation == REGULATION_NONE:
        motor.actual_speed = motor.target_speed


@kernel
def _run_out(motor: MotorRecord) -> None:
    motor.brakes = 0
    motor.actual_speed = towards_zero(motor.actual_speed)
    motor.target_speed = towards_zero(motor.target_speed)
    motor.set_speed = towards_zero(motor.set_speed)


@kernel
def _begin_hold(motor: MotorRecord) -> None:
    motor.set_speed = 0
    motor.actual_speed = 0
    motor.target_speed = 0
    motor.regulation_ticks = 0
    motor.counts_since_regulation = 0
    motor.run_state = STATE_RUNNING


@kernel
def set_speed(motor: MotorRecord, run_state: int, speed: int, turn_parameter: int) -> None:
    """Give a new order; telling a running motor the same again changes nothing.

    Counts that the interrupt has seen since the last tick are lost when a motor whose target is 0
    gets an order: a degree or so if it still turns.
    """
    unchanged = (
        motor.set_speed == speed
        and motor.run_state == run_state
        and run_state != STATE_IDLE
        and motor.turn_parameter == turn_parameter
    )
    if unchanged:
        return
    if motor.target_speed == 0:
        motor.accumulated_error = 0
        motor.position_error = 0
        motor.regulation_ticks = 0
        motor.counts_since_regulation = 0
        motor.edges = 0
    if run_state == STATE_IDLE:
        motor.regulation = REGULATION_NONE
    elif run_state == STATE_RAMP_UP:
        run_state = _order_ramp_up(motor, speed, turn_parameter)
    elif run_state == STATE_RUNNING:
        motor.set_speed = speed
        motor.target_speed = speed
        motor.turn_parameter = turn_parameter
        if speed == 0:
            run_state = STATE_HOLD
    elif run_state == STATE_RAMP_DOWN:
        run_state = _order_ramp_down(motor, speed, turn_parameter)
    motor.run_state = run_state
    motor.overloaded = 0


@kernel
def _order_ramp_up(motor: MotorRecord, speed: int, turn_parameter: int) -> int:
    """Return the run state that comes of it: a motor that is as fast already just runs."""
    faster = motor.set_speed < speed if speed > 0 else motor.set_speed > speed
    if motor.set_speed != 0 and not faster:
        return STATE_RUNNING
    motor.set_speed = speed
    motor.turn_parameter = turn_parameter
    motor.ramp_up_increment = 0
    motor.ramp_up_ticks = 0
    motor.ramp_start_count = motor.tacho_count
    return STATE_RAMP_UP


@kernel
def _order_ramp_down(motor: MotorRecord, speed: int, turn_parameter: int) -> int:
    """Return the run state that comes of it: a motor that is as slow already just runs."""
    slower = motor.set_speed > speed if motor.target_speed >= 0 else motor.set_speed < speed
    if not slower:
        return STATE_RUNNING
    motor.set_speed = speed
    motor.turn_parameter = turn_parameter
    motor.ramp_down_increment = 0
    motor.ramp_down_ticks = 0
    motor.ramp_start_count = motor.tacho_count
    return STATE_RAMP_DOWN


@kernel
def set_regulation(motor: MotorRecord, sync: SyncRecord, regulation: int) -> None:
    """Choose the regulation; what a motor that shall stand has added up is forgotten."""
    motor.regulation = regulation
    if motor.run_state == STATE_RAMP_DOWN:
        return
    if regulation & REGULATION_SPEED and motor.set_speed == 0:
        motor.accumulated_error = 0
        motor.position_error = 0
    if regulation & REGULATION_SYNC:
        sync.accumulated_error = 0
        sync.old_error = 0
        sync.turn_sum = 0


@kernel
def set_limit(motor: MotorRecord, tacho_limit: int) -> None:
    """Set the degrees to travel, counted from where the last limit was; 0 is without limit."""
    motor.runs_forever = 1 if tacho_limit == 0 else 0
    direction = motor.set_speed if motor.set_speed != 0 else motor.target_speed
    motor.count_to_run += whole(tacho_limit) if direction > 0 else -whole(tacho_limit)


@kernel
def reset_tacho_count(motors: MotorArray, port: int) -> None:
    """Zero the tacho count: forgets the previous limit's error and ends a running movement."""
    motor = motors[port]
    motor.tacho_count = 0
    motor.count_to_run = 0
    motor.runs_forever = 0
    partner = partner_of(motors, port)
    if motor.regulation & REGULATION_SYNC and partner >= 0:
        motors[partner].tacho_count = 0
        motors[partner].count_to_run = 0
