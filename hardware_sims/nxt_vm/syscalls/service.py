"""What the compiled interpreter hands over: system calls by number, and numbers as text."""

from collections.abc import Callable
from typing import Final

from hardware_sims.nxt_vm.codes import ERR_INSTR, ERR_MEM, NUMTOSTRING, STRINGTONUM
from hardware_sims.nxt_vm.dataspace.dope_vectors import compact
from hardware_sims.nxt_vm.syscalls import files, modules, numbers, program_data, screen, sensors
from hardware_sims.nxt_vm.syscalls.call import Call, Memory, MemoryFullError
from hardware_sims.nxt_vm.syscalls.context import CallContext

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
    21: sensors.write,
    22: sensors.read,
    23: sensors.check_status,
    24: program_data.random_number,
    28: modules.bluetooth_status,
    29: modules.bluetooth_write,
    30: modules.bluetooth_read,
    31: modules.keep_alive,
    32: modules.read_io_map,
    33: modules.write_io_map,
    34: sensors.read_color,
    35: modules.bluetooth_switch,
    36: modules.bluetooth_connection,
    37: sensors.write,
    38: sensors.read,
    39: sensors.check_status,
    40: program_data.read_semaphore,
    41: program_data.write_semaphore,
    42: program_data.calibrated_value,
    43: program_data.update_calibration,
    44: program_data.datalog_write,
    45: program_data.datalog_times,
    46: modules.set_sleep_timeout,
    47: files.list_files,
}


def serve(memory: Memory, context: CallContext) -> int:
    """Do the instruction that the interpreter waits for; return its status."""
    machine = memory.machine
    at = int(machine["counter"][int(machine["run_head"])])
    status = _attempt(memory, context, at)
    if status == ERR_MEM:
        compact(machine)
        status = _attempt(memory, context, at)
    return status


def _attempt(memory: Memory, context: CallContext, at: int) -> int:
    opcode = memory.argument(at, 0) & 0xFF
    try:
        if opcode == NUMTOSTRING:
            return numbers.number_to_text(memory, at)
        if opcode == STRINGTONUM:
            return numbers.text_to_number(memory, at)
        perform = SYSTEM_CALLS.get(memory.argument(at, 1))
        if perform is None:
            return ERR_INSTR
        return perform(Call(memory, memory.argument(at, 2)), context)
    except MemoryFullError:
        return ERR_MEM
