"""Instructions on arrays and strings, and flattening to bytes."""

from hardware_sims.nxt_vm import codes, dataspace
from hardware_sims.nxt_vm.arrays import same_type, set_count, size_of
from hardware_sims.nxt_vm.interpreter.operations import copy_element, copy_in, copy_out, move
from solvers.foundation.compiled import kernel


@kernel
def argument(machine: dataspace.MachineRecord, at: int, index: int) -> int:
    """Return an argument of an instruction; the first has index 1."""
    return dataspace.number(machine.code[at + index])


@kernel
def source_count(machine: dataspace.MachineRecord, at: int) -> int:
    """Return how many sources an instruction of variable length has."""
    return argument(machine, at, 1) // 2 - 3


@kernel
def take_element(machine: dataspace.MachineRecord, to: int, array: int, index: int) -> int:
    """INDEX: an index beyond the end ends the program."""
    vector = dataspace.vector_of(machine, array, 0)
    wanted = dataspace.value_or(machine, index, 0)
    if wanted >= dataspace.vector_count(machine, vector):
        return codes.ERR_ARG
    return copy_out(machine, to, array + 1, dataspace.element_offset(machine, vector, wanted))


@kernel
def replace(machine: dataspace.MachineRecord, at: int) -> int:
    """REPLACE: an index beyond the end changes nothing."""
    to, source = argument(machine, at, 1), argument(machine, at, 2)
    index, new = argument(machine, at, 3), argument(machine, at, 4)
    if to != source:
        status = move(machine, to, source)
        if status < 0:
            return status
    first = dataspace.value_or(machine, index, 0)
    vector = dataspace.vector_of(machine, to, 0)
    room = dataspace.vector_count(machine, vector) - first
    if room <= 0:
        return codes.DONE
    if dataspace.kind_of(machine, new) != codes.ARRAY:
        return copy_in(machine, to + 1, dataspace.element_offset(machine, vector, first), new)
    others = dataspace.vector_of(machine, new, 0)
    for i in range(min(room, dataspace.vector_count(machine, others))):
        offset = dataspace.element_offset(machine, vector, first + i)
        status = copy_element(
            machine, to + 1, offset, new + 1, dataspace.element_offset(machine, others, i)
        )
        if status < 0:
            return status
    return codes.DONE


@kernel
def subset(machine: dataspace.MachineRecord, at: int) -> int:
    """ARRSUBSET: clipped to what there is."""
    to, source = argument(machine, at, 1), argument(machine, at, 2)
    count = dataspace.array_count(machine, source, 0)
    first = dataspace.value_or(machine, argument(machine, at, 3), 0)
    length = dataspace.value_or(machine, argument(machine, at, 4), 0xFFFF)
    if first > count:
        return set_count(machine, to, 0)
    length = min(length, count - first)
    status = set_count(machine, to, length)
    if status < 0:
        return status
    new, old = dataspace.vector_of(machine, to, 0), dataspace.vector_of(machine, source, 0)
    for i in range(length):
        offset = dataspace.element_offset(machine, old, first + i)
        status = copy_element(
            machine, to + 1, dataspace.element_offset(machine, new, i), source + 1, offset
        )
        if status < 0:
            return status
    return codes.DONE


@kernel
def initialize(machine: dataspace.MachineRecord, to: int, value: int, length: int) -> int:
    """ARRINIT: `length` elements of one value."""
    count = dataspace.value_or(machine, length, 0) & 0xFFFF
    status = set_count(machine, to, count)
    if status < 0:
        return status
    vector = dataspace.vector_of(machine, to, 0)
    dataspace.spend(machine, count)
    if dataspace.is_integer(dataspace.kind_of(machine, value)):
        number_ = dataspace.value_of(machine, value, 0)
        kind = dataspace.kind_of(machine, to + 1)
        base = dataspace.number(machine.dataspace)
        for i in range(count):
            dataspace.store(
                machine, kind, base + dataspace.element_offset(machine, vector, i), number_
            )
        return codes.DONE
    for i in range(count):
        status = copy_in(machine, to + 1, dataspace.element_offset(machine, vector, i), value)
    return status


@kernel
def build(machine: dataspace.MachineRecord, at: int) -> int:
    """ARRBUILD: sources of the destination's own type join their elements, others are one."""
    to = argument(machine, at, 2)
    count = 0
    for i in range(source_count(machine, at)):
        source = argument(machine, at, 3 + i)
        count += dataspace.array_count(machine, source, 0) if same_type(machine, to, source) else 1
    status = set_count(machine, to, count)
    if status < 0:
        return status
    filled = 0
    for i in range(source_count(machine, at)):
        if not dataspace.spend(machine, 1):
            return codes.ERR_BEYOND
        source = argument(machine, at, 3 + i)
        if same_type(machine, to, source):
            filled = append_elements(machine, to, filled, source)
            if filled < 0:
                return filled
        else:
            offset = dataspace.element_offset(machine, dataspace.vector_of(machine, to, 0), filled)
            status = copy_in(machine, to + 1, offset, source)
            if status < 0:
                return status
            filled += 1
    return codes.DONE


