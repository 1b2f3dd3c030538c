"""The virtual machine's memory: one record that all kernels take as one pointer, and its variables.

The first bytes of `memory` are the command module's I/O map, with the pool in it; so a client that
reads that map sees the program's variables as they are. Programs are not trusted: every address
that 16-bit offsets, counts and indices can form is inside `memory`, so no access needs a check.
"""

from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from hardware_sims.nxt_firmware.io_maps import COMMAND_MAP
from hardware_sims.nxt_vm import codes
from solvers.foundation.compiled import kernel

MachineRecord: TypeAlias = Any  # one element of a MACHINE array: fields are read as attributes
MachineArray: TypeAlias = NDArray[Any]

# Pool, dope vector number 65535 of an array at the end of the pool, and then some.
MEMORY_BYTES: Final = 1 << 20
POOL_AT: Final = 52
assert COMMAND_MAP.fields is not None
assert COMMAND_MAP.fields["pool"][1] == POOL_AT
SCRATCH_AT: Final = MEMORY_BYTES - 256  # messages of the host on their way in and out
CODE_WORDS: Final = 65536
CODE_MARGIN: Final = 0x10000  # on both sides: a jump and the longest instruction stay inside
ENTRIES: Final = 65536 + 16
CLUMPS: Final = 256
EVENT_SLOTS: Final = 64
DEEPEST_TYPE: Final = 64  # arrays and clusters inside each other; deeper ones are not loaded
FRAME: Final = 13  # numbers that a walk through an aggregate keeps a level

# What an instruction may work on: each element of an array takes a byte of the pool or more, and
# so does what it is made of. Only arrays whose descriptions are corrupt have more parts.
MOST_WORK: Final = 2 * codes.POOL_BYTES
BYTES_A_PART: Final = 64  # moving this many bytes is counted as one part

# Events: (kind, tick, clump, place, detail).
EVENT_FIELDS: Final = 5
MESSAGE_PUSHED_OUT: Final = 1
FREE_LIST_EMPTY: Final = 2
GREW_BESIDE_UNFILLED: Final = 3
CALLED_WHILE_RUNNING: Final = 4
EMPTY_STRING: Final = 5
NEVER_ENDING_MILLISECOND: Final = 6

MACHINE: Final = np.dtype(
    [
        ("memory", "u1", (MEMORY_BYTES,)),
        # The program: code words, and what each variable is.
        ("code", "<u2", (CODE_MARGIN + CODE_WORDS + CODE_MARGIN,)),
        ("code_count", "<i8"),
        ("kind", "u1", (ENTRIES,)),
        ("place", "<u2", (ENTRIES,)),
        ("following", "<i8", (ENTRIES,)),  # the next variable on the same level
        ("entry_count", "<i8"),
        # Clumps.
        ("clump_count", "<i8"),
        ("first_word", "<i8", (CLUMPS,)),
        ("last_word", "<i8", (CLUMPS,)),
        ("counter", "<i8", (CLUMPS,)),  # the next instruction's index in `code`
        ("first_fire_count", "<i8", (CLUMPS,)),
        ("fire_count", "<i8", (CLUMPS,)),
        ("link", "<i8", (CLUMPS,)),
        ("wake_tick", "<i8", (CLUMPS,)),
        ("dependents_at", "<i8", (CLUMPS,)),
        ("dependent_count", "<i8", (CLUMPS,)),
        ("active", "u1", (CLUMPS,)),
        ("rounds_not", "u1", (CLUMPS,)),  # NOT of a float looks at the rounded number
        ("dependents", "u1", (65536,)),
        # Queues of clumps.
        ("run_head", "<i8"),
        ("run_tail", "<i8"),
        ("rest_head", "<i8"),
        ("rest_tail", "<i8"),
        # Memory manager; `dataspace` and `dope_vectors` are places in `memory`.
        ("pool_size", "<i8"),
        ("dataspace", "<i8"),
        ("dataspace_size", "<i8"),
        ("static_size", "<i8"),
        ("dope_vectors", "<i8"),
        ("chain_head", "<i8"),
        ("chain_tail", "<i8"),
        ("free_head", "<i8"),
        # Messages, as dope vectors.
        ("message_reader", "<i8", (codes.QUEUES,)),
        ("message_writer", "<i8", (codes.QUEUES,)),
        ("messages", "<i8", (codes.QUEUES * codes.MESSAGES_PER_QUEUE,)),
        ("datalog_reader", "<i8"),
        ("datalog_writer", "<i8"),
        ("datalogs", "<i8", (codes.DATALOG_MESSAGES,)),
        # The current millisecond.
        ("run_slice_address", "<i8"),  # where the compiled `run_slice` is
        ("request", "<i8"),  # what the host wants done before anything else, see `requests`
        ("request_queue", "<i8"),
        ("request_length", "<i8"),
        ("running", "<i8"),
        ("tick", "<i8"),
        ("start_tick", "<i8"),
        ("instructions_per_ms", "<i8"),
        ("executed_in_slice", "<i8"),
        ("executed", "<i8"),  # since the program's start
        ("turn_left", "<i8"),
        ("step", "<i8"),  # words to the next instruction
        ("work", "<i8"),  # parts that the current instruction has worked on
        ("work_in_slice", "<i8"),
        ("service_pending", "<i8"),
        ("service_status", "<i8"),
        # Where walks through arrays and clusters are: one of an instruction, one of freeing arrays.
        ("operation", "<i8"),
        ("frames", "<i8", ((DEEPEST_TYPE + 3) * FRAME,)),
        ("freeing_frames", "<i8", ((DEEPEST_TYPE + 3) * FRAME,)),
        # How the program ended.
        ("end_status", "<i8"),  # a PROGRAM_ code
        ("end_code", "<i8"),
        ("end_tick", "<i8"),
        ("end_clump", "<i8"),
        ("end_word", "<i8"),
        ("event_count", "<i8"),
        ("events", "<i8", (EVENT_SLOTS * EVENT_FIELDS,)),
    ],
    align=True,
)


