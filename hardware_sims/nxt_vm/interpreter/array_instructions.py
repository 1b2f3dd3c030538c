"""INDEX, REPLACE, ARRBUILD, ARRSUBSET and ARRINIT. `at` is the instruction's place in the code."""

from hardware_sims.nxt_vm.codes import ARRAY, DONE, ERR_ARG, ERR_BEYOND
from hardware_sims.nxt_vm.dataspace.arrays import same_type, set_count
from hardware_sims.nxt_vm.dataspace.memory import move_bytes, number, spend, store
from hardware_sims.nxt_vm.dataspace.variables import (
    array_count,
    element_offset,
    element_size,
    is_integer,
    kind_of,
    value_of,
    value_or,
    vector_count,
    vector_of,
)
from hardware_sims.nxt_vm.interpreter.aggregates import copy_element, copy_in, copy_out, move
from hardware_sims.nxt_vm.machine_state import MachineRecord
from solvers.foundation.compiled import kernel


@kernel
def argument(machine: MachineRecord, at: int, index: int) -> int:
    """Return an argument of an instruction; the first has index 1."""
    return number(machine.code[at + index])


@kernel
def source_count(machine: MachineRecord, at: int) -> int:
    """Return how many sources an instruction of variable length has."""
    return argument(machine, at, 1) // 2 - 3


@kernel
def take_element(machine: MachineRecord, to: int, array: int, index: int) -> int:
    """INDEX: an index beyond the end ends the program."""
    vector = vector_of(machine, array, 0)
    wanted = value_or(machine, index, 0)
    if wanted >= vector_count(machine, vector):
        return ERR_ARG
    return copy_out(machine, to, array + 1, element_offset(machine, vector, wanted))


@kernel
def replace(machine: MachineRecord, at: int) -> int:
    """REPLACE: an index beyond the end changes nothing."""
    to, source = argument(machine, at, 1), argument(machine, at, 2)
    index, new = argument(machine, at, 3), argument(machine, at, 4)
    if to != source:
        status = move(machine, to, source)
        if status < 0:
            return status
    first = value_or(machine, index, 0)
    vector = vector_of(machine, to, 0)
    room = vector_count(machine, vector) - first
    if room <= 0:
        return DONE
    if kind_of(machine, new) != ARRAY:
        return copy_in(machine, to + 1, element_offset(machine, vector, first), new)
    others = vector_of(machine, new, 0)
    for i in range(min(room, vector_count(machine, others))):
        offset = element_offset(machine, vector, first + i)
        status = copy_element(machine, to + 1, offset, new + 1, element_offset(machine, others, i))
        if status < 0:
            return status
    return DONE


@kernel
def subset(machine: MachineRecord, at: int) -> int:
    """ARRSUBSET: clipped to what there is."""
    to, source = argument(machine, at, 1), argument(machine, at, 2)
    count = array_count(machine, source, 0)
    first = value_or(machine, argument(machine, at, 3), 0)
    length = value_or(machine, argument(machine, at, 4), 0xFFFF)
    if first > count:
        return set_count(machine, to, 0)
    length = min(length, count - first)
    status = set_count(machine, to, length)
    if status < 0:
        return status
    new, old = vector_of(machine, to, 0), vector_of(machine, source, 0)
    for i in range(length):
        offset = element_offset(machine, old, first + i)
        status = copy_element(machine, to + 1, element_offset(machine, new, i), source + 1, offset)
        if status < 0:
            return status
    return DONE


@kernel
def initialize(machine: MachineRecord, to: int, value: int, length: int) -> int:
    """ARRINIT: `length` elements of one value."""
    count = value_or(machine, length, 0) & 0xFFFF
    status = set_count(machine, to, count)
    if status < 0:
        return status
    vector = vector_of(machine, to, 0)
    spend(machine, count)
    if is_integer(kind_of(machine, value)):
        number_ = value_of(machine, value, 0)
        kind = kind_of(machine, to + 1)
        base = number(machine.dataspace)
        for i in range(count):
            store(machine, kind, base + element_offset(machine, vector, i), number_)
        return DONE
    for i in range(count):
        status = copy_in(machine, to + 1, element_offset(machine, vector, i), value)
    return status


@kernel
def build(machine: MachineRecord, at: int) -> int:
    """ARRBUILD: sources of the destination's own type join their elements, others are one."""
    to = argument(machine, at, 2)
    count = 0
    for i in range(source_count(machine, at)):
        source = argument(machine, at, 3 + i)
        count += array_count(machine, source, 0) if same_type(machine, to, source) else 1
    status = set_count(machine, to, count)
    if status < 0:
        return status
    filled = 0
    for i in range(source_count(machine, at)):
        if not spend(machine, 1):
            return ERR_BEYOND
        source = argument(machine, at, 3 + i)
        if same_type(machine, to, source):
            filled = append_elements(machine, to, filled, source)
            if filled < 0:
                return filled
        else:
            offset = element_offset(machine, vector_of(machine, to, 0), filled)
            status = copy_in(machine, to + 1, offset, source)
            if status < 0:
                return status
            filled += 1
    return DONE


@kernel
def append_elements(machine: MachineRecord, to: int, filled: int, source: int) -> int:
    """Copy a source's elements behind the first `filled`; return the new number, or an error."""
    new, old = vector_of(machine, to, 0), vector_of(machine, source, 0)
    count = vector_count(machine, old)
    base = number(machine.dataspace)
    if is_integer(kind_of(machine, source + 1)):
        size = (element_size(machine, old) * count) & 0xFFFF
        goal = base + element_offset(machine, new, filled)
        move_bytes(machine, goal, base + element_offset(machine, old, 0), size)
        return filled + count
    for i in range(count):
        offset = element_offset(machine, new, filled + i)
        status = copy_element(machine, to + 1, offset, source + 1, element_offset(machine, old, i))
        if status < 0:
            return status
    return filled + count
