"""Numbers in the machine's memory, and the values of variables by their type.

Inside the interpreter an integer is its 32-bit pattern, 0 to 2**32 - 1, extended by the sign of
its type; `signed` gives the number a signed type means by it.
"""

from typing import Any

import numpy as np

from hardware_sims.nxt_vm.codes import FLOAT, S8, S16, S32, U8, U16, U32, VOID
from hardware_sims.nxt_vm.machine_state import BYTES_A_PART, MOST_WORK, MachineRecord
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
    """Count the parts that an instruction works on; return whether it may go on."""
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
