"""The cube on its way over: tipped by the arm, rolled by the pusher, landed in the cradle."""

from hardware_sims.cube_rig.mechanics.angles import centre, off_quarter_deg
from hardware_sims.cube_rig.mechanics.chance import strikes
from hardware_sims.cube_rig.rig_state import (
    ARM_DROPS_CUBE_DEG,
    ARM_PORT,
    ARM_TIPS_CUBE_DEG,
    EVENT_QUARTERS,
    EVENT_ROLLED,
    FAULT_DOUBLE,
    FAULT_SLIP,
    FAULT_THROW,
    FAULT_THROW_ASKEW,
    LAYER_SETTLES_DEG,
    PHASE_ROLLED,
    PHASE_SEATED,
    PHASE_TIPPED,
    PUSHER_HOME_DEG,
    PUSHER_PORT,
    PUSHER_ROLLS_DEG,
    PUSHER_TOUCHES_DEG,
    FaultTable,
    RigRecord,
)
from hardware_sims.nxt_brick.motors.state import MotorArray
from solvers.foundation.compiled import kernel


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

    A cube that slips slides back under the pusher, all the way or half, and then lies askew.
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
    # The layer that was at the bottom keeps what it is short of a quarter; another one is next.
    left_deg = abs(off_quarter_deg(rig.layer_deg))
    if left_deg > LAYER_SETTLES_DEG:
        rig.skew_deg += left_deg
    rig.layer_deg = 90.0 * rig.layer_quarters
    centre(rig, motors)


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
