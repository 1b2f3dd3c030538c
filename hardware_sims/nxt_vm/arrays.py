"""Arrays in the dataspace: dope vectors, allocation, and the elements they point to."""

from hardware_sims.nxt_vm import codes
from hardware_sims.nxt_vm.dataspace import (
    DEEPEST_TYPE,
    FRAME,
    FREE_LIST_EMPTY,
    GREW_BESIDE_UNFILLED,
    POOL_AT,
    MachineRecord,
    data_at,
    element_offset,
    element_size,
    following,
    is_aggregate,
    kind_of,
    member_count,
    move_bytes,
    note,
    number,
    place_of,
    put_word,
    spend,
    vector_count,
    vector_of,
    vector_offset,
    vector_place,
    word_at,
)
from solvers.foundation.compiled import kernel

# cCmdAllocDopeVector makes 25 spare vectors whenever there is none; `loading` makes half as many
# as the program has, at most 200.
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
    before, vector = codes.NOTHING, number(machine.chain_head)
    count = vector_count(machine, 0)
    for _ in range(count + 1):
        if vector == codes.NOTHING:
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
    # "Not below" and not "above": the last byte of the pool is never given away (c_cmd.c).
    if number(machine.pool_size) + size >= codes.POOL_BYTES:
        return codes.ERR_MEM
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
    if behind != codes.NOTHING:
        set_back_link(machine, behind, before)
    if vector == number(machine.chain_tail):
        machine.chain_tail = before


@kernel
def chain_at_tail(machine: MachineRecord, vector: int) -> None:
    tail = number(machine.chain_tail)
    if tail != codes.NOTHING:
        set_link(machine, tail, vector)
    set_back_link(machine, vector, tail)
    set_link(machine, vector, codes.NOTHING)
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
        if offset != codes.NOTHING:
            behind = link_of(machine, vector)
            if behind != codes.NOTHING:
                limit = vector_offset(machine, behind)
                # The next vector of the chain has no bytes yet, and its offset FFFFh is taken for a
                # limit: the array grows over memory that is still free, as on the brick, but noted.
                if limit == codes.NOTHING and needed > number(machine.dataspace_size) - offset:
                    note(machine, GREW_BESIDE_UNFILLED, vector)
            else:
                limit = number(machine.dataspace_size)
            room = (limit - offset) & 0xFFFF
        if needed > room:
            source = data_at(machine, vector)
            offset = take_room(machine, needed)
            if offset < 0:
                return codes.ERR_MEM
            move_bytes(machine, number(machine.dataspace) + offset, source, (old * size) & 0xFFFF)
            put_word(machine, vector_place(machine, vector), offset)
            put_word(machine, vector_place(machine, vector) + 4, count)
            move_to_tail(machine, vector)
            return codes.DONE
    # A shrinking array keeps its bytes: only the count changes, and compaction gives the rest back.
    put_word(machine, vector_place(machine, vector) + 4, count)
    return codes.DONE


@kernel
def grow_vectors(machine: MachineRecord, added: int) -> int:
    """Make spare dope vectors; their array moves to the end of the dataspace."""
    old = vector_count(machine, 0)
    count = (old + added) & 0xFFFF
    size = element_size(machine, 0)
    offset = take_room(machine, (size * count) & 0xFFFF)
    if offset < 0:
        return codes.ERR_MEM
    to = number(machine.dataspace) + offset
    move_bytes(machine, to, number(machine.dope_vectors), (size * old) & 0xFFFF)
    machine.dope_vectors = to
    put_word(machine, 26, to)  # the I/O map's offset of the dope vectors
    set_vector(machine, 0, offset, size, count)
    # From the last to the first, so that the free list hands them out in ascending order.
    for vector in range(count - 1, old - 1, -1):
        set_vector(machine, vector, codes.NOTHING, 0, 0)
        set_back_link(machine, vector, codes.NOTHING)
        spare = number(machine.free_head)
        if spare != codes.NOTHING:
            set_back_link(machine, spare, vector)
        set_link(machine, vector, spare)
        machine.free_head = vector
    move_to_tail(machine, 0)
    return codes.DONE


