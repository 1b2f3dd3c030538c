"""Instructions for control flow, tasks, mutexes, inputs and outputs, and the queues of clumps.

A clump (a task) is on one queue at most, so one link each is enough. A mutex is four bytes among
the program's variables: owner, first and last that wait, and one unused.
"""

from typing import Any

from hardware_sims.nxt_vm import codes as op
from hardware_sims.nxt_vm import dataspace
from hardware_sims.nxt_vm.interpreter import array_instructions
from hardware_sims.nxt_vm.interpreter.operations import apply, combine, compare, compare_whole, move
from hardware_sims.nxt_vm.interpreter.polled_calls import system_call
from solvers.foundation.compiled import kernel


@kernel
def queue_to_run(machine: dataspace.MachineRecord, clump: int) -> None:
    """Put a clump at the tail of those that run."""
    machine.link[clump] = op.NO_CLUMP
    machine.active[clump] = 1
    if dataspace.number(machine.run_head) == op.NO_CLUMP:
        machine.run_head = clump
    else:
        machine.link[dataspace.number(machine.run_tail)] = clump
    machine.run_tail = clump


@kernel
def leave_run_queue(machine: dataspace.MachineRecord) -> int:
    """Take the clump that is being executed off its queue and return it."""
    clump = dataspace.number(machine.run_head)
    machine.run_head = dataspace.number(machine.link[clump])
    machine.link[clump] = op.NO_CLUMP
    if dataspace.number(machine.run_head) == op.NO_CLUMP:
        machine.run_tail = op.NO_CLUMP
    return clump


@kernel
def rotate(machine: dataspace.MachineRecord) -> None:
    if dataspace.number(machine.run_head) != dataspace.number(machine.run_tail):
        queue_to_run(machine, leave_run_queue(machine))


@kernel
def sleep(machine: dataspace.MachineRecord, wake_tick: int) -> int:
    clump = leave_run_queue(machine)
    machine.wake_tick[clump] = wake_tick
    if dataspace.number(machine.rest_head) == op.NO_CLUMP:
        machine.rest_head = clump
    else:
        machine.link[dataspace.number(machine.rest_tail)] = clump
    machine.rest_tail = clump
    return op.CLUMP_SUSPENDED


@kernel
def wake_sleepers(machine: dataspace.MachineRecord) -> None:
    """Queue the clumps whose time has come, in the order in which they went to sleep."""
    clump, before = dataspace.number(machine.rest_head), op.NO_CLUMP
    for _ in range(dataspace.CLUMPS):
        if clump == op.NO_CLUMP:
            break
        behind = dataspace.number(machine.link[clump])
        # Looked at once a millisecond and before any clump runs, so a WAIT ends at the start of a
        # slice.
        if dataspace.number(machine.wake_tick[clump]) <= dataspace.number(machine.tick):
            if before == op.NO_CLUMP:
                machine.rest_head = behind
            else:
                machine.link[before] = behind
            if behind == op.NO_CLUMP:
                machine.rest_tail = before
            queue_to_run(machine, clump)
        else:
            before = clump
        clump = behind


@kernel
def first_wake_tick(machine: dataspace.MachineRecord) -> int:
    """Return when the first sleeping clump wakes; -1 if none sleeps."""
    clump, first = dataspace.number(machine.rest_head), -1
    for _ in range(dataspace.CLUMPS):
        if clump == op.NO_CLUMP:
            break
        tick = dataspace.number(machine.wake_tick[clump])
        if first < 0 or tick < first:
            first = tick
        clump = dataspace.number(machine.link[clump])
    return first


@kernel
def acquire(machine: dataspace.MachineRecord, mutex: int) -> int:
    """Take a mutex, or leave the run queue and wait for it."""
    if dataspace.byte_at(machine, mutex) == op.NO_CLUMP:
        dataspace.put_byte(machine, mutex, dataspace.number(machine.run_head))
        return op.DONE
    clump = leave_run_queue(machine)
    if dataspace.byte_at(machine, mutex + 1) == op.NO_CLUMP:
        dataspace.put_byte(machine, mutex + 1, clump)
    else:
        machine.link[dataspace.byte_at(machine, mutex + 2)] = clump
    dataspace.put_byte(machine, mutex + 2, clump)
    return op.CLUMP_SUSPENDED


