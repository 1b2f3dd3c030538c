"""The cradle rig's geometry and what happens in it within a millisecond: the compiled part.

Angles of the arm and the pusher are degrees of their motors; angles of the cradle and the cube are
degrees of the cradle about the vertical, positive counter-clockwise seen from above (which is how a
positive turn of motor A goes, and how the move D turns the bottom layer).

Contacts are hard and without bounce: a shaft that ran into something is put back to the contact and
stands still, while its motor keeps pulling. `blocked_by` then says which contact it was, if a
machine in order would not have it.
"""

import math
from typing import Any, Final, TypeAlias

import numpy as np

from hardware_sims.nxt_brick.firmware import Firmware, run_millisecond, skip_rest
from hardware_sims.nxt_brick.motors.output_module import turn_shafts
from hardware_sims.nxt_brick.motors.physics import Battery, drive_torque_nm, loaded_v, stop_at
from hardware_sims.nxt_brick.motors.state import FRICTION_NM, MotorArray
from hardware_sims.rigs.faults import (
    FAULT_DOUBLE,
    FAULT_SHORT,
    FAULT_SKIP,
    FAULT_SLIP,
    FAULT_THROW,
    FAULT_THROW_ASKEW,
    FAULT_YAW,
    FaultTable,
    off_quarter_deg,
    quarters,
    strikes,
)
from solvers.foundation.compiled import kernel

CRADLE_PORT: Final = 0
ARM_PORT: Final = 1
PUSHER_PORT: Final = 2

# The thesis says which motor drives what, 315 degrees a quarter with 16 of overshoot, and where the
# arm (40, 0, -30, -40) and the pusher (0, 160, 200) go. It gives no sizes, masses, torques or
# times: every other number here is assumed. docs/nxt-simulator.md says where that is too kind.
GEAR_RATIO: Final = 3.5  # 315 motor degrees turn the cradle by 90
# Half the play between cradle and cube, in degrees of the motor; a rig may have another. In that of
# the thesis +331 then -16 ends exactly.
USUAL_PLAY_DEG: Final = 16.0
MOST_PLAY_DEG: Final = 40.0

CONTACT_DEG: Final = 1e-6  # a wall that only touches does not push

# The thesis names no ends of arm and pusher; other rigs' arms are homed against their ends, so far
# back that the cube may spin. Assumed here: 10 degrees behind "away", 8 behind the pusher's home.
ARM_BACK_STOP_DEG: Final = -50.0
ARM_CLEAR_DEG: Final = -35.0  # at or behind this the whole cube may turn
ARM_DROPS_CUBE_DEG: Final = -25.0  # behind this a rolled cube slides down into the cradle
ARM_CORNER_STOP_DEG: Final = -20.0  # where the closing arm meets the corner of a cube turned askew
ARM_STUCK_DEG: Final = -5.0  # how far an arm comes away under which the cube is stuck (assumed)
ARM_RETURNS_DEG: Final = -2.0  # where it has pressed such a cube free, or leaves it next time
ARM_CLOSED_DEG: Final = -1.0
ARM_PRESS_STOP_DEG: Final = 2.0  # the cube between arm and pusher gives this much
ARM_JAM_STOP_DEG: Final = 5.0  # where the arm meets a cube that cannot tilt
# Two degrees of tolerance before the 40 of the thesis (assumed).
ARM_TIPS_CUBE_DEG: Final = 38.0
ARM_FRONT_STOP_DEG: Final = 45.0
# A cradle that leans on the held cube with less is only feeling for it; what a motor at 35 percent
# of a full battery gives is below.
JAM_NM: Final = 0.22
ARM_PRESS_NM: Final = 0.04  # least torque of the arm that holds the upper layers

PUSHER_HOME_STOP_DEG: Final = -8.0
# Homes are ranges, as a motor that stands "at 0" may be some degrees off (assumed).
PUSHER_HOME_DEG: Final = 20.0
PUSHER_CLEAR_DEG: Final = 100.0  # at or behind this the cube's corners pass it
# 160 touches the upright cube by the thesis, 200 completes the tilt; two degrees of tolerance each.
# Where a *leaning* cube would meet the pusher is not modelled: it passes through.
PUSHER_TOUCHES_DEG: Final = 158.0
PUSHER_UPRIGHT_STOP_DEG: Final = 170.0  # as far as it presses into a cube that stands upright
PUSHER_ROLLS_DEG: Final = 198.0
PUSHER_FRONT_STOP_DEG: Final = 210.0

