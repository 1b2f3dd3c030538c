"""One instruction: decoded by its form and size, as the firmware does, and executed.

Each function returns a status of `codes` and leaves the number of words to go on by in
`machine.step`. An opcode that does not belong to its size is an illegal instruction.
"""

from typing import Any

from hardware_sims.nxt_vm import codes as op
from hardware_sims.nxt_vm.codes import (
    CLUMP_SUSPENDED,
    DONE,
    ERR_INSTR,
    NEEDS_SERVICE,
    NOTHING,
    ROTATE,
    STOP_REQUEST,
)
from hardware_sims.nxt_vm.dataspace.memory import byte_at, number, signed
from hardware_sims.nxt_vm.dataspace.variables import (
    array_count,
    is_aggregate,
    kind_of,
    place_of,
    set_value,
    value_of,
    value_or,
)
from hardware_sims.nxt_vm.interpreter.aggregates import apply, combine, move
from hardware_sims.nxt_vm.interpreter.arithmetic import compare
from hardware_sims.nxt_vm.interpreter.array_instructions import (
    argument,
    build,
    initialize,
    replace,
    subset,
    take_element,
)
from hardware_sims.nxt_vm.interpreter.comparing import compare_whole
from hardware_sims.nxt_vm.interpreter.flattening import flatten, unflatten
from hardware_sims.nxt_vm.interpreter.polled_calls import system_call
from hardware_sims.nxt_vm.interpreter.ports import (
    read_input,
    read_output,
    set_outputs,
    write_input,
)
from hardware_sims.nxt_vm.interpreter.scheduler import (
    acquire,
    call,
    finish,
    fire,
    give_back,
    leave_run_queue,
    release,
    sleep,
)
from hardware_sims.nxt_vm.interpreter.strings import (
    bytes_to_text,
    concatenate,
    number_to_text,
    text_subset,
    text_to_bytes,
)
from hardware_sims.nxt_vm.machine_state import MachineRecord
from solvers.foundation.compiled import kernel

COMPARISON_SHIFT = 8  # an operation is opcode | comparison code << 8


@kernel
def branch(machine: MachineRecord, offset: int) -> None:
    machine.step = (offset ^ 0x8000) - 0x8000


@kernel
def execute_short(machine: MachineRecord, at: int, word: int) -> int:
    """Do a short form: MOV, ACQUIRE, RELEASE or SUBCALL."""
    opcode = (word >> 8) & 7
    short = ((word & 0xFF) ^ 0x80) - 0x80
    machine.step = 2
    second = argument(machine, at, 1)
    if opcode == op.SHORT_MOV:
        return move(machine, (second + short) & 0xFFFF, second)
    if opcode == op.SHORT_SUBCALL:
        return call(machine, second + short, place_of(machine, second, 0))
    machine.step = 1
    if opcode == op.SHORT_ACQUIRE:
        return acquire(machine, place_of(machine, short & 0xFFFF, 0))
    if opcode == op.SHORT_RELEASE:
        return release(machine, place_of(machine, short & 0xFFFF, 0))
    return ERR_INSTR


@kernel
def execute_one(machine: MachineRecord, at: int, opcode: int) -> int:
    """Do an instruction with one argument."""
    one = argument(machine, at, 1)
    machine.step = 2
    if opcode == op.JMP:
        branch(machine, one)
    elif opcode == op.ACQUIRE:
        return acquire(machine, place_of(machine, one, 0))
    elif opcode == op.RELEASE:
        return release(machine, place_of(machine, one, 0))
    elif opcode == op.SUBRET:
        return give_back(machine, byte_at(machine, place_of(machine, one, 0)))
    elif opcode == op.FINCLUMPIMMED:
        leave_run_queue(machine)
        fire(machine, one & 0xFF)
        return op.CLUMP_DONE
    elif opcode == op.GETTICK:
        set_value(machine, one, number(machine.tick))
    elif opcode == op.STOP:
        if value_or(machine, one, 1):
            return STOP_REQUEST
    else:
        return ERR_INSTR
    return DONE


@kernel
def wait(machine: MachineRecord, to: int, duration: int) -> int:
    """WAIT: sleep, or let the next clump run if there is nothing to wait for."""
    milliseconds = value_or(machine, duration, 0)
    status = ROTATE
    if milliseconds:
        sleep(machine, (milliseconds + number(machine.tick)) & 0xFFFFFFFF)
        status = CLUMP_SUSPENDED
    if to != NOTHING:
        set_value(machine, to, number(machine.tick))
    return status


@kernel
def test_and_branch(machine: MachineRecord, comparison: int, offset: int, entry: int) -> None:
    """BRTST: compare a variable with 0, as a signed number."""
    value = signed(value_or(machine, entry, 0))
    if compare(comparison, value & 0xFFFFFFFF, 0, op.S32, op.S32):
        branch(machine, offset)


