"""The firmware's driver of the outputs, called once per millisecond (d_output.c of LEGO's 1.29).

A regulated motor is looked at only every 101 ticks, so it starts a tenth of a second late; a tacho
limit ends in a coast that overshoots, and because limits are added to where the previous one should
have ended, the next move makes up for it.
"""

from typing import Final

from hardware_sims.nxt_brick.motors import state as motor_state
from hardware_sims.nxt_firmware.io_maps import OUTPUTS
from solvers.foundation.compiled import kernel

NO_PARTNER = -1


@kernel
def partner_of(motors: motor_state.MotorArray, port: int) -> int:
    """Return the first other output that is to be kept in step, -1 if there is none."""
    for other in range(OUTPUTS):
        if other != port and motors[other].regulation & motor_state.REGULATION_SYNC:
            return other
    return NO_PARTNER


@kernel
def regulation_partner(motors: motor_state.MotorArray, port: int) -> int:
    """Return the output that `port`, the lower of a pair, is regulated with, else -1."""
    for other in range(port + 1, OUTPUTS):
        if motors[other].regulation & motor_state.REGULATION_SYNC:
            return other
    return NO_PARTNER


@kernel
def passed(motor: motor_state.MotorRecord, forward: bool) -> bool:
    """Return whether a motor has reached its limit in that direction."""
    if forward:
        return bool(motor.tacho_count >= motor.count_to_run)
    return bool(motor.tacho_count <= motor.count_to_run)


@kernel
def watch_common_limit(motors: motor_state.MotorArray, port: int) -> None:
    """End the movement of a pair when it is there; in a turn only one of the two decides."""
    partner = partner_of(motors, port)
    if partner < 0:
        return
    one = motors[port]
    two = motors[partner]
    # Straight on, the pair is there when either motor is: both count the same way.
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
            # Both end with the counts of the one that decided, so that the next limit, which is
            # added to where the last one should have ended, starts from the same place for both.
            other = motors[port + partner - decider]
            other.tacho_count = motors[decider].tacho_count
            other.count_to_run = motors[decider].count_to_run
    if arrived:
        one.run_state = motor_state.STATE_IDLE
        two.run_state = motor_state.STATE_IDLE


@kernel
def _stop(motor: motor_state.MotorRecord) -> None:
    motor.set_speed = 0
    motor.target_speed = 0
    motor.actual_speed = 0
    motor.run_state = motor_state.STATE_IDLE
    motor.regulation = motor_state.REGULATION_NONE


@kernel
def end_ramp_down(motors: motor_state.MotorArray, port: int) -> None:
    """Come to rest at the end of a ramp, together with the partner kept in step."""
    motor = motors[port]
    if motor.regulation & motor_state.REGULATION_SYNC:
        partner = partner_of(motors, port)
        _stop(motor)
        if partner >= 0:
            _stop(motors[partner])
        return
    if motor.set_speed == 0:
        motor.target_speed = 0
        motor.actual_speed = 0
    motor.run_state = motor_state.STATE_IDLE
    motor.regulation = motor_state.REGULATION_NONE


@kernel
def slow_partner_down(motors: motor_state.MotorArray, port: int) -> None:
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


# Ramps give each step of power the same way, so the driver divides the whole way by the steps once
# and then waits for counts. That stalls below the power that dry friction takes; the constants
# here are the firmware's way out.
PATIENCE_TICKS: Final = 100  # an unregulated ramp-up that does not move gets one more step
# A ramp-down without movement is helped up after 30 ticks a degree, then every 10.
HELP_TICKS: Final = 30
HELPED_TICKS: Final = 20


@kernel
def ramp_up(motor: motor_state.MotorRecord) -> None:
    """Do one tick of a ramp-up; it ends in coasting."""
    forward = motor.set_speed > 0
    direction = 1 if forward else -1
    if motor.target_speed == 0:
        motor.target_speed = motor_state.SLOWEST_RAMP * direction
    else:
        _climb(motor, direction)
    if passed(motor, forward):
        motor.target_speed = motor.set_speed
        motor.run_state = motor_state.STATE_IDLE
    if direction * (int(motor.target_speed) - motor.set_speed) > 0:
        motor.target_speed = motor.set_speed
    if motor.regulation == motor_state.REGULATION_NONE:
        motor.actual_speed = motor.target_speed


