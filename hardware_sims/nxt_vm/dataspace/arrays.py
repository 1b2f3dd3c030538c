"""Arrays of whatever elements: resizing them with the arrays inside, copying, their types."""

from hardware_sims.nxt_vm.codes import (
    ARRAY,
    CLUSTER,
    DONE,
    ERR_MEM,
    FLOAT,
    NOTHING,
    S8,
    U8,
    VOID,
)
from hardware_sims.nxt_vm.dataspace.dope_vectors import (
    allocate_vector,
    free_vector,
    resize_vector,
)
from hardware_sims.nxt_vm.dataspace.memory import number, put_word, spend
from hardware_sims.nxt_vm.dataspace.variables import (
    element_offset,
    element_size,
    following,
    is_aggregate,
    kind_of,
    member_count,
    place_of,
    vector_count,
    vector_of,
    vector_offset,
)
from hardware_sims.nxt_vm.machine_state import DEEPEST_TYPE, FRAME, MachineRecord
from solvers.foundation.compiled import kernel


@kernel
def size_of(kind: int) -> int:
    """Return the bytes that a variable of a type takes; none for clusters themselves."""
    if kind in (U8, S8):
        return 1
    if kind in (VOID, CLUSTER):
        return 0
    if kind == ARRAY or kind < 5:
        return 2
    return 4 if kind <= FLOAT else 0


@kernel
def is_variable(machine: MachineRecord, entry: int) -> bool:
    """Return whether there is such a variable, and time to look at it."""
    return entry < number(machine.entry_count) and spend(machine, 1)


@kernel
def new_element_size(machine: MachineRecord, entry: int) -> int:
    """Return the element size for a new array inside an array.

    The firmware walks as many entries as the cluster has members and takes the descriptions of
    inner arrays for members of their own; so does this.
    """
    entry += 1
    size = widest = i = 0
    entries = 1
    while i < entries and is_variable(machine, entry + i):
        kind = kind_of(machine, entry + i)
        if kind == CLUSTER:
            entries += member_count(machine, entry + i)
        else:
            one = size_of(kind)
            if one:
                size = (size + one - 1) // one * one + one
                widest = max(widest, one)
        i += 1
    return (size + widest - 1) // widest * widest if widest else size


@kernel
def fill_element(machine: MachineRecord, entry: int, offset: int) -> int:
    """Give the arrays in one new element dope vectors of their own.

    As in the firmware, a cluster counts as many entries as the outermost one has members.
    """
    i, entries = 0, 1
    while i < entries and is_variable(machine, entry + i):
        kind = kind_of(machine, entry + i)
        if kind == CLUSTER:
            entries += member_count(machine, entry)
        elif kind == ARRAY:
            vector = allocate_vector(machine, new_element_size(machine, entry + i))
            if vector < 0:
                return ERR_MEM
            put_word(machine, place_of(machine, entry + i, offset), vector)
        i += 1
    return DONE


@kernel
def enter_element(machine: MachineRecord, depth: int, entry: int, offset: int) -> int:
    """Begin the walk through an array or a cluster that goes; return the new depth."""
    kind = kind_of(machine, entry)
    at = depth * FRAME
    frames = machine.freeing_frames
    if depth > DEEPEST_TYPE:
        return depth
    if kind == ARRAY:
        vector = vector_of(machine, entry, offset)
        frames[at] = vector_count(machine, vector)
        frames[at + 2] = vector_offset(machine, vector)
        frames[at + 3] = element_size(machine, vector)
        frames[at + 4] = 0
        frames[at + 5] = vector
    elif kind == CLUSTER:
        frames[at] = member_count(machine, entry)
        frames[at + 2] = offset
        frames[at + 3] = 0
        frames[at + 4] = 1
        frames[at + 5] = -1
    else:
        return depth
    frames[at + 1] = entry + 1
    return depth + 1


@kernel
def empty_element(machine: MachineRecord, entry: int, offset: int) -> None:
    """Free the dope vectors of the arrays in an element that goes, inner ones first.

    Of a cluster the firmware looks at as many entries as it has members, one after the other.
    """
    frames = machine.freeing_frames
    depth = enter_element(machine, 0, entry, offset)
    while depth and spend(machine, 1):
        at = (depth - 1) * FRAME
        left = number(frames[at])
        if left == 0:
            depth -= 1
            if number(frames[at + 5]) >= 0:
                free_vector(machine, number(frames[at + 5]))
            continue
        part, place = number(frames[at + 1]), number(frames[at + 2])
        frames[at] = left - 1
        frames[at + 1] = part + number(frames[at + 4])
        frames[at + 2] = (place + number(frames[at + 3])) & 0xFFFF
        depth = enter_element(machine, depth, part, place)


@kernel
def resize(machine: MachineRecord, entry: int, offset: int, count: int) -> int:
    """Give an array variable `count` elements, with or without arrays inside."""
    vector = vector_of(machine, entry, offset)
    old = vector_count(machine, vector)
    count &= 0xFFFF
    if old == count:
        return DONE
    status = resize_vector(machine, vector, count)
    if status < 0 or not is_aggregate(kind_of(machine, entry + 1)):
        return status
    for i in range(count, old):
        empty_element(machine, entry + 1, element_offset(machine, vector, i))
    for i in range(old, count):
        status = fill_element(machine, entry + 1, element_offset(machine, vector, i))
        if status < 0:
            return status
    return DONE


@kernel
def set_count(machine: MachineRecord, entry: int, count: int) -> int:
    """Give an array variable that is no element itself `count` elements."""
    return resize(machine, entry, 0, count)


@kernel
def same_type(machine: MachineRecord, one: int, other: int) -> bool:
    """Return whether two variables are described alike, members and elements included."""
    end = following(machine, one)
    if end == NOTHING:
        end = number(machine.entry_count)
    for i in range(end - one):
        kind = kind_of(machine, one + i)
        if kind != kind_of(machine, other + i):
            return False
        if kind == CLUSTER and member_count(machine, one + i) != member_count(machine, other + i):
            return False
    return True
