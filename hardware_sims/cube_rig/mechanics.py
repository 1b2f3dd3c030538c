"""What the three mechanisms do to each other and to the cube within one millisecond.

Contacts are hard and without bounce: a shaft that ran into something is put back to the contact and
stands still, while its motor goes on pulling. `blocked_by` then says which contact it was, if a
machine in order would not have it.
"""

import math

from hardware_sims.cube_rig.rig_state import (
    ARM_BACK_STOP_DEG,
    ARM_CLEAR_DEG,
    ARM_CLOSED_DEG,
    ARM_CORNER_STOP_DEG,
    ARM_DROPS_CUBE_DEG,
    ARM_FRONT_STOP_DEG,
    ARM_JAM_STOP_DEG,
    ARM_PORT,
    ARM_PRESS_NM,
    ARM_PRESS_STOP_DEG,
    ARM_TIPS_CUBE_DEG,
    CONTACT_DEG,
    CRADLE_PORT,
    CRADLE_TILT_TOLERANCE_DEG,
    EVENT_NONE,
    EVENT_QUARTERS,
    EVENT_ROLLED,
    EVENT_SLIPPED,
    FREE_FRICTION_NM,
    GEAR_RATIO,
    HELD_YAW_DEG,
    JAM_ARM_IN_THE_WAY,
    JAM_ARM_ON_CORNER,
    JAM_CRADLE_ASKEW,
    JAM_CUBE_NOT_SEATED,
    JAM_CUBE_UPRIGHT,
    JAM_LAYER_ASKEW,
    JAM_NM,
    JAM_NONE,
    JAM_NOT_PRESSED,
    JAM_PUSHER_IN_THE_WAY,
    LAYER_FRICTION_NM,
    LAYER_SETTLES_DEG,
    LAYER_TOLERANCE_DEG,
    PHASE_ROLLED,
    PHASE_SEATED,
    PHASE_TIPPED,
    PUSHER_CLEAR_DEG,
    PUSHER_FRONT_STOP_DEG,
    PUSHER_HOME_DEG,
    PUSHER_HOME_STOP_DEG,
    PUSHER_PORT,
    PUSHER_ROLLS_DEG,
    PUSHER_TOUCHES_DEG,
    PUSHER_UPRIGHT_STOP_DEG,
    SQUARED_YAW_DEG,
    TIPPING_FRICTION_NM,
    RigRecord,
)
from hardware_sims.nxt_brick.motors.physics import drive_torque_nm, stop_at
from hardware_sims.nxt_brick.motors.state import FRICTION_NM, MotorArray
from solvers.foundation.compiled import kernel


@kernel
def quarters(angle_deg: float) -> int:
    """Return the nearest number of quarter turns."""
    return int(math.floor(angle_deg / 90.0 + 0.5))  # noqa: RUF046 - numba's floor gives a float


@kernel
def off_quarter_deg(angle_deg: float) -> float:
    """Return how far an angle is from the nearest quarter turn, with its sign."""
    return angle_deg - 90.0 * quarters(angle_deg)


@kernel
def total_skew_deg(rig: RigRecord) -> float:
    """Return by how much all layers together are off."""
    return float(rig.skew_deg + abs(off_quarter_deg(rig.layer_deg)))


@kernel
def _spin_obstacle(rig: RigRecord, arm_deg: float, pusher_deg: float) -> int:
    """Return what keeps the whole cube from turning with the cradle."""
    if rig.phase != PHASE_SEATED:
        return JAM_CUBE_NOT_SEATED
    if arm_deg > ARM_CLEAR_DEG:
        return JAM_ARM_IN_THE_WAY
    if pusher_deg > PUSHER_CLEAR_DEG:
        return JAM_PUSHER_IN_THE_WAY
    if total_skew_deg(rig) > LAYER_TOLERANCE_DEG:
        return JAM_LAYER_ASKEW
    return JAM_NONE


@kernel
def _is_held(rig: RigRecord, arm_deg: float, pusher_deg: float) -> bool:
    """Return whether the cube stands upright between the closed arm and the pusher."""
    between = arm_deg >= ARM_CLOSED_DEG and pusher_deg >= PUSHER_TOUCHES_DEG
    return rig.phase == PHASE_SEATED and between


