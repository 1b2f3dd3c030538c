"""The memory manager: arrays live behind dope vectors in one pool of 32768 bytes.

The vectors in use are chained in ascending order of their offsets, so that compacting can slide
everything down. Growing in place looks only at the next vector of the chain; what the firmware
does wrong there (beside a vector that was never filled) is done here as well, and noted. What it
does wrong when a vector is freed while none is spare is noted but not done: it writes two bytes
far outside.
"""

from hardware_sims.nxt_vm.codes import DONE, ERR_MEM, NOTHING, POOL_BYTES
from hardware_sims.nxt_vm.dataspace.events import note
from hardware_sims.nxt_vm.dataspace.memory import move_bytes, number, put_word, spend, word_at
from hardware_sims.nxt_vm.dataspace.variables import (
    data_at,
    element_size,
    vector_count,
    vector_offset,
    vector_place,
)
from hardware_sims.nxt_vm.machine_state import (
    FREE_LIST_EMPTY,
    GREW_BESIDE_UNFILLED,
    POOL_AT,
    MachineRecord,
)
from solvers.foundation.compiled import kernel

GROWTH = 25
VECTOR_BYTES = 10


@kernel
def link_of(machine: MachineRecord, vector: int) -> int:
    return word_at(machine, vector_place(machine, vector) + 8)


@kernel
def back_link_of(machine: MachineRecord, vector: int) -> int:
    return word_at(machine, vector_place(machine, vector) + 6)


@kernel
def set_link(machine: MachineRecord, vector: int, other: int) -> None:
    put_word(machine, vector_place(machine, vector) + 8, other)


@kernel
def set_back_link(machine: MachineRecord, vector: int, other: int) -> None:
    put_word(machine, vector_place(machine, vector) + 6, other)


@kernel
def set_vector(machine: MachineRecord, vector: int, offset: int, size: int, count: int) -> None:
    at = vector_place(machine, vector)
    put_word(machine, at, offset)
    put_word(machine, at + 2, size)
    put_word(machine, at + 4, count)


@kernel
def rebuild_back_links(machine: MachineRecord) -> int:
    """Let each vector of the chain know the one before it; return the last, -1 if there is none."""
    before, vector = NOTHING, number(machine.chain_head)
    count = vector_count(machine, 0)
    for _ in range(count + 1):
        if vector == NOTHING:
            return before
        if vector >= count:
            break
        set_back_link(machine, vector, before)
        before, vector = vector, link_of(machine, vector)
    return -1


@kernel
def aligned(value: int) -> int:
    return (value + 3) & ~3


@kernel
def take_room(machine: MachineRecord, size: int) -> int:
    """Return the offset of `size` new bytes at the end of the dataspace, or ERR_MEM."""
    machine.pool_size = aligned(number(machine.pool_size))
    machine.dataspace_size = aligned(number(machine.dataspace_size))
    if number(machine.pool_size) + size >= POOL_BYTES:
        return ERR_MEM
    offset = POOL_AT + number(machine.pool_size) - number(machine.dataspace)
    machine.pool_size = number(machine.pool_size) + size
    machine.dataspace_size = number(machine.dataspace_size) + size
    return offset


@kernel
def unchain(machine: MachineRecord, vector: int) -> None:
    """Take a vector out of the chain."""
    before, behind = back_link_of(machine, vector), link_of(machine, vector)
    if vector == number(machine.chain_head):
        machine.chain_head = behind
    else:
        set_link(machine, before, behind)
    if behind != NOTHING:
        set_back_link(machine, behind, before)
    if vector == number(machine.chain_tail):
        machine.chain_tail = before


@kernel
def chain_at_tail(machine: MachineRecord, vector: int) -> None:
    tail = number(machine.chain_tail)
    if tail != NOTHING:
        set_link(machine, tail, vector)
    set_back_link(machine, vector, tail)
    set_link(machine, vector, NOTHING)
    machine.chain_tail = vector


@kernel
def move_to_tail(machine: MachineRecord, vector: int) -> None:
    if vector != number(machine.chain_tail):
        unchain(machine, vector)
        chain_at_tail(machine, vector)


