"""System calls on what the command module keeps for a program: numbers, reservations, logs."""

from hardware_sims.nxt_vm.codes import DONE, ERR_BAD_PTR, ERR_ILLEGAL_VALUE
from hardware_sims.nxt_vm.interpreter.messages import write_datalog
from hardware_sims.nxt_vm.syscalls.call import Call
from hardware_sims.nxt_vm.syscalls.context import CallContext

SYNC_TIME_AT = 32820  # in the command module's I/O map
SYNC_TICK_AT = 32824
UNCALIBRATED_RANGE = 1023


def random_number(call: Call, context: CallContext) -> int:
    """RandomNumber: any of the 65536 signed words."""
    call.set_word(0, context.random.getrandbits(16))
    return DONE


def read_semaphore(call: Call, context: CallContext) -> int:
    """ReadSemData: value out, which one."""
    call.set_byte(0, context.semaphores[bool(call.byte(1))])
    return DONE


def write_semaphore(call: Call, context: CallContext) -> int:
    """WriteSemData: new value out, which one, bits, whether to clear them."""
    which, bits = bool(call.byte(1)), call.byte(2)
    value = context.semaphores[which]
    value = value & ~bits if call.byte(3) else value | bits
    context.semaphores[which] = value
    call.set_byte(0, value)
    return DONE


def update_calibration(call: Call, context: CallContext) -> int:
    """UpdateCalibCacheInfo: result, name, smallest, largest reading."""
    context.calibrations[call.text(1)] = call.signed_word(2), call.signed_word(3)
    call.set_byte(0, DONE)
    return DONE


def calibrated_value(call: Call, context: CallContext) -> int:
    """ComputeCalibValue: result, name, raw value in and percent out."""
    limits = context.calibrations.get(call.text(1))
    low, high = limits if limits else (0, UNCALIBRATED_RANGE)
    scaled = (call.signed_word(2) - low) * 100
    span = high - low
    percent = (abs(scaled) // abs(span) if (scaled < 0) == (span < 0) else -1) if span else 0
    call.set_word(2, min(max(percent, 0), 100))
    call.set_byte(0, DONE if limits else ERR_ILLEGAL_VALUE)
    return DONE


def datalog_write(call: Call, context: CallContext) -> int:
    """DatalogWrite: result, bytes."""
    del context
    at, _, count = call.memory.vector(call.vector(1))
    status = write_datalog(call.memory.machine, at, count)
    call.set_byte(0, status)
    return status if ERR_BAD_PTR <= status < DONE else DONE


def datalog_times(call: Call, context: CallContext) -> int:
    """DatalogGetTimes: result (not set), time and tick that the host has set."""
    del context
    call.set_long(1, call.memory.long(SYNC_TIME_AT))
    call.set_long(2, call.memory.long(SYNC_TICK_AT))
    return DONE