@kernel
def release(machine: dataspace.MachineRecord, mutex: int) -> int:
    """Hand a mutex to the clump that waits longest."""
    clump = dataspace.byte_at(machine, mutex + 1)
    # The owner is changed at once, although the new one only runs when its turn comes: a third
    # clump cannot slip in between.
    dataspace.put_byte(machine, mutex, clump)
    if clump != op.NO_CLUMP:
        dataspace.put_byte(machine, mutex + 1, dataspace.number(machine.link[clump]))
        if dataspace.number(machine.link[clump]) == op.NO_CLUMP:
            dataspace.put_byte(machine, mutex + 2, op.NO_CLUMP)
        queue_to_run(machine, clump)
    return op.DONE


@kernel
def fire(machine: dataspace.MachineRecord, clump: int) -> None:
    """Count down a clump's dependencies, of which one has ended."""
    count = (dataspace.number(machine.fire_count[clump]) - 1) & 0xFF
    machine.fire_count[clump] = count
    if count == 0:
        queue_to_run(machine, clump)


@kernel
def finish(machine: dataspace.MachineRecord, first: int, last: int) -> int:
    """End a clump and notify its dependents `first` to `last`; 65535 twice: none."""
    clump = leave_run_queue(machine)
    if first != 0xFFFF or last != 0xFFFF:
        # Both are signed 16-bit indices into the clump's own list; FFFFh alone means "none".
        first, last = (first ^ 0x8000) - 0x8000, (last ^ 0x8000) - 0x8000
        at = dataspace.number(machine.dependents_at[clump])
        for i in range(first, last + 1):
            fire(machine, dataspace.number(machine.dependents[(at + i) & 0xFFFF]))
    return op.CLUMP_DONE


@kernel
def call(machine: dataspace.MachineRecord, clump: int, caller_at: int) -> int:
    """Let another clump run until it returns; the caller waits on no queue."""
    clump &= 0xFF
    if machine.active[clump]:
        dataspace.note(machine, dataspace.CALLED_WHILE_RUNNING, clump)
    dataspace.put_byte(machine, caller_at, dataspace.number(machine.run_head))
    leave_run_queue(machine)
    # At the tail: where other tasks run, a call costs a turn of the whole queue.
    queue_to_run(machine, clump)
    return op.CLUMP_SUSPENDED


@kernel
def give_back(machine: dataspace.MachineRecord, caller: int) -> int:
    """End a called clump; its caller resumes."""
    leave_run_queue(machine)
    queue_to_run(machine, caller)
    return op.CLUMP_DONE


@kernel
def reset_clump(machine: dataspace.MachineRecord, clump: int) -> None:
    """Make a clump that has ended ready for another time."""
    machine.active[clump] = 0
    machine.counter[clump] = dataspace.number(machine.first_word[clump])
    machine.fire_count[clump] = dataspace.number(machine.first_fire_count[clump])


OUTPUT_PORTS = 3
OUTPUT_FIELDS = 15
INPUT_PORTS = 4
INPUT_FIELDS = 6


@kernel
def signed_byte(value: int) -> int:
    return ((value & 0xFF) ^ 0x80) - 0x80