# What arm and pusher let the cube turn beyond its play when nothing presses: a layer that is not
# quite straight (2.5) and a cradle that is not quite there (0.9).
HELD_YAW_DEG: Final = 3.4
SQUARED_YAW_DEG: Final = 10.0  # a cube askew by less is straightened by arm and pusher
CRADLE_TILT_TOLERANCE_DEG: Final = 4.0
LAYER_TOLERANCE_DEG: Final = 6.0  # all layers together; one turn without overshoot leaves 4.6
LAYER_SETTLES_DEG: Final = 2.5  # a layer off by less clicks straight when the cube rolls

# Frictions and inertia are assumed. For comparison: a motor gives 0.43 Nm at a stall with these
# constants (Philo measured 0.50 at 9 V), and press power 40 % at 8 V is 0.11 Nm.
FREE_FRICTION_NM: Final = 0.02  # of each mechanism, without the motor's own
LAYER_FRICTION_NM: Final = 0.06  # turning a layer, at motor A
TIPPING_FRICTION_NM: Final = 0.06  # lifting the cube, at motor B
CRADLE_INERTIA_KG_M2: Final = 1.5e-3  # cradle and cube, seen from motor A

PHASE_SEATED: Final = 0  # the cube is flat in the cradle
PHASE_TIPPED: Final = 1  # the arm holds it at the tipping point
PHASE_ROLLED: Final = 2  # it has rolled over and leans on arm and pusher

EVENT_NONE: Final = 0
EVENT_QUARTERS: Final = 1  # the layer or the cube passed the middle between two quarters
EVENT_ROLLED: Final = 2  # `rolls` times: none if it slipped
EVENT_JAMMED: Final = 3

JAM_NONE: Final = 0
JAM_ARM_IN_THE_WAY: Final = 1
JAM_PUSHER_IN_THE_WAY: Final = 2
JAM_NOT_PRESSED: Final = 3
JAM_CUBE_NOT_SEATED: Final = 4
JAM_LAYER_ASKEW: Final = 5
JAM_CRADLE_ASKEW: Final = 6
JAM_ARM_ON_CORNER: Final = 7
JAM_CUBE_UPRIGHT: Final = 8
JAM_ARM_STUCK: Final = 9

JAM_TICKS: Final = 30  # shorter contacts are touches, not jams

RIG: Final = np.dtype(
    [
        ("play_deg", "f8"),  # half the play between cradle and cube
        ("cube_deg", "f8"),  # yaw of the two upper layers
        ("layer_deg", "f8"),  # bottom layer against them
        ("skew_deg", "f8"),  # what layers turned earlier are off their quarters, added up
        ("lodged_deg", "f8"),  # yaw of a cube askew on the cradle's walls; 0: it is seated
        ("cube_quarters", "i8"),  # `cube_deg` and `layer_deg` rounded to quarters
        ("layer_quarters", "i8"),
        ("phase", "i8"),
        ("event", "i8"),
        ("rolls", "i8"),  # how often the cube rolled in the last EVENT_ROLLED
        ("blocked_by", "i8"),  # jam kind of this tick's hard contact
        ("jam", "i8"),  # jam kind of the last EVENT_JAMMED
        ("jam_ticks", "i8"),
        # The build.
        ("arm_clear_deg", "f8"),  # at or behind this the whole cube may turn
        ("stiffness", "f8"),  # of the cube's layers: times the usual friction
        ("wear_deg", "f8"),  # by which the play grows in each quarter that the cradle turns
        # What goes wrong: how often there was an occasion, and what is under way.
        ("tilts", "i8"),
        ("spun_quarters", "i8"),
        ("turned_quarters", "i8"),
        ("leavings", "i8"),  # of the arm, from the cube
        ("random", "i8"),  # state of the generator
        ("drawn", "f8"),  # how much of the fault that has just struck
        ("slip_left_deg", "f8"),  # by which the upper layers will be dragged along
        ("skip_left_deg", "f8"),  # of motor A, which the cradle will not follow
        ("skipped_deg", "f8"),  # of motor A, which the cradle has not followed, added up
        ("thrown_quarters", "f8"),  # what the cube will be turned by as it lands
        ("thrown_deg", "f8"),  # and be askew
        ("arm_was_closed", "i8"),
        ("stuck_ticks", "i8"),  # for which the arm cannot come away from the cube
    ]
)


