"""Arrays in the dataspace: dope vectors, allocation, and the elements they point to."""

from hardware_sims.nxt_vm import codes, dataspace
from solvers.foundation.compiled import kernel

# cCmdAllocDopeVector makes 25 spare vectors whenever there is none; `loading` makes half as many
# as the program has, at most 200.
GROWTH = 25
VECTOR_BYTES = 10


@kernel
def link_of(machine: dataspace.MachineRecord, vector: int) -> int:
    return dataspace.word_at(machine, dataspace.vector_place(machine, vector) + 8)


@kernel
def back_link_of(machine: dataspace.MachineRecord, vector: int) -> int:
    return dataspace.word_at(machine, dataspace.vector_place(machine, vector) + 6)


@kernel
def set_link(machine: dataspace.MachineRecord, vector: int, other: int) -> None:
    dataspace.put_word(machine, dataspace.vector_place(machine, vector) + 8, other)


@kernel
def set_back_link(machine: dataspace.MachineRecord, vector: int, other: int) -> None:
    dataspace.put_word(machine, dataspace.vector_place(machine, vector) + 6, other)


@kernel
def set_vector(
    machine: dataspace.MachineRecord, vector: int, offset: int, size: int, count: int
) -> None:
    at = dataspace.vector_place(machine, vector)
    dataspace.put_word(machine, at, offset)
    dataspace.put_word(machine, at + 2, size)
    dataspace.put_word(machine, at + 4, count)


@kernel
def rebuild_back_links(machine: dataspace.MachineRecord) -> int:
    """Let each vector of the chain know the one before it; return the last, -1 if there is none."""
    before, vector = codes.NOTHING, dataspace.number(machine.chain_head)
    count = dataspace.vector_count(machine, 0)
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
def take_room(machine: dataspace.MachineRecord, size: int) -> int:
    """Return the offset of `size` new bytes at the end of the dataspace, or ERR_MEM."""
    machine.pool_size = aligned(dataspace.number(machine.pool_size))
    machine.dataspace_size = aligned(dataspace.number(machine.dataspace_size))
    # "Not below" and not "above": the last byte of the pool is never given away (c_cmd.c).
    if dataspace.number(machine.pool_size) + size >= codes.POOL_BYTES:
        return codes.ERR_MEM
    offset = (
        dataspace.POOL_AT
        + dataspace.number(machine.pool_size)
        - dataspace.number(machine.dataspace)
    )
    machine.pool_size = dataspace.number(machine.pool_size) + size
    machine.dataspace_size = dataspace.number(machine.dataspace_size) + size
    return offset


@kernel
def unchain(machine: dataspace.MachineRecord, vector: int) -> None:
    """Take a vector out of the chain."""
    before, behind = back_link_of(machine, vector), link_of(machine, vector)
    if vector == dataspace.number(machine.chain_head):
        machine.chain_head = behind
    else:
        set_link(machine, before, behind)
    if behind != codes.NOTHING:
        set_back_link(machine, behind, before)
    if vector == dataspace.number(machine.chain_tail):
        machine.chain_tail = before


@kernel
def chain_at_tail(machine: dataspace.MachineRecord, vector: int) -> None:
    tail = dataspace.number(machine.chain_tail)
    if tail != codes.NOTHING:
        set_link(machine, tail, vector)
    set_back_link(machine, vector, tail)
    set_link(machine, vector, codes.NOTHING)
    machine.chain_tail = vector


@kernel
def move_to_tail(machine: dataspace.MachineRecord, vector: int) -> None:
    if vector != dataspace.number(machine.chain_tail):
        unchain(machine, vector)
        chain_at_tail(machine, vector)


@kernel
def resize_vector(machine: dataspace.MachineRecord, vector: int, count: int) -> int:
    """Give an array `count` elements; return DONE or ERR_MEM. New elements are not cleared."""
    old = dataspace.vector_count(machine, vector)
    count &= 0xFFFF
    size = dataspace.element_size(machine, vector)
    offset = dataspace.vector_offset(machine, vector)
    if count > old:
        needed = (count * size) & 0xFFFF
        room = -1
        if offset != codes.NOTHING:
            behind = link_of(machine, vector)
            if behind != codes.NOTHING:
                limit = dataspace.vector_offset(machine, behind)
                # The next vector of the chain has no bytes yet, and its offset FFFFh is taken for a
                # limit: the array grows over memory that is still free, as on the brick, but noted.
                if (
                    limit == codes.NOTHING
                    and needed > dataspace.number(machine.dataspace_size) - offset
                ):
                    dataspace.note(machine, dataspace.GREW_BESIDE_UNFILLED, vector)
            else:
                limit = dataspace.number(machine.dataspace_size)
            room = (limit - offset) & 0xFFFF
        if needed > room:
            source = dataspace.data_at(machine, vector)
            offset = take_room(machine, needed)
            if offset < 0:
                return codes.ERR_MEM
            dataspace.move_bytes(
                machine, dataspace.number(machine.dataspace) + offset, source, (old * size) & 0xFFFF
            )
            dataspace.put_word(machine, dataspace.vector_place(machine, vector), offset)
            dataspace.put_word(machine, dataspace.vector_place(machine, vector) + 4, count)
            move_to_tail(machine, vector)
            return codes.DONE
    # A shrinking array keeps its bytes: only the count changes, and compaction gives the rest back.
    dataspace.put_word(machine, dataspace.vector_place(machine, vector) + 4, count)
    return codes.DONE


