"""System calls that programs poll with, done without leaving the compiled code.

A call's argument is a cluster; its members come in the order of the specification, the result
first. The others are in `hardware_sims.nxt_vm.syscalls`.
"""

from typing import Any

from hardware_sims.nxt_vm.codes import (
    CLUSTER,
    DONE,
    ERR_BAD_PTR,
    ERR_INSTR,
    ERR_INVALID_PORT,
    ERR_INVALID_QUEUE,
    GET_SOUND_STATE,
    GET_START_TICK,
    LONGEST_SYSCALL,
    MESSAGE_READ,
    MESSAGE_WRITE,
    NEEDS_SERVICE,
    PLAY_TONE,
    READ_BUTTON,
    STAT_MAILBOX_EMPTY,
    SYSCALL_COUNT,
)
from hardware_sims.nxt_vm.dataspace.dope_vectors import resize_vector
from hardware_sims.nxt_vm.dataspace.memory import (
    byte_at,
    move_bytes,
    number,
    put_byte,
    put_long,
    word_at,
)
from hardware_sims.nxt_vm.dataspace.variables import (
    data_at,
    following,
    kind_of,
    member_count,
    member_place,
    place_of,
    vector_count,
)
from hardware_sims.nxt_vm.interpreter.messages import (
    NO_MESSAGE,
    oldest_message,
    remove_message,
    write_message,
)
from hardware_sims.nxt_vm.machine_state import MachineRecord
from solvers.foundation.compiled import kernel

BUTTONS = 4
PRESSED = 0x20
SOUND_UPDATE = 1
SOUND_LOOP = 1
SOUND_TONE = 2
LOUDEST = 4


@kernel
def member(machine: MachineRecord, cluster: int, index: int) -> int:
    """Return where a member of a call's cluster lies; -1 if it is a cluster without a place."""
    entry = cluster + 1
    for _ in range(index):
        entry = following(machine, entry)
    if kind_of(machine, entry) == CLUSTER:
        return member_place(machine, entry)
    return place_of(machine, entry, 0)


@kernel
def system_call(machine: MachineRecord, sound: Any, buttons: Any, call: int, cluster: int) -> int:
    """Do a system call here, or refuse it, or ask for service."""
    if call >= SYSCALL_COUNT or member_count(machine, cluster) > LONGEST_SYSCALL:
        return ERR_INSTR
    if call == MESSAGE_READ:
        return read_call(machine, cluster)
    if call == MESSAGE_WRITE:
        return write_call(machine, cluster)
    if call == READ_BUTTON:
        return button_call(machine, buttons, cluster)
    if call == GET_START_TICK:
        put_long(machine, member(machine, cluster, 0), number(machine.start_tick))
        return DONE
    if call == GET_SOUND_STATE:
        put_byte(machine, member(machine, cluster, 0), number(sound.state))
        put_byte(machine, member(machine, cluster, 1), number(sound["flags"]))
        return DONE
    if call == PLAY_TONE:
        return tone_call(machine, sound, cluster)
    return NEEDS_SERVICE


@kernel
def read_call(machine: MachineRecord, cluster: int) -> int:
    """MessageRead: result, queue, remove, text. Nobody else's mailboxes are asked."""
    queue = byte_at(machine, member(machine, cluster, 1))
    text = word_at(machine, member(machine, cluster, 3))
    vector = oldest_message(machine, queue)
    status = DONE
    if vector == ERR_INVALID_QUEUE:
        status = ERR_INVALID_QUEUE
    elif vector == NO_MESSAGE:
        status = STAT_MAILBOX_EMPTY
    count = vector_count(machine, vector) if status == DONE else 0
    if resize_vector(machine, text, max(count, 1)) < 0:
        return resize_vector(machine, text, max(count, 1))
    if count:
        move_bytes(machine, data_at(machine, text), data_at(machine, vector), count)
        if byte_at(machine, member(machine, cluster, 2)):
            remove_message(machine, queue, vector)
    else:
        put_byte(machine, data_at(machine, text), 0)
    put_byte(machine, member(machine, cluster, 0), status)
    return DONE


@kernel
def write_call(machine: MachineRecord, cluster: int) -> int:
    """MessageWrite: result, queue, text."""
    text = word_at(machine, member(machine, cluster, 2))
    queue = byte_at(machine, member(machine, cluster, 1))
    status = write_message(machine, queue, data_at(machine, text), vector_count(machine, text))
    put_byte(machine, member(machine, cluster, 0), status)
    return status if ERR_BAD_PTR <= status < DONE else DONE


@kernel
def button_call(machine: MachineRecord, buttons: Any, cluster: int) -> int:
    """ReadButton: result, index, pressed, count of releases, whether to reset the count."""
    index = byte_at(machine, member(machine, cluster, 1))
    status, pressed, count = ERR_INVALID_PORT, 0, 0
    if index < BUTTONS:
        status = DONE
        button = buttons.buttons[index]
        pressed = int(number(buttons.states[index]) & PRESSED != 0)
        count = number(button.release_count)
        if byte_at(machine, member(machine, cluster, 4)):
            button.release_count = 0
            button.short_release_count = 0
            button.long_release_count = 0
    put_byte(machine, member(machine, cluster, 0), status)
    put_byte(machine, member(machine, cluster, 2), pressed)
    put_byte(machine, member(machine, cluster, 3), count)
    return DONE


@kernel
def tone_call(machine: MachineRecord, sound: Any, cluster: int) -> int:
    """SoundPlayTone: result, Hz, ms, whether it is repeated, volume."""
    sound.frequency = word_at(machine, member(machine, cluster, 1))
    sound.duration = word_at(machine, member(machine, cluster, 2))
    sound.volume = min(byte_at(machine, member(machine, cluster, 4)), LOUDEST)
    sound["flags"] = number(sound["flags"]) | SOUND_UPDATE
    loop = byte_at(machine, member(machine, cluster, 3)) == 1
    sound.mode = SOUND_TONE | SOUND_LOOP if loop else SOUND_TONE
    put_byte(machine, member(machine, cluster, 0), DONE)
    return DONE
