"""A direct-current motor with gear train, dry friction and whatever inertia hangs on it."""

import math
from typing import Final

from hardware_sims.nxt_brick.motors.state import (
    ARMATURE_OHM,
    BACK_EMF_V_S,
    TICK_S,
    TORQUE_NM_A,
    VISCOUS_NM_S,
    MotorRecord,
)
from solvers.foundation.compiled import kernel

DEGREES_PER_RADIAN: Final = 180.0 / math.pi


@kernel
def drive_torque_nm(motor: MotorRecord, battery_v: float) -> float:
    """Return the torque that the current makes at the shaft.

    Between the pulses the driver chip either shorts the motor, which then follows its duty in both
    directions, or lets it float, which then is only ever pushed the way it is driven.
    """
    speed_rad_s = motor.speed_deg_s / DEGREES_PER_RADIAN
    voltage = battery_v * motor.actual_speed / 100.0
    torque: float = TORQUE_NM_A * (voltage - BACK_EMF_V_S * speed_rad_s) / ARMATURE_OHM
    if motor.brakes:
        return torque
    if motor.actual_speed > 0:
        return max(torque, 0.0)
    if motor.actual_speed < 0:
        return min(torque, 0.0)
    return 0.0


@kernel
def turn_shaft(motor: MotorRecord, battery_v: float) -> None:
    """Move the shaft through one tick of a millisecond."""
    speed_rad_s = motor.speed_deg_s / DEGREES_PER_RADIAN
    torque = drive_torque_nm(motor, battery_v) - VISCOUS_NM_S * speed_rad_s
    direction = speed_rad_s if speed_rad_s != 0.0 else torque
    if speed_rad_s == 0.0 and abs(torque) <= motor.friction_nm:
        return
    torque -= math.copysign(motor.friction_nm, direction)
    new_speed_rad_s = speed_rad_s + torque / motor.inertia_kg_m2 * TICK_S
    if new_speed_rad_s * speed_rad_s < 0.0:
        new_speed_rad_s = 0.0  # friction brings it to rest, it never turns it round
    motor.speed_deg_s = new_speed_rad_s * DEGREES_PER_RADIAN
    motor.shaft_deg += motor.speed_deg_s * TICK_S


@kernel
def stop_at(motor: MotorRecord, angle_deg: float) -> None:
    """Hold the shaft at something hard."""
    motor.shaft_deg = angle_deg
    motor.speed_deg_s = 0.0