@kernel
def append_elements(machine: dataspace.MachineRecord, to: int, filled: int, source: int) -> int:
    """Copy a source's elements behind the first `filled`; return the new number, or an error."""
    new, old = dataspace.vector_of(machine, to, 0), dataspace.vector_of(machine, source, 0)
    count = dataspace.vector_count(machine, old)
    base = dataspace.number(machine.dataspace)
    if dataspace.is_integer(dataspace.kind_of(machine, source + 1)):
        size = (dataspace.element_size(machine, old) * count) & 0xFFFF
        goal = base + dataspace.element_offset(machine, new, filled)
        dataspace.move_bytes(machine, goal, base + dataspace.element_offset(machine, old, 0), size)
        return filled + count
    for i in range(count):
        offset = dataspace.element_offset(machine, new, filled + i)
        status = copy_element(
            machine, to + 1, offset, source + 1, dataspace.element_offset(machine, old, i)
        )
        if status < 0:
            return status
    return filled + count


@kernel
def text_at(machine: dataspace.MachineRecord, entry: int) -> int:
    return dataspace.data_at(machine, dataspace.vector_of(machine, entry, 0))


@kernel
def text_length(machine: dataspace.MachineRecord, entry: int) -> int:
    """Return the length without the zero byte; an empty array is undefined on a brick."""
    count = dataspace.array_count(machine, entry, 0)
    if count == 0:
        dataspace.note(machine, dataspace.EMPTY_STRING, entry)
        return 0
    return count - 1


@kernel
def number_to_text(machine: dataspace.MachineRecord, to: int, entry: int) -> int:
    """NUMTOSTRING of an integer; floats are written outside."""
    kind = dataspace.kind_of(machine, entry)
    if kind == codes.FLOAT:
        return codes.NEEDS_SERVICE
    value = dataspace.value_of(machine, entry, 0)
    if kind in (codes.S8, codes.S16, codes.S32):
        value = dataspace.signed(value)
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
    dataspace.put_byte(machine, at, 0x2D)
    dataspace.put_byte(machine, at + count - 1, 0)
    rest = abs(value)
    for i in range(count - 2, count - 2 - digits, -1):
        dataspace.put_byte(machine, at + i, 0x30 + rest % 10)
        rest //= 10
    return codes.DONE


@kernel
def concatenate(machine: dataspace.MachineRecord, at: int) -> int:
    """STRCAT: each source without its zero byte, then one zero byte."""
    to = argument(machine, at, 2)
    count = 1
    for i in range(source_count(machine, at)):
        source = argument(machine, at, 3 + i)
        if dataspace.kind_of(machine, source + 1) != codes.U8:
            return codes.ERR_ARG
        count += text_length(machine, source)
    if count > codes.POOL_BYTES:
        return codes.ERR_BEYOND
    status = set_count(machine, to, count)
    if status < 0:
        return status
    end = text_at(machine, to)
    for i in range(source_count(machine, at)):
        source = argument(machine, at, 3 + i)
        length = max(dataspace.array_count(machine, source, 0) - 1, 0)
        if end + length > dataspace.SCRATCH_AT or not dataspace.spend(machine, 1):
            return codes.ERR_BEYOND
        dataspace.move_bytes(machine, end, text_at(machine, source), length)
        end += length
    dataspace.put_byte(machine, end, 0)
    return codes.DONE


@kernel
def text_subset(machine: dataspace.MachineRecord, at: int) -> int:
    """STRSUBSET: as ARRSUBSET, without and with the zero byte."""
    to, source = argument(machine, at, 1), argument(machine, at, 2)
    count = text_length(machine, source)
    first = dataspace.value_or(machine, argument(machine, at, 3), 0)
    length = dataspace.value_or(machine, argument(machine, at, 4), 0xFFFF)
    length = 0 if first > count else min(length, count - first)
    status = set_count(machine, to, length + 1)
    if status < 0:
        return status
    goal = text_at(machine, to)
    if length:
        dataspace.move_bytes(machine, goal, text_at(machine, source) + first, length)
    dataspace.put_byte(machine, goal + length, 0)
    return codes.DONE


@kernel
def text_to_bytes(machine: dataspace.MachineRecord, to: int, source: int) -> int:
    """STRTOBYTEARR: nothing happens if the source is empty."""
    count = dataspace.array_count(machine, source, 0)
    if count == 0:
        return codes.DONE
    status = set_count(machine, to, count - 1)
    if status >= 0:
        dataspace.move_bytes(machine, text_at(machine, to), text_at(machine, source), count - 1)
    return status


