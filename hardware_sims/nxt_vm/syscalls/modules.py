"""System calls on other modules: I/O maps, sound, Bluetooth, sleep timer."""

import numpy as np

from hardware_sims.nxt_firmware.statuses import CommandError
from hardware_sims.nxt_vm.codes import (
    DONE,
    ERR_CHANNEL_NOT_READY,
    ERR_INSTR,
    ERR_INVALID_PORT,
    ERR_INVALID_SIZE,
)
from hardware_sims.nxt_vm.interpreter.polled_calls import LOUDEST, SOUND_LOOP, SOUND_UPDATE
from hardware_sims.nxt_vm.syscalls.call import Call
from hardware_sims.nxt_vm.syscalls.context import CallContext

LONGEST_IO_MAP_ACCESS = 64
CONNECTIONS = 4
FILE_NAME_LENGTH = 19
MS_PER_MINUTE = 60_000


def read_io_map(call: Call, context: CallContext) -> int:
    """IOMapRead: result, module name, offset, count, buffer out."""
    count = call.word(3)
    if count > LONGEST_IO_MAP_ACCESS:
        call.memory.resize(call.vector(4), 0)
        call.set_byte(0, ERR_INVALID_SIZE)
        return DONE
    try:
        call.fill(4, context.peripherals.read_io_map(call.text(1), call.word(2), count))
        call.set_byte(0, DONE)
    except CommandError as error:
        call.set_byte(0, error.status)
    return DONE


def write_io_map(call: Call, context: CallContext) -> int:
    """IOMapWrite: result, module name, offset, buffer."""
    data = call.array(3)
    if len(data) > LONGEST_IO_MAP_ACCESS:
        call.set_byte(0, ERR_INVALID_SIZE)
        return DONE
    try:
        context.peripherals.write_io_map(call.text(1), call.word(2), data)
        call.set_byte(0, DONE)
    except CommandError as error:
        call.set_byte(0, error.status)
    return DONE


def play_file(call: Call, context: CallContext) -> int:
    """SoundPlayFile: result, name, whether it is repeated, volume. The name is not checked."""
    sound = context.peripherals.sound[0]
    name = call.text(1)[:FILE_NAME_LENGTH].ljust(FILE_NAME_LENGTH, b"\0")
    sound["file_name"][:FILE_NAME_LENGTH] = np.frombuffer(name, np.uint8)
    sound["mode"] = SOUND_LOOP if call.byte(2) == 1 else 0
    sound["volume"] = min(call.byte(3), LOUDEST)
    sound["sample_rate"] = 0
    sound["flags"] |= SOUND_UPDATE
    call.set_byte(0, DONE)
    return DONE


def set_sound_state(call: Call, context: CallContext) -> int:
    """SoundSetState: result, state, flags."""
    sound = context.peripherals.sound[0]
    sound["state"] = call.byte(1)
    sound["flags"] |= call.byte(2)
    call.set_byte(0, call.byte(1))
    return DONE


def bluetooth_status(call: Call, context: CallContext) -> int:
    """CommBTCheckStatus: result, connection."""
    connection = call.byte(1)
    status = ERR_CHANNEL_NOT_READY
    if connection >= CONNECTIONS:
        status = ERR_INVALID_PORT
    elif context.peripherals.communication[0]["connections"][connection]["name"][0]:
        status = DONE
    call.set_byte(0, status)
    return DONE


def bluetooth_write(call: Call, context: CallContext) -> int:
    """CommBTWrite: no other brick is ever connected."""
    del context
    call.set_byte(0, ERR_CHANNEL_NOT_READY)
    return DONE


def bluetooth_read(call: Call, context: CallContext) -> int:
    """CommBTRead: the firmware has a number for it and nothing behind it."""
    del call, context
    return ERR_INSTR


def bluetooth_switch(call: Call, context: CallContext) -> int:
    """CommBTOnOff: a radio that cannot be switched; what a brick answers then is unknown."""
    return bluetooth_write(call, context)


def bluetooth_connection(call: Call, context: CallContext) -> int:
    """CommBTConnection: nobody is there to connect to."""
    return bluetooth_write(call, context)


def keep_alive(call: Call, context: CallContext) -> int:
    """KeepAlive: time limit of the sleep timer out, in ms."""
    context.peripherals.stay_awake()
    call.set_long(0, int(context.peripherals.ui[0]["sleep_timeout"]) * MS_PER_MINUTE)
    return DONE


def set_sleep_timeout(call: Call, context: CallContext) -> int:
    """SetSleepTimeout: result (not set), ms. Less than a minute is one, 0 is never."""
    wanted = call.long(1)
    minutes = wanted // MS_PER_MINUTE if wanted >= MS_PER_MINUTE else int(wanted > 0)
    context.peripherals.ui[0]["sleep_timeout"] = minutes & 0xFF
    return DONE