@kernel
def _move_cradle(rig: RigRecord, motors: MotorArray, battery_v: float) -> None:
    """Let the cradle's walls drag the layer or the cube, or let the cube stop the cradle."""
    motor = motors[CRADLE_PORT]
    arm_deg = motors[ARM_PORT].shaft_deg
    pusher_deg = motors[PUSHER_PORT].shaft_deg
    held = _is_held(rig, arm_deg, pusher_deg)
    cradle_deg = motor.shaft_deg / GEAR_RATIO
    if held:
        _square_cube(rig, cradle_deg)
    motor.friction_nm = FRICTION_NM + FREE_FRICTION_NM
    offset = cradle_deg - (rig.cube_deg + rig.layer_deg)
    push = offset - math.copysign(min(abs(offset), rig.play_deg), offset)
    if abs(push) < CONTACT_DEG:
        return
    if held:
        if drive_torque_nm(motors[ARM_PORT], battery_v) >= ARM_PRESS_NM:
            rig.layer_deg += push
            motor.friction_nm += LAYER_FRICTION_NM
            return
        obstacle = JAM_NOT_PRESSED
    else:
        obstacle = _spin_obstacle(rig, arm_deg, pusher_deg)
    if obstacle == JAM_NONE or _is_within_give(rig, push):
        rig.cube_deg += push
    else:
        stop_at(motor, motor.shaft_deg - push * GEAR_RATIO)
        if abs(drive_torque_nm(motor, battery_v)) > JAM_NM:
            rig.blocked_by = obstacle


@kernel
def _square_cube(rig: RigRecord, cradle_deg: float) -> None:
    """Let arm and pusher straighten the cube between them, unless the cradle holds it askew."""
    square_deg = 90.0 * quarters(rig.cube_deg)
    in_play = abs(cradle_deg - (square_deg + rig.layer_deg)) <= rig.play_deg
    if in_play and abs(rig.cube_deg - square_deg) < SQUARED_YAW_DEG:
        rig.cube_deg = square_deg


@kernel
def _is_within_give(rig: RigRecord, push: float) -> bool:
    """Return whether the parts around the cube let it turn that little."""
    before = abs(off_quarter_deg(rig.cube_deg))
    after = abs(off_quarter_deg(rig.cube_deg + push))
    return after <= rig.play_deg + HELD_YAW_DEG or after < before


@kernel
def _arm_obstacle(rig: RigRecord, cradle_deg: float) -> int:
    """Return what keeps the arm from tilting the cube."""
    if abs(off_quarter_deg(cradle_deg)) > CRADLE_TILT_TOLERANCE_DEG:
        return JAM_CRADLE_ASKEW
    if total_skew_deg(rig) > LAYER_TOLERANCE_DEG:
        return JAM_LAYER_ASKEW
    return JAM_NONE


@kernel
def _move_arm(rig: RigRecord, motors: MotorArray, arm_was_deg: float) -> None:
    motor = motors[ARM_PORT]
    motor.friction_nm = FRICTION_NM + FREE_FRICTION_NM
    front_stop_deg = ARM_FRONT_STOP_DEG
    jam = JAM_NONE
    if rig.phase == PHASE_SEATED:
        if motor.shaft_deg > ARM_JAM_STOP_DEG:
            motor.friction_nm += TIPPING_FRICTION_NM
        if abs(off_quarter_deg(rig.cube_deg)) > SQUARED_YAW_DEG:
            if arm_was_deg <= ARM_CORNER_STOP_DEG:
                front_stop_deg = ARM_CORNER_STOP_DEG
                jam = JAM_ARM_ON_CORNER
        elif arm_was_deg <= ARM_JAM_STOP_DEG:
            obstacle = _arm_obstacle(rig, motors[CRADLE_PORT].shaft_deg / GEAR_RATIO)
            if motors[PUSHER_PORT].shaft_deg >= PUSHER_TOUCHES_DEG:
                front_stop_deg = ARM_PRESS_STOP_DEG
            elif obstacle != JAM_NONE:
                front_stop_deg = ARM_JAM_STOP_DEG
                jam = obstacle
    if motor.shaft_deg > front_stop_deg:
        stop_at(motor, front_stop_deg)
        if jam != JAM_NONE:
            rig.blocked_by = jam
    elif motor.shaft_deg < ARM_BACK_STOP_DEG:
        stop_at(motor, ARM_BACK_STOP_DEG)


