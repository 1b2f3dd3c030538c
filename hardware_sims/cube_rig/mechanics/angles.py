"""Angles of cradle and cube."""

import math

from hardware_sims.cube_rig.rig_state import CRADLE_PORT, GEAR_RATIO, RigRecord
from hardware_sims.nxt_brick.motors.state import MotorArray
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
