"""Mailboxes, and the system calls that programs poll: done here, without leaving the kernel."""

from typing import Any

from hardware_sims.nxt_vm import codes, dataspace
from hardware_sims.nxt_vm.arrays import allocate_vector, free_vector, resize_vector
from solvers.foundation.compiled import kernel

NO_MESSAGE = 0x10000  # no vector has this number


@kernel
def is_message(machine: dataspace.MachineRecord, vector: int) -> bool:
    return 0 < vector < dataspace.vector_count(machine, 0)


@kernel
def filled_vector(machine: dataspace.MachineRecord, vector: int, source: int, length: int) -> int:
    """Put bytes into a vector, a new one for NOTHING; return it, or ERR_MEM and none is left."""
    if not is_message(machine, vector):
        vector = allocate_vector(machine, 1)
        if vector < 0:
            return codes.ERR_MEM
    if resize_vector(machine, vector, length) < 0:
        free_vector(machine, vector)
        return codes.ERR_MEM
    dataspace.move_bytes(machine, dataspace.data_at(machine, vector), source, length)
    return vector


@kernel
def write_message(machine: dataspace.MachineRecord, queue: int, source: int, length: int) -> int:
    """Append `length` bytes from `source` on; a sixth message pushes the oldest out."""
    if queue >= codes.QUEUES:
        return codes.ERR_INVALID_QUEUE
    if length > codes.LONGEST_MESSAGE:
        return codes.ERR_INVALID_SIZE
    slot = queue * codes.MESSAGES_PER_QUEUE + dataspace.number(machine.message_writer[queue])
    old = dataspace.number(machine.messages[slot])
    if is_message(machine, old):
        dataspace.note(machine, dataspace.MESSAGE_PUSHED_OUT, queue)
        reader = dataspace.number(machine.message_reader[queue])
        machine.message_reader[queue] = (reader + 1) % codes.MESSAGES_PER_QUEUE
    vector = filled_vector(machine, old, source, length)
    machine.messages[slot] = codes.NOTHING if vector < 0 else vector
    if vector < 0:
        return codes.ERR_MEM
    writer = dataspace.number(machine.message_writer[queue])
    machine.message_writer[queue] = (writer + 1) % codes.MESSAGES_PER_QUEUE
    return codes.DONE


@kernel
def oldest_message(machine: dataspace.MachineRecord, queue: int) -> int:
    """Return the vector of the message to be read next, NO_MESSAGE or ERR_INVALID_QUEUE."""
    if queue >= codes.QUEUES:
        return codes.ERR_INVALID_QUEUE
    reader = dataspace.number(machine.message_reader[queue])
    vector = dataspace.number(machine.messages[queue * codes.MESSAGES_PER_QUEUE + reader])
    return vector if is_message(machine, vector) else NO_MESSAGE


@kernel
def remove_message(machine: dataspace.MachineRecord, queue: int, vector: int) -> None:
    free_vector(machine, vector)
    reader = dataspace.number(machine.message_reader[queue])
    machine.messages[queue * codes.MESSAGES_PER_QUEUE + reader] = codes.NOTHING
    machine.message_reader[queue] = (reader + 1) % codes.MESSAGES_PER_QUEUE


@kernel
def write_datalog(machine: dataspace.MachineRecord, source: int, length: int) -> int:
    """Append to the data log's buffer of thirty; a further one pushes the oldest out."""
    if length > codes.LONGEST_DATALOG:
        return codes.ERR_INVALID_SIZE
    status = codes.DONE
    slot = dataspace.number(machine.datalog_writer)
    old = dataspace.number(machine.datalogs[slot])
    if is_message(machine, old):
        status = codes.STAT_BUFFER_WRAP
        machine.datalog_reader = (
            dataspace.number(machine.datalog_reader) + 1
        ) % codes.DATALOG_MESSAGES
    vector = filled_vector(machine, old, source, length)
    machine.datalogs[slot] = codes.NOTHING if vector < 0 else vector
    if vector < 0:
        return codes.ERR_MEM
    machine.datalog_writer = (slot + 1) % codes.DATALOG_MESSAGES
    return status


@kernel
def oldest_datalog(machine: dataspace.MachineRecord) -> int:
    vector = dataspace.number(machine.datalogs[dataspace.number(machine.datalog_reader)])
    return vector if is_message(machine, vector) else NO_MESSAGE


@kernel
def remove_datalog(machine: dataspace.MachineRecord, vector: int) -> None:
    free_vector(machine, vector)
    machine.datalogs[dataspace.number(machine.datalog_reader)] = codes.NOTHING
    machine.datalog_reader = (dataspace.number(machine.datalog_reader) + 1) % codes.DATALOG_MESSAGES


BUTTONS = 4
PRESSED_STATE = 0x80  # c_button.iom; its other bits are events of one millisecond
SOUND_UPDATE = 1
SOUND_LOOP = 1
SOUND_TONE = 2
LOUDEST = 4


