"""Puts a parsed program into the machine, ready to run: the firmware's activation."""

import numpy as np
from numpy.typing import NDArray

from hardware_sims.nxt_vm import codes, dataspace
from hardware_sims.nxt_vm.interpreter.requests import ACTIVATE, BROKEN_CHAIN
from hardware_sims.nxt_vm.interpreter.slices import STATUS_AT, ProgramState, run_slice
from hardware_sims.nxt_vm.program_file import InvalidProgramError, ProgramFile, default_bytes

_FRESH_POOL = 0xDEADBEEF
_BRTST = 0x27


def load_program(state: ProgramState, program: ProgramFile, tick: int) -> None:
    """Fill the pool, queue the clumps that run at the start, make spare dope vectors.

    Raises:
        InvalidProgramError: the arrays' descriptions are broken; nothing runs then.
    """
    machine = state.machine[0]
    machine.running = 0
    pool = machine.memory[dataspace.POOL_AT : dataspace.POOL_AT + codes.POOL_BYTES]
    pool.view("<u4")[:] = _FRESH_POOL
    _place_dataspace(machine, program)
    _load_types(machine, program)
    _load_code(machine, program)
    machine.message_reader[:] = 0
    machine.message_writer[:] = 0
    machine.messages[:] = codes.NOTHING
    machine.datalog_reader = machine.datalog_writer = 0
    machine.datalogs[:] = codes.NOTHING
    machine.request = ACTIVATE
    if run_slice(state, tick) == BROKEN_CHAIN:
        raise InvalidProgramError("the chain of its array descriptions is broken", codes.ERR_FILE)
    machine.start_tick = machine.tick = tick
    machine.executed = machine.executed_in_slice = 0
    machine.service_pending = 0
    machine.end_status = machine.end_code = 0
    machine.running = 1
    machine.memory[STATUS_AT] = codes.PROGRAM_RUNNING


def _place_dataspace(machine: dataspace.MachineRecord, program: ProgramFile) -> None:
    start = -(-len(program.clumps) * codes.CLUMP_RECORD_BYTES // 4) * 4
    machine.pool_size = start + program.dataspace_size
    machine.dataspace = dataspace.POOL_AT + start
    machine.dataspace_size = program.dataspace_size
    machine.static_size = program.static_size
    machine.dope_vectors = machine.dataspace + program.dope_vectors_at
    machine.chain_head, machine.chain_tail = program.chain_head, program.chain_tail
    machine.free_head = codes.NOTHING
    machine.memory[24:28].view("<u2")[:] = (machine.dataspace, machine.dope_vectors)
    space = machine.memory[machine.dataspace :]
    for place, value in default_bytes(program):
        space[place : place + len(value)] = np.frombuffer(value, np.uint8)
    dynamic = np.frombuffer(program.dynamic_defaults, np.uint8)
    space[program.static_size : program.static_size + len(dynamic)] = dynamic


def _load_types(machine: dataspace.MachineRecord, program: ProgramFile) -> None:
    count = len(program.variables)
    machine.entry_count = count
    machine.kind[:] = 0
    machine.place[:] = 0
    machine.following[:] = codes.NOTHING
    machine.kind[:count] = [variable.kind for variable in program.variables]
    machine.place[:count] = [variable.place for variable in program.variables]
    machine.following[:count] = [
        codes.NOTHING if behind >= count else behind for behind in program.following
    ]


def _load_code(machine: dataspace.MachineRecord, program: ProgramFile) -> None:
    words = np.frombuffer(program.code, "<u2")
    machine.code_count = len(words)
    machine.code[:] = 0
    machine.code[dataspace.CODE_MARGIN : dataspace.CODE_MARGIN + len(words)] = words
    machine.clump_count = len(program.clumps)
    machine.run_head = machine.run_tail = codes.NO_CLUMP
    machine.rest_head = machine.rest_tail = codes.NO_CLUMP
    for field in ("first_word", "last_word", "counter", "dependents_at", "dependent_count"):
        machine[field][:] = 0
    machine.active[:] = 0
    machine.link[:] = codes.NO_CLUMP
    machine.dependents[:] = 0
    at = 0
    starts = [clump.first_word for clump in program.clumps] + [len(words)]
    for index, clump in enumerate(program.clumps):
        machine.first_word[index] = machine.counter[index] = (
            dataspace.CODE_MARGIN + clump.first_word
        )
        machine.last_word[index] = dataspace.CODE_MARGIN + starts[index + 1] - 1
        machine.first_fire_count[index] = machine.fire_count[index] = clump.fire_count
        machine.dependents_at[index] = at
        machine.dependent_count[index] = len(clump.dependents)
        machine.dependents[at : at + len(clump.dependents)] = list(clump.dependents)
        at += len(clump.dependents)
        machine.rounds_not[index] = not _branches_on_aggregates(
            program, words[clump.first_word : starts[index + 1]]
        )


def _branches_on_aggregates(program: ProgramFile, words: NDArray[np.uint16]) -> bool:
    """Return whether a NOT or BRTST of a clump works on an array or cluster.

    The firmware then takes a slower way through all of the clump's instructions of this size,
    on which NOT of a float does not round.
    """
    at = 0
    while at < len(words) - 1:
        word = int(words[at])
        size = word >> 12
        if size == 14 and not word & 0x0800:
            size = int(words[at + 1])
        if not word & 0x0800 and size == 6 and word & 0xFF in (codes.NOT, _BRTST):
            entry = int(words[at + 2]) if at + 2 < len(words) else codes.NOTHING
            if entry < len(program.variables) and program.variables[entry].kind in (7, 8):
                return True
        at += max(size // 2, 1)
    return False
