"""The instruction set, one table that the decoder, tests and documents share, and the decoder.

Source: Intel, MCS-51 Programmer's Guide and Instruction Set; Siemens C515C data sheet,
instruction set summary (same opcodes, a machine cycle is six clocks instead of twelve).

Operands: `Rn` R0-R7 and `@Ri` R0-R1 are numbered by the opcode's low bits; `dir`, `bit` direct
addresses; `#imm`, `#imm16` constants; `rel` signed branch distance; `addr11`, `addr16` jump
targets. Encoded operand bytes follow the opcode in the order written, except `MOV dir,dir`,
which puts the source first. Every operation that changes A also changes P, which is left out.
"""

from dataclasses import dataclass

import numpy as np

from hardware_sims.mcs51.chip_state import INTERNAL_BYTES, LIVE_READS, LIVE_WRITES
from solvers.foundation.arrays import BoolArray, Int64Array, UInt8Array

# fmt: off
(
    NOP, AJMP, LJMP, SJMP, JMP_A_DPTR, ACALL, LCALL, RET, RETI, RESERVED,
    JC, JNC, JZ, JNZ, JB, JNB, JBC,
    CJNE_A_IMM, CJNE_A_DIR, CJNE_RI_IMM, CJNE_RN_IMM, DJNZ_DIR, DJNZ_RN,
    INC_A, INC_DIR, INC_RI, INC_RN, INC_DPTR, DEC_A, DEC_DIR, DEC_RI, DEC_RN,
    ADD_IMM, ADD_DIR, ADD_RI, ADD_RN,
    ADDC_IMM, ADDC_DIR, ADDC_RI, ADDC_RN,
    SUBB_IMM, SUBB_DIR, SUBB_RI, SUBB_RN,
    ORL_IMM, ORL_DIR, ORL_RI, ORL_RN, ORL_DIR_A, ORL_DIR_IMM,
    ANL_IMM, ANL_DIR, ANL_RI, ANL_RN, ANL_DIR_A, ANL_DIR_IMM,
    XRL_IMM, XRL_DIR, XRL_RI, XRL_RN, XRL_DIR_A, XRL_DIR_IMM,
    MUL, DIV, DA, RR, RRC, RL, RLC, SWAP, CLR_A, CPL_A,
    ORL_C_BIT, ORL_C_NBIT, ANL_C_BIT, ANL_C_NBIT, MOV_C_BIT, MOV_BIT_C,
    CLR_BIT, SETB_BIT, CPL_BIT, CLR_C, SETB_C, CPL_C,
    MOV_A_IMM, MOV_A_DIR, MOV_A_RI, MOV_A_RN,
    MOV_DIR_A, MOV_DIR_IMM, MOV_DIR_DIR, MOV_DIR_RI, MOV_DIR_RN,
    MOV_RI_A, MOV_RI_IMM, MOV_RI_DIR, MOV_RN_A, MOV_RN_IMM, MOV_RN_DIR, MOV_DPTR,
    MOVC_PC, MOVC_DPTR, MOVX_A_DPTR, MOVX_A_RI, MOVX_DPTR_A, MOVX_RI_A,
    PUSH, POP, XCH_DIR, XCH_RI, XCH_RN, XCHD,
) = range(112)
# fmt: on

# How an operation uses the special-function registers that its operands may name.
READS_FIRST, WRITES_FIRST, READS_SECOND = 1, 2, 4


@dataclass(frozen=True)
class Instruction:
    """One opcode: `size` in bytes, `cycles` in machine cycles, `flags` written besides P."""

    opcode: int
    operation: int
    mnemonic: str
    operands: tuple[str, ...]
    size: int
    cycles: int
    flags: tuple[str, ...]
    access: int
    """READS_FIRST, WRITES_FIRST, READS_SECOND of the direct or bit operands, in written order."""


_R, _W, _RW, _R2 = (
    READS_FIRST,
    WRITES_FIRST,
    READS_FIRST | WRITES_FIRST,
    READS_SECOND,
)

# first opcode, how many in a row, operation, mnemonic, operands, bytes, cycles, flags, access
_Row = tuple[int, int, int, str, str, int, int, str, int]

