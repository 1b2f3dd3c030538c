"""Variables by their index: kind, place, value. Offsets lead into the elements of arrays."""

from hardware_sims.nxt_vm.codes import ARRAY, CLUSTER, NOTHING
from hardware_sims.nxt_vm.dataspace.memory import (
    fetch,
    number,
    store,
    word_at,
)
from hardware_sims.nxt_vm.machine_state import MachineRecord
from solvers.foundation.compiled import kernel


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
    """Return where a scalar, or an array's dope vector index, lies in memory."""
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
    """Return where the elements of an array lie in memory."""
    return number(machine.dataspace) + vector_offset(machine, vector)


@kernel
def array_count(machine: MachineRecord, entry: int, offset: int) -> int:
    return vector_count(machine, vector_of(machine, entry, offset))


@kernel
def member_place(machine: MachineRecord, entry: int) -> int:
    """Return where a variable begins: a scalar, the first member of a cluster, an array's data.

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
