"""System calls on the other modules: I/O maps, sound, Bluetooth, sleep timer, sensors."""

import numpy as np

from hardware_sims.nxt_firmware.statuses import CommandError
from hardware_sims.nxt_vm import codes
from hardware_sims.nxt_vm.interpreter.polled_calls import LOUDEST, SOUND_LOOP, SOUND_UPDATE
from hardware_sims.nxt_vm.syscalls.call import Call, CallContext

LONGEST_IO_MAP_ACCESS = 64
CONNECTIONS = 4
FILE_NAME_LENGTH = 19
MS_PER_MINUTE = 60_000


def read_io_map(call: Call, context: CallContext) -> int:
    """IOMapRead: result, module name, offset, count, buffer out."""
    count = call.word(3)
    if count > LONGEST_IO_MAP_ACCESS:
        call.memory.resize(call.vector(4), 0)
        call.set_byte(0, codes.ERR_INVALID_SIZE)
        return codes.DONE
    try:
        call.fill(4, context.peripherals.read_io_map(call.text(1), call.word(2), count))
        call.set_byte(0, codes.DONE)
    except CommandError as error:
        call.set_byte(0, error.status)
    return codes.DONE


def write_io_map(call: Call, context: CallContext) -> int:
    """IOMapWrite: result, module name, offset, buffer."""
    data = call.array(3)
    if len(data) > LONGEST_IO_MAP_ACCESS:
        call.set_byte(0, codes.ERR_INVALID_SIZE)
        return codes.DONE
    try:
        context.peripherals.write_io_map(call.text(1), call.word(2), data)
        call.set_byte(0, codes.DONE)
    except CommandError as error:
        call.set_byte(0, error.status)
    return codes.DONE


def play_file(call: Call, context: CallContext) -> int:
    """SoundPlayFile: result, name, whether it is repeated, volume. The name is not checked."""
    sound = context.peripherals.sound[0]
    name = call.text(1)[:FILE_NAME_LENGTH].ljust(FILE_NAME_LENGTH, b"\0")
    sound["file_name"][:FILE_NAME_LENGTH] = np.frombuffer(name, np.uint8)
    sound["mode"] = SOUND_LOOP if call.byte(2) == 1 else 0
    sound["volume"] = min(call.byte(3), LOUDEST)
    sound["sample_rate"] = 0
    sound["flags"] |= SOUND_UPDATE
    call.set_byte(0, codes.DONE)
    return codes.DONE


def set_sound_state(call: Call, context: CallContext) -> int:
    """SoundSetState: result, state, flags."""
    sound = context.peripherals.sound[0]
    sound["state"] = call.byte(1)
    sound["flags"] |= call.byte(2)
    call.set_byte(0, call.byte(1))
    return codes.DONE


def bluetooth_status(call: Call, context: CallContext) -> int:
    """CommBTCheckStatus: result, connection."""
    connection = call.byte(1)
    status = codes.ERR_CHANNEL_NOT_READY
    if connection >= CONNECTIONS:
        status = codes.ERR_INVALID_PORT
    elif context.peripherals.communication[0]["connections"][connection]["name"][0]:
        status = codes.DONE
    call.set_byte(0, status)
    return codes.DONE


def bluetooth_write(call: Call, context: CallContext) -> int:
    """CommBTWrite: no other brick is ever connected."""
    del context
    call.set_byte(0, codes.ERR_CHANNEL_NOT_READY)
    return codes.DONE


def bluetooth_read(call: Call, context: CallContext) -> int:
    """CommBTRead: the firmware has a number for it and nothing behind it."""
    del call, context
    return codes.ERR_INSTR


def bluetooth_switch(call: Call, context: CallContext) -> int:
    """CommBTOnOff: a radio that cannot be switched; what a brick answers then is unknown."""
    return bluetooth_write(call, context)


def bluetooth_connection(call: Call, context: CallContext) -> int:
    """CommBTConnection: there is no other brick."""
    return bluetooth_write(call, context)


def keep_alive(call: Call, context: CallContext) -> int:
    """KeepAlive: time limit of the sleep timer out, in ms."""
    context.peripherals.stay_awake()
    call.set_long(0, int(context.peripherals.ui[0]["sleep_timeout"]) * MS_PER_MINUTE)
    return codes.DONE


def set_sleep_timeout(call: Call, context: CallContext) -> int:
    """SetSleepTimeout: result (not set), ms. Less than a minute is one, 0 is never."""
    wanted = call.long(1)
    minutes = wanted // MS_PER_MINUTE if wanted >= MS_PER_MINUTE else int(wanted > 0)
    context.peripherals.ui[0]["sleep_timeout"] = minutes & 0xFF
    return codes.DONE


