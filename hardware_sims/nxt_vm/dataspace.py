"""The running program's memory: bytes, variables by their entry, and notes of what went wrong."""

from typing import Any

import numpy as np

from hardware_sims.nxt_vm.codes import (
    ARRAY,
    CLUSTER,
    FLOAT,
    NO_CLUMP,
    NOTHING,
    S8,
    S16,
    S32,
    U8,
    U16,
    U32,
    VOID,
)
from hardware_sims.nxt_vm.machine_state import (
    BYTES_A_PART,
    CODE_MARGIN,
    EVENT_FIELDS,
    EVENT_SLOTS,
    MOST_WORK,
    MachineRecord,
)
from solvers.foundation.compiled import kernel

LONG = 0xFFFFFFFF
HALF = np.float32(0.5)


@kernel
def number(value: Any) -> int:
    """Return a number of an array in 64 bits (plain Python: as `int`)."""
    return int(np.int64(value))


@kernel
def byte_at(machine: MachineRecord, at: int) -> int:
    return number(machine.memory[np.uint32(at)])


@kernel
def word_at(machine: MachineRecord, at: int) -> int:
    return byte_at(machine, at) | byte_at(machine, at + 1) << 8


@kernel
def long_at(machine: MachineRecord, at: int) -> int:
    return word_at(machine, at) | word_at(machine, at + 2) << 16


@kernel
def put_byte(machine: MachineRecord, at: int, value: int) -> None:
    machine.memory[np.uint32(at)] = value & 0xFF


@kernel
def put_word(machine: MachineRecord, at: int, value: int) -> None:
    put_byte(machine, at, value)
    put_byte(machine, at + 1, value >> 8)


@kernel
def put_long(machine: MachineRecord, at: int, value: int) -> None:
    put_word(machine, at, value)
    put_word(machine, at + 2, value >> 16)


@kernel
def float_at(machine: MachineRecord, at: int) -> np.float32:
    return np.uint32(long_at(machine, at)).view(np.float32)


@kernel
def put_float(machine: MachineRecord, at: int, value: np.float32) -> None:
    put_long(machine, at, number(np.float32(value).view(np.uint32)))


@kernel
def spend(machine: MachineRecord, parts: int) -> bool:
    """Count the parts that an instruction works on; return whether it can continue."""
    machine.work = number(machine.work) + parts
    return number(machine.work) <= MOST_WORK