FAULT_STUCK: Final = 8  # as the arm leaves the cube; milliseconds

RigRecord: TypeAlias = Any  # the element of a RIG array: fields are read as attributes


@kernel
def cradle_deg(rig: RigRecord, motors: MotorArray) -> float:
    """Return where the cradle stands, which may have lost teeth against its motor."""
    return float((motors[CRADLE_PORT].shaft_deg - rig.skipped_deg) / GEAR_RATIO)


@kernel
def total_skew_deg(rig: RigRecord) -> float:
    """Return by how much all layers together are off."""
    return float(rig.skew_deg + abs(off_quarter_deg(rig.layer_deg)))


@kernel
def centre(rig: RigRecord, motors: MotorArray) -> None:
    """Put the cube into the middle of its play."""
    rig.cube_deg = 90.0 * rig.cube_quarters + off_quarter_deg(cradle_deg(rig, motors))
    rig.lodged_deg = 0.0


@kernel
def roll_or_land(rig: RigRecord, motors: MotorArray, faults: FaultTable) -> None:
    """Let the cube tip, roll over, fall back or land, as arm and pusher now stand."""
    arm_deg = motors[ARM_PORT].shaft_deg
    pusher_deg = motors[PUSHER_PORT].shaft_deg
    if rig.phase == PHASE_SEATED:
        if arm_deg >= ARM_TIPS_CUBE_DEG:
            rig.phase = PHASE_TIPPED
    elif rig.phase == PHASE_TIPPED and pusher_deg >= PUSHER_ROLLS_DEG:
        rig.phase = PHASE_ROLLED
        _roll(rig, motors, faults)
    elif rig.phase == PHASE_TIPPED:
        if arm_deg < ARM_TIPS_CUBE_DEG and pusher_deg < PUSHER_TOUCHES_DEG:
            rig.phase = PHASE_SEATED
    elif arm_deg <= ARM_DROPS_CUBE_DEG and pusher_deg <= PUSHER_HOME_DEG:
        rig.phase = PHASE_SEATED
        _land(rig, motors)


@kernel
def _roll(rig: RigRecord, motors: MotorArray, faults: FaultTable) -> None:
    """Roll the cube over: once, or as a fault will have it.

    A cube that slips slides back under the pusher, all the way or half, and then rests askew.
    """
    rig.tilts += 1
    rig.event = EVENT_ROLLED
    if strikes(rig, faults, FAULT_SLIP, rig.tilts):
        rig.rolls = 0
        rig.thrown_deg = rig.drawn
        return
    rig.rolls = 2 if strikes(rig, faults, FAULT_DOUBLE, rig.tilts) else 1
    if strikes(rig, faults, FAULT_THROW, rig.tilts):
        rig.thrown_quarters = rig.drawn
    if strikes(rig, faults, FAULT_THROW_ASKEW, rig.tilts):
        rig.thrown_deg = rig.drawn
    settle_layer(rig)
    centre(rig, motors)


@kernel
def settle_layer(rig: RigRecord) -> None:
    """Let the layer that was at the bottom keep what it is short of a quarter; another is next."""
    left_deg = abs(off_quarter_deg(rig.layer_deg))
    if left_deg > LAYER_SETTLES_DEG:
        rig.skew_deg += left_deg
    rig.layer_deg = 90.0 * rig.layer_quarters


@kernel
def _land(rig: RigRecord, motors: MotorArray) -> None:
    """Drop the cube into the middle of its play, or as it was thrown."""
    centre(rig, motors)
    if rig.thrown_quarters != 0.0:
        thrown = int(rig.thrown_quarters)
        rig.cube_deg += 90.0 * thrown
        rig.cube_quarters += thrown
        rig.event = EVENT_QUARTERS
    if abs(rig.thrown_deg) > rig.play_deg:  # by less it drops in all the same
        rig.lodged_deg = rig.thrown_deg
        rig.cube_deg += rig.thrown_deg
    rig.thrown_quarters = 0.0
    rig.thrown_deg = 0.0