# fmt: off
_ROWS: tuple[_Row, ...] = (
    (0x00, 1, NOP,         "NOP",   "",               1, 1, "",        0),
    (0x02, 1, LJMP,        "LJMP",  "addr16",         3, 2, "",        0),
    (0x03, 1, RR,          "RR",    "A",              1, 1, "",        0),
    (0x04, 1, INC_A,       "INC",   "A",              1, 1, "",        0),
    (0x05, 1, INC_DIR,     "INC",   "dir",            2, 1, "",        _RW),
    (0x06, 2, INC_RI,      "INC",   "@Ri",            1, 1, "",        0),
    (0x08, 8, INC_RN,      "INC",   "Rn",             1, 1, "",        0),
    (0x10, 1, JBC,         "JBC",   "bit,rel",        3, 2, "",        _RW),
    (0x12, 1, LCALL,       "LCALL", "addr16",         3, 2, "",        0),
    (0x13, 1, RRC,         "RRC",   "A",              1, 1, "C",       0),
    (0x14, 1, DEC_A,       "DEC",   "A",              1, 1, "",        0),
    (0x15, 1, DEC_DIR,     "DEC",   "dir",            2, 1, "",        _RW),
    (0x16, 2, DEC_RI,      "DEC",   "@Ri",            1, 1, "",        0),
    (0x18, 8, DEC_RN,      "DEC",   "Rn",             1, 1, "",        0),
    (0x20, 1, JB,          "JB",    "bit,rel",        3, 2, "",        _R),
    (0x22, 1, RET,         "RET",   "",               1, 2, "",        0),
    (0x23, 1, RL,          "RL",    "A",              1, 1, "",        0),
    (0x24, 1, ADD_IMM,     "ADD",   "A,#imm",         2, 1, "C AC OV", 0),
    (0x25, 1, ADD_DIR,     "ADD",   "A,dir",          2, 1, "C AC OV", _R),
    (0x26, 2, ADD_RI,      "ADD",   "A,@Ri",          1, 1, "C AC OV", 0),
    (0x28, 8, ADD_RN,      "ADD",   "A,Rn",           1, 1, "C AC OV", 0),
    (0x30, 1, JNB,         "JNB",   "bit,rel",        3, 2, "",        _R),
    (0x32, 1, RETI,        "RETI",  "",               1, 2, "",        0),
    (0x33, 1, RLC,         "RLC",   "A",              1, 1, "C",       0),
    (0x34, 1, ADDC_IMM,    "ADDC",  "A,#imm",         2, 1, "C AC OV", 0),
    (0x35, 1, ADDC_DIR,    "ADDC",  "A,dir",          2, 1, "C AC OV", _R),
    (0x36, 2, ADDC_RI,     "ADDC",  "A,@Ri",          1, 1, "C AC OV", 0),
    (0x38, 8, ADDC_RN,     "ADDC",  "A,Rn",           1, 1, "C AC OV", 0),
    (0x40, 1, JC,          "JC",    "rel",            2, 2, "",        0),
    (0x42, 1, ORL_DIR_A,   "ORL",   "dir,A",          2, 1, "",        _RW),
    (0x43, 1, ORL_DIR_IMM, "ORL",   "dir,#imm",       3, 2, "",        _RW),
    (0x44, 1, ORL_IMM,     "ORL",   "A,#imm",         2, 1, "",        0),
    (0x45, 1, ORL_DIR,     "ORL",   "A,dir",          2, 1, "",        _R),
    (0x46, 2, ORL_RI,      "ORL",   "A,@Ri",          1, 1, "",        0),
    (0x48, 8, ORL_RN,      "ORL",   "A,Rn",           1, 1, "",        0),
    (0x50, 1, JNC,         "JNC",   "rel",            2, 2, "",        0),
    (0x52, 1, ANL_DIR_A,   "ANL",   "dir,A",          2, 1, "",        _RW),
    (0x53, 1, ANL_DIR_IMM, "ANL",   "dir,#imm",       3, 2, "",        _RW),
    (0x54, 1, ANL_IMM,     "ANL",   "A,#imm",         2, 1, "",        0),
    (0x55, 1, ANL_DIR,     "ANL",   "A,dir",          2, 1, "",        _R),
    (0x56, 2, ANL_RI,      "ANL",   "A,@Ri",          1, 1, "",        0),
    (0x58, 8, ANL_RN,      "ANL",   "A,Rn",           1, 1, "",        0),
    (0x60, 1, JZ,          "JZ",    "rel",            2, 2, "",        0),
    (0x62, 1, XRL_DIR_A,   "XRL",   "dir,A",          2, 1, "",        _RW),
    (0x63, 1, XRL_DIR_IMM, "XRL",   "dir,#imm",       3, 2, "",        _RW),
    (0x64, 1, XRL_IMM,     "XRL",   "A,#imm",         2, 1, "",        0),
    (0x65, 1, XRL_DIR,     "XRL",   "A,dir",          2, 1, "",        _R),
    (0x66, 2, XRL_RI,      "XRL",   "A,@Ri",          1, 1, "",        0),
    (0x68, 8, XRL_RN,      "XRL",   "A,Rn",           1, 1, "",        0),
    (0x70, 1, JNZ,         "JNZ",   "rel",            2, 2, "",        0),
    (0x72, 1, ORL_C_BIT,   "ORL",   "C,bit",          2, 2, "C",       _R),
    (0x73, 1, JMP_A_DPTR,  "JMP",   "@A+DPTR",        1, 2, "",        0),
    (0x74, 1, MOV_A_IMM,   "MOV",   "A,#imm",         2, 1, "",        0),
    (0x75, 1, MOV_DIR_IMM, "MOV",   "dir,#imm",       3, 2, "",        _W),
    (0x76, 2, MOV_RI_IMM,  "MOV",   "@Ri,#imm",       2, 1, "",        0),
    (0x78, 8, MOV_RN_IMM,  "MOV",   "Rn,#imm",        2, 1, "",        0),
    (0x80, 1, SJMP,        "SJMP",  "rel",            2, 2, "",        0),
    (0x82, 1, ANL_C_BIT,   "ANL",   "C,bit",          2, 2, "C",       _R),
    (0x83, 1, MOVC_PC,     "MOVC",  "A,@A+PC",        1, 2, "",        0),
    (0x84, 1, DIV,         "DIV",   "AB",             1, 4, "C OV",    0),
    (0x85, 1, MOV_DIR_DIR, "MOV",   "dir,dir",        3, 2, "",        _W | _R2),
    (0x86, 2, MOV_DIR_RI,  "MOV",   "dir,@Ri",        2, 2, "",        _W),
    (0x88, 8, MOV_DIR_RN,  "MOV",   "dir,Rn",         2, 2, "",        _W),
    (0x90, 1, MOV_DPTR,    "MOV",   "DPTR,#imm16",    3, 2, "",        0),
    (0x92, 1, MOV_BIT_C,   "MOV",   "bit,C",          2, 2, "",        _RW),
    (0x93, 1, MOVC_DPTR,   "MOVC",  "A,@A+DPTR",      1, 2, "",        0),
    (0x94, 1, SUBB_IMM,    "SUBB",  "A,#imm",         2, 1, "C AC OV", 0),
    (0x95, 1, SUBB_DIR,    "SUBB",  "A,dir",          2, 1, "C AC OV", _R),
    (0x96, 2, SUBB_RI,     "SUBB",  "A,@Ri",          1, 1, "C AC OV", 0),
    (0x98, 8, SUBB_RN,     "SUBB",  "A,Rn",           1, 1, "C AC OV", 0),
    (0xA0, 1, ORL_C_NBIT,  "ORL",   "C,/bit",         2, 2, "C",       _R),
    (0xA2, 1, MOV_C_BIT,   "MOV",   "C,bit",          2, 1, "C",       _R),
    (0xA3, 1, INC_DPTR,    "INC",   "DPTR",           1, 2, "",        0),
    (0xA4, 1, MUL,         "MUL",   "AB",             1, 4, "C OV",    0),
    (0xA5, 1, RESERVED,    "DB",    "0A5h",           1, 1, "",        0),
    (0xA6, 2, MOV_RI_DIR,  "MOV",   "@Ri,dir",        2, 2, "",        _R),
    (0xA8, 8, MOV_RN_DIR,  "MOV",   "Rn,dir",         2, 2, "",        _R),
    (0xB0, 1, ANL_C_NBIT,  "ANL",   "C,/bit",         2, 2, "C",       _R),
    (0xB2, 1, CPL_BIT,     "CPL",   "bit",            2, 1, "",        _RW),
    (0xB3, 1, CPL_C,       "CPL",   "C",              1, 1, "C",       0),
    (0xB4, 1, CJNE_A_IMM,  "CJNE",  "A,#imm,rel",     3, 2, "C",       0),
    (0xB5, 1, CJNE_A_DIR,  "CJNE",  "A,dir,rel",      3, 2, "C",       _R),
    (0xB6, 2, CJNE_RI_IMM, "CJNE",  "@Ri,#imm,rel",   3, 2, "C",       0),
    (0xB8, 8, CJNE_RN_IMM, "CJNE",  "Rn,#imm,rel",    3, 2, "C",       0),
    (0xC0, 1, PUSH,        "PUSH",  "dir",            2, 2, "",        _R),
    (0xC2, 1, CLR_BIT,     "CLR",   "bit",            2, 1, "",        _RW),
    (0xC3, 1, CLR_C,       "CLR",   "C",              1, 1, "C",       0),
    (0xC4, 1, SWAP,        "SWAP",  "A",              1, 1, "",        0),
    (0xC5, 1, XCH_DIR,     "XCH",   "A,dir",          2, 1, "",        _RW),
    (0xC6, 2, XCH_RI,      "XCH",   "A,@Ri",          1, 1, "",        0),
    (0xC8, 8, XCH_RN,      "XCH",   "A,Rn",           1, 1, "",        0),
    (0xD0, 1, POP,         "POP",   "dir",            2, 2, "",        _W),
    (0xD2, 1, SETB_BIT,    "SETB",  "bit",            2, 1, "",        _RW),
    (0xD3, 1, SETB_C,      "SETB",  "C",              1, 1, "C",       0),
    (0xD4, 1, DA,          "DA",    "A",              1, 1, "C",       0),
    (0xD5, 1, DJNZ_DIR,    "DJNZ",  "dir,rel",        3, 2, "",        _RW),
    (0xD6, 2, XCHD,        "XCHD",  "A,@Ri",          1, 1, "",        0),
    (0xD8, 8, DJNZ_RN,     "DJNZ",  "Rn,rel",         2, 2, "",        0),
    (0xE0, 1, MOVX_A_DPTR, "MOVX",  "A,@DPTR",        1, 2, "",        0),
    (0xE2, 2, MOVX_A_RI,   "MOVX",  "A,@Ri",          1, 2, "",        0),
    (0xE4, 1, CLR_A,       "CLR",   "A",              1, 1, "",        0),
    (0xE5, 1, MOV_A_DIR,   "MOV",   "A,dir",          2, 1, "",        _R),
    (0xE6, 2, MOV_A_RI,    "MOV",   "A,@Ri",          1, 1, "",        0),
    (0xE8, 8, MOV_A_RN,    "MOV",   "A,Rn",           1, 1, "",        0),
    (0xF0, 1, MOVX_DPTR_A, "MOVX",  "@DPTR,A",        1, 2, "",        0),
    (0xF2, 2, MOVX_RI_A,   "MOVX",  "@Ri,A",          1, 2, "",        0),
    (0xF4, 1, CPL_A,       "CPL",   "A",              1, 1, "",        0),
    (0xF5, 1, MOV_DIR_A,   "MOV",   "dir,A",          2, 1, "",        _W),
    (0xF6, 2, MOV_RI_A,    "MOV",   "@Ri,A",          1, 1, "",        0),
    (0xF8, 8, MOV_RN_A,    "MOV",   "Rn,A",           1, 1, "",        0),
    # AJMP and ACALL carry the top three bits of their target in the opcode.
    *((page << 5 | 0x01, 1, AJMP,  "AJMP",  "addr11", 2, 2, "", 0) for page in range(8)),
    *((page << 5 | 0x11, 1, ACALL, "ACALL", "addr11", 2, 2, "", 0) for page in range(8)),
)
# fmt: on