PORTS = 4
BUFFER_BYTES = 16
I2C_TYPES = (10, 11)
COLOR_TYPES = (13, 14, 15, 16, 17)
COLORS = 4
# Channel states of the low speed module; all not named here are "pending".
IDLE = 0
FIRST_STEP = 1
FAILED = 4


def channel_status(context: CallContext, port: int) -> int:
    """Return whether a port's I2C channel is ready."""
    if port >= PORTS:
        return codes.ERR_CHANNEL_INVALID
    sensor = context.peripherals.input[0]["inputs"][port]
    if sensor["sensor_type"] not in I2C_TYPES or sensor["invalid_data"]:
        return codes.ERR_CHANNEL_NOT_READY
    state = int(context.peripherals.low_speed[0]["channel_states"][port])
    if state == IDLE:
        return codes.DONE
    return codes.ERR_BUS if state == FAILED else codes.STAT_COMM_PENDING


def bytes_ready(context: CallContext, port: int) -> int:
    """Return how many received bytes wait in a port's buffer."""
    if port >= PORTS:
        return 0
    buffer = context.peripherals.low_speed[0]["in_buffers"][port]
    waiting = int(buffer["in_pointer"]) - int(buffer["out_pointer"])
    return waiting if waiting >= 0 else waiting + BUFFER_BYTES


def start_writing(context: CallContext, port: int, data: bytes, answer_bytes: int) -> int:
    """Hand bytes to the low speed module; return the status."""
    if port >= PORTS:
        return codes.ERR_CHANNEL_INVALID
    if len(data) > BUFFER_BYTES or answer_bytes > BUFFER_BYTES:
        return codes.ERR_INVALID_SIZE
    low_speed = context.peripherals.low_speed[0]
    is_ready = channel_status(context, port) == codes.DONE
    if not is_ready and int(low_speed["channel_states"][port]) != FAILED:
        return codes.ERR_CHANNEL_NOT_READY
    buffer = low_speed["out_buffers"][port]
    buffer["bytes"][: len(data)] = np.frombuffer(data, np.uint8)
    buffer["in_pointer"] = len(data)
    buffer["out_pointer"] = 0
    low_speed["in_buffers"][port]["bytes_to_receive"] = answer_bytes
    low_speed["channel_states"][port] = FIRST_STEP
    low_speed["state"] |= 1 << port
    return codes.DONE


def write(call: Call, context: CallContext) -> int:
    """CommLSWrite: result, port, bytes, length of the answer."""
    status = start_writing(context, call.byte(1), call.array(2), call.byte(3))
    call.set_byte(0, status)
    return codes.DONE


def read(call: Call, context: CallContext) -> int:
    """CommLSRead: result, port, bytes out, length wanted."""
    port = call.byte(1)
    status, ready = channel_status(context, port), bytes_ready(context, port)
    if status < 0 or not ready:
        call.memory.resize(call.vector(2), 0)
        call.set_byte(0, status)
        return codes.DONE
    count = min(call.byte(3), ready)
    buffer = context.peripherals.low_speed[0]["in_buffers"][port]
    first = int(buffer["out_pointer"])
    call.fill(2, bytes(buffer["bytes"][(first + i) % BUFFER_BYTES] for i in range(count)))
    buffer["out_pointer"] = (first + count) % BUFFER_BYTES
    call.set_byte(0, codes.DONE)
    return codes.DONE


def check_status(call: Call, context: CallContext) -> int:
    """CommLSCheckStatus: result, port, bytes ready out."""
    call.set_byte(0, channel_status(context, call.byte(1)))
    call.set_byte(2, bytes_ready(context, call.byte(1)))
    return codes.DONE


def read_color(call: Call, context: CallContext) -> int:
    """ColorSensorRead: result, port, colour, raw, normalized, scaled, invalid. Errors are fatal."""
    port = call.byte(1)
    for member in (3, 4, 5):
        call.memory.resize(call.vector(member), COLORS)
    maps = context.peripherals.input[0]
    if port >= PORTS or maps["inputs"][port]["sensor_type"] not in COLOR_TYPES:
        call.set_byte(0, codes.ERR_CHANNEL_NOT_READY)
        return codes.ERR_CHANNEL_NOT_READY
    color = maps["colors"][port]
    for member, field in ((3, "ad_raw"), (4, "sensor_raw"), (5, "sensor_value")):
        at = call.memory.vector(call.vector(member))[0]
        call.memory.bytes[at : at + 2 * COLORS] = color[field].tobytes()
    call.set_byte(2, int(maps["inputs"][port]["sensor_value"]))
    call.set_byte(6, int(maps["inputs"][port]["invalid_data"]))
    call.set_byte(0, codes.DONE)
    return codes.DONE