@kernel
def execute_two(  # noqa: C901
    machine: MachineRecord, sound: Any, buttons: Any, at: int, word: int
) -> int:
    """Do an instruction with two arguments."""
    opcode, comparison = word & 0xFF, (word >> 8) & 7
    one, two = argument(machine, at, 1), argument(machine, at, 2)
    machine.step = 3
    if opcode == op.BRTST:
        test_and_branch(machine, comparison, one, two)
    elif opcode == op.MOV:
        return move(machine, one, two)
    elif opcode == op.SET:
        set_value(machine, one, two)
    elif opcode == op.NOT and machine.rounds_not[number(machine.run_head)]:
        set_value(machine, one, int(value_of(machine, two, 0) == 0))
    elif opcode in (op.NEG, op.NOT, op.TST, op.SQRT, op.ABS):
        return apply(machine, opcode | comparison << COMPARISON_SHIFT, one, two)
    elif opcode == op.WAIT:
        return wait(machine, one, two)
    elif opcode == op.ARRSIZE:
        set_value(machine, one, array_count(machine, two, 0))
    elif opcode == op.SYSCALL:
        return system_call(machine, sound, buttons, one, two)
    elif opcode == op.SUBCALL:
        return call(machine, one, place_of(machine, two, 0))
    elif opcode == op.FINCLUMP:
        return finish(machine, one, two)
    elif opcode == op.NUMTOSTRING:
        return number_to_text(machine, one, two)
    elif opcode == op.FLATTEN:
        return flatten(machine, one, two)
    elif opcode == op.STRTOBYTEARR:
        return text_to_bytes(machine, one, two)
    elif opcode == op.BYTEARRTOSTR:
        return bytes_to_text(machine, one, two)
    else:
        return ERR_INSTR
    return DONE


@kernel
def compare_three(machine: MachineRecord, comparison: int, to: int, left: int, right: int) -> int:
    """CMP: two aggregates into a scalar as a whole, all else element by element."""
    left_kind, right_kind = kind_of(machine, left), kind_of(machine, right)
    if (
        is_aggregate(left_kind)
        and is_aggregate(right_kind)
        and not is_aggregate(kind_of(machine, to))
    ):
        result = compare_whole(machine, comparison, left, right)
        if result < 0:
            return result
        set_value(machine, to, result)
        return DONE
    return combine(machine, op.CMP | comparison << COMPARISON_SHIFT, to, left, right)


@kernel
def execute_three(machine: MachineRecord, out: Any, inputs: Any, at: int, word: int) -> int:
    """Do an instruction with three arguments."""
    opcode, comparison = word & 0xFF, (word >> 8) & 7
    one, two = argument(machine, at, 1), argument(machine, at, 2)
    three = argument(machine, at, 3)
    machine.step = 4
    if opcode == op.CMP:
        return compare_three(machine, comparison, one, two, three)
    if opcode == op.BRCMP:
        result = compare_whole(machine, comparison, two, three)
        if result < 0:
            return result
        if result:
            branch(machine, one)
    elif opcode <= op.XOR and opcode != op.NEG:
        return combine(machine, opcode, one, two, three)
    elif opcode == op.INDEX:
        return take_element(machine, one, two, three)
    elif opcode == op.ARRINIT:
        return initialize(machine, one, two, three)
    elif opcode == op.GETOUT:
        set_value(machine, one, read_output(out, value_of(machine, two, 0), three))
    elif opcode == op.GETIN:
        set_value(machine, one, read_input(inputs, value_of(machine, two, 0), three))
    elif opcode == op.SETIN:
        write_input(inputs, value_of(machine, two, 0), three, value_of(machine, one, 0))
    else:
        return ERR_INSTR
    return DONE


@kernel
def execute_many(machine: MachineRecord, out: Any, at: int, word: int) -> int:
    """Do an instruction with more arguments; its second word may be its size in bytes."""
    opcode, size = word & 0xFF, word >> 12
    machine.step = argument(machine, at, 1) // 2 if size == 14 else size // 2
    if opcode == op.SETOUT:
        return set_outputs(machine, out, at)
    if opcode == op.REPLACE:
        return replace(machine, at)
    if opcode == op.ARRSUBSET:
        return subset(machine, at)
    if opcode == op.ARRBUILD:
        return build(machine, at)
    if opcode == op.STRCAT:
        return concatenate(machine, at)
    if opcode == op.STRSUBSET:
        return text_subset(machine, at)
    if opcode == op.UNFLATTEN:
        return unflatten(machine, at)
    if opcode == op.STRINGTONUM:
        return NEEDS_SERVICE
    return ERR_INSTR


@kernel
def execute(
    machine: MachineRecord, out: Any, inputs: Any, sound: Any, buttons: Any, at: int
) -> int:
    """Do the instruction at an index of the code; return how to go on."""
    word = number(machine.code[at])
    if word & op.SHORT_FORM:
        return execute_short(machine, at, word)
    size = word >> 12
    if size == 6:
        return execute_two(machine, sound, buttons, at, word)
    if size == 8:
        return execute_three(machine, out, inputs, at, word)
    if size == 4:
        return execute_one(machine, at, word & 0xFF)
    if size in (10, 12, 14):
        return execute_many(machine, out, at, word)
    return ERR_INSTR