@kernel
def bytes_to_text(machine: dataspace.MachineRecord, to: int, source: int) -> int:
    """BYTEARRTOSTR."""
    count = dataspace.array_count(machine, source, 0)
    status = set_count(machine, to, count + 1)
    if status >= 0:
        goal = text_at(machine, to)
        dataspace.move_bytes(machine, goal, text_at(machine, source), count)
        dataspace.put_byte(machine, goal + count, 0)
    return status


COUNTS = 0
FLATTENS = 1
FILLS = 2


@kernel
def copy_part(machine: dataspace.MachineRecord, at: int, place: int, size: int, what: int) -> int:
    """Count bytes, or copy them to or from `at`; return where they end.

    What would go beyond the memory is left out, and the instruction has no time left then.
    """
    if what != COUNTS and at + size > dataspace.SCRATCH_AT:
        dataspace.spend(machine, dataspace.MOST_WORK)
    elif what == FLATTENS:
        dataspace.move_bytes(machine, at, place, size)
    elif what == FILLS:
        dataspace.move_bytes(machine, place, at, size)
    return at + size


@kernel
def enter(machine: dataspace.MachineRecord, depth: int, entry: int, offset: int) -> None:
    """Start the walk through an array of aggregates, or a cluster."""
    frames, at = machine.frames, depth * dataspace.FRAME
    is_array = dataspace.kind_of(machine, entry) == codes.ARRAY
    frames[at] = dataspace.member_count(machine, entry)
    frames[at + 2] = offset
    frames[at + 3] = 0
    if is_array:
        vector = dataspace.vector_of(machine, entry, offset)
        frames[at] = dataspace.vector_count(machine, vector)
        frames[at + 2] = dataspace.vector_offset(machine, vector)
        frames[at + 3] = dataspace.element_size(machine, vector)
    frames[at + 1] = entry + 1
    frames[at + 4] = int(is_array)


@kernel
def copy_flat(machine: dataspace.MachineRecord, at: int, entry: int, what: int) -> int:
    """Walk through a variable and count or copy its bytes; return where they end."""
    frames = machine.frames
    frames[0], frames[1], frames[2], frames[3], frames[4] = 1, entry, 0, 0, 1
    depth = 1
    while depth and dataspace.spend(machine, 1):
        frame = (depth - 1) * dataspace.FRAME
        left = dataspace.number(frames[frame])
        if left == 0:
            depth -= 1
            continue
        part, offset = dataspace.number(frames[frame + 1]), dataspace.number(frames[frame + 2])
        frames[frame] = left - 1
        frames[frame + 2] = (offset + dataspace.number(frames[frame + 3])) & 0xFFFF
        if not dataspace.number(frames[frame + 4]):
            frames[frame + 1] = dataspace.following(machine, part)
        kind = dataspace.kind_of(machine, part)
        if kind == codes.CLUSTER or (
            kind == codes.ARRAY and dataspace.is_aggregate(dataspace.kind_of(machine, part + 1))
        ):
            enter(machine, depth, part, offset)
            depth += 1
        elif kind == codes.ARRAY:
            vector = dataspace.vector_of(machine, part, offset)
            size = (
                dataspace.element_size(machine, vector) * dataspace.vector_count(machine, vector)
            ) & 0xFFFF
            place = dataspace.number(machine.dataspace) + dataspace.vector_offset(machine, vector)
            at = copy_part(machine, at, place, size, what)
        else:
            at = copy_part(
                machine, at, dataspace.place_of(machine, part, offset), size_of(kind), what
            )
    return at


@kernel
def flatten(machine: dataspace.MachineRecord, to: int, entry: int) -> int:
    """FLATTEN: all bytes of a variable, and a zero byte."""
    size = copy_flat(machine, 0, entry, COUNTS) & 0xFFFF
    status = set_count(machine, to, size + 1)
    if status >= 0:
        end = copy_flat(machine, text_at(machine, to), entry, FLATTENS)
        dataspace.put_byte(machine, end, 0)
    return status


@kernel
def unflatten(machine: dataspace.MachineRecord, at: int) -> int:
    """UNFLATTEN: fill a variable if the string has the size of the given one."""
    to, error = argument(machine, at, 1), argument(machine, at, 2)
    source, template = argument(machine, at, 3), argument(machine, at, 4)
    status = move(machine, to, template)
    if status < 0:
        return status
    fits = dataspace.array_count(machine, source, 0) - 1 == copy_flat(machine, 0, template, COUNTS)
    if fits:
        copy_flat(machine, text_at(machine, source), to, FILLS)
    dataspace.set_value(machine, error, int(not fits))
    return codes.DONE
