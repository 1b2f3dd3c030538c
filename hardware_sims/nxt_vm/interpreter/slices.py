"""A millisecond of a program: clumps in turn, 20 instructions each, until the time is up.

Callers that are compiled themselves, such as a loop over the ticks of a rig, call `run_slice` by
`run_slice_at`; it may stop in the middle of a millisecond for a service that needs Python and
resumes when it is called again. `next_tick` says which ticks can be skipped because every clump
sleeps.
"""

from typing import Any, NamedTuple

from hardware_sims.nxt_firmware.io_maps import IoMap
from hardware_sims.nxt_vm import codes, dataspace
from hardware_sims.nxt_vm.arrays import compact
from hardware_sims.nxt_vm.interpreter.instructions import (
    execute,
    first_wake_tick,
    reset_clump,
    rotate,
    wake_sleepers,
)
from hardware_sims.nxt_vm.interpreter.requests import NO_REQUEST, carry_out_request
from solvers.foundation.compiled import by_address, kernel


class ProgramState(NamedTuple):
    """The machine and the I/O maps that it works on, each an array of one record."""

    machine: dataspace.MachineArray
    output: IoMap
    input: IoMap
    sound: IoMap
    buttons: IoMap


SLICE_DONE = codes.DONE
# A brick whose clumps only suspend each other never looks at its clock again and hangs.
MOST_INSTRUCTIONS_PER_MS = 20_000
# The brick's processor has 48000 cycles in a millisecond, so it works on fewer parts of arrays.
MOST_WORK_PER_MS = 8 * codes.POOL_BYTES
NEVER = -1
STATUS_AT = 28  # in the command module's I/O map
DEACTIVATE_AT = 31
TICK_AT = 20


@kernel
def end_program(machine: dataspace.MachineRecord, status: int, code: int) -> None:
    """Stop executing; remember where and why."""
    clump = dataspace.number(machine.run_head)
    machine.running = 0
    machine.service_pending = 0
    machine.end_status = status
    machine.end_code = code
    machine.end_tick = dataspace.number(machine.tick)
    machine.end_clump = clump
    machine.end_word = -1
    if clump != codes.NO_CLUMP:
        machine.end_word = dataspace.number(machine.counter[clump]) - dataspace.CODE_MARGIN
    dataspace.put_byte(machine, STATUS_AT, status)


@kernel
def run_turn(  # noqa: C901
    machine: dataspace.MachineRecord, out: Any, inputs: Any, sound: Any, buttons: Any, resumed: bool
) -> int:
    """Execute the clump at the queue's head until something else has to happen."""
    clump = dataspace.number(machine.run_head)
    if clump == codes.NO_CLUMP:
        return codes.TIME_IS_UP
    at = dataspace.number(machine.counter[clump])
    last = dataspace.number(machine.last_word[clump])
    limit = dataspace.number(machine.instructions_per_ms)
    executed = dataspace.number(machine.executed_in_slice)
    left = dataspace.number(machine.turn_left) if resumed else codes.INSTRUCTIONS_PER_TURN
    while True:
        machine.counter[clump] = at
        if resumed:
            status = dataspace.number(machine.service_status)
            resumed = False
        else:
            machine.work = 0
            status = execute(machine, out, inputs, sound, buttons, at)
            # Once more after compaction, as the firmware does; a second refusal ends the program.
            if status == codes.ERR_MEM:
                compact(machine)
                status = execute(machine, out, inputs, sound, buttons, at)
        work = dataspace.number(machine.work)
        if work > dataspace.MOST_WORK:
            status = codes.ERR_BEYOND
        if status == codes.NEEDS_SERVICE:
            machine.turn_left = left
            return status
        executed += 1
        in_slice = dataspace.number(machine.work_in_slice) + work
        machine.work_in_slice = in_slice
        machine.executed_in_slice = executed
        machine.executed = dataspace.number(machine.executed) + 1
        if status == codes.DONE:
            at += dataspace.number(machine.step)
            if at > last:
                status = codes.ERR_INSTR
            left -= 1
            # The clock is looked at before the turn's 20 instructions are counted, so a slice that
            # is over ends the turn as well, and the clump goes to the tail either way.
            if executed >= limit or in_slice > MOST_WORK_PER_MS:
                status = codes.TIME_IS_UP
            elif left <= 0:
                status = codes.ROTATE
            if status != codes.DONE:
                machine.counter[clump] = at
                return status
        elif status == codes.CLUMP_DONE:
            reset_clump(machine, clump)
            return status
        else:
            if status in (codes.CLUMP_SUSPENDED, codes.ROTATE):
                machine.counter[clump] = at + dataspace.number(machine.step)
            return status


@kernel
def goes_on(machine: dataspace.MachineRecord, status: int) -> bool:
    """Do what a turn's end asks for; return whether there is another turn in this millisecond."""
    # Nothing to run and nothing asleep is the program's normal end: PROG_OK without any STOP.
    if dataspace.number(machine.run_head) == codes.NO_CLUMP:
        if dataspace.number(machine.rest_head) == codes.NO_CLUMP:
            end_program(machine, codes.PROGRAM_OK, codes.DONE)
        return False
    if status == codes.STOP_REQUEST:
        end_program(machine, codes.PROGRAM_OK, codes.DONE)
        return False
    if status < 0:
        end_program(machine, codes.PROGRAM_ERROR, status)
        return False
    if status in (codes.ROTATE, codes.TIME_IS_UP):
        rotate(machine)
    if dataspace.number(machine.executed_in_slice) >= MOST_INSTRUCTIONS_PER_MS:
        dataspace.note(
            machine, dataspace.NEVER_ENDING_MILLISECOND, dataspace.number(machine.executed_in_slice)
        )
        return False
    return status != codes.TIME_IS_UP


@kernel
def run_slice(state: ProgramState, tick: int) -> int:
    """Execute the millisecond `tick`; return SLICE_DONE, or NEEDS_SERVICE in the middle of it.

    After a service the call is repeated for the same tick. The program may have ended: then
    `running` is 0. A request of the host is carried out instead, and its status returned.
    """
    machine = state.machine[0]
    if dataspace.number(machine.request) != NO_REQUEST:
        return carry_out_request(machine)
    out, inputs = state.output[0], state.input[0]
    sound, buttons = state.sound[0], state.buttons[0]
    if not dataspace.number(machine.running):
        return SLICE_DONE
    resumed = dataspace.number(machine.service_pending) != 0
    machine.tick = tick
    dataspace.put_long(machine, TICK_AT, tick)
    if not resumed:
        machine.executed_in_slice = machine.work_in_slice = 0
        wake_sleepers(machine)
    machine.service_pending = 0
    while True:
        status = run_turn(machine, out, inputs, sound, buttons, resumed)
        resumed = False
        if status == codes.NEEDS_SERVICE:
            machine.service_pending = 1
            return codes.NEEDS_SERVICE
        if not goes_on(machine, status):
            return SLICE_DONE


run_slice_at = by_address(run_slice)
"""Call `run_slice` from a kernel, by `run_slice_address`; see `by_address`."""


@kernel
def next_tick(state: ProgramState) -> int:
    """Return the tick after the one just run in which the program needs a slice, or NEVER."""
    machine = state.machine[0]
    if not dataspace.number(machine.running):
        return NEVER
    if dataspace.number(machine.run_head) != codes.NO_CLUMP:
        return dataspace.number(machine.tick) + 1
    return max(first_wake_tick(machine), dataspace.number(machine.tick) + 1)
