"""The rig's inner loop: motors, contacts and cube through many milliseconds."""

from numba import njit

from hardware_sims.cube_rig.mechanics import settle_contacts
from hardware_sims.cube_rig.rig_state import (
    ARM_PORT,
    EVENT_JAMMED,
    EVENT_NONE,
    JAM_NONE,
    JAM_TICKS,
    PUSHER_PORT,
    RigRecord,
)
from hardware_sims.nxt_brick.motor_state import MOTOR_COUNT, MotorArray
from hardware_sims.nxt_brick.motor_ticks import is_quiet, tick_motor


@njit(cache=True)
def _notice_jam(rig: RigRecord) -> None:
    if rig.blocked_by == JAM_NONE:
        rig.jam_ticks = 0
        return
    rig.jam_ticks += 1
    if rig.jam_ticks == JAM_TICKS and rig.event == EVENT_NONE:
        rig.jam = rig.blocked_by
        rig.event = EVENT_JAMMED


@njit(cache=True)
def advance_rig(
    rigs: RigRecord, motors: MotorArray, tick: int, ticks: int, battery_v: float
) -> int:
    """Move the rig, the only element of `rigs`, through up to `ticks` milliseconds from `tick` on.

    Returns the milliseconds done; fewer than `ticks` only after one with an `event`, which the
    caller handles before it goes on.
    """
    rig = rigs[0]
    rig.event = EVENT_NONE
    for done in range(ticks):
        quiet = True
        arm_was_deg = motors[ARM_PORT].shaft_deg
        pusher_was_deg = motors[PUSHER_PORT].shaft_deg
        for port in range(MOTOR_COUNT):
            if not is_quiet(motors[port]):
                quiet = False
                tick_motor(motors[port], tick + done, battery_v)
        if quiet:
            return ticks
        settle_contacts(rig, motors, arm_was_deg, pusher_was_deg, battery_v)
        _notice_jam(rig)
        if rig.event != EVENT_NONE:
            return done + 1
    return ticks
