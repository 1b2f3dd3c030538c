"""The part of the firmware's millisecond that is compiled: sensors, motors, program.

Whatever moves the shafts calls `run_millisecond` in each of its milliseconds. Where that returns
true something is left to the modules that are written in Python: a system call, the program's end,
a sound.
"""

from typing import Final, NamedTuple

from hardware_sims.nxt_brick.modules.sound import STOP, UPDATE
from hardware_sims.nxt_brick.motors.arithmetic import whole
from hardware_sims.nxt_brick.motors.output_module import run_output_module
from hardware_sims.nxt_brick.motors.state import OutputState
from hardware_sims.nxt_brick.motors.ticks import all_rest, read_encoders, skip
from hardware_sims.nxt_brick.sensors.input_module import (
    InputState,
    advance_inputs,
    are_settled,
    unsettle,
)
from hardware_sims.nxt_firmware.io_maps import IoMap
from hardware_sims.nxt_vm.interpreter.slices import (
    NEVER,
    SLICE_DONE,
    ProgramState,
    next_tick,
    run_slice,
)
from solvers.foundation.compiled import kernel

DEACTIVATE_AT: Final = 31  # in the command module's I/O map, with which its memory begins


class Firmware(NamedTuple):
    """All that a millisecond works on."""

    outputs: OutputState
    inputs: InputState
    program: ProgramState
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
    if run_slice(firmware.program, tick) != SLICE_DONE or not machine.running:
        return True
    sound = firmware.sound[0]
    return bool(sound.flags & UPDATE or sound.state == STOP)


@kernel
def skip_rest(firmware: Firmware, tick: int, ticks: int) -> int:
    """Pass over milliseconds after `tick` in which nothing happens; return how many, 0 to `ticks`.

    Motors that rest go on resting until they are told something.
    """
    resting = whole(ticks)
    if firmware.program.machine[0].running:
        wanted = next_tick(firmware.program)
        if wanted != NEVER:
            resting = min(resting, wanted - tick - 1)
    if resting <= 0 or not all_rest(firmware.outputs) or not are_settled(firmware.inputs):
        return 0
    skip(firmware.outputs.motors, resting)
    return resting
