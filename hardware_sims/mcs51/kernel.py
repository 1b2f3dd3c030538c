"""The execution loop: fetch a decoded word, switch on its operation, count its cycles.

One long function, because the compiler then turns the chain of comparisons into one jump table
and keeps PC, cycle counter and flags in registers. Nothing in it knows a peripheral: those run
between instructions, in `peripherals.service`, when the cycle counter reaches
`limit`. An instruction that may change what happens next sets `limit` to `NOW`.
"""

import numpy as np

from hardware_sims.mcs51 import chip_state as layout
from hardware_sims.mcs51 import instructions as op
from hardware_sims.mcs51.instructions import (
    CARE_BIT,
    CYCLES_SHIFT,
    FIRST_SHIFT,
    OPERATION_MASK,
    SECOND_SHIFT,
    SIZE_SHIFT,
    TARGET_SHIFT,
)
from hardware_sims.mcs51.peripherals import before_care, end_of_interrupt, service
from solvers.foundation.arrays import Int64Array, UInt8Array
from solvers.foundation.compiled import kernel

NOW = -1
IO_PENDING = -1


@kernel(error_model="numpy")
def _load(ram: Int64Array, seen: UInt8Array, unwritten: Int64Array, index: int, stamp: int) -> int:
    """Read internal RAM; the first read of a byte never written leaves its cycle and PC."""
    if seen[index] == 0:
        seen[index] = 2
        unwritten[index] = stamp
    return int(ram[index])


@kernel(error_model="numpy")
def _store(ram: Int64Array, seen: UInt8Array, index: int, value: int) -> None:
    ram[index] = value
    seen[index] = 1


@kernel(error_model="numpy")
def _raise_stack(ram: Int64Array, events: Int64Array, scalars: Int64Array, stamp: int) -> int:
    """Move SP up one byte, keep its high-water mark, note a wrap or a sink below its start."""
    pointer = (ram[layout.SP] + 1) & 0xFF
    ram[layout.SP] = pointer
    if pointer > scalars[layout.STACK_HIGH]:
        scalars[layout.STACK_HIGH] = pointer
    if pointer <= scalars[layout.STACK_LOW]:
        layout.note(events, scalars, layout.STACK_OVERFLOW, stamp & 0xFFFF, stamp >> 16, pointer)
    return int(pointer)


@kernel(error_model="numpy")
def _push_address(
    ram: Int64Array,
    seen: UInt8Array,
    events: Int64Array,
    scalars: Int64Array,
    address: int,
    stamp: int,
) -> None:
    _store(ram, seen, _raise_stack(ram, events, scalars, stamp), address & 0xFF)
    _store(ram, seen, _raise_stack(ram, events, scalars, stamp), (address >> 8) & 0xFF)


@kernel(error_model="numpy")
def _moved_stack(scalars: Int64Array, pointer: int) -> None:
    if pointer > scalars[layout.STACK_HIGH]:
        scalars[layout.STACK_HIGH] = pointer


@kernel(error_model="numpy")
def _read_xdata(
    xdata: UInt8Array,
    kinds: UInt8Array,
    events: Int64Array,
    scalars: Int64Array,
    address: int,
    stamp: int,
) -> int:
    """Return the byte at an address that is not plain RAM, or IO_PENDING to ask the board."""
    if kinds[address] == layout.XDATA_UNWRITTEN:
        layout.note(events, scalars, layout.UNWRITTEN_XDATA, stamp & 0xFFFF, stamp >> 16, address)
        kinds[address] = layout.XDATA_READY
        return int(np.int64(xdata[address]))
    if kinds[address] == layout.XDATA_IO:
        if scalars[layout.IO_READY]:
            scalars[layout.IO_READY] = 0
            return int(scalars[layout.IO_VALUE])
        scalars[layout.IO_ADDRESS] = address
        scalars[layout.IO_CYCLE] = stamp >> 16
        return IO_PENDING
    layout.note(events, scalars, layout.XDATA_READ_OUTSIDE, stamp & 0xFFFF, stamp >> 16, address)
    return 0xFF


