"""The rig's inner loop: motors, contacts and cube through many milliseconds."""

from hardware_sims.cube_rig.mechanics.contacts import settle_contacts
from hardware_sims.cube_rig.rig_state import (
    ARM_PORT,
    CRADLE_PORT,
    EVENT_JAMMED,
    EVENT_NONE,
    JAM_NONE,
    JAM_TICKS,
    PUSHER_PORT,
    FaultTable,
    RigRecord,
)
from hardware_sims.nxt_brick.firmware import Firmware, run_millisecond, skip_rest
from hardware_sims.nxt_brick.motors.battery import Battery, loaded_v
from hardware_sims.nxt_brick.motors.ticks import turn_shafts
from solvers.foundation.compiled import kernel


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
    caller handles before it goes on, or where the firmware has left something to do.
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
        _notice_jam(rig)
        done += 1
        if run_millisecond(firmware, tick + done) or rig.event != EVENT_NONE:
            break
    rig.stuck_ticks = max(0, rig.stuck_ticks - done)
    return done
