"""The table of system calls, and those that need nothing but the program itself."""

import re
import struct
from collections.abc import Callable
from typing import Final

import numpy as np

from hardware_sims.nxt_vm import codes
from hardware_sims.nxt_vm.arrays import compact
from hardware_sims.nxt_vm.dataspace import set_value, store_float, value_or
from hardware_sims.nxt_vm.interpreter.polled_calls import write_datalog
from hardware_sims.nxt_vm.syscalls import files, modules, screen
from hardware_sims.nxt_vm.syscalls.call import Call, CallContext, Memory, MemoryFullError

_NUMBER: Final = re.compile(rb"[ \t\n\v\f\r]*[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")
_PAST: Final = re.compile(rb"[^0-9]*[0-9]+(?:\.[0-9]*)?")
# What is wider than the screen is written with an exponent.
_LARGEST: Final = struct.unpack("<f", struct.pack("<f", 9999999999999.99))[0]
_SMALLEST: Final = struct.unpack("<f", struct.pack("<f", -999999999999.99))[0]


def float_text(value: float) -> bytes:
    """Return a float as the firmware writes it: two decimals without zeros at the end."""
    if value > _LARGEST or value < _SMALLEST:
        return b"%.6g" % value
    text = b"%.2f" % value
    if text.endswith(b"00"):
        return b"%.0f" % value
    return b"%.1f" % value if text.endswith(b"0") else text


def _single_precision(value: float) -> np.float32:
    """Return the nearest number of single precision, without a warning where that is infinite."""
    with np.errstate(over="ignore"):
        return np.float32(value)


def number_to_text(memory: Memory, at: int) -> int:
    """NUMTOSTRING of a float: string, number."""
    (value,) = struct.unpack_from("<f", memory.bytes, memory.place(memory.argument(at, 2)))
    text = memory.word(memory.place(memory.argument(at, 1)))
    memory.fill(text, float_text(value) + b"\0")
    return codes.DONE


def text_to_number(memory: Memory, at: int) -> int:
    """STRINGTONUM: number, index behind it, string, offset, value if there is no number."""
    machine = memory.machine
    to, past, text, offset, otherwise = (memory.argument(at, i) for i in range(1, 6))
    start = value_or(machine, offset, 0) & 0xFFFF
    first, _, count = memory.vector(memory.word(memory.place(text)))
    string = memory.text(first + start)
    found = _NUMBER.match(string) if count else None
    if found:
        value, end = _single_precision(float(found[0])), _PAST.match(string)
        behind = start + (end.end() if end else 0)
    else:
        value, behind = np.float32(value_or(machine, otherwise, 0)), 0
    store_float(machine, int(memory.kinds[to]), memory.place(to), value)
    set_value(machine, past, behind)
    return codes.DONE


SYNC_TIME_AT = 32820  # in the command module's I/O map
SYNC_TICK_AT = 32824
UNCALIBRATED_RANGE = 1023


def random_number(call: Call, context: CallContext) -> int:
    """RandomNumber: any of the 65536 signed words."""
    call.set_word(0, context.random.getrandbits(16))
    return codes.DONE


def read_semaphore(call: Call, context: CallContext) -> int:
    """ReadSemData: value out, which one."""
    call.set_byte(0, context.semaphores[bool(call.byte(1))])
    return codes.DONE


def write_semaphore(call: Call, context: CallContext) -> int:
    """WriteSemData: new value out, which one, bits, whether to clear them."""
    which, bits = bool(call.byte(1)), call.byte(2)
    value = context.semaphores[which]
    value = value & ~bits if call.byte(3) else value | bits
    context.semaphores[which] = value
    call.set_byte(0, value)
    return codes.DONE


def update_calibration(call: Call, context: CallContext) -> int:
    """UpdateCalibCacheInfo: result, name, smallest, largest reading."""
    context.calibrations[call.text(1)] = call.signed_word(2), call.signed_word(3)
    call.set_byte(0, codes.DONE)
    return codes.DONE


def calibrated_value(call: Call, context: CallContext) -> int:
    """ComputeCalibValue: result, name, raw value in and percent out."""
    limits = context.calibrations.get(call.text(1))
    low, high = limits if limits else (0, UNCALIBRATED_RANGE)
    scaled = (call.signed_word(2) - low) * 100
    span = high - low
    percent = (abs(scaled) // abs(span) if (scaled < 0) == (span < 0) else -1) if span else 0
    call.set_word(2, min(max(percent, 0), 100))
    call.set_byte(0, codes.DONE if limits else codes.ERR_ILLEGAL_VALUE)
    return codes.DONE


def datalog_write(call: Call, context: CallContext) -> int:
    """DatalogWrite: result, bytes."""
    del context
    at, _, count = call.memory.vector(call.vector(1))
    status = write_datalog(call.memory.machine, at, count)
    call.set_byte(0, status)
    return status if codes.ERR_BAD_PTR <= status < codes.DONE else codes.DONE


def datalog_times(call: Call, context: CallContext) -> int:
    """DatalogGetTimes: result (not set), time and tick that the host has set."""
    del context
    call.set_long(1, call.memory.long(SYNC_TIME_AT))
    call.set_long(2, call.memory.long(SYNC_TICK_AT))
    return codes.DONE


_SystemCall = Callable[[Call, CallContext], int]

SYSTEM_CALLS: Final[dict[int, _SystemCall]] = {
    0: files.open_read,
    1: files.open_write,
    2: files.open_append,
    3: files.read,
    4: files.write,
    5: files.close,
    6: files.resolve_handle,
    7: files.rename,
    8: files.delete,
    9: modules.play_file,
    12: modules.set_sound_state,
    13: screen.draw_text,
    14: screen.draw_point,
    15: screen.draw_line,
    16: screen.draw_circle,
    17: screen.draw_rectangle,
    18: screen.draw_picture_file,
    19: screen.set_screen_mode,
    21: modules.write,
    22: modules.read,
    23: modules.check_status,
    24: random_number,
    28: modules.bluetooth_status,
    29: modules.bluetooth_write,
    30: modules.bluetooth_read,
    31: modules.keep_alive,
    32: modules.read_io_map,
    33: modules.write_io_map,
    34: modules.read_color,
    35: modules.bluetooth_switch,
    36: modules.bluetooth_connection,
    37: modules.write,
    38: modules.read,
    39: modules.check_status,
    40: read_semaphore,
    41: write_semaphore,
    42: calibrated_value,
    43: update_calibration,
    44: datalog_write,
    45: datalog_times,
    46: modules.set_sleep_timeout,
    47: files.list_files,
}


def serve(memory: Memory, context: CallContext) -> int:
    """Do the instruction that the interpreter waits for; return its status."""
    machine = memory.machine
    at = int(machine["counter"][int(machine["run_head"])])
    status = _attempt(memory, context, at)
    if status == codes.ERR_MEM:
        compact(machine)
        status = _attempt(memory, context, at)
    return status


def _attempt(memory: Memory, context: CallContext, at: int) -> int:
    opcode = memory.argument(at, 0) & 0xFF
    try:
        if opcode == codes.NUMTOSTRING:
            return number_to_text(memory, at)
        if opcode == codes.STRINGTONUM:
            return text_to_number(memory, at)
        perform = SYSTEM_CALLS.get(memory.argument(at, 1))
        if perform is None:
            return codes.ERR_INSTR
        return perform(Call(memory, memory.argument(at, 2)), context)
    except MemoryFullError:
        return codes.ERR_MEM
