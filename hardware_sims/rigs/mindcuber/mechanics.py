"""MindCuber's geometry and what happens in it within a millisecond: the compiled part.

Angles of the table and the cube are degrees of the table about the vertical, positive
counter-clockwise seen from above. The two arms are placed as their makers place them: by how far a
motor has come back from the end stop in front of it (`back_deg`), in degrees of the motor.

Contacts are hard and without bounce, as in the cradle rig. Positions that a program for this
machine drives to are published; what the parts do between them is assumed, and said so.
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
from hardware_sims.rigs.mindcuber.sight import Palette, look
from solvers.foundation.compiled import kernel

TABLE_PORT: Final = 0
SENSOR_PORT: Final = 1
TILT_PORT: Final = 2

GEAR_RATIO: Final = 3.0  # 270 motor degrees turn the table by 90 (NXT 2.0 kit)
# Where the end stops are, in degrees of the motors from where these stand at first (assumed).
SENSOR_STOP_DEG: Final = 60.0
TILT_STOP_DEG: Final = 45.0
# How far back the arms can go (assumed): a little beyond the last place they are driven to.
SENSOR_BACK_DEG: Final = 230.0
TILT_BACK_DEG: Final = 262.0

# The tilt arm, as degrees back from its stop. Away is 25, release 62, hold 160, and it tilts to
# 245; where in between things change is assumed.
SPIN_FREE_DEG: Final = 72.0  # up to this the whole cube may turn
CORNER_DEG: Final = 110.0  # where the closing arm meets the corner of a cube turned askew
HOLD_DEG: Final = 150.0  # from this on it keeps hold of the upper layers
LIFT_DEG: Final = 180.0  # from this on it lifts the cube out of the table
JAM_DEG: Final = 185.0  # as far as it comes with a cube that cannot tilt
LAND_DEG: Final = 175.0  # in front of this a cube that was tilted comes down
TIP_DEG: Final = 235.0  # from this on the cube falls over
SENSOR_CLEAR_DEG: Final = 150.0  # of the sensor's arm, from where on the cube passes it (assumed)
FALL_TICKS: Final = 120  # a cube on its edge takes that long to fall over (assumed)
DROP_TICKS: Final = 60  # and one that is let go to come to rest in the table (assumed)

# Half the play of the cube, as degrees of motor A: between table and cube, and of the cube in the
# arm that holds it. Together they are the 57 degrees that a layer turn overshoots by.
USUAL_PLAY_DEG: Final = 10.0
USUAL_GRIP_DEG: Final = 47.0
MOST_PLAY_DEG: Final = 60.0
SQUARED_YAW_DEG: Final = 19.0  # a cube askew by less is straightened by the closing arm (assumed)
GIVE_DEG: Final = 8.0  # what the open arm lets the cube turn before it stops its corners (assumed)
TABLE_TOLERANCE_DEG: Final = 8.0  # of the table, for the cube to come out of it (assumed)
LAYER_SETTLES_DEG: Final = 5.0  # a layer off by less clicks straight in a tilt (assumed)
LAYER_TOLERANCE_DEG: Final = 8.0  # all layers together, for a tilt (assumed)

CONTACT_DEG: Final = 1e-6  # a wall that only touches does not push
JAM_NM: Final = 0.22  # a motor that pushes with less is only feeling for the contact
JAM_TICKS: Final = 30  # shorter contacts are touches, not jams
# Frictions and inertia are assumed, as in the cradle rig.
FREE_FRICTION_NM: Final = 0.02
LAYER_FRICTION_NM: Final = 0.06
LIFT_FRICTION_NM: Final = 0.06
TABLE_INERTIA_KG_M2: Final = 1.5e-3

PHASE_SEATED: Final = 0  # the cube is flat in the table
PHASE_FALLING: Final = 1  # it is over its edge
PHASE_ROLLED: Final = 2  # it leans on the arm, with another face below

EVENT_NONE: Final = 0
EVENT_QUARTERS: Final = 1  # the layer or the cube passed the middle between two quarters
EVENT_ROLLED: Final = 2  # `rolls` times: none if it slipped
EVENT_JAMMED: Final = 3

JAM_NONE: Final = 0
JAM_ARM_IN_THE_WAY: Final = 1
JAM_CUBE_NOT_SEATED: Final = 2
JAM_LAYER_ASKEW: Final = 3
JAM_TABLE_ASKEW: Final = 4
JAM_ARM_ON_CORNER: Final = 5
JAM_SENSOR_IN_THE_WAY: Final = 6

MINDCUBER: Final = np.dtype(
    [
        ("has_cube", "i8"),
        ("play_deg", "f8"),  # half the play between table and cube
        ("grip_deg", "f8"),  # half the play of the held cube
        ("cube_deg", "f8"),  # yaw of the two upper layers
        ("layer_deg", "f8"),  # bottom layer against them
        ("skew_deg", "f8"),  # what layers turned earlier are off their quarters, added up
        ("lodged_deg", "f8"),  # yaw of a cube askew on the table's walls; 0: it is seated
        ("cube_quarters", "i8"),  # `cube_deg` and `layer_deg` rounded to quarters
        ("layer_quarters", "i8"),
        ("phase", "i8"),
        ("phase_ticks", "i8"),  # until the falling or dropping cube is down
        ("event", "i8"),
        ("rolls", "i8"),  # how often the cube rolled in the last EVENT_ROLLED
        ("blocked_by", "i8"),  # jam kind of this tick's hard contact
        ("jam", "i8"),  # jam kind of the last EVENT_JAMMED
        ("jam_ticks", "i8"),
        ("stiffness", "f8"),  # of the cube's layers: times the usual friction
        # What goes wrong: how often there was an occasion, and what is under way.
        ("tilts", "i8"),
        ("spun_quarters", "i8"),
        ("turned_quarters", "i8"),
        ("views", "i8"),  # of stickers by the colour sensor
        ("random", "i8"),  # state of the generator
        ("drawn", "f8"),  # how much of the fault that has just struck
        ("slip_left_deg", "f8"),
        ("skip_left_deg", "f8"),
        ("skipped_deg", "f8"),
        ("thrown_quarters", "f8"),
        ("thrown_deg", "f8"),
        # What the colour sensor has below it.
        ("top", "i8", (9,)),  # colours of the upper face, its back left corner first
        ("place", "i8"),  # the sticker below the sensor, -1: none
        ("offset_mm", "f8"),  # of the sensor, from where the arm should have it
        ("gain", "f8", (3,)),  # of its three lamps, with the height of the sensor
        ("shade", "f8", (3,)),  # of the sticker that is below it now
        ("room", "f8"),  # the room's light
        ("glare", "f8"),  # and what falls on this sticker besides
        ("noise", "f8"),
        ("spread", "f8"),  # how different stickers of one colour look
    ]
)

RigRecord: TypeAlias = Any  # the element of a MINDCUBER array: fields are read as attributes


@kernel
def tilt_back_deg(motors: MotorArray) -> float:
    """Return how far the tilt arm has come back from its end stop."""
    return float(TILT_STOP_DEG - motors[TILT_PORT].shaft_deg)


@kernel
def sensor_back_deg(motors: MotorArray) -> float:
    """Return how far the sensor's arm has come back from its end stop."""
    return float(SENSOR_STOP_DEG - motors[SENSOR_PORT].shaft_deg)


