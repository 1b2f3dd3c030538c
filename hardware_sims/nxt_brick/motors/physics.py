"""A direct-current motor with gear train and dry friction, and the battery under its load."""

import math
from dataclasses import dataclass
from typing import Final, NamedTuple

from hardware_sims.nxt_brick.motors import state as motor_state
from hardware_sims.nxt_firmware.io_maps import OUTPUTS
from solvers.foundation.compiled import kernel

DEGREES_PER_RADIAN: Final = 180.0 / math.pi


@kernel
def drive_torque_nm(motor: motor_state.MotorRecord, battery_v: float) -> float:
    """Return the torque that the current makes at the shaft.

    Between the pulses the driver chip either shorts the motor, which then follows its duty in both
    directions, or lets it float, which then is only ever pushed the way it is driven.
    """
    speed_rad_s = motor.speed_deg_s / DEGREES_PER_RADIAN
    voltage = battery_v * motor.actual_speed / 100.0
    torque: float = (
        motor_state.TORQUE_NM_A
        * (voltage - motor_state.BACK_EMF_V_S * speed_rad_s)
        / motor_state.ARMATURE_OHM
    )
    if motor.brakes:
        return torque
    if motor.actual_speed > 0:
        return max(torque, 0.0)
    if motor.actual_speed < 0:
        return min(torque, 0.0)
    return 0.0


@kernel
def turn_shaft(motor: motor_state.MotorRecord, battery_v: float) -> None:
    """Move the shaft through one tick of a millisecond."""
    speed_rad_s = motor.speed_deg_s / DEGREES_PER_RADIAN
    torque = drive_torque_nm(motor, battery_v) - motor_state.VISCOUS_NM_S * speed_rad_s
    direction = speed_rad_s if speed_rad_s != 0.0 else torque
    # Dry friction holds a resting shaft against anything weaker, which is why the firmware's
    # regulation leaves a few degrees: 5 of them make about 10 % power.
    if speed_rad_s == 0.0 and abs(torque) <= motor.friction_nm:
        return
    torque -= math.copysign(motor.friction_nm, direction)
    new_speed_rad_s = speed_rad_s + torque / motor.inertia_kg_m2 * motor_state.TICK_S
    if new_speed_rad_s * speed_rad_s < 0.0:
        new_speed_rad_s = 0.0  # friction brings it to rest, it never turns it round
    motor.speed_deg_s = new_speed_rad_s * DEGREES_PER_RADIAN
    motor.shaft_deg += motor.speed_deg_s * motor_state.TICK_S


@kernel
def stop_at(motor: motor_state.MotorRecord, angle_deg: float) -> None:
    """Hold the shaft at something hard."""
    motor.shaft_deg = angle_deg
    motor.speed_deg_s = 0.0


MS_PER_MINUTE: Final = 60_000


class Battery(NamedTuple):
    """Open voltage, and internal resistance; with 0 it is one that gives any current."""

    open_v: float
    ohm: float = 0.0


@dataclass(frozen=True, slots=True)
class Supply:
    """A battery that drains, or sags under load."""

    full_mv: float
    ohm: float
    drain_mv_per_minute: float

    def battery(self, tick: int) -> Battery:
        """Return what is left of it after some milliseconds."""
        left_mv = max(0.0, self.full_mv - self.drain_mv_per_minute * tick / MS_PER_MINUTE)
        return Battery(left_mv / 1000, self.ohm)


@kernel
def loaded_v(battery: Battery, motors: motor_state.MotorArray) -> float:
    """Return the voltage while the motors draw what they draw.

    A motor's current flows through the battery in the pulses only, which are the power's share of
    the time. As the voltage sags the current falls, in a straight line for each motor that draws
    any; from the open voltage Newton's method is there after as many steps as motors stop drawing.
    """
    volts = battery.open_v
    if battery.ohm == 0.0:
        return volts
    for _ in range(OUTPUTS + 1):
        amperes = 0.0
        amperes_per_volt = 0.0
        for port in range(OUTPUTS):
            share = motors[port].actual_speed / 100.0
            drawn = share * drive_torque_nm(motors[port], volts) / motor_state.TORQUE_NM_A
            if drawn > 0.0:
                amperes += drawn
                amperes_per_volt += share * share / motor_state.ARMATURE_OHM
        missing_v = volts + battery.ohm * amperes - battery.open_v
        volts -= missing_v / (1.0 + battery.ohm * amperes_per_volt)
    return volts
