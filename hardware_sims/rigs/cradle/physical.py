"""The cradle rig by forces: arm, pusher and cube are rigid bodies in the plane of a tilt.

A cube rolls if arm and pusher roll it, and rests where they leave it; a layer is held as hard as
they press. The cradle and what turns in it, about the vertical, follow the rules of `mechanics`.
"""

import math
from collections.abc import Callable
from typing import Final

from hardware_sims.nxt_brick.firmware import Firmware, run_millisecond, skip_rest
from hardware_sims.nxt_brick.motors.physics import Battery, drive_torque_nm, loaded_v, turn_shaft
from hardware_sims.nxt_brick.motors.state import FRICTION_NM, VISCOUS_NM_S, MotorArray
from hardware_sims.rigs.cradle import mechanics
from hardware_sims.rigs.cradle.faults import NO_RIG_FAULTS, RigFaults
from hardware_sims.rigs.cradle.geometry import Geometry, arm_clear_deg, plane_of
from hardware_sims.rigs.cradle.mechanics import (
    ARM_BACK_STOP_DEG,
    ARM_CORNER_STOP_DEG,
    ARM_FRONT_STOP_DEG,
    ARM_JAM_STOP_DEG,
    ARM_PORT,
    CRADLE_PORT,
    EVENT_NONE,
    EVENT_ROLLED,
    FREE_FRICTION_NM,
    GEAR_RATIO,
    JAM_ARM_ON_CORNER,
    JAM_NONE,
    LAYER_FRICTION_NM,
    PHASE_SEATED,
    PHASE_TIPPED,
    PUSHER_FRONT_STOP_DEG,
    PUSHER_HOME_STOP_DEG,
    PUSHER_PORT,
    PUSHER_TOUCHES_DEG,
    SQUARED_YAW_DEG,
    RigRecord,
)
from hardware_sims.rigs.cradle.plane import (
    ARM_MOTOR,
    ARM_N,
    CALM,
    CALM_TICKS,
    HALF_M,
    LEAN,
    PUSHER_N,
    TOUCH_N,
    Plane,
    X,
    Z,
    step,
)
from hardware_sims.rigs.cradle.rig import CubeRig
from hardware_sims.rigs.cubes import CradledCube
from hardware_sims.rigs.faults import FaultTable, off_quarter_deg
from solvers.foundation.compiled import kernel

RIGHT_ANGLE: Final = math.pi / 2
LEANS_RAD: Final = math.radians(5.0)  # a cube that leans by more is on its way
FLAT_RAD: Final = math.radians(2.0)
FLAT_M: Final = 1e-3
HELD_LIFTED_M: Final = 1.5e-3
"""An arm that holds the cube may also touch the bottom layer from below and lift it so far: in
MuJoCo, in three dimensions, that layer turns all the same (`tests/physics/layer_turns.py`)."""


class PhysicalRig(CubeRig):
    """A rig of a geometry. A cube may roll on, fall back, or end beside the cradle."""

    def __init__(
        self,
        geometry: Geometry,
        cube: CradledCube | None = None,
        faults: RigFaults = NO_RIG_FAULTS,
        on_cube_change: Callable[[CubeRig], None] | None = None,
    ) -> None:
        super().__init__(cube, faults, on_cube_change)
        self._geometry = geometry
        self._plane = _bodies(geometry)
        clear_deg = arm_clear_deg(geometry)
        assert clear_deg is not None, "checked when the file was read"
        self._mechanics["arm_clear_deg"] = clear_deg
        self._lip_m = geometry.lip_gap / 1000 + FLAT_M

    def straighten(self) -> None:
        """Put the cube into the cradle by hand, with arm and pusher at home."""
        super().straighten()
        self._plane = _bodies(self._geometry)

    def _advance(self, tick: int, ticks: int, battery: Battery) -> int:
        return advance_bodies(
            self._mechanics,
            self._faults,
            self._firmware,
            self._plane,
            self._lip_m,
            tick,
            ticks,
            battery,
        )


def _bodies(geometry: Geometry) -> Plane:
    """Return all parts at home, on motors with friction and between the stops of `mechanics`.

    These are where the motors stand, which are ahead by the backlash.
    """
    plane = plane_of(geometry)
    build, play_deg = plane.build, geometry.backlash_deg
    build["arm_friction_nm"] = build["pusher_friction_nm"] = FREE_FRICTION_NM
    build["motor_friction_nm"] = FRICTION_NM
    build["arm_least"] = math.radians(ARM_BACK_STOP_DEG + play_deg)
    build["arm_most"] = math.radians(ARM_FRONT_STOP_DEG)
    build["pusher_least"] = math.radians(PUSHER_HOME_STOP_DEG + play_deg)
    build["pusher_most"] = math.radians(PUSHER_FRONT_STOP_DEG)
    return plane


