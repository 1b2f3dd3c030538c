"""Which outputs are kept in step, and how they end a movement together (d_output.c)."""

from hardware_sims.nxt_brick.motors.state import (
    REGULATION_NONE,
    REGULATION_SYNC,
    STATE_IDLE,
    MotorArray,
    MotorRecord,
)
from hardware_sims.nxt_firmware.io_maps import OUTPUTS
from solvers.foundation.compiled import kernel

NOBODY = -1


@kernel
def partner_of(motors: MotorArray, port: int) -> int:
    """Return the first other output that is to be kept in step, -1 if there is none."""
    for other in range(OUTPUTS):
        if other != port and motors[other].regulation & REGULATION_SYNC:
            return other
    return NOBODY


@kernel
def regulation_partner(motors: MotorArray, port: int) -> int:
    """Return the output that `port`, the lower of a pair, is regulated with, else -1."""
    for other in range(port + 1, OUTPUTS):
        if motors[other].regulation & REGULATION_SYNC:
            return other
    return NOBODY


@kernel
def passed(motor: MotorRecord, forward: bool) -> bool:
    """Return whether a motor has reached its limit in that direction."""
    if forward:
        return bool(motor.tacho_count >= motor.count_to_run)
    return bool(motor.tacho_count <= motor.count_to_run)


@kernel
def watch_common_limit(motors: MotorArray, port: int) -> None:
    """End the movement of a pair when it is there; in a turn only one of the two decides."""
    partner = partner_of(motors, port)
    if partner < 0:
        return
    one = motors[port]
    two = motors[partner]
    if one.turn_parameter == 0:
        forward = one.set_speed > 0
        arrived = one.set_speed != 0 and (passed(one, forward) or passed(two, forward))
    else:
        decider = port
        if one.turn_parameter > 0:
            forward = two.target_speed >= 0
            if forward:
                decider = partner
        else:
            forward = one.target_speed >= 0
            if not forward:
                decider = partner
        arrived = passed(motors[decider], forward)
        if arrived:
            other = motors[port + partner - decider]
            other.tacho_count = motors[decider].tacho_count
            other.count_to_run = motors[decider].count_to_run
    if arrived:
        one.run_state = STATE_IDLE
        two.run_state = STATE_IDLE


@kernel
def _stop(motor: MotorRecord) -> None:
    motor.set_speed = 0
    motor.target_speed = 0
    motor.actual_speed = 0
    motor.run_state = STATE_IDLE
    motor.regulation = REGULATION_NONE


@kernel
def end_ramp_down(motors: MotorArray, port: int) -> None:
    """Come to rest at the end of a ramp, together with whoever is kept in step."""
    motor = motors[port]
    if motor.regulation & REGULATION_SYNC:
        partner = partner_of(motors, port)
        _stop(motor)
        if partner >= 0:
            _stop(motors[partner])
        return
    if motor.set_speed == 0:
        motor.target_speed = 0
        motor.actual_speed = 0
    motor.run_state = STATE_IDLE
    motor.regulation = REGULATION_NONE


@kernel
def slow_partner_down(motors: MotorArray, port: int) -> None:
    """In a turn, take a step from a partner that turns the other way."""
    partner = partner_of(motors, port)
    if partner < 0 or motors[port].turn_parameter == 0:
        return
    two = motors[partner]
    if motors[port].target_speed >= 0:
        if two.actual_speed < 0:
            two.target_speed -= 1
    elif two.actual_speed > 0:
        two.target_speed += 1