@kernel
def write_output(out: Any, index: int, value: int) -> None:  # noqa: C901
    """Cut a value to the field `index` of all output ports' fields."""
    port = out.outputs[index // OUTPUT_FIELDS]
    field = index % OUTPUT_FIELDS
    byte = value & 0xFF
    if field == 0:
        port["flags"] = byte
    elif field == 1:
        port.mode = byte
    elif field == 2:
        port.speed = signed_byte(value)
    elif field == 3:
        port.actual_speed = signed_byte(value)
    elif field == 4:
        port.tacho_count = dataspace.signed(value)
    elif field == 5:
        port.tacho_limit = value & dataspace.LONG
    elif field == 6:
        port.run_state = byte
    elif field == 7:
        port.turn_parameter = signed_byte(value)
    elif field == 8:
        port.regulation_mode = byte
    elif field == 9:
        port.overloaded = byte
    elif field == 10:
        port.p_parameter = byte
    elif field == 11:
        port.i_parameter = byte
    elif field == 12:
        port.d_parameter = byte
    elif field == 13:
        port.block_tacho_count = dataspace.signed(value)
    else:
        port.rotation_count = dataspace.signed(value)


@kernel
def read_output(out: Any, port_number: int, field: int) -> int:  # noqa: C901
    """Return a field's 32-bit pattern; 0 for a port that is none."""
    index = port_number * OUTPUT_FIELDS + field
    if port_number >= OUTPUT_PORTS or index >= OUTPUT_PORTS * OUTPUT_FIELDS:
        return 0
    port = out.outputs[index // OUTPUT_FIELDS]
    field = index % OUTPUT_FIELDS
    value = dataspace.number(port.rotation_count)
    if field == 0:
        value = dataspace.number(port["flags"])
    elif field == 1:
        value = dataspace.number(port.mode)
    elif field == 2:
        value = dataspace.number(port.speed)
    elif field == 3:
        value = dataspace.number(port.actual_speed)
    elif field == 4:
        value = dataspace.number(port.tacho_count)
    elif field == 5:
        value = dataspace.number(port.tacho_limit)
    elif field == 6:
        value = dataspace.number(port.run_state)
    elif field == 7:
        value = dataspace.number(port.turn_parameter)
    elif field == 8:
        value = dataspace.number(port.regulation_mode)
    elif field == 9:
        value = dataspace.number(port.overloaded)
    elif field == 10:
        value = dataspace.number(port.p_parameter)
    elif field == 11:
        value = dataspace.number(port.i_parameter)
    elif field == 12:
        value = dataspace.number(port.d_parameter)
    elif field == 13:
        value = dataspace.number(port.block_tacho_count)
    return value & dataspace.LONG


@kernel
def write_input(inputs: Any, port_number: int, field: int, value: int) -> None:
    """Cut a value to a field of an input port; a port above 3 is undefined on the brick."""
    if port_number >= INPUT_PORTS or field >= INPUT_FIELDS:
        return
    port = inputs.inputs[port_number]
    if field == 0:
        port.sensor_type = value & 0xFF
    elif field == 1:
        port.sensor_mode = value & 0xFF
    elif field == 2:
        port.ad_raw = value & 0xFFFF
    elif field == 3:
        port.sensor_raw = value & 0xFFFF
    elif field == 4:
        port.sensor_value = ((value & 0xFFFF) ^ 0x8000) - 0x8000
    else:
        port.invalid_data = value & 0xFF


@kernel
def read_input(inputs: Any, port_number: int, field: int) -> int:
    """Return a field's 32-bit pattern; 0 where the brick would read anything."""
    if port_number >= INPUT_PORTS or field >= INPUT_FIELDS:
        return 0
    port = inputs.inputs[port_number]
    value = dataspace.number(port.invalid_data)
    if field == 0:
        value = dataspace.number(port.sensor_type)
    elif field == 1:
        value = dataspace.number(port.sensor_mode)
    elif field == 2:
        value = dataspace.number(port.ad_raw)
    elif field == 3:
        value = dataspace.number(port.sensor_raw)
    elif field == 4:
        value = dataspace.number(port.sensor_value)
    return value & dataspace.LONG


@kernel
def set_port(machine: dataspace.MachineRecord, out: Any, at: int, port: int) -> int:
    """Write all pairs of field and value of a SETOUT to one port; ports above 2 are skipped."""
    if port >= OUTPUT_PORTS:
        return op.DONE
    words = array_instructions.argument(machine, at, 1) // 2
    for i in range(3, words, 2):
        index = port * OUTPUT_FIELDS + array_instructions.argument(machine, at, i)
        if index >= OUTPUT_PORTS * OUTPUT_FIELDS:
            return op.ERR_INSTR
        write_output(
            out,
            index,
            dataspace.value_of(machine, array_instructions.argument(machine, at, i + 1), 0),
        )
    return op.DONE


@kernel
def set_outputs(machine: dataspace.MachineRecord, out: Any, at: int) -> int:
    """SETOUT on one port or on an array of ports."""
    ports = array_instructions.argument(machine, at, 2)
    if dataspace.kind_of(machine, ports) != op.ARRAY:
        return set_port(machine, out, at, dataspace.value_of(machine, ports, 0))
    vector = dataspace.vector_of(machine, ports, 0)
    for i in range(dataspace.vector_count(machine, vector)):
        if not dataspace.spend(machine, array_instructions.argument(machine, at, 1) // 2):
            return op.ERR_BEYOND
        place = dataspace.place_of(machine, ports + 1, dataspace.element_offset(machine, vector, i))
        status = set_port(
            machine, out, at, dataspace.fetch(machine, dataspace.kind_of(machine, ports + 1), place)
        )
        if status < 0:
            return status
    return op.DONE


COMPARISON_SHIFT = 8  # an operation is opcode | comparison code << 8


@kernel
def branch(machine: dataspace.MachineRecord, offset: int) -> None:
    machine.step = (offset ^ 0x8000) - 0x8000


@kernel
def execute_short(machine: dataspace.MachineRecord, at: int, word: int) -> int:
    """Do a short form: MOV, ACQUIRE, RELEASE or SUBCALL."""
    opcode = (word >> 8) & 7
    short = ((word & 0xFF) ^ 0x80) - 0x80
    machine.step = 2
    second = array_instructions.argument(machine, at, 1)
    if opcode == op.SHORT_MOV:
        return move(machine, (second + short) & 0xFFFF, second)
    if opcode == op.SHORT_SUBCALL:
        return call(machine, second + short, dataspace.place_of(machine, second, 0))
    machine.step = 1
    if opcode == op.SHORT_ACQUIRE:
        return acquire(machine, dataspace.place_of(machine, short & 0xFFFF, 0))
    if opcode == op.SHORT_RELEASE:
        return release(machine, dataspace.place_of(machine, short & 0xFFFF, 0))
    return op.ERR_INSTR


@kernel
def execute_one(machine: dataspace.MachineRecord, at: int, opcode: int) -> int:
    """Do an instruction with one argument."""
    one = array_instructions.argument(machine, at, 1)
    machine.step = 2
    if opcode == op.JMP:
        branch(machine, one)
    elif opcode == op.ACQUIRE:
        return acquire(machine, dataspace.place_of(machine, one, 0))
    elif opcode == op.RELEASE:
        return release(machine, dataspace.place_of(machine, one, 0))
    elif opcode == op.SUBRET:
        return give_back(machine, dataspace.byte_at(machine, dataspace.place_of(machine, one, 0)))
    elif opcode == op.FINCLUMPIMMED:
        leave_run_queue(machine)
        fire(machine, one & 0xFF)
        return op.CLUMP_DONE
    elif opcode == op.GETTICK:
        dataspace.set_value(machine, one, dataspace.number(machine.tick))
    elif opcode == op.STOP:
        if dataspace.value_or(machine, one, 1):
            return op.STOP_REQUEST
    else:
        return op.ERR_INSTR
    return op.DONE


@kernel
def wait(machine: dataspace.MachineRecord, to: int, duration: int) -> int:
    """WAIT: sleep, or let the next clump run if there is nothing to wait for."""
    milliseconds = dataspace.value_or(machine, duration, 0)
    status = op.ROTATE
    if milliseconds:
        sleep(machine, (milliseconds + dataspace.number(machine.tick)) & 0xFFFFFFFF)
        status = op.CLUMP_SUSPENDED
    if to != op.NOTHING:
        dataspace.set_value(machine, to, dataspace.number(machine.tick))
    return status


@kernel
def test_and_branch(
    machine: dataspace.MachineRecord, comparison: int, offset: int, entry: int
) -> None:
    """BRTST: compare a variable with 0, as a signed number."""
    value = dataspace.signed(dataspace.value_or(machine, entry, 0))
    if compare(comparison, value & 0xFFFFFFFF, 0, op.S32, op.S32):
        branch(machine, offset)


@kernel
def execute_two(  # noqa: C901
    machine: dataspace.MachineRecord, sound: Any, buttons: Any, at: int, word: int
) -> int:
    """Do an instruction with two arguments."""
    opcode, comparison = word & 0xFF, (word >> 8) & 7
    one, two = (
        array_instructions.argument(machine, at, 1),
        array_instructions.argument(machine, at, 2),
    )
    machine.step = 3
    if opcode == op.BRTST:
        test_and_branch(machine, comparison, one, two)
    elif opcode == op.MOV:
        return move(machine, one, two)
    elif opcode == op.SET:
        dataspace.set_value(machine, one, two)
    elif opcode == op.NOT and machine.rounds_not[dataspace.number(machine.run_head)]:
        dataspace.set_value(machine, one, int(dataspace.value_of(machine, two, 0) == 0))
    elif opcode in (op.NEG, op.NOT, op.TST, op.SQRT, op.ABS):
        return apply(machine, opcode | comparison << COMPARISON_SHIFT, one, two)
    elif opcode == op.WAIT:
        return wait(machine, one, two)
    elif opcode == op.ARRSIZE:
        dataspace.set_value(machine, one, dataspace.array_count(machine, two, 0))
    elif opcode == op.SYSCALL:
        return system_call(machine, sound, buttons, one, two)
    elif opcode == op.SUBCALL:
        return call(machine, one, dataspace.place_of(machine, two, 0))
    elif opcode == op.FINCLUMP:
        return finish(machine, one, two)
    elif opcode == op.NUMTOSTRING:
        return array_instructions.number_to_text(machine, one, two)
    elif opcode == op.FLATTEN:
        return array_instructions.flatten(machine, one, two)
    elif opcode == op.STRTOBYTEARR:
        return array_instructions.text_to_bytes(machine, one, two)
    elif opcode == op.BYTEARRTOSTR:
        return array_instructions.bytes_to_text(machine, one, two)
    else:
        return op.ERR_INSTR
    return op.DONE


@kernel
def compare_three(
    machine: dataspace.MachineRecord, comparison: int, to: int, left: int, right: int
) -> int:
    """CMP: two aggregates into a scalar as a whole, all else element by element."""
    left_kind, right_kind = dataspace.kind_of(machine, left), dataspace.kind_of(machine, right)
    if (
        dataspace.is_aggregate(left_kind)
        and dataspace.is_aggregate(right_kind)
        and not dataspace.is_aggregate(dataspace.kind_of(machine, to))
    ):
        result = compare_whole(machine, comparison, left, right)
        if result < 0:
            return result
        dataspace.set_value(machine, to, result)
        return op.DONE
    return combine(machine, op.CMP | comparison << COMPARISON_SHIFT, to, left, right)


@kernel
def execute_three(
    machine: dataspace.MachineRecord, out: Any, inputs: Any, at: int, word: int
) -> int:
    """Do an instruction with three arguments."""
    opcode, comparison = word & 0xFF, (word >> 8) & 7
    one, two = (
        array_instructions.argument(machine, at, 1),
        array_instructions.argument(machine, at, 2),
    )
    three = array_instructions.argument(machine, at, 3)
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
        return array_instructions.take_element(machine, one, two, three)
    elif opcode == op.ARRINIT:
        return array_instructions.initialize(machine, one, two, three)
    elif opcode == op.GETOUT:
        dataspace.set_value(
            machine, one, read_output(out, dataspace.value_of(machine, two, 0), three)
        )
    elif opcode == op.GETIN:
        dataspace.set_value(
            machine, one, read_input(inputs, dataspace.value_of(machine, two, 0), three)
        )
    elif opcode == op.SETIN:
        write_input(
            inputs, dataspace.value_of(machine, two, 0), three, dataspace.value_of(machine, one, 0)
        )
    else:
        return op.ERR_INSTR
    return op.DONE


@kernel
def execute_many(machine: dataspace.MachineRecord, out: Any, at: int, word: int) -> int:
    """Do an instruction with more arguments; its second word may be its size in bytes."""
    opcode, size = word & 0xFF, word >> 12
    machine.step = array_instructions.argument(machine, at, 1) // 2 if size == 14 else size // 2
    if opcode == op.SETOUT:
        return set_outputs(machine, out, at)
    if opcode == op.REPLACE:
        return array_instructions.replace(machine, at)
    if opcode == op.ARRSUBSET:
        return array_instructions.subset(machine, at)
    if opcode == op.ARRBUILD:
        return array_instructions.build(machine, at)
    if opcode == op.STRCAT:
        return array_instructions.concatenate(machine, at)
    if opcode == op.STRSUBSET:
        return array_instructions.text_subset(machine, at)
    if opcode == op.UNFLATTEN:
        return array_instructions.unflatten(machine, at)
    if opcode == op.STRINGTONUM:
        return op.NEEDS_SERVICE
    return op.ERR_INSTR


@kernel
def execute(
    machine: dataspace.MachineRecord, out: Any, inputs: Any, sound: Any, buttons: Any, at: int
) -> int:
    """Do the instruction at an index of the code; return how to continue."""
    word = dataspace.number(machine.code[at])
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
    return op.ERR_INSTR
