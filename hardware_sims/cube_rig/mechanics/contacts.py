"""What the three mechanisms do to each other and to the cube within one millisecond.

Contacts are hard and without bounce: a shaft that ran into something is put back to the contact and
stands still, while its motor goes on pulling. `blocked_by` then says which contact it was, if a
machine in order would not have it.
"""

import math

from hardware_sims.cube_rig.mechanics.angles import (
    cradle_deg,
    off_quarter_deg,
    quarters,
    total_skew_deg,
)
from hardware_sims.cube_rig.mechanics.chance import strikes
from hardware_sims.cube_rig.mechanics.tilting import roll_or_land
from hardware_sims.cube_rig.rig_state import (
    ARM_BACK_STOP_DEG,
    ARM_CLEAR_DEG,
    ARM_CLOSED_DEG,
    ARM_CORNER_STOP_DEG,
    ARM_FRONT_STOP_DEG,
    ARM_JAM_STOP_DEG,
    ARM_PORT,
    ARM_PRESS_NM,
    ARM_PRESS_STOP_DEG,
    ARM_RETURNS_DEG,
    ARM_STUCK_DEG,
    CONTACT_DEG,
    CRADLE_PORT,
    CRADLE_TILT_TOLERANCE_DEG,
    EVENT_NONE,
    EVENT_QUARTERS,
    FAULT_SHORT,
    FAULT_SKIP,
    FAULT_STUCK,
    FAULT_YAW,
    FREE_FRICTION_NM,
    GEAR_RATIO,
    HELD_YAW_DEG,
    JAM_ARM_IN_THE_WAY,
    JAM_ARM_ON_CORNER,
    JAM_ARM_STUCK,
    JAM_CRADLE_ASKEW,
    JAM_CUBE_NOT_SEATED,
    JAM_CUBE_UPRIGHT,
    JAM_LAYER_ASKEW,
    JAM_NM,
    JAM_NONE,
    JAM_NOT_PRESSED,
    JAM_PUSHER_IN_THE_WAY,
    LAYER_FRICTION_NM,
    LAYER_TOLERANCE_DEG,
    MOST_PLAY_DEG,
    PHASE_SEATED,
    PUSHER_CLEAR_DEG,
    PUSHER_FRONT_STOP_DEG,
    PUSHER_HOME_STOP_DEG,
    PUSHER_PORT,
    PUSHER_TOUCHES_DEG,
    PUSHER_UPRIGHT_STOP_DEG,
    SQUARED_YAW_DEG,
    TIPPING_FRICTION_NM,
    FaultTable,
    RigRecord,
)
from hardware_sims.nxt_brick.motors.physics import drive_torque_nm, stop_at
from hardware_sims.nxt_brick.motors.state import FRICTION_NM, MotorArray
from solvers.foundation.compiled import kernel


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
    angle_deg = cradle_deg(rig, motors)
    if held:
        _square_cube(rig, angle_deg)
    motor.friction_nm = FRICTION_NM + FREE_FRICTION_NM
    # The cradle looks the same after a quarter: a cube that was thrown round lies in it as before.
    offset = off_quarter_deg(angle_deg - (rig.cube_deg + rig.layer_deg) + rig.lodged_deg)
    push = offset - math.copysign(min(abs(offset), rig.play_deg), offset)
    if abs(push) < CONTACT_DEG:
        return
    if rig.lodged_deg != 0.0 and (held or _spin_obstacle(rig, arm_deg, pusher_deg) != JAM_NONE):
        _slide_under(rig, push)
        return
    if held:
        if drive_torque_nm(motors[ARM_PORT], battery_v) >= ARM_PRESS_NM:
            _turn_layer(rig, push)
            motor.friction_nm += LAYER_FRICTION_NM * rig.stiffness
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
def _slide_under(rig: RigRecord, push: float) -> None:
    """Turn the cradle under a cube that only lies on its walls, until that drops between them."""
    rig.lodged_deg -= push
    if abs(rig.lodged_deg) <= rig.play_deg:
        rig.lodged_deg = 0.0


@kernel
def _turn_layer(rig: RigRecord, push: float) -> None:
    """Turn the bottom layer against the upper ones, as far as arm and pusher keep hold of these."""
    dragged = math.copysign(min(abs(push), rig.slip_left_deg), push)
    rig.slip_left_deg -= abs(dragged)
    rig.cube_deg += dragged
    rig.layer_deg += push - dragged


@kernel
def _square_cube(rig: RigRecord, angle_deg: float) -> None:
    """Let arm and pusher straighten the cube between them, unless the cradle holds it askew."""
    square_deg = 90.0 * quarters(rig.cube_deg)
    offset = off_quarter_deg(angle_deg - (square_deg + rig.layer_deg))
    in_play = abs(offset) <= rig.play_deg
    if (in_play or rig.lodged_deg != 0.0) and abs(rig.cube_deg - square_deg) < SQUARED_YAW_DEG:
        rig.cube_deg = square_deg
        rig.lodged_deg = 0.0 if in_play else -offset


@kernel
def _is_within_give(rig: RigRecord, push: float) -> bool:
    """Return whether the parts around the cube let it turn that little."""
    before = abs(off_quarter_deg(rig.cube_deg))
    after = abs(off_quarter_deg(rig.cube_deg + push))
    return after <= rig.play_deg + HELD_YAW_DEG or after < before