@kernel
def member(machine: dataspace.MachineRecord, cluster: int, index: int) -> int:
    """Return where a member of a call's cluster is; -1 if it is a cluster without a place."""
    entry = cluster + 1
    for _ in range(index):
        entry = dataspace.following(machine, entry)
    if dataspace.kind_of(machine, entry) == codes.CLUSTER:
        return dataspace.member_place(machine, entry)
    return dataspace.place_of(machine, entry, 0)


@kernel
def system_call(
    machine: dataspace.MachineRecord, sound: Any, buttons: Any, call: int, cluster: int
) -> int:
    """Do a system call here, or refuse it, or ask for service."""
    if (
        call >= codes.SYSCALL_COUNT
        or dataspace.member_count(machine, cluster) > codes.LONGEST_SYSCALL
    ):
        return codes.ERR_INSTR
    if call == codes.MESSAGE_READ:
        return read_call(machine, cluster)
    if call == codes.MESSAGE_WRITE:
        return write_call(machine, cluster)
    if call == codes.READ_BUTTON:
        return button_call(machine, buttons, cluster)
    if call == codes.GET_START_TICK:
        dataspace.put_long(
            machine, member(machine, cluster, 0), dataspace.number(machine.start_tick)
        )
        return codes.DONE
    if call == codes.GET_SOUND_STATE:
        dataspace.put_byte(machine, member(machine, cluster, 0), dataspace.number(sound.state))
        dataspace.put_byte(machine, member(machine, cluster, 1), dataspace.number(sound["flags"]))
        return codes.DONE
    if call == codes.PLAY_TONE:
        return tone_call(machine, sound, cluster)
    return codes.NEEDS_SERVICE


@kernel
def read_call(machine: dataspace.MachineRecord, cluster: int) -> int:
    """MessageRead: result, queue, remove, text. No other brick's mailboxes are asked."""
    queue = dataspace.byte_at(machine, member(machine, cluster, 1))
    text = dataspace.word_at(machine, member(machine, cluster, 3))
    vector = oldest_message(machine, queue)
    status = codes.DONE
    if vector == codes.ERR_INVALID_QUEUE:
        status = codes.ERR_INVALID_QUEUE
    elif vector == NO_MESSAGE:
        status = codes.STAT_MAILBOX_EMPTY
    count = dataspace.vector_count(machine, vector) if status == codes.DONE else 0
    # An empty mailbox still gives a text of one zero byte.
    if resize_vector(machine, text, max(count, 1)) < 0:
        return resize_vector(machine, text, max(count, 1))
    if count:
        dataspace.move_bytes(
            machine, dataspace.data_at(machine, text), dataspace.data_at(machine, vector), count
        )
        if dataspace.byte_at(machine, member(machine, cluster, 2)):
            remove_message(machine, queue, vector)
    else:
        dataspace.put_byte(machine, dataspace.data_at(machine, text), 0)
    dataspace.put_byte(machine, member(machine, cluster, 0), status)
    return codes.DONE


@kernel
def write_call(machine: dataspace.MachineRecord, cluster: int) -> int:
    """MessageWrite: result, queue, text."""
    text = dataspace.word_at(machine, member(machine, cluster, 2))
    queue = dataspace.byte_at(machine, member(machine, cluster, 1))
    status = write_message(
        machine, queue, dataspace.data_at(machine, text), dataspace.vector_count(machine, text)
    )
    dataspace.put_byte(machine, member(machine, cluster, 0), status)
    return status if codes.ERR_BAD_PTR <= status < codes.DONE else codes.DONE


@kernel
def button_call(machine: dataspace.MachineRecord, buttons: Any, cluster: int) -> int:
    """ReadButton: result, index, pressed, count of releases, whether to reset the count."""
    index = dataspace.byte_at(machine, member(machine, cluster, 1))
    status, pressed, count = codes.ERR_INVALID_PORT, 0, 0
    if index < BUTTONS:
        status = codes.DONE
        button = buttons.buttons[index]
        pressed = int(dataspace.number(buttons.states[index]) & PRESSED_STATE != 0)
        count = dataspace.number(button.release_count)
        if dataspace.byte_at(machine, member(machine, cluster, 4)):
            button.release_count = 0
            button.short_release_count = 0
            button.long_release_count = 0
    dataspace.put_byte(machine, member(machine, cluster, 0), status)
    dataspace.put_byte(machine, member(machine, cluster, 2), pressed)
    dataspace.put_byte(machine, member(machine, cluster, 3), count)
    return codes.DONE


@kernel
def tone_call(machine: dataspace.MachineRecord, sound: Any, cluster: int) -> int:
    """SoundPlayTone: result, Hz, ms, whether it is repeated, volume."""
    sound.frequency = dataspace.word_at(machine, member(machine, cluster, 1))
    sound.duration = dataspace.word_at(machine, member(machine, cluster, 2))
    sound.volume = min(dataspace.byte_at(machine, member(machine, cluster, 4)), LOUDEST)
    sound["flags"] = dataspace.number(sound["flags"]) | SOUND_UPDATE
    loop = dataspace.byte_at(machine, member(machine, cluster, 3)) == 1
    sound.mode = SOUND_TONE | SOUND_LOOP if loop else SOUND_TONE
    dataspace.put_byte(machine, member(machine, cluster, 0), codes.DONE)
    return codes.DONE