@kernel
def advance_bodies(
    rigs: RigRecord,
    faults: FaultTable,
    firmware: Firmware,
    plane: Plane,
    lip_m: float,
    tick: int,
    ticks: int,
    battery: Battery,
) -> int:
    """Move the rig through up to `ticks` milliseconds, as `mechanics.advance_rig`."""
    rig = rigs[0]
    rig.event = EVENT_NONE
    motors = firmware.outputs.motors
    done = 0
    while done < ticks:
        if plane.found[CALM_TICKS] >= CALM:
            done += skip_rest(firmware, tick + done, ticks - done)
            if done == ticks:
                break
        rig.blocked_by = JAM_NONE
        battery_v = loaded_v(battery, motors)
        cradle_was_deg = float(motors[CRADLE_PORT].shaft_deg)
        if tick + done < motors[CRADLE_PORT].stall_until_tick:
            motors[CRADLE_PORT].speed_deg_s = 0.0
        else:
            turn_shaft(motors[CRADLE_PORT], battery_v)
        _stop_arm(rig, motors, plane)
        _move_bodies(plane, motors, tick + done, battery_v)
        mechanics.skip_teeth(rig, motors, cradle_was_deg)
        force_n = min(plane.found[ARM_N], plane.found[PUSHER_N])
        is_low = plane.motion[0, Z] < HELD_LIFTED_M
        held = rig.phase == PHASE_SEATED and is_low and force_n > TOUCH_N
        # The corners of a cube that is dragged along push against arm and pusher.
        hold_nm = force_n * 2.0 * HALF_M * (1.0 + plane.build[0].friction)
        presses = hold_nm > LAYER_FRICTION_NM * GEAR_RATIO * rig.stiffness
        mechanics.move_cradle(rig, motors, held, presses, battery_v)
        mechanics.count_quarters(rig, faults)
        if rig.event == EVENT_NONE:
            _follow_cube(rig, motors, plane, lip_m)
        mechanics.notice_jam(rig)
        done += 1
        if run_millisecond(firmware, tick + done) or rig.event != EVENT_NONE:
            break
    return done


@kernel
def _stop_arm(rig: RigRecord, motors: MotorArray, plane: Plane) -> None:
    """Let a cube stop the arm that stands on a corner, or in a cradle that stands askew."""
    arm_deg = motors[ARM_PORT].shaft_deg
    most_deg = ARM_FRONT_STOP_DEG
    jam = JAM_NONE
    if rig.phase == PHASE_SEATED and motors[PUSHER_PORT].shaft_deg < PUSHER_TOUCHES_DEG:
        if abs(off_quarter_deg(rig.cube_deg)) > SQUARED_YAW_DEG:
            if arm_deg <= ARM_CORNER_STOP_DEG + 1.0:
                most_deg = ARM_CORNER_STOP_DEG
                jam = JAM_ARM_ON_CORNER
        elif arm_deg <= ARM_JAM_STOP_DEG + 1.0:
            jam = mechanics.arm_obstacle(rig, mechanics.cradle_deg(rig, motors))
            if jam != JAM_NONE:
                most_deg = ARM_JAM_STOP_DEG
    plane.build[0].arm_most = math.radians(most_deg)
    if jam != JAM_NONE and arm_deg > most_deg:
        rig.blocked_by = jam


@kernel
def _move_bodies(plane: Plane, motors: MotorArray, tick: int, battery_v: float) -> None:
    """Let the motors' torques, and the contacts, move arm, pusher and cube."""
    for which in range(2):
        motor = motors[ARM_PORT + which]
        body = ARM_MOTOR + which
        speed = plane.motion[1, body]
        torque = drive_torque_nm(motor, battery_v) - VISCOUS_NM_S * speed
        plane.drive[body] = torque / plane.build[0].motor_inertia
    step(plane)
    for which in range(2):
        motor = motors[ARM_PORT + which]
        body = ARM_MOTOR + which
        if tick < motor.stall_until_tick:
            plane.motion[0, body] = math.radians(motor.shaft_deg)
            plane.motion[1, body] = 0.0
        elif plane.found[CALM_TICKS] >= CALM and motor.actual_speed == 0:
            plane.motion[1, body] = 0.0
        motor.shaft_deg = math.degrees(plane.motion[0, body])
        motor.speed_deg_s = math.degrees(plane.motion[1, body])


@kernel
def _follow_cube(rig: RigRecord, motors: MotorArray, plane: Plane, lip_m: float) -> None:
    """Notice that the cube leaves its place, and how often it has rolled when it is back there."""
    lean = plane.motion[0, LEAN]
    rolled = int(math.floor(lean / RIGHT_ANGLE + 0.5))  # noqa: RUF046 - numba's floor is a float
    off = abs(lean - rolled * RIGHT_ANGLE)
    if rig.phase == PHASE_SEATED:
        if off > LEANS_RAD:
            rig.phase = PHASE_TIPPED
        return
    in_cradle = abs(plane.motion[0, Z]) < FLAT_M and abs(plane.motion[0, X]) < lip_m
    if off < FLAT_RAD and in_cradle:
        rig.phase = PHASE_SEATED
        plane.motion[0, LEAN] -= rolled * RIGHT_ANGLE
        if rolled != 0:
            rig.tilts += 1
            rig.rolls = rolled % 4
            rig.event = EVENT_ROLLED
            mechanics.settle_layer(rig)
        mechanics.centre(rig, motors)
