"""The output module (c_output.c), and the motors' part of each millisecond."""

from typing import Final

from hardware_sims.nxt_brick.motors import state as motor_state
from hardware_sims.nxt_brick.motors.output_driver import (
    REGULATION_TICKS,
    drive_outputs,
    reset_tacho_count,
    set_limit,
    set_regulation,
    set_speed,
)
from hardware_sims.nxt_brick.motors.physics import turn_shaft
from hardware_sims.nxt_firmware.io_maps import OUTPUTS
from solvers.foundation.compiled import kernel

# Which fields of an output's I/O map are to be obeyed; each flag is cleared when that is done.
UPDATE_MODE: Final = 0x01
UPDATE_SPEED: Final = 0x02
UPDATE_TACHO_LIMIT: Final = 0x04
RESET_TACHO_COUNT: Final = 0x08
UPDATE_PARAMETERS: Final = 0x10
RESET_BLOCK_COUNT: Final = 0x20
RESET_ROTATION_COUNT: Final = 0x40
PENDING: Final = 0x80  # keeps the run state in the map from being written


@kernel
def run_output_module(outputs: motor_state.OutputState) -> None:
    """Do the module's millisecond: obey the flags, drive the motors, report."""
    for port in range(OUTPUTS):
        if outputs.io_map[port].flags:
            _obey(outputs, port)
    drive_outputs(outputs.motors, outputs.sync[0])
    for port in range(OUTPUTS):
        _report(outputs, port)


@kernel
def _obey(outputs: motor_state.OutputState, port: int) -> None:
    io = outputs.io_map[port]
    motor = outputs.motors[port]
    flags = io.flags
    io.flags = flags & PENDING
    if flags & RESET_ROTATION_COUNT:
        motor.rotation_count = 0
    if flags & RESET_TACHO_COUNT:
        reset_tacho_count(outputs.motors, port)
    if flags & RESET_BLOCK_COUNT:
        motor.block_count = 0
    if flags & UPDATE_SPEED and io.mode & motor_state.MODE_ON:
        set_speed(motor, io.run_state, io.speed, io.turn_parameter)
    if flags & UPDATE_MODE:
        _set_mode(outputs, port)
    if flags & UPDATE_TACHO_LIMIT:
        set_limit(motor, io.tacho_limit)
    if flags & UPDATE_PARAMETERS:
        motor.p_parameter = io.p_parameter
        motor.i_parameter = io.i_parameter
        motor.d_parameter = io.d_parameter


@kernel
def _set_mode(outputs: motor_state.OutputState, port: int) -> None:
    io = outputs.io_map[port]
    motor = outputs.motors[port]
    motor.brakes = 1 if io.mode & motor_state.MODE_BRAKE else 0
    if not io.mode & motor_state.MODE_ON:
        set_speed(motor, motor_state.STATE_IDLE, 0, 0)
        motor.regulation = motor_state.REGULATION_NONE
    elif io.mode & motor_state.MODE_REGULATED:
        set_regulation(motor, outputs.sync[0], io.regulation_mode)
    else:
        motor.regulation = motor_state.REGULATION_NONE


@kernel
def _report(outputs: motor_state.OutputState, port: int) -> None:
    io = outputs.io_map[port]
    motor = outputs.motors[port]
    io.actual_speed = motor.actual_speed
    io.tacho_count = motor.tacho_count
    io.block_tacho_count = motor.block_count
    io.rotation_count = motor.rotation_count
    io.overloaded = motor.overloaded
    if not io.flags & PENDING:
        io.run_state = motor.run_state


@kernel
def _rests(motor: motor_state.MotorRecord) -> bool:
    """Return whether nothing will happen to this motor until it gets an order."""
    still = motor.speed_deg_s == 0.0 and motor.edges == 0
    wants_nothing = motor.actual_speed == 0 and motor.target_speed == 0 and motor.set_speed == 0
    if not still or not wants_nothing:
        return False
    if motor.run_state != motor_state.STATE_IDLE and motor.run_state != motor_state.STATE_RUNNING:
        return False
    if motor.regulation == motor_state.REGULATION_NONE:
        return True
    without_error = (
        motor.position_error == 0
        and motor.accumulated_error == 0
        and motor.counts_since_regulation == 0
    )
    return bool(motor.regulation == motor_state.REGULATION_SPEED and without_error)


@kernel
def all_rest(outputs: motor_state.OutputState) -> bool:
    """Return whether the coming milliseconds change nothing but counters of time."""
    for port in range(OUTPUTS):
        motor = outputs.motors[port]
        io = outputs.io_map[port]
        if io.flags or io.run_state != motor.run_state or not _rests(motor):
            return False
        if motor.encoder_deg != int(round(motor.shaft_deg)):  # noqa: RUF046 - numba's is a float
            return False
    return True


@kernel
def skip(motors: motor_state.MotorArray, ticks: int) -> None:
    """Let milliseconds pass in which all motors rest."""
    for port in range(OUTPUTS):
        waited = motor_state.whole(motors[port].regulation_ticks) + ticks
        motors[port].regulation_ticks = waited % (REGULATION_TICKS + 1)


@kernel
def turn_shafts(motors: motor_state.MotorArray, tick: int, battery_v: float) -> None:
    """Turn the shafts through the millisecond from `tick` on."""
    for port in range(OUTPUTS):
        motor = motors[port]
        if tick < motor.stall_until_tick:
            motor.speed_deg_s = 0.0
        else:
            turn_shaft(motor, battery_v)


@kernel
def read_encoders(motors: motor_state.MotorArray) -> None:
    """Let the interrupt count the whole degrees that the shafts have turned."""
    for port in range(OUTPUTS):
        motor = motors[port]
        encoder_deg = int(round(motor.shaft_deg))  # noqa: RUF046 - numba's round gives a float
        motor.edges += encoder_deg - motor.encoder_deg
        motor.encoder_deg = encoder_deg