@kernel
def _climb(motor: motor_state.MotorRecord, direction: int) -> None:
    if motor.ramp_up_increment == 0:
        way = int(motor.count_to_run) - motor.ramp_start_count
        motor.ramp_up_increment = direction * motor_state.divide(
            way, int(motor.set_speed) - motor.target_speed
        )
        motor.ramp_last_count = motor.tacho_count
    next_step = int(motor.ramp_last_count) + motor.ramp_up_increment
    if direction * (motor.tacho_count - next_step) > 0:
        motor.target_speed += direction
        motor.ramp_last_count = motor.tacho_count
        motor.ramp_up_ticks = 0
    elif not motor.regulation & motor_state.REGULATION_SPEED:
        motor.ramp_up_ticks += 1
        if motor.ramp_up_ticks > PATIENCE_TICKS:
            motor.ramp_up_ticks = 0
            motor.target_speed += direction


@kernel
def ramp_down(motors: motor_state.MotorArray, port: int) -> None:
    """Do one tick of a ramp-down."""
    motor = motors[port]
    _descend(motors, port, 1 if motor.target_speed > 0 else -1)
    if motor.regulation & motor_state.REGULATION_SYNC and motor.turn_parameter != 0:
        watch_common_limit(motors, port)
        if motor.run_state == motor_state.STATE_IDLE:
            end_ramp_down(motors, port)
    elif passed(motor, motor.target_speed > 0):
        end_ramp_down(motors, port)
    if motor.regulation == motor_state.REGULATION_NONE:
        motor.actual_speed = motor.target_speed


@kernel
def _descend(motors: motor_state.MotorArray, port: int, direction: int) -> None:
    motor = motors[port]
    if motor.ramp_down_increment == 0:
        steps = int(motor.target_speed) - motor.set_speed
        if motor.set_speed == 0 and abs(int(motor.target_speed)) > motor_state.SLOWEST_RAMP:
            steps -= direction * motor_state.SLOWEST_RAMP
        way = int(motor.count_to_run) - motor.tacho_count
        motor.ramp_down_increment = direction * motor_state.divide(way, steps)
        motor.ramp_last_count = motor.tacho_count
    next_step = int(motor.ramp_last_count) + motor.ramp_down_increment
    if direction * (motor.tacho_count - next_step) > 0:
        slower = max(motor_state.SLOWEST_RAMP, direction * int(motor.target_speed) - 1)
        motor.target_speed = direction * slower
        motor.ramp_last_count = motor.tacho_count
        motor.ramp_down_ticks = 0
        slow_partner_down(motors, port)
    elif not motor.regulation & motor_state.REGULATION_SPEED:
        motor.ramp_down_ticks += 1
        degrees = direction * int(motor.ramp_down_increment)
        # An unsigned 16-bit product in the firmware: a long ramp wraps round and is helped early.
        if motor.ramp_down_ticks > (HELP_TICKS * degrees) & 0xFFFF:
            motor.ramp_down_ticks = HELPED_TICKS * degrees
            motor.target_speed += direction


FULL_SPEED: Final = 100
PARAMETER_UNIT: Final = 32  # a parameter of 96 stands for a factor of 3
TERM_LIMIT: Final = 100
ERROR_LIMIT: Final = 32000
ACCUMULATED_LIMIT: Final = 800
SYNC_ERROR_LIMIT: Final = 500
SYNC_ACCUMULATED_LIMIT: Final = 900


@kernel
def regulate(motors: motor_state.MotorArray, sync: motor_state.SyncRecord, port: int) -> None:
    """Let the regulation of one output set its actual speed, and that of its partner."""
    motor = motors[port]
    if motor.regulation & motor_state.REGULATION_SPEED:
        _regulate_speed(motor)
    elif motor.regulation & motor_state.REGULATION_SYNC:
        partner = regulation_partner(motors, port)
        if partner >= 0:
            _regulate_pair(motor, motors[partner], sync)


@kernel
def _factor(parameter: int) -> int:
    return motor_state.whole(parameter) // PARAMETER_UNIT


@kernel
def _regulate_speed(motor: motor_state.MotorRecord) -> None:
    # At power 100 the target is 100 degrees in 100 ms: 10 degrees per second and unit of power.
    old_error = int(motor.position_error)
    limit = ERROR_LIMIT
    if motor.p_parameter != 0:
        limit = ERROR_LIMIT // motor_state.whole(motor.p_parameter)
    error = motor_state.bound(old_error - motor.counts_since_regulation + motor.target_speed, limit)
    proportional = motor_state.bound(error * _factor(motor.p_parameter), TERM_LIMIT)
    differential = (error - old_error) * _factor(motor.d_parameter)
    motor.position_error = error
    # The integral forgets: a quarter of it is the newest error. So an axis under a constant load
    # keeps a lasting error instead of winding up.
    accumulated = motor_state.divide(int(motor.accumulated_error) * 3 + error, 4)
    motor.accumulated_error = motor_state.bound(accumulated, ACCUMULATED_LIMIT)
    integral = int(motor.accumulated_error) * _factor(motor.i_parameter)
    # Half the sum of two terms of at most 100 each: only both together give full power.
    power = motor_state.divide(
        proportional + motor_state.bound(integral, TERM_LIMIT) + differential, 2
    )
    if abs(power) > FULL_SPEED:
        motor.overloaded = 1
    motor.actual_speed = motor_state.bound(power, FULL_SPEED)