@kernel
def _arm_obstacle(rig: RigRecord, angle_deg: float) -> int:
    """Return what keeps the arm from tilting the cube."""
    if abs(off_quarter_deg(angle_deg)) > CRADLE_TILT_TOLERANCE_DEG:
        return JAM_CRADLE_ASKEW
    if total_skew_deg(rig) > LAYER_TOLERANCE_DEG:
        return JAM_LAYER_ASKEW
    return JAM_NONE


@kernel
def _move_arm(rig: RigRecord, motors: MotorArray, arm_was_deg: float, faults: FaultTable) -> None:
    motor = motors[ARM_PORT]
    _leave_cube(rig, motor.shaft_deg, faults)
    motor.friction_nm = FRICTION_NM + FREE_FRICTION_NM
    front_stop_deg = ARM_FRONT_STOP_DEG
    jam = JAM_NONE
    if rig.phase == PHASE_SEATED:
        if motor.shaft_deg > ARM_JAM_STOP_DEG:
            motor.friction_nm += TIPPING_FRICTION_NM
        is_askew = abs(off_quarter_deg(rig.cube_deg)) > SQUARED_YAW_DEG
        if is_askew and arm_was_deg <= ARM_CORNER_STOP_DEG:
            front_stop_deg = ARM_CORNER_STOP_DEG
            jam = JAM_ARM_ON_CORNER
        elif arm_was_deg <= ARM_JAM_STOP_DEG:
            obstacle = _arm_obstacle(rig, cradle_deg(rig, motors))
            if motors[PUSHER_PORT].shaft_deg >= PUSHER_TOUCHES_DEG:
                front_stop_deg = ARM_PRESS_STOP_DEG
            elif obstacle != JAM_NONE:
                front_stop_deg = ARM_JAM_STOP_DEG
                jam = obstacle
    if motor.shaft_deg > front_stop_deg:
        stop_at(motor, front_stop_deg)
        if jam != JAM_NONE:
            rig.blocked_by = jam
    elif rig.stuck_ticks > 0 and motor.shaft_deg < ARM_STUCK_DEG:
        stop_at(motor, ARM_STUCK_DEG)
        rig.blocked_by = JAM_ARM_STUCK
    elif motor.shaft_deg < ARM_BACK_STOP_DEG:
        stop_at(motor, ARM_BACK_STOP_DEG)


@kernel
def _leave_cube(rig: RigRecord, arm_deg: float, faults: FaultTable) -> None:
    """Notice that the arm leaves the cube, which may be stuck under it until the arm comes back."""
    if arm_deg >= ARM_RETURNS_DEG:
        rig.arm_was_closed = 1
        rig.stuck_ticks = 0
    elif arm_deg < ARM_STUCK_DEG and rig.arm_was_closed:
        rig.arm_was_closed = 0
        rig.leavings += 1
        if strikes(rig, faults, FAULT_STUCK, rig.leavings):
            rig.stuck_ticks = int(rig.drawn)


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
def _skip_teeth(rig: RigRecord, motors: MotorArray, cradle_was_deg: float) -> None:
    """Let the motor turn on without its cradle, as long as teeth are to be skipped."""
    moved_deg = motors[CRADLE_PORT].shaft_deg - cradle_was_deg
    skipped_deg = math.copysign(min(abs(moved_deg), rig.skip_left_deg), moved_deg)
    rig.skip_left_deg -= abs(skipped_deg)
    rig.skipped_deg += skipped_deg


@kernel
def _count_quarters(rig: RigRecord, faults: FaultTable) -> None:
    """Notice that the cube or its layer passed the middle of a quarter, and what goes wrong there.

    A cube that overshoots leaves its corners and lies a quarter further; a hold that slips lets the
    upper layers come along for a while; a gear that skips turns without its cradle for a while.
    """
    spun = quarters(rig.cube_deg) - rig.cube_quarters
    turned = quarters(rig.layer_deg) - rig.layer_quarters
    if spun != 0:
        rig.spun_quarters += 1
        if strikes(rig, faults, FAULT_YAW, rig.spun_quarters):
            further = int(rig.drawn) * spun
            rig.cube_deg += 90.0 * further
            spun += further
    if turned != 0:
        rig.turned_quarters += 1
        if strikes(rig, faults, FAULT_SHORT, rig.turned_quarters):
            rig.slip_left_deg = rig.drawn
        if strikes(rig, faults, FAULT_SKIP, rig.turned_quarters):
            rig.skip_left_deg = rig.drawn
    if spun != 0 or turned != 0:
        rig.cube_quarters += spun
        rig.layer_quarters += turned
        rig.play_deg = min(MOST_PLAY_DEG / GEAR_RATIO, rig.play_deg + rig.wear_deg)
        rig.event = EVENT_QUARTERS


@kernel
def settle_contacts(
    rig: RigRecord,
    motors: MotorArray,
    faults: FaultTable,
    were_deg: tuple[float, float, float],
    battery_v: float,
) -> None:
    """Make shafts and cube agree after the motors' tick; set `event` when the cube changed.

    `were_deg` is where the shafts of cradle, arm and pusher stood before the tick.
    """
    rig.blocked_by = JAM_NONE
    _skip_teeth(rig, motors, were_deg[0])
    _move_arm(rig, motors, were_deg[1], faults)
    _move_pusher(rig, motors, were_deg[2])
    _move_cradle(rig, motors, battery_v)
    _count_quarters(rig, faults)
    if rig.event == EVENT_NONE:
        roll_or_land(rig, motors, faults)