@kernel
def grow_vectors(machine: dataspace.MachineRecord, added: int) -> int:
    """Make spare dope vectors; their array moves to the end of the dataspace."""
    old = dataspace.vector_count(machine, 0)
    count = (old + added) & 0xFFFF
    size = dataspace.element_size(machine, 0)
    offset = take_room(machine, (size * count) & 0xFFFF)
    if offset < 0:
        return codes.ERR_MEM
    to = dataspace.number(machine.dataspace) + offset
    dataspace.move_bytes(machine, to, dataspace.number(machine.dope_vectors), (size * old) & 0xFFFF)
    machine.dope_vectors = to
    dataspace.put_word(machine, 26, to)  # the I/O map's offset of the dope vectors
    set_vector(machine, 0, offset, size, count)
    # From the last to the first, so that the free list hands them out in ascending order.
    for vector in range(count - 1, old - 1, -1):
        set_vector(machine, vector, codes.NOTHING, 0, 0)
        set_back_link(machine, vector, codes.NOTHING)
        spare = dataspace.number(machine.free_head)
        if spare != codes.NOTHING:
            set_back_link(machine, spare, vector)
        set_link(machine, vector, spare)
        machine.free_head = vector
    move_to_tail(machine, 0)
    return codes.DONE


@kernel
def allocate_vector(machine: dataspace.MachineRecord, size: int) -> int:
    """Return a vector for an empty array with elements of `size` bytes, or ERR_MEM."""
    if (
        dataspace.number(machine.free_head) == codes.NOTHING
        and grow_vectors(machine, GROWTH) != codes.DONE
    ):
        return codes.ERR_MEM
    vector = dataspace.number(machine.free_head)
    machine.free_head = link_of(machine, vector)
    if dataspace.number(machine.free_head) != codes.NOTHING:
        set_back_link(machine, dataspace.number(machine.free_head), codes.NOTHING)
    chain_at_tail(machine, vector)
    set_vector(machine, vector, codes.NOTHING, size, 0)
    return vector


@kernel
def free_vector(machine: dataspace.MachineRecord, vector: int) -> None:
    """Put a vector, with all it held, among the spare ones."""
    set_vector(machine, vector, codes.NOTHING, 0, 0)
    unchain(machine, vector)
    spare = dataspace.number(machine.free_head)
    set_link(machine, vector, spare)
    set_back_link(machine, vector, codes.NOTHING)
    # The firmware writes the back link of the list's head even where the list is empty: two bytes
    # at vector FFFFh, far outside the pool. A program meets this when it queues more messages than
    # it has spare vectors; the simulator notes it and writes nothing.
    if spare == codes.NOTHING:
        dataspace.note(machine, dataspace.FREE_LIST_EMPTY, vector)
    else:
        set_back_link(machine, spare, vector)
    machine.free_head = vector


@kernel
def compact(machine: dataspace.MachineRecord) -> None:
    """Slide all arrays down to the end of the static variables."""
    base = dataspace.number(machine.dataspace)
    to = dataspace.number(machine.static_size)
    vector = dataspace.number(machine.chain_head)
    while vector != codes.NOTHING and dataspace.spend(machine, 1):  # a broken chain may go round
        to = aligned(to)
        offset = dataspace.vector_offset(machine, vector)
        if offset != codes.NOTHING:
            size = (
                dataspace.element_size(machine, vector) * dataspace.vector_count(machine, vector)
            ) & 0xFFFF
            if offset != to:
                dataspace.move_bytes(machine, base + to, base + offset, size)
                clear_moved(machine, base + to, base + offset, size)
                if vector == 0:
                    machine.dope_vectors = base + to
                    dataspace.put_word(machine, 26, base + to)
                dataspace.put_word(machine, dataspace.vector_place(machine, vector), to)
            to = (to + size) & 0xFFFF
        vector = link_of(machine, vector)
    saved = dataspace.number(machine.dataspace_size) - to
    machine.pool_size = dataspace.number(machine.pool_size) - saved
    machine.dataspace_size = to


@kernel
def clear_moved(machine: dataspace.MachineRecord, to: int, source: int, size: int) -> None:
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
def is_variable(machine: dataspace.MachineRecord, entry: int) -> bool:
    """Return whether there is such a variable, and time to look at it."""
    return entry < dataspace.number(machine.entry_count) and dataspace.spend(machine, 1)