@kernel
def _move_pusher(rig: RigRecord, motors: MotorArray, pusher_was_deg: float) -> None:
    motor = motors[PUSHER_PORT]
    motor.friction_nm = FRICTION_NM + FREE_FRICTION_NM
    upright = rig.phase == PHASE_SEATED and pusher_was_deg <= PUSHER_UPRIGHT_STOP_DEG
    if upright and motor.shaft_deg > PUSHER_UPRIGHT_STOP_DEG:
        stop_at(motor, PUSHER_UPRIGHT_STOP_DEG)
        rig.blocked_by = JAM_CUBE_UPRIGHT
    elif motor.shaft_deg > PUSHER_FRONT_STOP_DEG:
        stop_at(motor, PUSHER_FRONT_STOP_DEG)
    elif motor.shaft_deg < PUSHER_HOME_STOP_DEG:
        stop_at(motor, PUSHER_HOME_STOP_DEG)


@kernel
def _roll_or_land(rig: RigRecord, motors: MotorArray) -> None:
    arm_deg = motors[ARM_PORT].shaft_deg
    pusher_deg = motors[PUSHER_PORT].shaft_deg
    if rig.phase == PHASE_SEATED:
        if arm_deg >= ARM_TIPS_CUBE_DEG:
            rig.phase = PHASE_TIPPED
    elif rig.phase == PHASE_TIPPED and pusher_deg >= PUSHER_ROLLS_DEG:
        _roll(rig, motors[CRADLE_PORT].shaft_deg / GEAR_RATIO)
    elif rig.phase == PHASE_TIPPED:
        if arm_deg < ARM_TIPS_CUBE_DEG and pusher_deg < PUSHER_TOUCHES_DEG:
            rig.phase = PHASE_SEATED
    elif arm_deg <= ARM_DROPS_CUBE_DEG and pusher_deg <= PUSHER_HOME_DEG:
        rig.phase = PHASE_SEATED
        _centre(rig, motors[CRADLE_PORT].shaft_deg / GEAR_RATIO)


@kernel
def _roll(rig: RigRecord, cradle_deg: float) -> None:
    rig.phase = PHASE_ROLLED
    rig.tilts_until_slip -= 1
    if rig.tilts_until_slip == 0:
        rig.event = EVENT_SLIPPED
        return
    rig.event = EVENT_ROLLED
    # The layer that was at the bottom keeps what it is short of a quarter; another one is next.
    left_deg = abs(off_quarter_deg(rig.layer_deg))
    if left_deg > LAYER_SETTLES_DEG:
        rig.skew_deg += left_deg
    rig.layer_deg = 90.0 * rig.layer_quarters
    _centre(rig, cradle_deg)


@kernel
def _centre(rig: RigRecord, cradle_deg: float) -> None:
    """Put the cube into the middle of its play."""
    rig.cube_deg = 90.0 * rig.cube_quarters + off_quarter_deg(cradle_deg)


@kernel
def _count_quarters(rig: RigRecord) -> None:
    cube_quarters = quarters(rig.cube_deg)
    layer_quarters = quarters(rig.layer_deg)
    if cube_quarters != rig.cube_quarters or layer_quarters != rig.layer_quarters:
        rig.cube_quarters = cube_quarters
        rig.layer_quarters = layer_quarters
        rig.event = EVENT_QUARTERS


@kernel
def settle_contacts(
    rig: RigRecord, motors: MotorArray, arm_was_deg: float, pusher_was_deg: float, battery_v: float
) -> None:
    """Make shafts and cube agree after the motors' tick; set `event` when the cube changed."""
    rig.blocked_by = JAM_NONE
    _move_arm(rig, motors, arm_was_deg)
    _move_pusher(rig, motors, pusher_was_deg)
    _move_cradle(rig, motors, battery_v)
    _count_quarters(rig)
    if rig.event == EVENT_NONE:
        _roll_or_land(rig, motors)