def _expand(row: _Row) -> list[Instruction]:
    first, count, operation, mnemonic, operands, size, cycles, flags, access = row
    return [
        Instruction(
            opcode=first + number,
            operation=operation,
            mnemonic=mnemonic,
            operands=tuple(operands.split(",")) if operands else (),
            size=size,
            cycles=cycles,
            flags=tuple(flags.split()),
            access=access,
        )
        for number in range(count)
    ]


INSTRUCTIONS: tuple[Instruction, ...] = tuple(
    sorted((entry for row in _ROWS for entry in _expand(row)), key=lambda entry: entry.opcode)
)
"""All 256 opcodes, indexed by opcode."""


# The decoder makes one 64-bit word per address of an image, so that execution never parses bytes.
#
#     bits  0-6   operation number
#     bit   7     needs care: see below
#     bits  8-11  machine cycles
#     bits 12-15  size in bytes
#     bits 16-31  first operand: index into internal memory, or a register number
#     bits 32-47  second operand: constant, bit mask, index, or register number next to an address
#     bits 48-63  branch target, or the constant of MOV DPTR
#
# "Needs care" marks an instruction that touches a register that changes by itself (timers, ports,
# PSW), that is outside the image, or on which a breakpoint sits: the kernel brings peripherals up
# to date before it and services them after it. All other instructions pay nothing for that.


