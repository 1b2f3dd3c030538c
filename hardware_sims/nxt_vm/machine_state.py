"""All state of the virtual machine as one record, which every kernel takes as one pointer.

The first bytes of `memory` are the command module's I/O map, with the pool in it; so a client that
reads that map sees the program's variables as they are. Programs are not trusted: every address
that 16-bit offsets, counts and indices can form is inside `memory`, so no access needs a check.
"""

from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from hardware_sims.nxt_firmware.io_maps import COMMAND_MAP
from hardware_sims.nxt_vm.codes import DATALOG_MESSAGES, MESSAGES_PER_QUEUE, POOL_BYTES, QUEUES

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
MOST_WORK: Final = 2 * POOL_BYTES
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
        ("message_reader", "<i8", (QUEUES,)),
        ("message_writer", "<i8", (QUEUES,)),
        ("messages", "<i8", (QUEUES * MESSAGES_PER_QUEUE,)),
        ("datalog_reader", "<i8"),
        ("datalog_writer", "<i8"),
        ("datalogs", "<i8", (DATALOG_MESSAGES,)),
        # The current millisecond.
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
