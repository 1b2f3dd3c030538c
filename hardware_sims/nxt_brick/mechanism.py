"""What hangs on the brick's motors."""

from typing import Protocol

from hardware_sims.nxt_brick.firmware import Firmware, run_millisecond, skip_rest
from hardware_sims.nxt_brick.motors.battery import Battery, loaded_v
from hardware_sims.nxt_brick.motors.ticks import turn_shafts
from solvers.foundation.compiled import kernel


class Mechanism(Protocol):
    """What the motors drive; it turns the shafts and calls the firmware in each millisecond."""

    def attach(self, firmware: Firmware) -> None:
        """Take hold of the shafts of three motors whose counts are zero."""

    def advance(self, tick: int, ticks: int, battery: Battery) -> int:
        """Let up to `ticks` milliseconds pass from `tick` on; return how many did.

        Fewer did where the firmware has left something to do after the last of them.
        """


class FreeMotors:
    """Motors that lie on the table."""

    def attach(self, firmware: Firmware) -> None:
        """Remember the motors."""
        self._firmware = firmware

    def advance(self, tick: int, ticks: int, battery: Battery) -> int:
        """Let up to `ticks` milliseconds pass from `tick` on; return how many did."""
        return _advance_free_motors(self._firmware, tick, ticks, battery)


@kernel
def _advance_free_motors(firmware: Firmware, tick: int, ticks: int, battery: Battery) -> int:
    done = 0
    while done < ticks:
        done += skip_rest(firmware, tick + done, ticks - done)
        if done == ticks:
            break
        motors = firmware.outputs.motors
        turn_shafts(motors, tick + done, loaded_v(battery, motors))
        done += 1
        if run_millisecond(firmware, tick + done):
            break
    return done