CODE_BYTES = 0x10000
OPERATION_MASK = 0x7F
CARE_BIT = 0x80
CYCLES_SHIFT, SIZE_SHIFT, FIRST_SHIFT, SECOND_SHIFT, TARGET_SHIFT = 8, 12, 16, 32, 48


def decode(code: UInt8Array, care: BoolArray) -> Int64Array:
    """Decode all 65536 addresses of `code`; `care` marks addresses that need it anyway."""
    words = np.zeros(CODE_BYTES, dtype=np.int64)
    for instruction in INSTRUCTIONS:
        addresses = np.flatnonzero(code == instruction.opcode)
        if addresses.size:
            words[addresses] = _decode_opcode(instruction, code, addresses)
    words[care] |= CARE_BIT
    return words


def _decode_opcode(instruction: Instruction, code: UInt8Array, addresses: Int64Array) -> Int64Array:
    bytes_ahead = [code[(addresses + ahead) % CODE_BYTES].astype(np.int64) for ahead in range(1, 3)]
    first, second, target = _operands(instruction, bytes_ahead, addresses)
    care = np.zeros(addresses.shape, dtype=bool)
    if instruction.access & READS_FIRST:
        care |= _IS_LIVE_READ[first]
    if instruction.access & WRITES_FIRST:
        care |= _IS_LIVE_WRITE[first]
    if instruction.access & READS_SECOND:
        care |= _IS_LIVE_READ[second]
    return (
        instruction.operation
        | care.astype(np.int64) * CARE_BIT
        | instruction.cycles << CYCLES_SHIFT
        | instruction.size << SIZE_SHIFT
        | first << FIRST_SHIFT
        | second << SECOND_SHIFT
        | target << TARGET_SHIFT
    )


