"""Instructions on strings (arrays of bytes that end with a zero byte), and flattening."""

from hardware_sims.nxt_vm.codes import (
    DONE,
    ERR_ARG,
    ERR_BEYOND,
    FLOAT,
    NEEDS_SERVICE,
    POOL_BYTES,
    S8,
    S16,
    S32,
    U8,
)
from hardware_sims.nxt_vm.dataspace.arrays import set_count
from hardware_sims.nxt_vm.dataspace.events import note
from hardware_sims.nxt_vm.dataspace.memory import move_bytes, put_byte, signed, spend
from hardware_sims.nxt_vm.dataspace.variables import (
    array_count,
    data_at,
    kind_of,
    value_of,
    value_or,
    vector_of,
)
from hardware_sims.nxt_vm.interpreter.array_instructions import argument, source_count
from hardware_sims.nxt_vm.machine_state import EMPTY_STRING, SCRATCH_AT, MachineRecord
from solvers.foundation.compiled import kernel


@kernel
def text_at(machine: MachineRecord, entry: int) -> int:
    return data_at(machine, vector_of(machine, entry, 0))


@kernel
def text_length(machine: MachineRecord, entry: int) -> int:
    """Return the length without the zero byte; an empty array is undefined on a brick."""
    count = array_count(machine, entry, 0)
    if count == 0:
        note(machine, EMPTY_STRING, entry)
        return 0
    return count - 1


@kernel
def number_to_text(machine: MachineRecord, to: int, entry: int) -> int:
    """NUMTOSTRING of an integer; floats are written outside."""
    kind = kind_of(machine, entry)
    if kind == FLOAT:
        return NEEDS_SERVICE
    value = value_of(machine, entry, 0)
    if kind in (S8, S16, S32):
        value = signed(value)
    rest, count = abs(value), 1 + int(value < 0)
    digits = 1
    while rest >= 10:
        rest //= 10
        digits += 1
    count += digits
    status = set_count(machine, to, count)
    if status < 0:
        return status
    at = text_at(machine, to)
    put_byte(machine, at, 0x2D)
    put_byte(machine, at + count - 1, 0)
    rest = abs(value)
    for i in range(count - 2, count - 2 - digits, -1):
        put_byte(machine, at + i, 0x30 + rest % 10)
        rest //= 10
    return DONE


@kernel
def concatenate(machine: MachineRecord, at: int) -> int:
    """STRCAT: each source without its zero byte, then one zero byte."""
    to = argument(machine, at, 2)
    count = 1
    for i in range(source_count(machine, at)):
        source = argument(machine, at, 3 + i)
        if kind_of(machine, source + 1) != U8:
            return ERR_ARG
        count += text_length(machine, source)
    if count > POOL_BYTES:
        return ERR_BEYOND
    status = set_count(machine, to, count)
    if status < 0:
        return status
    end = text_at(machine, to)
    for i in range(source_count(machine, at)):
        source = argument(machine, at, 3 + i)
        length = max(array_count(machine, source, 0) - 1, 0)
        if end + length > SCRATCH_AT or not spend(machine, 1):
            return ERR_BEYOND
        move_bytes(machine, end, text_at(machine, source), length)
        end += length
    put_byte(machine, end, 0)
    return DONE


@kernel
def text_subset(machine: MachineRecord, at: int) -> int:
    """STRSUBSET: as ARRSUBSET, without and with the zero byte."""
    to, source = argument(machine, at, 1), argument(machine, at, 2)
    count = text_length(machine, source)
    first = value_or(machine, argument(machine, at, 3), 0)
    length = value_or(machine, argument(machine, at, 4), 0xFFFF)
    length = 0 if first > count else min(length, count - first)
    status = set_count(machine, to, length + 1)
    if status < 0:
        return status
    goal = text_at(machine, to)
    if length:
        move_bytes(machine, goal, text_at(machine, source) + first, length)
    put_byte(machine, goal + length, 0)
    return DONE


@kernel
def text_to_bytes(machine: MachineRecord, to: int, source: int) -> int:
    """STRTOBYTEARR: nothing happens if the source is empty."""
    count = array_count(machine, source, 0)
    if count == 0:
        return DONE
    status = set_count(machine, to, count - 1)
    if status >= 0:
        move_bytes(machine, text_at(machine, to), text_at(machine, source), count - 1)
    return status


@kernel
def bytes_to_text(machine: MachineRecord, to: int, source: int) -> int:
    """BYTEARRTOSTR."""
    count = array_count(machine, source, 0)
    status = set_count(machine, to, count + 1)
    if status >= 0:
        goal = text_at(machine, to)
        move_bytes(machine, goal, text_at(machine, source), count)
        put_byte(machine, goal + count, 0)
    return status