@kernel
def move_bytes(machine: MachineRecord, to: int, source: int, count: int) -> None:
    """Copy within the memory; the two places may overlap."""
    spend(machine, count // BYTES_A_PART)
    memory = machine.memory
    if to < source:
        for i in range(count):
            memory[to + i] = memory[source + i]
    else:
        for i in range(count - 1, -1, -1):
            memory[to + i] = memory[source + i]


@kernel
def signed(value: int) -> int:
    """Return what a 32-bit pattern means as a signed number."""
    return (value ^ 0x80000000) - 0x80000000


@kernel
def truncated(value: np.float32) -> int:
    """Return a float as the ARM converts it to 32 bits: toward zero, held at the limits."""
    wide = float(value)
    if wide != wide:  # not a number
        return 0
    if wide >= 4294967296.0:
        return LONG
    if wide <= -2147483648.0:
        return 0x80000000
    return int(wide) & LONG


@kernel
def rounded(value: np.float32) -> int:
    """Return a float where an integer is wanted: halves away from zero."""
    if value >= np.float32(0):
        return truncated(np.float32(value + HALF))
    return truncated(np.float32(value - HALF))


@kernel
def fetch(machine: MachineRecord, kind: int, at: int) -> int:
    """Return the integer of a scalar variable."""
    if kind in (U8, VOID):
        return byte_at(machine, at)
    if kind == U16:
        return word_at(machine, at)
    if kind == S16:
        return ((word_at(machine, at) ^ 0x8000) - 0x8000) & LONG
    if kind in (S32, U32):
        return long_at(machine, at)
    if kind == S8:
        return ((byte_at(machine, at) ^ 0x80) - 0x80) & LONG
    if kind == FLOAT:
        return rounded(float_at(machine, at))
    return 0


@kernel
def store(machine: MachineRecord, kind: int, at: int, value: int) -> None:
    """Cut an integer to a scalar variable; arrays, clusters and floats stay as they are."""
    if kind in (U8, S8, VOID):
        put_byte(machine, at, value)
    elif kind in (U16, S16):
        put_word(machine, at, value)
    elif kind in (U32, S32):
        put_long(machine, at, value)


@kernel
def fetch_float(machine: MachineRecord, kind: int, at: int) -> np.float32:
    """Return the value of a scalar variable in single precision."""
    if kind == FLOAT:
        return float_at(machine, at)
    value = fetch(machine, kind, at)
    if kind in (S8, S16, S32):
        return np.float32(signed(value))
    if kind in (U8, U16, U32):
        return np.float32(value)
    return np.float32(0)


@kernel
def store_float(machine: MachineRecord, kind: int, at: int, value: np.float32) -> None:
    """Put a float into a scalar variable, truncated if it is an integer."""
    if kind == FLOAT:
        put_float(machine, at, value)
    else:
        store(machine, kind, at, truncated(value))


@kernel
def kind_of(machine: MachineRecord, entry: int) -> int:
    return number(machine.kind[entry])


@kernel
def is_aggregate(kind: int) -> bool:
    return kind in (ARRAY, CLUSTER)


@kernel
def is_integer(kind: int) -> bool:
    return kind <= 6


@kernel
def place_of(machine: MachineRecord, entry: int, offset: int) -> int:
    """Return where a scalar, or an array's dope vector index, is in memory."""
    return number(machine.dataspace) + number(machine.place[entry]) + offset


@kernel
def value_of(machine: MachineRecord, entry: int, offset: int) -> int:
    return fetch(machine, kind_of(machine, entry), place_of(machine, entry, offset))


@kernel
def value_or(machine: MachineRecord, entry: int, otherwise: int) -> int:
    """Return the value of a variable, or what stands for a missing argument."""
    return otherwise if entry == NOTHING else value_of(machine, entry, 0)


@kernel
def set_value(machine: MachineRecord, entry: int, value: int) -> None:
    store(machine, kind_of(machine, entry), place_of(machine, entry, 0), value)


@kernel
def following(machine: MachineRecord, entry: int) -> int:
    """Return the next variable on the same level, behind all that belongs to this one."""
    return number(machine.following[entry])


@kernel
def member_count(machine: MachineRecord, entry: int) -> int:
    """Return the number of members of a cluster."""
    return number(machine.place[entry])


# Dope vectors, five words each: offset in the dataspace, element size, count, back link, link.


@kernel
def vector_place(machine: MachineRecord, vector: int) -> int:
    return number(machine.dope_vectors) + vector * 10


@kernel
def vector_of(machine: MachineRecord, entry: int, offset: int) -> int:
    """Return the dope vector of an array."""
    return word_at(machine, place_of(machine, entry, offset))


@kernel
def vector_offset(machine: MachineRecord, vector: int) -> int:
    return word_at(machine, vector_place(machine, vector))


@kernel
def element_size(machine: MachineRecord, vector: int) -> int:
    return word_at(machine, vector_place(machine, vector) + 2)


@kernel
def vector_count(machine: MachineRecord, vector: int) -> int:
    return word_at(machine, vector_place(machine, vector) + 4)


@kernel
def element_offset(machine: MachineRecord, vector: int, index: int) -> int:
    """Return the offset of an element in the dataspace; 16 bits, as the firmware counts."""
    offset = vector_offset(machine, vector) + index * element_size(machine, vector)
    return offset & 0xFFFF


@kernel
def data_at(machine: MachineRecord, vector: int) -> int:
    """Return where the elements of an array are in memory."""
    return number(machine.dataspace) + vector_offset(machine, vector)


@kernel
def array_count(machine: MachineRecord, entry: int, offset: int) -> int:
    return vector_count(machine, vector_of(machine, entry, offset))


@kernel
def member_place(machine: MachineRecord, entry: int) -> int:
    """Return where a variable starts: a scalar, the first member of a cluster, an array's data.

    -1 for an empty array, which has no place.
    """
    while kind_of(machine, entry) == CLUSTER:
        entry += 1
    if kind_of(machine, entry) != ARRAY:
        return place_of(machine, entry, 0)
    vector = vector_of(machine, entry, 0)
    if vector_count(machine, vector) == 0:
        return -1
    return data_at(machine, vector)


@kernel
def note(machine: MachineRecord, kind: int, detail: int) -> None:
    """Remember an event at the instruction that is being executed; the newest 64 stay."""
    clump = number(machine.run_head)
    word = -1
    if clump != NO_CLUMP:
        word = number(machine.counter[clump]) - CODE_MARGIN
    at = number(machine.event_count) % EVENT_SLOTS * EVENT_FIELDS
    machine.events[at] = kind
    machine.events[at + 1] = number(machine.tick)
    machine.events[at + 2] = clump
    machine.events[at + 3] = word
    machine.events[at + 4] = detail
    machine.event_count = number(machine.event_count) + 1