@kernel
def table_deg(rig: RigRecord, motors: MotorArray) -> float:
    """Return where the table stands, which may have lost teeth against its motor."""
    return float((motors[TABLE_PORT].shaft_deg - rig.skipped_deg) / GEAR_RATIO)


@kernel
def total_skew_deg(rig: RigRecord) -> float:
    """Return by how much all layers together are off."""
    return float(rig.skew_deg + abs(off_quarter_deg(rig.layer_deg)))


@kernel
def centre(rig: RigRecord, motors: MotorArray) -> None:
    """Put the cube into the middle of its play."""
    rig.cube_deg = 90.0 * rig.cube_quarters + off_quarter_deg(table_deg(rig, motors))
    rig.lodged_deg = 0.0


@kernel
def _fall_or_land(rig: RigRecord, motors: MotorArray, faults: FaultTable) -> None:
    """Let the cube fall over its edge, lean on the arm, and come down, as the arm now stands."""
    back_deg = tilt_back_deg(motors)
    if rig.phase == PHASE_SEATED:
        if back_deg >= TIP_DEG:
            rig.phase = PHASE_FALLING
            rig.phase_ticks = FALL_TICKS
    elif rig.phase == PHASE_FALLING:
        rig.phase_ticks -= 1
        if rig.phase_ticks <= 0:
            rig.phase = PHASE_ROLLED
            rig.phase_ticks = DROP_TICKS
            _roll(rig, faults)
    elif back_deg <= LAND_DEG:
        rig.phase_ticks -= 1
        if rig.phase_ticks <= 0:
            rig.phase = PHASE_SEATED
            _land(rig, motors)