@kernel(error_model="numpy")
def _write_xdata(
    xdata: UInt8Array,
    kinds: UInt8Array,
    events: Int64Array,
    scalars: Int64Array,
    address: int,
    value: int,
    stamp: int,
) -> int:
    """Write to an address that is not plain RAM; return EXIT_IO_WRITE if the board takes it."""
    if kinds[address] == layout.XDATA_UNWRITTEN:
        kinds[address] = layout.XDATA_READY
        xdata[address] = value
        return layout.EXIT_TARGET
    if kinds[address] == layout.XDATA_IO:
        scalars[layout.IO_ADDRESS] = address
        scalars[layout.IO_VALUE] = value
        scalars[layout.IO_CYCLE] = stamp >> 16
        return layout.EXIT_IO_WRITE
    layout.note(events, scalars, layout.XDATA_WRITE_OUTSIDE, stamp & 0xFFFF, stamp >> 16, address)
    return layout.EXIT_TARGET


@kernel(error_model="numpy")
def run(chip: layout.ChipState, target: int) -> int:  # noqa: C901
    """Execute until the cycle counter reaches `target` or something needs the caller.

    An instruction that starts before `target` is finished, so the counter may end up to three
    cycles later. Returns one of the constants `EXIT_...` of `chip_state`.
    """
    decoded = chip.decoded
    code = chip.code
    ram = chip.internal
    seen = chip.internal_seen
    unwritten = chip.unwritten_reads
    xdata = chip.xdata
    kinds = chip.xdata_kind
    events = chip.events
    state = chip.scalars

    state[layout.EXIT] = layout.EXIT_TARGET
    pc = state[layout.PC]
    cycles = state[layout.CYCLES]
    psw = ram[layout.PSW]
    carry, half, overflow = psw >> 7, (psw >> 6) & 1, (psw >> 2) & 1
    while True:
        # Between two instructions: registers go to memory, peripherals and interrupts have a turn.
        state[layout.PC] = pc
        state[layout.CYCLES] = cycles
        if state[layout.WRITTEN] != layout.PSW:
            ram[layout.PSW] = program_status(
                ram[layout.PSW], carry, half, overflow, ram[layout.ACC]
            )
        service(chip, target)
        pc = state[layout.PC]
        cycles = state[layout.CYCLES]
        psw = ram[layout.PSW]
        carry, half, overflow = psw >> 7, (psw >> 6) & 1, (psw >> 2) & 1
        bank = psw & 0x18
        limit = state[layout.LIMIT]
        if state[layout.EXIT] != layout.EXIT_TARGET or cycles >= target:
            return int(state[layout.EXIT])

        while cycles < limit:
            at = pc & 0xFFFF
            word = decoded[at]
            operation = word & OPERATION_MASK
            first = (word >> FIRST_SHIFT) & 0xFFFF
            second = (word >> SECOND_SHIFT) & 0xFFFF
            jump = (word >> TARGET_SHIFT) & 0xFFFF
            if word & CARE_BIT:
                state[layout.CYCLES] = cycles
                ram[layout.PSW] = program_status(
                    ram[layout.PSW], carry, half, overflow, ram[layout.ACC]
                )
                if before_care(chip, at, operation, first, second):
                    state[layout.PC] = at
                    return layout.EXIT_BREAK
                limit = NOW
            stamp = cycles << 16 | at
            pc = at + ((word >> SIZE_SHIFT) & 0xF)
            cycles += (word >> CYCLES_SHIFT) & 0xF

            if operation == op.NOP:
                pass
            elif operation == op.RESERVED:
                layout.note(events, state, layout.RESERVED_OPCODE, at, stamp >> 16, at)
            elif operation == op.AJMP or operation == op.LJMP or operation == op.SJMP:
                pc = jump
            elif operation == op.JMP_A_DPTR:
                pc = ram[layout.ACC] + (ram[layout.DPL] | ram[layout.DPH] << 8)
            elif operation == op.ACALL or operation == op.LCALL:
                _push_address(ram, seen, events, state, pc, stamp)
                pc = jump
            elif operation == op.RET:
                pointer = ram[layout.SP] & 0xFF
                high_byte = _load(ram, seen, unwritten, pointer, stamp)
                low_byte = _load(ram, seen, unwritten, (pointer - 1) & 0xFF, stamp)
                ram[layout.SP] = (pointer - 2) & 0xFF
                pc = high_byte << 8 | low_byte
            elif operation == op.RETI:
                pointer = ram[layout.SP] & 0xFF
                high_byte = _load(ram, seen, unwritten, pointer, stamp)
                low_byte = _load(ram, seen, unwritten, (pointer - 1) & 0xFF, stamp)
                ram[layout.SP] = (pointer - 2) & 0xFF
                pc = high_byte << 8 | low_byte
                end_of_interrupt(state)
                limit = NOW
            elif operation == op.JC:
                if carry:
                    pc = jump
            elif operation == op.JNC:
                if not carry:
                    pc = jump
            elif operation == op.JZ:
                if ram[layout.ACC] == 0:
                    pc = jump
            elif operation == op.JNZ:
                if ram[layout.ACC] != 0:
                    pc = jump
            elif operation == op.JB:
                if _load(ram, seen, unwritten, first, stamp) & second:
                    pc = jump
            elif operation == op.JNB:
                if not _load(ram, seen, unwritten, first, stamp) & second:
                    pc = jump
            elif operation == op.JBC:
                value = _load(ram, seen, unwritten, first, stamp)
                if value & second:
                    ram[first] = value & ~second
                    pc = jump
            elif operation == op.CJNE_A_IMM:
                left, right = ram[layout.ACC], second
                carry = int(left < right)
                if left != right:
                    pc = jump
            elif operation == op.CJNE_A_DIR:
                left, right = ram[layout.ACC], _load(ram, seen, unwritten, first, stamp)
                carry = int(left < right)
                if left != right:
                    pc = jump
            elif operation == op.CJNE_RI_IMM:
                pointer = _load(ram, seen, unwritten, (bank | first) & 0x1F, stamp) & 0xFF
                left, right = _load(ram, seen, unwritten, pointer, stamp), second
                carry = int(left < right)
                if left != right:
                    pc = jump
            elif operation == op.CJNE_RN_IMM:
                left, right = _load(ram, seen, unwritten, (bank | first) & 0x1F, stamp), second
                carry = int(left < right)
                if left != right:
                    pc = jump
            elif operation == op.DJNZ_DIR:
                value = (_load(ram, seen, unwritten, first, stamp) - 1) & 0xFF
                ram[first] = value
                if value:
                    pc = jump
            elif operation == op.DJNZ_RN:
                index = (bank | first) & 0x1F
                value = (_load(ram, seen, unwritten, index, stamp) - 1) & 0xFF
                ram[index] = value
                if value:
                    pc = jump
            elif operation == op.INC_A:
                ram[layout.ACC] = (ram[layout.ACC] + 1) & 0xFF
            elif operation == op.INC_DIR:
                ram[first] = (_load(ram, seen, unwritten, first, stamp) + 1) & 0xFF
                if first == layout.SP:
                    _moved_stack(state, ram[layout.SP])
            elif operation == op.INC_RI:
                pointer = _load(ram, seen, unwritten, (bank | first) & 0x1F, stamp) & 0xFF
                ram[pointer] = (_load(ram, seen, unwritten, pointer, stamp) + 1) & 0xFF
            elif operation == op.INC_RN:
                index = (bank | first) & 0x1F
                ram[index] = (_load(ram, seen, unwritten, index, stamp) + 1) & 0xFF
            elif operation == op.INC_DPTR:
                pointer = (ram[layout.DPL] | ram[layout.DPH] << 8) + 1
                ram[layout.DPL] = pointer & 0xFF
                ram[layout.DPH] = (pointer >> 8) & 0xFF
            elif operation == op.DEC_A:
                ram[layout.ACC] = (ram[layout.ACC] - 1) & 0xFF
            elif operation == op.DEC_DIR:
                ram[first] = (_load(ram, seen, unwritten, first, stamp) - 1) & 0xFF
            elif operation == op.DEC_RI:
                pointer = _load(ram, seen, unwritten, (bank | first) & 0x1F, stamp) & 0xFF
                ram[pointer] = (_load(ram, seen, unwritten, pointer, stamp) - 1) & 0xFF
            elif operation == op.DEC_RN:
                index = (bank | first) & 0x1F
                ram[index] = (_load(ram, seen, unwritten, index, stamp) - 1) & 0xFF
            elif operation == op.ADD_IMM:
                right = second
                value, carry, half, overflow = add(ram[layout.ACC], right, 0)
                ram[layout.ACC] = value
            elif operation == op.ADD_DIR:
                right = _load(ram, seen, unwritten, first, stamp)
                value, carry, half, overflow = add(ram[layout.ACC], right, 0)
                ram[layout.ACC] = value
            elif operation == op.ADD_RI:
                pointer = _load(ram, seen, unwritten, (bank | first) & 0x1F, stamp) & 0xFF
                right = _load(ram, seen, unwritten, pointer, stamp)
                value, carry, half, overflow = add(ram[layout.ACC], right, 0)
                ram[layout.ACC] = value
            elif operation == op.ADD_RN:
                right = _load(ram, seen, unwritten, (bank | first) & 0x1F, stamp)
                value, carry, half, overflow = add(ram[layout.ACC], right, 0)
                ram[layout.ACC] = value
            elif operation == op.ADDC_IMM:
                right = second
                value, carry, half, overflow = add(ram[layout.ACC], right, carry)
                ram[layout.ACC] = value
            elif operation == op.ADDC_DIR:
                right = _load(ram, seen, unwritten, first, stamp)
                value, carry, half, overflow = add(ram[layout.ACC], right, carry)
                ram[layout.ACC] = value
            elif operation == op.ADDC_RI:
                pointer = _load(ram, seen, unwritten, (bank | first) & 0x1F, stamp) & 0xFF
                right = _load(ram, seen, unwritten, pointer, stamp)
                value, carry, half, overflow = add(ram[layout.ACC], right, carry)
                ram[layout.ACC] = value
            elif operation == op.ADDC_RN:
                right = _load(ram, seen, unwritten, (bank | first) & 0x1F, stamp)
                value, carry, half, overflow = add(ram[layout.ACC], right, carry)
                ram[layout.ACC] = value
            elif operation == op.SUBB_IMM:
                right = second
                value, carry, half, overflow = subtract(ram[layout.ACC], right, carry)
                ram[layout.ACC] = value
            elif operation == op.SUBB_DIR:
                right = _load(ram, seen, unwritten, first, stamp)
                value, carry, half, overflow = subtract(ram[layout.ACC], right, carry)
                ram[layout.ACC] = value
            elif operation == op.SUBB_RI:
                pointer = _load(ram, seen, unwritten, (bank | first) & 0x1F, stamp) & 0xFF
                right = _load(ram, seen, unwritten, pointer, stamp)
                value, carry, half, overflow = subtract(ram[layout.ACC], right, carry)
                ram[layout.ACC] = value
            elif operation == op.SUBB_RN:
                right = _load(ram, seen, unwritten, (bank | first) & 0x1F, stamp)
                value, carry, half, overflow = subtract(ram[layout.ACC], right, carry)
                ram[layout.ACC] = value
            elif operation == op.ORL_IMM:
                ram[layout.ACC] = ram[layout.ACC] | second
            elif operation == op.ORL_DIR:
                ram[layout.ACC] = ram[layout.ACC] | _load(ram, seen, unwritten, first, stamp)
            elif operation == op.ORL_RI:
                pointer = _load(ram, seen, unwritten, (bank | first) & 0x1F, stamp) & 0xFF
                ram[layout.ACC] = ram[layout.ACC] | _load(ram, seen, unwritten, pointer, stamp)
            elif operation == op.ORL_RN:
                ram[layout.ACC] = ram[layout.ACC] | _load(
                    ram, seen, unwritten, (bank | first) & 0x1F, stamp
                )
            elif operation == op.ORL_DIR_A:
                ram[first] = _load(ram, seen, unwritten, first, stamp) | ram[layout.ACC]
            elif operation == op.ORL_DIR_IMM:
                ram[first] = _load(ram, seen, unwritten, first, stamp) | second
            elif operation == op.ANL_IMM:
                ram[layout.ACC] = ram[layout.ACC] & second
            elif operation == op.ANL_DIR:
                ram[layout.ACC] = ram[layout.ACC] & _load(ram, seen, unwritten, first, stamp)
            elif operation == op.ANL_RI:
                pointer = _load(ram, seen, unwritten, (bank | first) & 0x1F, stamp) & 0xFF
                ram[layout.ACC] = ram[layout.ACC] & _load(ram, seen, unwritten, pointer, stamp)
            elif operation == op.ANL_RN:
                ram[layout.ACC] = ram[layout.ACC] & _load(
                    ram, seen, unwritten, (bank | first) & 0x1F, stamp
                )
            elif operation == op.ANL_DIR_A:
                ram[first] = _load(ram, seen, unwritten, first, stamp) & ram[layout.ACC]
            elif operation == op.ANL_DIR_IMM:
                ram[first] = _load(ram, seen, unwritten, first, stamp) & second
            elif operation == op.XRL_IMM:
                ram[layout.ACC] = ram[layout.ACC] ^ second
            elif operation == op.XRL_DIR:
                ram[layout.ACC] = ram[layout.ACC] ^ _load(ram, seen, unwritten, first, stamp)
            elif operation == op.XRL_RI:
                pointer = _load(ram, seen, unwritten, (bank | first) & 0x1F, stamp) & 0xFF
                ram[layout.ACC] = ram[layout.ACC] ^ _load(ram, seen, unwritten, pointer, stamp)
            elif operation == op.XRL_RN:
                ram[layout.ACC] = ram[layout.ACC] ^ _load(
                    ram, seen, unwritten, (bank | first) & 0x1F, stamp
                )
            elif operation == op.XRL_DIR_A:
                ram[first] = _load(ram, seen, unwritten, first, stamp) ^ ram[layout.ACC]
            elif operation == op.XRL_DIR_IMM:
                ram[first] = _load(ram, seen, unwritten, first, stamp) ^ second
            elif operation == op.MUL:
                value = ram[layout.ACC] * ram[layout.B]
                ram[layout.ACC] = value & 0xFF
                ram[layout.B] = value >> 8
                carry = 0
                overflow = int(value > 0xFF)
            elif operation == op.DIV:
                left, right = ram[layout.ACC], ram[layout.B]
                carry = 0
                overflow = int(right == 0)
                if right:
                    ram[layout.ACC] = left // right
                    ram[layout.B] = left % right
            elif operation == op.DA:
                value, carry = decimal_adjust(ram[layout.ACC], carry, half)
                ram[layout.ACC] = value
            elif operation == op.RR:
                value = ram[layout.ACC]
                ram[layout.ACC] = value >> 1 | (value & 1) << 7
            elif operation == op.RRC:
                value = ram[layout.ACC]
                ram[layout.ACC] = value >> 1 | carry << 7
                carry = value & 1
            elif operation == op.RL:
                value = ram[layout.ACC]
                ram[layout.ACC] = (value << 1) & 0xFF | value >> 7
            elif operation == op.RLC:
                value = ram[layout.ACC]
                ram[layout.ACC] = (value << 1) & 0xFF | carry
                carry = value >> 7
            elif operation == op.SWAP:
                value = ram[layout.ACC]
                ram[layout.ACC] = (value << 4) & 0xFF | value >> 4
            elif operation == op.CLR_A:
                ram[layout.ACC] = 0
            elif operation == op.CPL_A:
                ram[layout.ACC] = ram[layout.ACC] ^ 0xFF
            elif operation == op.ORL_C_BIT:
                carry |= int((_load(ram, seen, unwritten, first, stamp) & second) != 0)
            elif operation == op.ORL_C_NBIT:
                carry |= int((_load(ram, seen, unwritten, first, stamp) & second) == 0)
            elif operation == op.ANL_C_BIT:
                carry &= int((_load(ram, seen, unwritten, first, stamp) & second) != 0)
            elif operation == op.ANL_C_NBIT:
                carry &= int((_load(ram, seen, unwritten, first, stamp) & second) == 0)
            elif operation == op.MOV_C_BIT:
                carry = int((_load(ram, seen, unwritten, first, stamp) & second) != 0)
            elif operation == op.MOV_BIT_C:
                ram[first] = _load(ram, seen, unwritten, first, stamp) & ~second | second * carry
            elif operation == op.CLR_BIT:
                ram[first] = _load(ram, seen, unwritten, first, stamp) & ~second
            elif operation == op.SETB_BIT:
                ram[first] = _load(ram, seen, unwritten, first, stamp) | second
            elif operation == op.CPL_BIT:
                ram[first] = _load(ram, seen, unwritten, first, stamp) ^ second
            elif operation == op.CLR_C:
                carry = 0
            elif operation == op.SETB_C:
                carry = 1
            elif operation == op.CPL_C:
                carry ^= 1
            elif operation == op.MOV_A_IMM:
                ram[layout.ACC] = second
            elif operation == op.MOV_A_DIR:
                ram[layout.ACC] = _load(ram, seen, unwritten, first, stamp)
            elif operation == op.MOV_A_RI:
                pointer = _load(ram, seen, unwritten, (bank | first) & 0x1F, stamp) & 0xFF
                ram[layout.ACC] = _load(ram, seen, unwritten, pointer, stamp)
            elif operation == op.MOV_A_RN:
                ram[layout.ACC] = _load(ram, seen, unwritten, (bank | first) & 0x1F, stamp)
            elif operation == op.MOV_DIR_A:
                _store(ram, seen, first, ram[layout.ACC])
                if first == layout.SP:
                    _moved_stack(state, ram[layout.SP])
            elif operation == op.MOV_DIR_IMM:
                _store(ram, seen, first, second)
                if first == layout.SP:
                    state[layout.STACK_LOW] = second
            elif operation == op.MOV_DIR_DIR:
                _store(ram, seen, first, _load(ram, seen, unwritten, second, stamp))
                if first == layout.SP:
                    _moved_stack(state, ram[layout.SP])
            elif operation == op.MOV_DIR_RI:
                pointer = _load(ram, seen, unwritten, (bank | second) & 0x1F, stamp) & 0xFF
                _store(ram, seen, first, _load(ram, seen, unwritten, pointer, stamp))
            elif operation == op.MOV_DIR_RN:
                _store(ram, seen, first, _load(ram, seen, unwritten, (bank | second) & 0x1F, stamp))
            elif operation == op.MOV_RI_A:
                pointer = _load(ram, seen, unwritten, (bank | first) & 0x1F, stamp) & 0xFF
                _store(ram, seen, pointer, ram[layout.ACC])
            elif operation == op.MOV_RI_IMM:
                pointer = _load(ram, seen, unwritten, (bank | first) & 0x1F, stamp) & 0xFF
                _store(ram, seen, pointer, second)
            elif operation == op.MOV_RI_DIR:
                pointer = _load(ram, seen, unwritten, (bank | second) & 0x1F, stamp) & 0xFF
                _store(ram, seen, pointer, _load(ram, seen, unwritten, first, stamp))
            elif operation == op.MOV_RN_A:
                _store(ram, seen, (bank | first) & 0x1F, ram[layout.ACC])
            elif operation == op.MOV_RN_IMM:
                _store(ram, seen, (bank | first) & 0x1F, second)
            elif operation == op.MOV_RN_DIR:
                _store(ram, seen, (bank | second) & 0x1F, _load(ram, seen, unwritten, first, stamp))
            elif operation == op.MOV_DPTR:
                ram[layout.DPL] = jump & 0xFF
                ram[layout.DPH] = jump >> 8
            elif operation == op.MOVC_PC:
                ram[layout.ACC] = code[(pc + ram[layout.ACC]) & 0xFFFF]
            elif operation == op.MOVC_DPTR:
                address = ram[layout.ACC] + (ram[layout.DPL] | ram[layout.DPH] << 8)
                ram[layout.ACC] = code[address & 0xFFFF]
            elif operation == op.MOVX_A_DPTR:
                address = (ram[layout.DPL] | ram[layout.DPH] << 8) & 0xFFFF
                if kinds[address] == layout.XDATA_READY:
                    ram[layout.ACC] = xdata[address]
                else:
                    value = _read_xdata(xdata, kinds, events, state, address, stamp)
                    if value == IO_PENDING:
                        state[layout.PC] = at
                        state[layout.CYCLES] = stamp >> 16
                        ram[layout.PSW] = program_status(
                            ram[layout.PSW], carry, half, overflow, ram[layout.ACC]
                        )
                        return layout.EXIT_IO_READ
                    ram[layout.ACC] = value
            elif operation == op.MOVX_A_RI:
                pointer = _load(ram, seen, unwritten, (bank | first) & 0x1F, stamp)
                address = (pointer | ram[layout.P2] << 8) & 0xFFFF
                if kinds[address] == layout.XDATA_READY:
                    ram[layout.ACC] = xdata[address]
                else:
                    value = _read_xdata(xdata, kinds, events, state, address, stamp)
                    if value == IO_PENDING:
                        state[layout.PC] = at
                        state[layout.CYCLES] = stamp >> 16
                        ram[layout.PSW] = program_status(
                            ram[layout.PSW], carry, half, overflow, ram[layout.ACC]
                        )
                        return layout.EXIT_IO_READ
                    ram[layout.ACC] = value
            elif operation == op.MOVX_DPTR_A:
                address = (ram[layout.DPL] | ram[layout.DPH] << 8) & 0xFFFF
                if kinds[address] == layout.XDATA_READY:
                    xdata[address] = ram[layout.ACC]
                else:
                    state[layout.EXIT] = _write_xdata(
                        xdata, kinds, events, state, address, ram[layout.ACC], stamp
                    )
                    limit = NOW
            elif operation == op.MOVX_RI_A:
                pointer = _load(ram, seen, unwritten, (bank | first) & 0x1F, stamp)
                address = (pointer | ram[layout.P2] << 8) & 0xFFFF
                if kinds[address] == layout.XDATA_READY:
                    xdata[address] = ram[layout.ACC]
                else:
                    state[layout.EXIT] = _write_xdata(
                        xdata, kinds, events, state, address, ram[layout.ACC], stamp
                    )
                    limit = NOW
            elif operation == op.PUSH:
                pointer = _raise_stack(ram, events, state, stamp)
                _store(ram, seen, pointer, _load(ram, seen, unwritten, first, stamp))
            elif operation == op.POP:
                pointer = ram[layout.SP] & 0xFF
                ram[layout.SP] = (pointer - 1) & 0xFF
                _store(ram, seen, first, _load(ram, seen, unwritten, pointer, stamp))
            elif operation == op.XCH_DIR:
                value = _load(ram, seen, unwritten, first, stamp)
                ram[first] = ram[layout.ACC]
                ram[layout.ACC] = value
            elif operation == op.XCH_RI:
                pointer = _load(ram, seen, unwritten, (bank | first) & 0x1F, stamp) & 0xFF
                value = _load(ram, seen, unwritten, pointer, stamp)
                ram[pointer] = ram[layout.ACC]
                ram[layout.ACC] = value
            elif operation == op.XCH_RN:
                index = (bank | first) & 0x1F
                value = _load(ram, seen, unwritten, index, stamp)
                ram[index] = ram[layout.ACC]
                ram[layout.ACC] = value
            elif operation == op.XCHD:
                pointer = _load(ram, seen, unwritten, (bank | first) & 0x1F, stamp) & 0xFF
                value = _load(ram, seen, unwritten, pointer, stamp)
                left = ram[layout.ACC]
                ram[pointer] = value & 0xF0 | left & 0x0F
                ram[layout.ACC] = left & 0xF0 | value & 0x0F