@kernel
def _turn(one: motor_state.MotorRecord, two: motor_state.MotorRecord) -> int:
    """Return how far the pair shall come apart in 100 ms."""
    if one.turn_parameter == 0:
        return 0
    if one.block_count == 0 and two.block_count == 0:
        return int(one.turn_parameter)
    forward = one.target_speed >= 0
    turning = two if forward == (one.turn_parameter > 0) else one
    speed = int(turning.target_speed)
    return motor_state.divide(int(turning.turn_parameter) * (speed if forward else -speed), 100)


@kernel
def _regulate_pair(
    one: motor_state.MotorRecord, two: motor_state.MotorRecord, sync: motor_state.SyncRecord
) -> None:
    sync.turn_sum += _turn(one, two) * 2
    error = motor_state.bound(
        int(one.block_count) - two.block_count + sync.turn_sum, SYNC_ERROR_LIMIT
    )
    proportional = error * _factor(one.p_parameter)
    differential = (error - sync.old_error) * _factor(one.d_parameter)
    sync.old_error = error
    sync.accumulated_error = motor_state.bound(
        sync.accumulated_error + error, SYNC_ACCUMULATED_LIMIT
    )
    integral = sync.accumulated_error * _factor(one.i_parameter)
    correction = motor_state.divide(proportional + integral + differential, 4)
    one.actual_speed = _corrected(int(one.target_speed), -correction, one.turn_parameter)
    two.actual_speed = _corrected(int(two.target_speed), correction, one.turn_parameter)


@kernel
def _corrected(target_speed: int, correction: int, turn_parameter: int) -> int:
    speed = motor_state.bound(target_speed + correction, FULL_SPEED)
    return motor_state.bound(speed, abs(target_speed)) if turn_parameter != 0 else speed


REGULATION_TICKS: Final = 100
HIGHEST_COUNT: Final = 10_000_000  # of a run without limit; it starts again at 0


@kernel
def drive_outputs(motors: motor_state.MotorArray, sync: motor_state.SyncRecord) -> None:
    """Do one tick of all outputs: count, ramp, watch limits, regulate."""
    for port in range(OUTPUTS):
        motor = motors[port]
        _count(motor)
        motor.regulation_ticks += 1
        if motor.run_state == motor_state.STATE_RAMP_UP:
            ramp_up(motor)
        if motor.run_state == motor_state.STATE_RAMP_DOWN:
            ramp_down(motors, port)
        if motor.run_state == motor_state.STATE_RUNNING:
            _watch_limit(motors, port)
        if motor.run_state == motor_state.STATE_IDLE:
            _run_out(motor)
        if motor.run_state == motor_state.STATE_HOLD:
            _start_hold(motor)
        if motor.regulation_ticks > REGULATION_TICKS:
            motor.regulation_ticks = 0
            regulate(motors, sync, port)
            motor.counts_since_regulation = 0


@kernel
def _count(motor: motor_state.MotorRecord) -> None:
    motor.counts_since_regulation += motor.edges
    motor.tacho_count += motor.edges
    motor.block_count += motor.edges
    motor.rotation_count += motor.edges
    motor.edges = 0


@kernel
def _watch_limit(motors: motor_state.MotorArray, port: int) -> None:
    motor = motors[port]
    if motor.runs_forever:
        if motor.tacho_count > HIGHEST_COUNT:
            motor.tacho_count = 0
        # Without a limit the goal moves along. Where a run with a limit follows, its way is counted
        # from here.
        if motor.target_speed != 0:
            motor.count_to_run = motor.tacho_count
    elif motor.regulation & motor_state.REGULATION_SYNC:
        watch_common_limit(motors, port)
    elif motor.set_speed != 0 and passed(motor, motor.set_speed > 0):
        # At a limit the motor is let go, not held: it coasts tens of degrees further, and the next
        # limit, which is added to this one, makes up for it.
        motor.run_state = motor_state.STATE_IDLE
        motor.regulation = motor_state.REGULATION_NONE
    if motor.regulation == motor_state.REGULATION_NONE:
        motor.actual_speed = motor.target_speed


