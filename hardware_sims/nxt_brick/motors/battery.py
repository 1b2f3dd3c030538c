"""The battery under load: what its own resistance leaves for the motors."""

from dataclasses import dataclass
from typing import Final, NamedTuple

from hardware_sims.nxt_brick.motors.physics import drive_torque_nm
from hardware_sims.nxt_brick.motors.state import ARMATURE_OHM, TORQUE_NM_A, MotorArray
from hardware_sims.nxt_firmware.io_maps import OUTPUTS
from solvers.foundation.compiled import kernel

MS_PER_MINUTE: Final = 60_000


class Battery(NamedTuple):
    """Open voltage, and internal resistance.

    Energizer's alkaline handbook gives 0.15 to 0.3 ohm for a fresh AA cell, which the NXT has six
    of; 0 is a battery that gives any current.
    """

    open_v: float
    ohm: float = 0.0


@dataclass(frozen=True, slots=True)
class Supply:
    """A battery that drains, or sags under load."""

    full_mv: float
    ohm: float
    drain_mv_per_minute: float

    def battery(self, tick: int) -> Battery:
        """Return what is left of it after so many milliseconds."""
        left_mv = max(0.0, self.full_mv - self.drain_mv_per_minute * tick / MS_PER_MINUTE)
        return Battery(left_mv / 1000, self.ohm)


@kernel
def loaded_v(battery: Battery, motors: MotorArray) -> float:
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
            drawn = share * drive_torque_nm(motors[port], volts) / TORQUE_NM_A
            if drawn > 0.0:
                amperes += drawn
                amperes_per_volt += share * share / ARMATURE_OHM
        missing_v = volts + battery.ohm * amperes - battery.open_v
        volts -= missing_v / (1.0 + battery.ohm * amperes_per_volt)
    return volts
