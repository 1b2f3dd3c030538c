"""Twenty queues of five messages, and the buffer of the data log: each message is an array."""

from hardware_sims.nxt_vm.codes import (
    DATALOG_MESSAGES,
    DONE,
    ERR_INVALID_QUEUE,
    ERR_INVALID_SIZE,
    ERR_MEM,
    LONGEST_DATALOG,
    LONGEST_MESSAGE,
    MESSAGES_PER_QUEUE,
    NOTHING,
    QUEUES,
    STAT_BUFFER_WRAP,
)
from hardware_sims.nxt_vm.dataspace.dope_vectors import (
    allocate_vector,
    free_vector,
    resize_vector,
)
from hardware_sims.nxt_vm.dataspace.events import note
from hardware_sims.nxt_vm.dataspace.memory import move_bytes, number
from hardware_sims.nxt_vm.dataspace.variables import data_at, vector_count
from hardware_sims.nxt_vm.machine_state import MESSAGE_PUSHED_OUT, MachineRecord
from solvers.foundation.compiled import kernel

NO_MESSAGE = 0x10000  # no vector has this number


@kernel
def is_message(machine: MachineRecord, vector: int) -> bool:
    return 0 < vector < vector_count(machine, 0)


@kernel
def filled_vector(machine: MachineRecord, vector: int, source: int, length: int) -> int:
    """Put bytes into a vector, a new one for NOTHING; return it, or ERR_MEM and none is left."""
    if not is_message(machine, vector):
        vector = allocate_vector(machine, 1)
        if vector < 0:
            return ERR_MEM
    if resize_vector(machine, vector, length) < 0:
        free_vector(machine, vector)
        return ERR_MEM
    move_bytes(machine, data_at(machine, vector), source, length)
    return vector


@kernel
def write_message(machine: MachineRecord, queue: int, source: int, length: int) -> int:
    """Append `length` bytes from `source` on; a sixth message pushes the oldest out."""
    if queue >= QUEUES:
        return ERR_INVALID_QUEUE
    if length > LONGEST_MESSAGE:
        return ERR_INVALID_SIZE
    slot = queue * MESSAGES_PER_QUEUE + number(machine.message_writer[queue])
    old = number(machine.messages[slot])
    if is_message(machine, old):
        note(machine, MESSAGE_PUSHED_OUT, queue)
        reader = number(machine.message_reader[queue])
        machine.message_reader[queue] = (reader + 1) % MESSAGES_PER_QUEUE
    vector = filled_vector(machine, old, source, length)
    machine.messages[slot] = NOTHING if vector < 0 else vector
    if vector < 0:
        return ERR_MEM
    writer = number(machine.message_writer[queue])
    machine.message_writer[queue] = (writer + 1) % MESSAGES_PER_QUEUE
    return DONE


@kernel
def oldest_message(machine: MachineRecord, queue: int) -> int:
    """Return the vector of the message to be read next, NO_MESSAGE or ERR_INVALID_QUEUE."""
    if queue >= QUEUES:
        return ERR_INVALID_QUEUE
    reader = number(machine.message_reader[queue])
    vector = number(machine.messages[queue * MESSAGES_PER_QUEUE + reader])
    return vector if is_message(machine, vector) else NO_MESSAGE


@kernel
def remove_message(machine: MachineRecord, queue: int, vector: int) -> None:
    free_vector(machine, vector)
    reader = number(machine.message_reader[queue])
    machine.messages[queue * MESSAGES_PER_QUEUE + reader] = NOTHING
    machine.message_reader[queue] = (reader + 1) % MESSAGES_PER_QUEUE


@kernel
def write_datalog(machine: MachineRecord, source: int, length: int) -> int:
    """Append to the data log's buffer of thirty; a further one pushes the oldest out."""
    if length > LONGEST_DATALOG:
        return ERR_INVALID_SIZE
    status = DONE
    slot = number(machine.datalog_writer)
    old = number(machine.datalogs[slot])
    if is_message(machine, old):
        status = STAT_BUFFER_WRAP
        machine.datalog_reader = (number(machine.datalog_reader) + 1) % DATALOG_MESSAGES
    vector = filled_vector(machine, old, source, length)
    machine.datalogs[slot] = NOTHING if vector < 0 else vector
    if vector < 0:
        return ERR_MEM
    machine.datalog_writer = (slot + 1) % DATALOG_MESSAGES
    return status


@kernel
def oldest_datalog(machine: MachineRecord) -> int:
    vector = number(machine.datalogs[number(machine.datalog_reader)])
    return vector if is_message(machine, vector) else NO_MESSAGE


@kernel
def remove_datalog(machine: MachineRecord, vector: int) -> None:
    free_vector(machine, vector)
    machine.datalogs[number(machine.datalog_reader)] = NOTHING
    machine.datalog_reader = (number(machine.datalog_reader) + 1) % DATALOG_MESSAGES
