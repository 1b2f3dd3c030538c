"""Makes random 8051 programs that execute every opcode and still run straight to their end.

Every branch, taken or not, leads to the start of a later instruction. Jumps, calls and returns
are given a target just behind them. Operands name all of internal RAM and the registers of the
CPU; registers of peripherals are left out, because the oracle's chip has others.
"""

import random
from collections.abc import Callable

from hardware_sims.mcs51.instructions import INSTRUCTIONS, WRITES_FIRST, Instruction

CPU_REGISTERS = (0x81, 0x82, 0x83, 0xD0, 0xE0, 0xF0)  # SP DPL DPH PSW ACC B
PORT_2 = 0xA0  # page of MOVX @Ri
RESERVED = 0xA5
# s51 0.6.4 keeps the old register bank after a bit instruction on PSW.3 or PSW.4 (not after
# a byte instruction on PSW); the chip switches at once. Such an instruction gets F0 instead.
BANK_SELECT_BITS = (0xD3, 0xD4)
# It also lets a program write P, which on the chip always shows the parity of A. XRL A,#0 brings
# s51's P back in step. (D0h is the address of PSW and, of bits, of P.)
PSW, B = 0xD0, 0xF0
REFRESH_PARITY = bytes([0x64, 0x00])
F0 = 0xD5
RETURNS = {"RET": 0x22, "RETI": 0x32}
MAXIMUM_SKIP = 3
ORDINARY = tuple(
    entry
    for entry in INSTRUCTIONS
    if entry.opcode != RESERVED
    and entry.mnemonic not in {"AJMP", "ACALL", "LJMP", "LCALL", "SJMP", "JMP", "RET", "RETI"}
)
JUMPS: tuple[Instruction, ...] = tuple(
    entry for entry in INSTRUCTIONS if entry not in ORDINARY and entry.opcode != RESERVED
)


def random_program(seed: int, instructions: int) -> tuple[bytes, int]:
    """Return a code image of about that many instructions and the address of its last one.

    The last instruction jumps back to 0, so that a run can go round as often as wanted.
    """
    chance = random.Random(seed)
    code = bytearray()
    pending: list[int] = []  # addresses of branch distances, to be filled in
    for _ in range(instructions):
        _settle(chance, code, pending)
        if chance.random() < 0.08:
            _settle_all(code, pending)
            _jump(chance, code, chance.choice(JUMPS))
        else:
            _ordinary(chance, code, pending, chance.choice(ORDINARY))
    _settle_all(code, pending)
    last = len(code)
    code += bytes([0x02, 0x00, 0x00])
    code += chance.randbytes(0x100)  # for MOVC to read
    return bytes(code), last


def _settle(chance: random.Random, code: bytearray, pending: list[int]) -> None:
    """Let some open branches lead here; none may stay open for long."""
    for place in list(pending):
        if chance.random() < 0.5 or len(code) - place > 60:
            code[place] = len(code) - place - 1
            pending.remove(place)


def _settle_all(code: bytearray, pending: list[int]) -> None:
    for place in pending:
        code[place] = len(code) - place - 1
    pending.clear()


def _direct(chance: random.Random) -> int:
    if chance.random() < 0.35:
        return chance.choice((*CPU_REGISTERS, PORT_2))
    return chance.randrange(0x80)


def _bit(chance: random.Random) -> int:
    if chance.random() < 0.35:
        return chance.choice((0xD0, 0xE0, 0xF0)) + chance.randrange(8)
    return chance.randrange(0x80)


OPERAND_BYTES: dict[str, Callable[[random.Random], list[int]]] = {
    "dir": lambda chance: [_direct(chance)],
    "bit": lambda chance: [_bit(chance)],
    "/bit": lambda chance: [_bit(chance)],
    "#imm": lambda chance: [chance.randrange(0x100)],
    "#imm16": lambda chance: [chance.randrange(0x100), chance.randrange(0x100)],
}


def _ordinary(
    chance: random.Random, code: bytearray, pending: list[int], entry: Instruction
) -> None:
    if entry.mnemonic in {"PUSH", "POP"}:
        _place_stack(chance, code)
    if entry.operands == ("A", "@A+DPTR") and entry.mnemonic == "MOVC":
        # s51 0.6.4 reads 0 where A+DPTR passes FFFFh, the chip continues at 0000h.
        place = chance.randrange(len(code) + 1)
        code += bytes([0x90, place >> 8, place & 0xFF])
    code.append(entry.opcode)
    written = None
    for operand in entry.operands:
        if operand == "rel":
            pending.append(len(code))
            code.append(0)
        elif operand in OPERAND_BYTES:
            code += bytes(OPERAND_BYTES[operand](chance))
            if entry.access & WRITES_FIRST and operand in {"dir", "bit"}:
                written = len(code) - 1
    if written is not None:
        _avoid_oracle_faults(code, written, entry)


def _avoid_oracle_faults(code: bytearray, written: int, entry: Instruction) -> None:
    """Turn aside from what s51 0.6.4 gets wrong; `written` is where the written address stands."""
    if "bit" in entry.operands and code[written] in BANK_SELECT_BITS:
        code[written] = F0
    elif code[written] == PSW and "rel" in entry.operands:
        code[written] = F0 if "bit" in entry.operands else B
    elif code[written] == PSW:
        code += REFRESH_PARITY


def _jump(chance: random.Random, code: bytearray, entry: Instruction) -> None:
    """Append one jump, call or return, with what it needs to arrive right behind itself."""
    if entry.mnemonic in RETURNS:
        _return(chance, code, entry)
        return
    if entry.mnemonic == "JMP":
        offset = chance.randrange(0x100)
        target = len(code) + 6
        base = (target - offset) & 0xFFFF
        code += bytes([0x90, base >> 8, base & 0xFF, 0x74, offset, 0x73])
        return
    if entry.mnemonic in {"ACALL", "LCALL"}:
        _place_stack(chance, code)
    if entry.operands == ("addr16",):
        target = len(code) + 3
        code += bytes([entry.opcode, target >> 8, target & 0xFF])
    elif entry.operands == ("addr11",):
        # The opcode's top bits are part of the target, so take the one that fits here.
        target = len(code) + 2
        code += bytes([(target >> 3) & 0xE0 | entry.opcode & 0x1F, target & 0xFF])
    else:
        code += bytes([entry.opcode, 0])


def _place_stack(chance: random.Random, code: bytearray) -> None:
    """Put SP somewhere random; s51 ends a run whose stack wraps round."""
    code += bytes([0x75, 0x81, chance.randrange(0x10, 0xF0)])


def _return(chance: random.Random, code: bytearray, entry: Instruction) -> None:
    stack = chance.randrange(0x20, 0x7F)
    target = len(code) + 10
    code += bytes([0x75, stack, target & 0xFF, 0x75, stack + 1, target >> 8])
    code += bytes([0x75, 0x81, stack + 1, entry.opcode])
