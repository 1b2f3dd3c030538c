"""The motors' part of a millisecond."""

from hardware_sims.nxt_brick.motors.arithmetic import whole
from hardware_sims.nxt_brick.motors.output_driver import REGULATION_TICKS
from hardware_sims.nxt_brick.motors.physics import turn_shaft
from hardware_sims.nxt_brick.motors.state import (
    REGULATION_NONE,
    REGULATION_SPEED,
    STATE_IDLE,
    STATE_RUNNING,
    MotorArray,
    MotorRecord,
    OutputState,
)
from hardware_sims.nxt_firmware.io_maps import OUTPUTS
from solvers.foundation.compiled import kernel


@kernel
def _rests(motor: MotorRecord) -> bool:
    """Return whether nothing will happen to this motor until it is told something."""
    still = motor.speed_deg_s == 0.0 and motor.edges == 0
    wants_nothing = motor.actual_speed == 0 and motor.target_speed == 0 and motor.set_speed == 0
    if not still or not wants_nothing:
        return False
    if motor.run_state != STATE_IDLE and motor.run_state != STATE_RUNNING:
        return False
    if motor.regulation == REGULATION_NONE:
        return True
    without_error = (
        motor.position_error == 0
        and motor.accumulated_error == 0
        and motor.counts_since_regulation == 0
    )
    return bool(motor.regulation == REGULATION_SPEED and without_error)


@kernel
def all_rest(outputs: OutputState) -> bool:
    """Return whether the coming milliseconds change nothing but counters of time."""
    for port in range(OUTPUTS):
        motor = outputs.motors[port]
        told = outputs.io_map[port]
        if told.flags or told.run_state != motor.run_state or not _rests(motor):
            return False
        if motor.encoder_deg != int(round(motor.shaft_deg)):  # noqa: RUF046 - numba's is a float
            return False
    return True


@kernel
def skip(motors: MotorArray, ticks: int) -> None:
    """Let milliseconds pass in which all motors rest."""
    for port in range(OUTPUTS):
        waited = whole(motors[port].regulation_ticks) + ticks
        motors[port].regulation_ticks = waited % (REGULATION_TICKS + 1)


@kernel
def turn_shafts(motors: MotorArray, tick: int, battery_v: float) -> None:
    """Turn the shafts through the millisecond that begins at `tick`."""
    for port in range(OUTPUTS):
        motor = motors[port]
        if tick < motor.stall_until_tick:
            motor.speed_deg_s = 0.0
        else:
            turn_shaft(motor, battery_v)


@kernel
def read_encoders(motors: MotorArray) -> None:
    """Let the interrupt count the whole degrees that the shafts have turned."""
    for port in range(OUTPUTS):
        motor = motors[port]
        encoder_deg = int(round(motor.shaft_deg))  # noqa: RUF046 - numba's round gives a float
        motor.edges += encoder_deg - motor.encoder_deg
        motor.encoder_deg = encoder_deg