@kernel
def _roll(rig: RigRecord, faults: FaultTable) -> None:
    """Roll the cube over: once, or as a fault will have it."""
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
    # The layer that was at the bottom keeps what it is short of a quarter; another one is next.
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
def _spin_obstacle(rig: RigRecord, back_deg: float) -> int:
    """Return what keeps the whole cube from turning with the table."""
    if rig.phase != PHASE_SEATED or back_deg > LIFT_DEG:
        return JAM_CUBE_NOT_SEATED
    if back_deg > SPIN_FREE_DEG:
        return JAM_ARM_IN_THE_WAY
    return JAM_NONE


@kernel
def _move_table(rig: RigRecord, motors: MotorArray, was_back_deg: float, battery_v: float) -> None:
    """Let the table's walls drag the layer or the cube, or let the cube stop the table."""
    motor = motors[TABLE_PORT]
    motor.friction_nm = FRICTION_NM + FREE_FRICTION_NM
    if not rig.has_cube:
        return
    back_deg = tilt_back_deg(motors)
    held = rig.phase == PHASE_SEATED and HOLD_DEG <= back_deg <= LIFT_DEG
    if held and was_back_deg < HOLD_DEG:
        _square_cube(rig)
    offset = off_quarter_deg(table_deg(rig, motors) - (rig.cube_deg + rig.layer_deg))
    offset = off_quarter_deg(offset + rig.lodged_deg)
    push = offset - math.copysign(min(abs(offset), rig.play_deg), offset)
    if abs(push) < CONTACT_DEG:
        return
    obstacle = JAM_NONE if held else _spin_obstacle(rig, back_deg)
    if rig.lodged_deg != 0.0 and (held or obstacle != JAM_NONE):
        _slide_under(rig, push)
    elif held:
        rest = _yaw_in_grip(rig, push)
        if rest != 0.0:
            _turn_layer(rig, rest)
            motor.friction_nm += LAYER_FRICTION_NM * rig.stiffness
    elif obstacle == JAM_NONE or _is_within_give(rig, push):
        rig.cube_deg += push
    else:
        stop_at(motor, motor.shaft_deg - push * GEAR_RATIO)
        if abs(drive_torque_nm(motor, battery_v)) > JAM_NM:
            rig.blocked_by = obstacle


@kernel
def _yaw_in_grip(rig: RigRecord, push: float) -> float:
    """Turn the whole cube as far as the arm lets it; return what is left for the layer."""
    yaw_deg = off_quarter_deg(rig.cube_deg)
    left_deg = max(0.0, rig.grip_deg - math.copysign(1.0, push) * yaw_deg)
    given = math.copysign(min(abs(push), left_deg), push)
    rig.cube_deg += given
    rest = push - given
    return rest if abs(rest) > CONTACT_DEG else 0.0


@kernel
def _turn_layer(rig: RigRecord, push: float) -> None:
    """Turn the bottom layer against the upper ones, as far as the arm keeps hold of these."""
    dragged = math.copysign(min(abs(push), rig.slip_left_deg), push)
    rig.slip_left_deg -= abs(dragged)
    rig.cube_deg += dragged
    rig.layer_deg += push - dragged


@kernel
def _slide_under(rig: RigRecord, push: float) -> None:
    """Turn the table under a cube that only rests on its walls, until that drops between them."""
    rig.lodged_deg -= push
    if abs(rig.lodged_deg) <= rig.play_deg:
        rig.lodged_deg = 0.0


@kernel
def _square_cube(rig: RigRecord) -> None:
    """Let the closed arm take a cube into its grip that stands a little more askew than that."""
    yaw_deg = off_quarter_deg(rig.cube_deg)
    if rig.grip_deg < abs(yaw_deg) < SQUARED_YAW_DEG:
        rig.cube_deg -= yaw_deg - math.copysign(rig.grip_deg, yaw_deg)


@kernel
def _is_within_give(rig: RigRecord, push: float) -> bool:
    """Return whether the arm lets the cube turn that little."""
    before = abs(off_quarter_deg(rig.cube_deg))
    after = abs(off_quarter_deg(rig.cube_deg + push))
    return after <= GIVE_DEG or after < before


@kernel
def _lift_obstacle(rig: RigRecord, motors: MotorArray) -> int:
    """Return what keeps the arm from tilting the cube."""
    if sensor_back_deg(motors) < SENSOR_CLEAR_DEG:
        return JAM_SENSOR_IN_THE_WAY
    if abs(off_quarter_deg(table_deg(rig, motors))) > TABLE_TOLERANCE_DEG:
        return JAM_TABLE_ASKEW
    if total_skew_deg(rig) > LAYER_TOLERANCE_DEG:
        return JAM_LAYER_ASKEW
    return JAM_NONE