# The arithmetic of the 8051 with its flags, as small functions that the kernel inlines.


Flagged = tuple[int, int, int, int]


@kernel(error_model="numpy")
def add(left: int, right: int, carry: int) -> Flagged:
    """Return sum, CY, AC and OV of two bytes and a carry."""
    total = left + right + carry
    result = total & 0xFF
    half = ((left ^ right ^ result) >> 4) & 1
    overflow = ((~(left ^ right) & (left ^ result)) >> 7) & 1
    return result, total >> 8, half, overflow


@kernel(error_model="numpy")
def subtract(left: int, right: int, borrow: int) -> Flagged:
    """Return difference, CY, AC and OV of two bytes and a borrow."""
    result = (left - right - borrow) & 0xFF
    carry = ((left - right - borrow) >> 8) & 1
    half = ((left ^ right ^ result) >> 4) & 1
    overflow = (((left ^ right) & (left ^ result)) >> 7) & 1
    return result, carry, half, overflow


@kernel(error_model="numpy")
def decimal_adjust(value: int, carry: int, half: int) -> tuple[int, int]:
    """Return `value` corrected after a BCD addition, and CY, which is set but never cleared."""
    if half or value & 0x0F > 9:
        value += 0x06
        carry |= value >> 8
    if carry or value & 0xF0 > 0x90:
        value = (value & 0xFF) + 0x60
        carry |= value >> 8
    return value & 0xFF, carry


@kernel(error_model="numpy")
def program_status(old: int, carry: int, half: int, overflow: int, accumulator: int) -> int:
    """Return PSW: the flags, P as the parity of A, and the other bits of `old`."""
    parity = accumulator ^ accumulator >> 4
    parity ^= parity >> 2
    parity = (parity ^ parity >> 1) & 1
    return old & 0x3A | carry << 7 | half << 6 | overflow << 2 | parity