def new_machine() -> MachineArray:
    """Return a machine without a program, as an array of one record."""
    return np.zeros(1, MACHINE).view(np.recarray)


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
    if kind in (codes.U8, codes.VOID):
        return byte_at(machine, at)
    if kind == codes.U16:
        return word_at(machine, at)
    if kind == codes.S16:
        return ((word_at(machine, at) ^ 0x8000) - 0x8000) & LONG
    if kind in (codes.S32, codes.U32):
        return long_at(machine, at)
    if kind == codes.S8:
        return ((byte_at(machine, at) ^ 0x80) - 0x80) & LONG
    if kind == codes.FLOAT:
        return rounded(float_at(machine, at))
    return 0


@kernel
def store(machine: MachineRecord, kind: int, at: int, value: int) -> None:
    """Cut an integer to a scalar variable; arrays, clusters and floats stay as they are."""
    if kind in (codes.U8, codes.S8, codes.VOID):
        put_byte(machine, at, value)
    elif kind in (codes.U16, codes.S16):
        put_word(machine, at, value)
    elif kind in (codes.U32, codes.S32):
        put_long(machine, at, value)


@kernel
def fetch_float(machine: MachineRecord, kind: int, at: int) -> np.float32:
    """Return the value of a scalar variable in single precision."""
    if kind == codes.FLOAT:
        return float_at(machine, at)
    value = fetch(machine, kind, at)
    if kind in (codes.S8, codes.S16, codes.S32):
        return np.float32(signed(value))
    if kind in (codes.U8, codes.U16, codes.U32):
        return np.float32(value)
    return np.float32(0)


@kernel
def store_float(machine: MachineRecord, kind: int, at: int, value: np.float32) -> None:
    """Put a float into a scalar variable, truncated if it is an integer."""
    if kind == codes.FLOAT:
        put_float(machine, at, value)
    else:
        store(machine, kind, at, truncated(value))


@kernel
def kind_of(machine: MachineRecord, entry: int) -> int:
    return number(machine.kind[entry])


@kernel
def is_aggregate(kind: int) -> bool:
    return kind in (codes.ARRAY, codes.CLUSTER)


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
    return otherwise if entry == codes.NOTHING else value_of(machine, entry, 0)


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
    while kind_of(machine, entry) == codes.CLUSTER:
        entry += 1
    if kind_of(machine, entry) != codes.ARRAY:
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
    if clump != codes.NO_CLUMP:
        word = number(machine.counter[clump]) - CODE_MARGIN
    at = number(machine.event_count) % EVENT_SLOTS * EVENT_FIELDS
    machine.events[at] = kind
    machine.events[at + 1] = number(machine.tick)
    machine.events[at + 2] = clump
    machine.events[at + 3] = word
    machine.events[at + 4] = detail
    machine.event_count = number(machine.event_count) + 1