@kernel
def allocate_vector(machine: MachineRecord, size: int) -> int:
    """Return a vector for an empty array with elements of `size` bytes, or ERR_MEM."""
    if number(machine.free_head) == codes.NOTHING and grow_vectors(machine, GROWTH) != codes.DONE:
        return codes.ERR_MEM
    vector = number(machine.free_head)
    machine.free_head = link_of(machine, vector)
    if number(machine.free_head) != codes.NOTHING:
        set_back_link(machine, number(machine.free_head), codes.NOTHING)
    chain_at_tail(machine, vector)
    set_vector(machine, vector, codes.NOTHING, size, 0)
    return vector


@kernel
def free_vector(machine: MachineRecord, vector: int) -> None:
    """Put a vector, with all it held, among the spare ones."""
    set_vector(machine, vector, codes.NOTHING, 0, 0)
    unchain(machine, vector)
    spare = number(machine.free_head)
    set_link(machine, vector, spare)
    set_back_link(machine, vector, codes.NOTHING)
    # The firmware writes the back link of the list's head even where the list is empty: two bytes
    # at vector FFFFh, far outside the pool. A program meets this when it queues more messages than
    # it has spare vectors; the simulator notes it and writes nothing.
    if spare == codes.NOTHING:
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
    while vector != codes.NOTHING and spend(machine, 1):  # a broken chain may go round
        to = aligned(to)
        offset = vector_offset(machine, vector)
        if offset != codes.NOTHING:
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


@kernel
def size_of(kind: int) -> int:
    """Return the bytes that a variable of a type takes; none for clusters themselves."""
    if kind in (codes.U8, codes.S8):
        return 1
    if kind in (codes.VOID, codes.CLUSTER):
        return 0
    if kind == codes.ARRAY or kind < 5:
        return 2
    return 4 if kind <= codes.FLOAT else 0


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
        if kind == codes.CLUSTER:
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
        if kind == codes.CLUSTER:
            entries += member_count(machine, entry)
        elif kind == codes.ARRAY:
            vector = allocate_vector(machine, new_element_size(machine, entry + i))
            if vector < 0:
                return codes.ERR_MEM
            put_word(machine, place_of(machine, entry + i, offset), vector)
        i += 1
    return codes.DONE


@kernel
def enter_element(machine: MachineRecord, depth: int, entry: int, offset: int) -> int:
    """Start the walk through an array or a cluster that is freed; return the new depth."""
    kind = kind_of(machine, entry)
    at = depth * FRAME
    frames = machine.freeing_frames
    if depth > DEEPEST_TYPE:
        return depth
    if kind == codes.ARRAY:
        vector = vector_of(machine, entry, offset)
        frames[at] = vector_count(machine, vector)
        frames[at + 2] = vector_offset(machine, vector)
        frames[at + 3] = element_size(machine, vector)
        frames[at + 4] = 0
        frames[at + 5] = vector
    elif kind == codes.CLUSTER:
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
        return codes.DONE
    status = resize_vector(machine, vector, count)
    if status < 0 or not is_aggregate(kind_of(machine, entry + 1)):
        return status
    for i in range(count, old):
        empty_element(machine, entry + 1, element_offset(machine, vector, i))
    for i in range(old, count):
        status = fill_element(machine, entry + 1, element_offset(machine, vector, i))
        if status < 0:
            return status
    return codes.DONE


@kernel
def set_count(machine: MachineRecord, entry: int, count: int) -> int:
    """Give an array variable that is no element itself `count` elements."""
    return resize(machine, entry, 0, count)


@kernel
def same_type(machine: MachineRecord, one: int, other: int) -> bool:
    """Return whether two variables are described alike, members and elements included."""
    end = following(machine, one)
    if end == codes.NOTHING:
        end = number(machine.entry_count)
    for i in range(end - one):
        kind = kind_of(machine, one + i)
        if kind != kind_of(machine, other + i):
            return False
        if kind == codes.CLUSTER and member_count(machine, one + i) != member_count(
            machine, other + i
        ):
            return False
    return True