@kernel
def resize_vector(machine: MachineRecord, vector: int, count: int) -> int:
    """Give an array `count` elements; return DONE or ERR_MEM. New elements are not cleared."""
    old = vector_count(machine, vector)
    count &= 0xFFFF
    size = element_size(machine, vector)
    offset = vector_offset(machine, vector)
    if count > old:
        needed = (count * size) & 0xFFFF
        room = -1
        if offset != NOTHING:
            behind = link_of(machine, vector)
            if behind != NOTHING:
                limit = vector_offset(machine, behind)
                if limit == NOTHING and needed > number(machine.dataspace_size) - offset:
                    note(machine, GREW_BESIDE_UNFILLED, vector)
            else:
                limit = number(machine.dataspace_size)
            room = (limit - offset) & 0xFFFF
        if needed > room:
            source = data_at(machine, vector)
            offset = take_room(machine, needed)
            if offset < 0:
                return ERR_MEM
            move_bytes(machine, number(machine.dataspace) + offset, source, (old * size) & 0xFFFF)
            put_word(machine, vector_place(machine, vector), offset)
            put_word(machine, vector_place(machine, vector) + 4, count)
            move_to_tail(machine, vector)
            return DONE
    put_word(machine, vector_place(machine, vector) + 4, count)
    return DONE


@kernel
def grow_vectors(machine: MachineRecord, added: int) -> int:
    """Make spare dope vectors; their array moves to the end of the dataspace."""
    old = vector_count(machine, 0)
    count = (old + added) & 0xFFFF
    size = element_size(machine, 0)
    offset = take_room(machine, (size * count) & 0xFFFF)
    if offset < 0:
        return ERR_MEM
    to = number(machine.dataspace) + offset
    move_bytes(machine, to, number(machine.dope_vectors), (size * old) & 0xFFFF)
    machine.dope_vectors = to
    put_word(machine, 26, to)  # the I/O map's offset of the dope vectors
    set_vector(machine, 0, offset, size, count)
    for vector in range(count - 1, old - 1, -1):
        set_vector(machine, vector, NOTHING, 0, 0)
        set_back_link(machine, vector, NOTHING)
        spare = number(machine.free_head)
        if spare != NOTHING:
            set_back_link(machine, spare, vector)
        set_link(machine, vector, spare)
        machine.free_head = vector
    move_to_tail(machine, 0)
    return DONE


@kernel
def allocate_vector(machine: MachineRecord, size: int) -> int:
    """Return a vector for an empty array with elements of `size` bytes, or ERR_MEM."""
    if number(machine.free_head) == NOTHING and grow_vectors(machine, GROWTH) != DONE:
        return ERR_MEM
    vector = number(machine.free_head)
    machine.free_head = link_of(machine, vector)
    if number(machine.free_head) != NOTHING:
        set_back_link(machine, number(machine.free_head), NOTHING)
    chain_at_tail(machine, vector)
    set_vector(machine, vector, NOTHING, size, 0)
    return vector


@kernel
def free_vector(machine: MachineRecord, vector: int) -> None:
    """Put a vector, with all it held, among the spare ones."""
    set_vector(machine, vector, NOTHING, 0, 0)
    unchain(machine, vector)
    spare = number(machine.free_head)
    set_link(machine, vector, spare)
    set_back_link(machine, vector, NOTHING)
    if spare == NOTHING:
        note(machine, FREE_LIST_EMPTY, vector)
    else:
        set_back_link(machine, spare, vector)
    machine.free_head = vector


@kernel
def compact(machine: MachineRecord) -> None:
    """Slide all arrays down to the end of the static variables."""
    base = number(machine.dataspace)
    to = number(machine.static_size)
    vector = number(machine.chain_head)
    while vector != NOTHING and spend(machine, 1):  # a broken chain may go round
        to = aligned(to)
        offset = vector_offset(machine, vector)
        if offset != NOTHING:
            size = (element_size(machine, vector) * vector_count(machine, vector)) & 0xFFFF
            if offset != to:
                move_bytes(machine, base + to, base + offset, size)
                clear_moved(machine, base + to, base + offset, size)
                if vector == 0:
                    machine.dope_vectors = base + to
                    put_word(machine, 26, base + to)
                put_word(machine, vector_place(machine, vector), to)
            to = (to + size) & 0xFFFF
        vector = link_of(machine, vector)
    saved = number(machine.dataspace_size) - to
    machine.pool_size = number(machine.pool_size) - saved
    machine.dataspace_size = to


@kernel
def clear_moved(machine: MachineRecord, to: int, source: int, size: int) -> None:
    """Fill what a moved array left behind with FFh, as the firmware does."""
    for at in range(max(source, to + size), source + size):
        machine.memory[at] = 0xFF