@kernel
def _move_tilt_arm(rig: RigRecord, motors: MotorArray, was_back_deg: float) -> None:
    motor = motors[TILT_PORT]
    motor.friction_nm = FRICTION_NM + FREE_FRICTION_NM
    back_deg = tilt_back_deg(motors)
    furthest_deg = TILT_BACK_DEG
    jam = JAM_NONE
    if rig.has_cube and rig.phase == PHASE_SEATED:
        if back_deg > LIFT_DEG:
            motor.friction_nm += LIFT_FRICTION_NM
        is_askew = abs(off_quarter_deg(rig.cube_deg)) > SQUARED_YAW_DEG
        if is_askew and was_back_deg <= CORNER_DEG:
            furthest_deg = CORNER_DEG
            jam = JAM_ARM_ON_CORNER
        elif was_back_deg <= JAM_DEG:
            jam = _lift_obstacle(rig, motors)
            if jam != JAM_NONE:
                furthest_deg = JAM_DEG
    if back_deg > furthest_deg:
        stop_at(motor, TILT_STOP_DEG - furthest_deg)
        rig.blocked_by = jam
    elif back_deg < 0.0:
        stop_at(motor, TILT_STOP_DEG)


@kernel
def _move_sensor_arm(motors: MotorArray) -> None:
    motor = motors[SENSOR_PORT]
    motor.friction_nm = FRICTION_NM + FREE_FRICTION_NM
    back_deg = sensor_back_deg(motors)
    if back_deg > SENSOR_BACK_DEG:
        stop_at(motor, SENSOR_STOP_DEG - SENSOR_BACK_DEG)
    elif back_deg < 0.0:
        stop_at(motor, SENSOR_STOP_DEG)


@kernel
def _skip_teeth(rig: RigRecord, motors: MotorArray, table_was_deg: float) -> None:
    """Let the motor turn on without its table, as long as teeth are to be skipped."""
    moved_deg = motors[TABLE_PORT].shaft_deg - table_was_deg
    skipped_deg = math.copysign(min(abs(moved_deg), rig.skip_left_deg), moved_deg)
    rig.skip_left_deg -= abs(skipped_deg)
    rig.skipped_deg += skipped_deg


@kernel
def _count_quarters(rig: RigRecord, faults: FaultTable) -> None:
    """Notice that the cube or its layer passed the middle of a quarter, and what goes wrong."""
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
        rig.event = EVENT_QUARTERS


@kernel
def settle_contacts(
    rig: RigRecord,
    motors: MotorArray,
    faults: FaultTable,
    were_deg: tuple[float, float],
    battery_v: float,
) -> None:
    """Make shafts and cube agree after the motors' tick; set `event` when the cube changed.

    `were_deg` is where table and tilt arm were before: the shaft of motor A, and back of the stop.
    """
    rig.blocked_by = JAM_NONE
    _skip_teeth(rig, motors, were_deg[0])
    _move_sensor_arm(motors)
    _move_tilt_arm(rig, motors, were_deg[1])
    _move_table(rig, motors, were_deg[1], battery_v)
    _count_quarters(rig, faults)
    if rig.event == EVENT_NONE and rig.has_cube:
        _fall_or_land(rig, motors, faults)


@kernel
def _notice_jam(rig: RigRecord) -> None:
    if rig.blocked_by == JAM_NONE:
        rig.jam_ticks = 0
        return
    rig.jam_ticks += 1
    if rig.jam_ticks == JAM_TICKS and rig.event == EVENT_NONE:
        rig.jam = rig.blocked_by
        rig.event = EVENT_JAMMED


@kernel
def _is_top_flat(rig: RigRecord, back_deg: float) -> bool:
    """Return whether the cube is flat in the table, with a face up."""
    return bool(rig.has_cube and rig.phase == PHASE_SEATED and back_deg < LIFT_DEG)


@kernel
def advance_rig(
    rigs: RigRecord,
    faults: FaultTable,
    palette: Palette,
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
        if rig.phase == PHASE_SEATED:
            done += skip_rest(firmware, tick + done, ticks - done)
        if done == ticks:
            break
        were_deg = (float(motors[TABLE_PORT].shaft_deg), tilt_back_deg(motors))
        battery_v = loaded_v(battery, motors)
        turn_shafts(motors, tick + done, battery_v)
        settle_contacts(rig, motors, faults, were_deg, battery_v)
        _notice_jam(rig)
        yaw_deg = rig.cube_deg - 90.0 * rig.cube_quarters
        is_flat = _is_top_flat(rig, tilt_back_deg(motors))
        look(rig, faults, palette, firmware.inputs.ports, sensor_back_deg(motors), yaw_deg, is_flat)
        done += 1
        if run_millisecond(firmware, tick + done) or rig.event != EVENT_NONE:
            break
    return done