@kernel
def new_element_size(machine: dataspace.MachineRecord, entry: int) -> int:
    """Return the element size for a new array inside an array.

    The firmware walks as many entries as the cluster has members and takes the descriptions of
    inner arrays for members of their own; so does this.
    """
    entry += 1
    size = widest = i = 0
    entries = 1
    while i < entries and is_variable(machine, entry + i):
        kind = dataspace.kind_of(machine, entry + i)
        if kind == codes.CLUSTER:
            entries += dataspace.member_count(machine, entry + i)
        else:
            one = size_of(kind)
            if one:
                size = (size + one - 1) // one * one + one
                widest = max(widest, one)
        i += 1
    return (size + widest - 1) // widest * widest if widest else size


@kernel
def fill_element(machine: dataspace.MachineRecord, entry: int, offset: int) -> int:
    """Give the arrays in one new element dope vectors of their own.

    As in the firmware, a cluster counts as many entries as the outermost one has members.
    """
    i, entries = 0, 1
    while i < entries and is_variable(machine, entry + i):
        kind = dataspace.kind_of(machine, entry + i)
        if kind == codes.CLUSTER:
            entries += dataspace.member_count(machine, entry)
        elif kind == codes.ARRAY:
            vector = allocate_vector(machine, new_element_size(machine, entry + i))
            if vector < 0:
                return codes.ERR_MEM
            dataspace.put_word(machine, dataspace.place_of(machine, entry + i, offset), vector)
        i += 1
    return codes.DONE


@kernel
def enter_element(machine: dataspace.MachineRecord, depth: int, entry: int, offset: int) -> int:
    """Start the walk through an array or a cluster that is freed; return the new depth."""
    kind = dataspace.kind_of(machine, entry)
    at = depth * dataspace.FRAME
    frames = machine.freeing_frames
    if depth > dataspace.DEEPEST_TYPE:
        return depth
    if kind == codes.ARRAY:
        vector = dataspace.vector_of(machine, entry, offset)
        frames[at] = dataspace.vector_count(machine, vector)
        frames[at + 2] = dataspace.vector_offset(machine, vector)
        frames[at + 3] = dataspace.element_size(machine, vector)
        frames[at + 4] = 0
        frames[at + 5] = vector
    elif kind == codes.CLUSTER:
        frames[at] = dataspace.member_count(machine, entry)
        frames[at + 2] = offset
        frames[at + 3] = 0
        frames[at + 4] = 1
        frames[at + 5] = -1
    else:
        return depth
    frames[at + 1] = entry + 1
    return depth + 1


@kernel
def empty_element(machine: dataspace.MachineRecord, entry: int, offset: int) -> None:
    """Free the dope vectors of the arrays in an element that goes, inner ones first.

    Of a cluster the firmware looks at as many entries as it has members, one after the other.
    """
    frames = machine.freeing_frames
    depth = enter_element(machine, 0, entry, offset)
    while depth and dataspace.spend(machine, 1):
        at = (depth - 1) * dataspace.FRAME
        left = dataspace.number(frames[at])
        if left == 0:
            depth -= 1
            if dataspace.number(frames[at + 5]) >= 0:
                free_vector(machine, dataspace.number(frames[at + 5]))
            continue
        part, place = dataspace.number(frames[at + 1]), dataspace.number(frames[at + 2])
        frames[at] = left - 1
        frames[at + 1] = part + dataspace.number(frames[at + 4])
        frames[at + 2] = (place + dataspace.number(frames[at + 3])) & 0xFFFF
        depth = enter_element(machine, depth, part, place)


@kernel
def resize(machine: dataspace.MachineRecord, entry: int, offset: int, count: int) -> int:
    """Give an array variable `count` elements, with or without arrays inside."""
    vector = dataspace.vector_of(machine, entry, offset)
    old = dataspace.vector_count(machine, vector)
    count &= 0xFFFF
    if old == count:
        return codes.DONE
    status = resize_vector(machine, vector, count)
    if status < 0 or not dataspace.is_aggregate(dataspace.kind_of(machine, entry + 1)):
        return status
    for i in range(count, old):
        empty_element(machine, entry + 1, dataspace.element_offset(machine, vector, i))
    for i in range(old, count):
        status = fill_element(machine, entry + 1, dataspace.element_offset(machine, vector, i))
        if status < 0:
            return status
    return codes.DONE


@kernel
def set_count(machine: dataspace.MachineRecord, entry: int, count: int) -> int:
    """Give an array variable that is no element itself `count` elements."""
    return resize(machine, entry, 0, count)


@kernel
def same_type(machine: dataspace.MachineRecord, one: int, other: int) -> bool:
    """Return whether two variables are described alike, members and elements included."""
    end = dataspace.following(machine, one)
    if end == codes.NOTHING:
        end = dataspace.number(machine.entry_count)
    for i in range(end - one):
        kind = dataspace.kind_of(machine, one + i)
        if kind != dataspace.kind_of(machine, other + i):
            return False
        if kind == codes.CLUSTER and dataspace.member_count(
            machine, one + i
        ) != dataspace.member_count(machine, other + i):
            return False
    return True
