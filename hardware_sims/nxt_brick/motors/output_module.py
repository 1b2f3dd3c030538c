"""The output module: orders out of the I/O map, counts and speeds back into it (c_output.c)."""

from typing import Final

from hardware_sims.nxt_brick.motors.output_driver import (
    drive_outputs,
    reset_tacho_count,
    set_limit,
    set_regulation,
    set_speed,
)
from hardware_sims.nxt_brick.motors.state import (
    MODE_BRAKE,
    MODE_ON,
    MODE_REGULATED,
    REGULATION_NONE,
    STATE_IDLE,
    OutputState,
)
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
def run_output_module(outputs: OutputState) -> None:
    """Do the module's millisecond: obey the flags, drive the motors, report."""
    for port in range(OUTPUTS):
        if outputs.io_map[port].flags:
            _obey(outputs, port)
    drive_outputs(outputs.motors, outputs.sync[0])
    for port in range(OUTPUTS):
        _report(outputs, port)


@kernel
def _obey(outputs: OutputState, port: int) -> None:
    told = outputs.io_map[port]
    motor = outputs.motors[port]
    flags = told.flags
    told.flags = flags & PENDING
    if flags & RESET_ROTATION_COUNT:
        motor.rotation_count = 0
    if flags & RESET_TACHO_COUNT:
        reset_tacho_count(outputs.motors, port)
    if flags & RESET_BLOCK_COUNT:
        motor.block_count = 0
    if flags & UPDATE_SPEED and told.mode & MODE_ON:
        set_speed(motor, told.run_state, told.speed, told.turn_parameter)
    if flags & UPDATE_MODE:
        _set_mode(outputs, port)
    if flags & UPDATE_TACHO_LIMIT:
        set_limit(motor, told.tacho_limit)
    if flags & UPDATE_PARAMETERS:
        motor.p_parameter = told.p_parameter
        motor.i_parameter = told.i_parameter
        motor.d_parameter = told.d_parameter


@kernel
def _set_mode(outputs: OutputState, port: int) -> None:
    told = outputs.io_map[port]
    motor = outputs.motors[port]
    motor.brakes = 1 if told.mode & MODE_BRAKE else 0
    if not told.mode & MODE_ON:
        set_speed(motor, STATE_IDLE, 0, 0)
        motor.regulation = REGULATION_NONE
    elif told.mode & MODE_REGULATED:
        set_regulation(motor, outputs.sync[0], told.regulation_mode)
    else:
        motor.regulation = REGULATION_NONE


@kernel
def _report(outputs: OutputState, port: int) -> None:
    told = outputs.io_map[port]
    motor = outputs.motors[port]
    told.actual_speed = motor.actual_speed
    told.tacho_count = motor.tacho_count
    told.block_tacho_count = motor.block_count
    told.rotation_count = motor.rotation_count
    told.overloaded = motor.overloaded
    if not told.flags & PENDING:
        told.run_state = motor.run_state
