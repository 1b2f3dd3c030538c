"""The part of the firmware's millisecond that is compiled, and what turns the motors' shafts.

A mechanism turns the shafts and calls `run_millisecond` in each of its milliseconds. Where that
returns true something is left to the modules that are written in Python: a system call, the
program's end, a sound.
"""

from typing import Final, NamedTuple, Protocol

from hardware_sims.nxt_brick.motors.output_module import (
    all_rest,
    read_encoders,
    run_output_module,
    skip,
    turn_shafts,
)
from hardware_sims.nxt_brick.motors.physics import Battery, loaded_v
from hardware_sims.nxt_brick.motors.state import OutputState, whole
from hardware_sims.nxt_brick.sensors.input_module import (
    InputState,
    advance_inputs,
    are_settled,
    unsettle,
)
from hardware_sims.nxt_brick.sensors.plugged_in import Sensor
from hardware_sims.nxt_brick.sound import STOP, UPDATE
from hardware_sims.nxt_firmware.io_maps import IoMap
from hardware_sims.nxt_vm.interpreter import slices
from solvers.foundation.compiled import kernel

DEACTIVATE_AT: Final = 31  # in the command module's I/O map, at the start of its memory


class Firmware(NamedTuple):
    """All that a millisecond works on."""

    outputs: OutputState
    inputs: InputState
    program: slices.ProgramState
    sound: IoMap


@kernel
def run_millisecond(firmware: Firmware, tick: int) -> bool:
    """Do the millisecond that ends at `tick`, after the shafts have turned.

    Returns whether something is left to do before the next one.
    """
    advance_inputs(firmware.inputs, 1)
    read_encoders(firmware.outputs.motors)
    run_output_module(firmware.outputs)
    machine = firmware.program.machine[0]
    if not machine.running or machine.memory[DEACTIVATE_AT]:
        return False
    unsettle(firmware.inputs)
    assert machine.run_slice_address  # set when a program starts; to call 0 would crash
    status = slices.run_slice_at(machine.run_slice_address, firmware.program, tick)
    if status != slices.SLICE_DONE or not machine.running:
        return True
    sound = firmware.sound[0]
    return bool(sound.flags & UPDATE or sound.state == STOP)


@kernel
def skip_rest(firmware: Firmware, tick: int, ticks: int) -> int:
    """Pass over milliseconds after `tick` in which nothing happens; return how many, 0 to `ticks`.

    Motors at rest stay so until they get an order.
    """
    resting = whole(ticks)
    if firmware.program.machine[0].running:
        wanted = slices.next_tick(firmware.program)
        if wanted != slices.NEVER:
            resting = min(resting, wanted - tick - 1)
    if resting <= 0 or not all_rest(firmware.outputs) or not are_settled(firmware.inputs):
        return 0
    skip(firmware.outputs.motors, resting)
    return resting


class Mechanism(Protocol):
    """What the motors drive; it turns the shafts and calls the firmware in each millisecond."""

    sensors: dict[int, Sensor]
    """What is plugged in with it, by the ports 0 to 3."""

    def attach(self, firmware: Firmware) -> None:
        """Take hold of the shafts of three motors whose counts are zero."""

    def advance(self, tick: int, ticks: int, battery: Battery) -> int:
        """Let up to `ticks` milliseconds pass from `tick` on; return how many did.

        Fewer did where the firmware has left something to do after the last of them.
        """


class FreeMotors:
    """Motors on the table."""

    def __init__(self) -> None:
        self.sensors: dict[int, Sensor] = {}

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