@kernel
def _spin_obstacle(rig: RigRecord, arm_deg: float, pusher_deg: float) -> int:
    """Return what keeps the whole cube from turning with the cradle."""
    if rig.phase != PHASE_SEATED:
        return JAM_CUBE_NOT_SEATED
    if arm_deg > rig.arm_clear_deg:
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
def move_cradle(
    rig: RigRecord, motors: MotorArray, held: bool, presses: bool, battery_v: float
) -> None:
    """Let the cradle's walls drag the layer or the cube, or let the cube stop the cradle.

    The cube is `held` between arm and pusher, and these may press enough to hold it as it turns.
    """
    motor = motors[CRADLE_PORT]
    arm_deg = motors[ARM_PORT].shaft_deg
    pusher_deg = motors[PUSHER_PORT].shaft_deg
    angle_deg = cradle_deg(rig, motors)
    if held:
        _square_cube(rig, angle_deg)
    motor.friction_nm = FRICTION_NM + FREE_FRICTION_NM
    # The cradle looks the same after a quarter: a cube that was thrown round is seated as before.
    offset = off_quarter_deg(angle_deg - (rig.cube_deg + rig.layer_deg) + rig.lodged_deg)
    push = offset - math.copysign(min(abs(offset), rig.play_deg), offset)
    if abs(push) < CONTACT_DEG:
        return
    if rig.lodged_deg != 0.0 and (held or _spin_obstacle(rig, arm_deg, pusher_deg) != JAM_NONE):
        _slide_under(rig, push)
        return
    if held:
        if presses:
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
    """Turn the cradle under a cube that only rests on its walls, until that drops between them."""
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
def arm_obstacle(rig: RigRecord, angle_deg: float) -> int:
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
            obstacle = arm_obstacle(rig, cradle_deg(rig, motors))
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
def skip_teeth(rig: RigRecord, motors: MotorArray, cradle_was_deg: float) -> None:
    """Let the motor turn on without its cradle, as long as teeth are to be skipped."""
    moved_deg = motors[CRADLE_PORT].shaft_deg - cradle_was_deg
    skipped_deg = math.copysign(min(abs(moved_deg), rig.skip_left_deg), moved_deg)
    rig.skip_left_deg -= abs(skipped_deg)
    rig.skipped_deg += skipped_deg


@kernel
def count_quarters(rig: RigRecord, faults: FaultTable) -> None:
    """Notice that the cube or its layer passed the middle of a quarter, and what goes wrong there.

    A cube that overshoots leaves its corners and comes to rest a quarter further; a hold that slips
    lets the upper layers come along for a while; a gear that skips turns without its cradle.
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
    skip_teeth(rig, motors, were_deg[0])
    _move_arm(rig, motors, were_deg[1], faults)
    _move_pusher(rig, motors, were_deg[2])
    held = _is_held(rig, motors[ARM_PORT].shaft_deg, motors[PUSHER_PORT].shaft_deg)
    presses = drive_torque_nm(motors[ARM_PORT], battery_v) >= ARM_PRESS_NM
    move_cradle(rig, motors, held, presses, battery_v)
    count_quarters(rig, faults)
    if rig.event == EVENT_NONE:
        roll_or_land(rig, motors, faults)


@kernel
def notice_jam(rig: RigRecord) -> None:
    if rig.blocked_by == JAM_NONE:
        rig.jam_ticks = 0
        return
    rig.jam_ticks += 1
    if rig.jam_ticks == JAM_TICKS and rig.event == EVENT_NONE:
        rig.jam = rig.blocked_by
        rig.event = EVENT_JAMMED


@kernel
def advance_rig(
    rigs: RigRecord,
    faults: FaultTable,
    firmware: Firmware,
    tick: int,
    ticks: int,
    battery: Battery,
) -> int:
    """Move the rig, the only element of `rigs`, through up to `ticks` milliseconds from `tick` on.

    Returns the milliseconds done; fewer than `ticks` only after one with an `event`, which the
    caller handles before it continues, or where the firmware has left something to do.
    """
    rig = rigs[0]
    rig.event = EVENT_NONE
    motors = firmware.outputs.motors
    done = 0
    while done < ticks:
        done += skip_rest(firmware, tick + done, ticks - done)
        if done == ticks:
            break
        were_deg = (
            float(motors[CRADLE_PORT].shaft_deg),
            float(motors[ARM_PORT].shaft_deg),
            float(motors[PUSHER_PORT].shaft_deg),
        )
        battery_v = loaded_v(battery, motors)
        turn_shafts(motors, tick + done, battery_v)
        settle_contacts(rig, motors, faults, were_deg, battery_v)
        notice_jam(rig)
        done += 1
        if run_millisecond(firmware, tick + done) or rig.event != EVENT_NONE:
            break
    rig.stuck_ticks = max(0, rig.stuck_ticks - done)
    return done
