"""One tick of a motor, and many ticks of motors that have nothing to move but themselves."""

from numba import njit

from hardware_sims.nxt_brick.motor_physics import turn_shaft
from hardware_sims.nxt_brick.motor_state import (
    MOTOR_COUNT,
    REGULATION_NONE,
    STATE_IDLE,
    MotorArray,
    MotorRecord,
)
from hardware_sims.nxt_brick.output_control import control_output, count_degrees
from hardware_sims.nxt_brick.trajectory import follow_move


@njit(cache=True)
def is_quiet(motor: MotorRecord) -> bool:
    """Return whether nothing will happen to this motor until it is told something."""
    return bool(
        motor.speed_deg_s == 0.0
        and motor.encoder_deg == int(round(motor.shaft_deg))  # noqa: RUF046 - numba's is a float
        and motor.run_state == STATE_IDLE
        and motor.actual_speed == 0
        and motor.target_speed == 0
        and motor.set_speed == 0
        and motor.move_active == 0
        and motor.regulation == REGULATION_NONE
    )


@njit(cache=True)
def tick_motor(motor: MotorRecord, tick: int, battery_v: float) -> None:
    """Move one motor through the millisecond that begins at `tick`."""
    count_degrees(motor)
    if motor.move_active:
        follow_move(motor)
    else:
        control_output(motor)
    if tick < motor.stall_until_tick:
        motor.speed_deg_s = 0.0
    else:
        turn_shaft(motor, battery_v)


@njit(cache=True)
def advance_free_motors(motors: MotorArray, tick: int, ticks: int, battery_v: float) -> None:
    """Move motors without any mechanism through `ticks` milliseconds from `tick` on."""
    for port in range(MOTOR_COUNT):
        motor = motors[port]
        for now in range(tick, tick + ticks):
            if is_quiet(motor):
                break
            tick_motor(motor, now, battery_v)