def _operands(
    instruction: Instruction, bytes_ahead: list[Int64Array], addresses: Int64Array
) -> tuple[Int64Array, Int64Array, Int64Array]:
    """Return the first, second and target fields of one opcode at all its addresses."""
    nothing = np.zeros_like(addresses)
    values: list[Int64Array] = []
    target = nothing
    following = (addresses + instruction.size) % CODE_BYTES
    # MOV dir,dir is the one instruction whose bytes stand in the other order than its operands.
    encoded = list(bytes_ahead)
    if instruction.operands == ("dir", "dir"):
        encoded.reverse()
    register = None
    for operand in instruction.operands:
        if operand == "dir":
            direct = encoded.pop(0)
            values.append(direct + (direct & 0x80))
        elif operand in ("bit", "/bit"):
            bit = encoded.pop(0)
            byte = np.where(bit < 0x80, 0x20 + (bit >> 3), bit & 0xF8)
            values += [byte + (byte & 0x80), 1 << (bit & 7)]
        elif operand == "#imm":
            values += [encoded.pop(0)] if instruction.operands[0] != "A" else [nothing, encoded[0]]
        elif operand == "rel":
            distance = encoded[-1] if instruction.size == 3 else encoded[0]
            target = (following + distance - ((distance & 0x80) << 1)) % CODE_BYTES
        elif operand in ("addr16", "#imm16"):
            target = encoded[0] << 8 | encoded[1]
        elif operand == "addr11":
            target = following & 0xF800 | (instruction.opcode & 0xE0) << 3 | encoded[0]
        elif operand in ("Rn", "@Ri"):
            register = nothing + (instruction.opcode & (7 if operand == "Rn" else 1))
    if register is not None:
        names_an_address = "dir" in instruction.operands
        values.insert(1 if names_an_address else 0, register)
    values += [nothing, nothing]
    return values[0], values[1], target


def _is_in(indices: tuple[int, ...]) -> BoolArray:
    flags = np.zeros(INTERNAL_BYTES, dtype=bool)
    flags[list(indices)] = True
    return flags


_IS_LIVE_READ = _is_in(LIVE_READS)
_IS_LIVE_WRITE = _is_in(LIVE_WRITES)

ACCESS_OF_OPERATION: Int64Array = np.zeros(OPERATION_MASK + 1, dtype=np.int64)
"""How each operation uses its address operands, indexed by operation number."""
ACCESS_OF_OPERATION[[entry.operation for entry in INSTRUCTIONS]] = [
    entry.access for entry in INSTRUCTIONS
]