@kernel
def _run_out(motor: motor_state.MotorRecord) -> None:
    # One unit of power a millisecond: from 75 it takes 75 ms until the outputs are off.
    motor.brakes = 0
    motor.actual_speed = motor_state.towards_zero(motor.actual_speed)
    motor.target_speed = motor_state.towards_zero(motor.target_speed)
    motor.set_speed = motor_state.towards_zero(motor.set_speed)


@kernel
def _start_hold(motor: motor_state.MotorRecord) -> None:
    motor.set_speed = 0
    motor.actual_speed = 0
    motor.target_speed = 0
    motor.regulation_ticks = 0
    motor.counts_since_regulation = 0
    motor.run_state = motor_state.STATE_RUNNING


@kernel
def set_speed(
    motor: motor_state.MotorRecord, run_state: int, speed: int, turn_parameter: int
) -> None:
    """Give a new order; repeating one to a running motor changes nothing.

    Counts that the interrupt has seen since the last tick are lost when a motor whose target is 0
    gets an order: a degree or so if it still turns.
    """
    unchanged = (
        motor.set_speed == speed
        and motor.run_state == run_state
        and run_state != motor_state.STATE_IDLE
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
    if run_state == motor_state.STATE_IDLE:
        motor.regulation = motor_state.REGULATION_NONE
    elif run_state == motor_state.STATE_RAMP_UP:
        run_state = _order_ramp_up(motor, speed, turn_parameter)
    elif run_state == motor_state.STATE_RUNNING:
        motor.set_speed = speed
        motor.target_speed = speed
        motor.turn_parameter = turn_parameter
        if speed == 0:
            run_state = motor_state.STATE_HOLD
    elif run_state == motor_state.STATE_RAMP_DOWN:
        run_state = _order_ramp_down(motor, speed, turn_parameter)
    motor.run_state = run_state
    motor.overloaded = 0


@kernel
def _order_ramp_up(motor: motor_state.MotorRecord, speed: int, turn_parameter: int) -> int:
    """Return the run state that comes of it: a motor that is as fast already just runs."""
    faster = motor.set_speed < speed if speed > 0 else motor.set_speed > speed
    if motor.set_speed != 0 and not faster:
        return motor_state.STATE_RUNNING
    motor.set_speed = speed
    motor.turn_parameter = turn_parameter
    motor.ramp_up_increment = 0
    motor.ramp_up_ticks = 0
    motor.ramp_start_count = motor.tacho_count
    return motor_state.STATE_RAMP_UP


@kernel
def _order_ramp_down(motor: motor_state.MotorRecord, speed: int, turn_parameter: int) -> int:
    """Return the run state that comes of it: a motor that is as slow already just runs."""
    slower = motor.set_speed > speed if motor.target_speed >= 0 else motor.set_speed < speed
    if not slower:
        return motor_state.STATE_RUNNING
    motor.set_speed = speed
    motor.turn_parameter = turn_parameter
    motor.ramp_down_increment = 0
    motor.ramp_down_ticks = 0
    motor.ramp_start_count = motor.tacho_count
    return motor_state.STATE_RAMP_DOWN


@kernel
def set_regulation(
    motor: motor_state.MotorRecord, sync: motor_state.SyncRecord, regulation: int
) -> None:
    """Choose the regulation; what a motor that shall stand has added up is forgotten."""
    motor.regulation = regulation
    if motor.run_state == motor_state.STATE_RAMP_DOWN:
        return
    if regulation & motor_state.REGULATION_SPEED and motor.set_speed == 0:
        motor.accumulated_error = 0
        motor.position_error = 0
    if regulation & motor_state.REGULATION_SYNC:
        sync.accumulated_error = 0
        sync.old_error = 0
        sync.turn_sum = 0


@kernel
def set_limit(motor: motor_state.MotorRecord, tacho_limit: int) -> None:
    """Set the degrees to travel, counted from where the last limit was; 0 is without limit."""
    motor.runs_forever = 1 if tacho_limit == 0 else 0
    direction = motor.set_speed if motor.set_speed != 0 else motor.target_speed
    motor.count_to_run += (
        motor_state.whole(tacho_limit) if direction > 0 else -motor_state.whole(tacho_limit)
    )


@kernel
def reset_tacho_count(motors: motor_state.MotorArray, port: int) -> None:
    """Zero the tacho count: forgets the previous limit's error and ends a running movement."""
    motor = motors[port]
    motor.tacho_count = 0
    motor.count_to_run = 0
    motor.runs_forever = 0
    partner = partner_of(motors, port)
    if motor.regulation & motor_state.REGULATION_SYNC and partner >= 0:
        motors[partner].tacho_count = 0
        motors[partner].count_to_run = 0
