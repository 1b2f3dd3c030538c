"""The instruction set: one table that the decoder, tests and documents share.

Source: Intel, MCS-51 Programmer's Guide and Instruction Set; Siemens C515C data sheet,
instruction set summary (same opcodes, a machine cycle is six clocks instead of twelve).

Operands: `Rn` R0-R7 and `@Ri` R0-R1 are numbered by the opcode's low bits; `dir`, `bit` direct
addresses; `#imm`, `#imm16` constants; `rel` signed branch distance; `addr11`, `addr16` jump
targets. Encoded operand bytes follow the opcode in the order written, except `MOV dir,dir`,
which puts the source first. Every operation that changes A also changes P, which is left out.
"""

from dataclasses import dataclass

from hardware_sims.mcs51.instructions import operations as op


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
    op.READS_FIRST,
    op.WRITES_FIRST,
    op.READS_FIRST | op.WRITES_FIRST,
    op.READS_SECOND,
)

# first opcode, how many in a row, operation, mnemonic, operands, bytes, cycles, flags, access
_Row = tuple[int, int, int, str, str, int, int, str, int]

# fmt: off
_ROWS: tuple[_Row, ...] = (
    (0x00, 1, op.NOP,         "NOP",   "",               1, 1, "",        0),
    (0x02, 1, op.LJMP,        "LJMP",  "addr16",         3, 2, "",        0),
    (0x03, 1, op.RR,          "RR",    "A",              1, 1, "",        0),
    (0x04, 1, op.INC_A,       "INC",   "A",              1, 1, "",        0),
    (0x05, 1, op.INC_DIR,     "INC",   "dir",            2, 1, "",        _RW),
    (0x06, 2, op.INC_RI,      "INC",   "@Ri",            1, 1, "",        0),
    (0x08, 8, op.INC_RN,      "INC",   "Rn",             1, 1, "",        0),
    (0x10, 1, op.JBC,         "JBC",   "bit,rel",        3, 2, "",        _RW),
    (0x12, 1, op.LCALL,       "LCALL", "addr16",         3, 2, "",        0),
    (0x13, 1, op.RRC,         "RRC",   "A",              1, 1, "C",       0),
    (0x14, 1, op.DEC_A,       "DEC",   "A",              1, 1, "",        0),
    (0x15, 1, op.DEC_DIR,     "DEC",   "dir",            2, 1, "",        _RW),
    (0x16, 2, op.DEC_RI,      "DEC",   "@Ri",            1, 1, "",        0),
    (0x18, 8, op.DEC_RN,      "DEC",   "Rn",             1, 1, "",        0),
    (0x20, 1, op.JB,          "JB",    "bit,rel",        3, 2, "",        _R),
    (0x22, 1, op.RET,         "RET",   "",               1, 2, "",        0),
    (0x23, 1, op.RL,          "RL",    "A",              1, 1, "",        0),
    (0x24, 1, op.ADD_IMM,     "ADD",   "A,#imm",         2, 1, "C AC OV", 0),
    (0x25, 1, op.ADD_DIR,     "ADD",   "A,dir",          2, 1, "C AC OV", _R),
    (0x26, 2, op.ADD_RI,      "ADD",   "A,@Ri",          1, 1, "C AC OV", 0),
    (0x28, 8, op.ADD_RN,      "ADD",   "A,Rn",           1, 1, "C AC OV", 0),
    (0x30, 1, op.JNB,         "JNB",   "bit,rel",        3, 2, "",        _R),
    (0x32, 1, op.RETI,        "RETI",  "",               1, 2, "",        0),
    (0x33, 1, op.RLC,         "RLC",   "A",              1, 1, "C",       0),
    (0x34, 1, op.ADDC_IMM,    "ADDC",  "A,#imm",         2, 1, "C AC OV", 0),
    (0x35, 1, op.ADDC_DIR,    "ADDC",  "A,dir",          2, 1, "C AC OV", _R),
    (0x36, 2, op.ADDC_RI,     "ADDC",  "A,@Ri",          1, 1, "C AC OV", 0),
    (0x38, 8, op.ADDC_RN,     "ADDC",  "A,Rn",           1, 1, "C AC OV", 0),
    (0x40, 1, op.JC,          "JC",    "rel",            2, 2, "",        0),
    (0x42, 1, op.ORL_DIR_A,   "ORL",   "dir,A",          2, 1, "",        _RW),
    (0x43, 1, op.ORL_DIR_IMM, "ORL",   "dir,#imm",       3, 2, "",        _RW),
    (0x44, 1, op.ORL_IMM,     "ORL",   "A,#imm",         2, 1, "",        0),
    (0x45, 1, op.ORL_DIR,     "ORL",   "A,dir",          2, 1, "",        _R),
    (0x46, 2, op.ORL_RI,      "ORL",   "A,@Ri",          1, 1, "",        0),
    (0x48, 8, op.ORL_RN,      "ORL",   "A,Rn",           1, 1, "",        0),
    (0x50, 1, op.JNC,         "JNC",   "rel",            2, 2, "",        0),
    (0x52, 1, op.ANL_DIR_A,   "ANL",   "dir,A",          2, 1, "",        _RW),
    (0x53, 1, op.ANL_DIR_IMM, "ANL",   "dir,#imm",       3, 2, "",        _RW),
    (0x54, 1, op.ANL_IMM,     "ANL",   "A,#imm",         2, 1, "",        0),
    (0x55, 1, op.ANL_DIR,     "ANL",   "A,dir",          2, 1, "",        _R),
    (0x56, 2, op.ANL_RI,      "ANL",   "A,@Ri",          1, 1, "",        0),
    (0x58, 8, op.ANL_RN,      "ANL",   "A,Rn",           1, 1, "",        0),
    (0x60, 1, op.JZ,          "JZ",    "rel",            2, 2, "",        0),
    (0x62, 1, op.XRL_DIR_A,   "XRL",   "dir,A",          2, 1, "",        _RW),
    (0x63, 1, op.XRL_DIR_IMM, "XRL",   "dir,#imm",       3, 2, "",        _RW),
    (0x64, 1, op.XRL_IMM,     "XRL",   "A,#imm",         2, 1, "",        0),
    (0x65, 1, op.XRL_DIR,     "XRL",   "A,dir",          2, 1, "",        _R),
    (0x66, 2, op.XRL_RI,      "XRL",   "A,@Ri",          1, 1, "",        0),
    (0x68, 8, op.XRL_RN,      "XRL",   "A,Rn",           1, 1, "",        0),
    (0x70, 1, op.JNZ,         "JNZ",   "rel",            2, 2, "",        0),
    (0x72, 1, op.ORL_C_BIT,   "ORL",   "C,bit",          2, 2, "C",       _R),
    (0x73, 1, op.JMP_A_DPTR,  "JMP",   "@A+DPTR",        1, 2, "",        0),
    (0x74, 1, op.MOV_A_IMM,   "MOV",   "A,#imm",         2, 1, "",        0),
    (0x75, 1, op.MOV_DIR_IMM, "MOV",   "dir,#imm",       3, 2, "",        _W),
    (0x76, 2, op.MOV_RI_IMM,  "MOV",   "@Ri,#imm",       2, 1, "",        0),
    (0x78, 8, op.MOV_RN_IMM,  "MOV",   "Rn,#imm",        2, 1, "",        0),
    (0x80, 1, op.SJMP,        "SJMP",  "rel",            2, 2, "",        0),
    (0x82, 1, op.ANL_C_BIT,   "ANL",   "C,bit",          2, 2, "C",       _R),
    (0x83, 1, op.MOVC_PC,     "MOVC",  "A,@A+PC",        1, 2, "",        0),
    (0x84, 1, op.DIV,         "DIV",   "AB",             1, 4, "C OV",    0),
    (0x85, 1, op.MOV_DIR_DIR, "MOV",   "dir,dir",        3, 2, "",        _W | _R2),
    (0x86, 2, op.MOV_DIR_RI,  "MOV",   "dir,@Ri",        2, 2, "",        _W),
    (0x88, 8, op.MOV_DIR_RN,  "MOV",   "dir,Rn",         2, 2, "",        _W),
    (0x90, 1, op.MOV_DPTR,    "MOV",   "DPTR,#imm16",    3, 2, "",        0),
    (0x92, 1, op.MOV_BIT_C,   "MOV",   "bit,C",          2, 2, "",        _RW),
    (0x93, 1, op.MOVC_DPTR,   "MOVC",  "A,@A+DPTR",      1, 2, "",        0),
    (0x94, 1, op.SUBB_IMM,    "SUBB",  "A,#imm",         2, 1, "C AC OV", 0),
    (0x95, 1, op.SUBB_DIR,    "SUBB",  "A,dir",          2, 1, "C AC OV", _R),
    (0x96, 2, op.SUBB_RI,     "SUBB",  "A,@Ri",          1, 1, "C AC OV", 0),
    (0x98, 8, op.SUBB_RN,     "SUBB",  "A,Rn",           1, 1, "C AC OV", 0),
    (0xA0, 1, op.ORL_C_NBIT,  "ORL",   "C,/bit",         2, 2, "C",       _R),
    (0xA2, 1, op.MOV_C_BIT,   "MOV",   "C,bit",          2, 1, "C",       _R),
    (0xA3, 1, op.INC_DPTR,    "INC",   "DPTR",           1, 2, "",        0),
    (0xA4, 1, op.MUL,         "MUL",   "AB",             1, 4, "C OV",    0),
    (0xA5, 1, op.RESERVED,    "DB",    "0A5h",           1, 1, "",        0),
    (0xA6, 2, op.MOV_RI_DIR,  "MOV",   "@Ri,dir",        2, 2, "",        _R),
    (0xA8, 8, op.MOV_RN_DIR,  "MOV",   "Rn,dir",         2, 2, "",        _R),
    (0xB0, 1, op.ANL_C_NBIT,  "ANL",   "C,/bit",         2, 2, "C",       _R),
    (0xB2, 1, op.CPL_BIT,     "CPL",   "bit",            2, 1, "",        _RW),
    (0xB3, 1, op.CPL_C,       "CPL",   "C",              1, 1, "C",       0),
    (0xB4, 1, op.CJNE_A_IMM,  "CJNE",  "A,#imm,rel",     3, 2, "C",       0),
    (0xB5, 1, op.CJNE_A_DIR,  "CJNE",  "A,dir,rel",      3, 2, "C",       _R),
    (0xB6, 2, op.CJNE_RI_IMM, "CJNE",  "@Ri,#imm,rel",   3, 2, "C",       0),
    (0xB8, 8, op.CJNE_RN_IMM, "CJNE",  "Rn,#imm,rel",    3, 2, "C",       0),
    (0xC0, 1, op.PUSH,        "PUSH",  "dir",            2, 2, "",        _R),
    (0xC2, 1, op.CLR_BIT,     "CLR",   "bit",            2, 1, "",        _RW),
    (0xC3, 1, op.CLR_C,       "CLR",   "C",              1, 1, "C",       0),
    (0xC4, 1, op.SWAP,        "SWAP",  "A",              1, 1, "",        0),
    (0xC5, 1, op.XCH_DIR,     "XCH",   "A,dir",          2, 1, "",        _RW),
    (0xC6, 2, op.XCH_RI,      "XCH",   "A,@Ri",          1, 1, "",        0),
    (0xC8, 8, op.XCH_RN,      "XCH",   "A,Rn",           1, 1, "",        0),
    (0xD0, 1, op.POP,         "POP",   "dir",            2, 2, "",        _W),
    (0xD2, 1, op.SETB_BIT,    "SETB",  "bit",            2, 1, "",        _RW),
    (0xD3, 1, op.SETB_C,      "SETB",  "C",              1, 1, "C",       0),
    (0xD4, 1, op.DA,          "DA",    "A",              1, 1, "C",       0),
    (0xD5, 1, op.DJNZ_DIR,    "DJNZ",  "dir,rel",        3, 2, "",        _RW),
    (0xD6, 2, op.XCHD,        "XCHD",  "A,@Ri",          1, 1, "",        0),
    (0xD8, 8, op.DJNZ_RN,     "DJNZ",  "Rn,rel",         2, 2, "",        0),
    (0xE0, 1, op.MOVX_A_DPTR, "MOVX",  "A,@DPTR",        1, 2, "",        0),
    (0xE2, 2, op.MOVX_A_RI,   "MOVX",  "A,@Ri",          1, 2, "",        0),
    (0xE4, 1, op.CLR_A,       "CLR",   "A",              1, 1, "",        0),
    (0xE5, 1, op.MOV_A_DIR,   "MOV",   "A,dir",          2, 1, "",        _R),
    (0xE6, 2, op.MOV_A_RI,    "MOV",   "A,@Ri",          1, 1, "",        0),
    (0xE8, 8, op.MOV_A_RN,    "MOV",   "A,Rn",           1, 1, "",        0),
    (0xF0, 1, op.MOVX_DPTR_A, "MOVX",  "@DPTR,A",        1, 2, "",        0),
    (0xF2, 2, op.MOVX_RI_A,   "MOVX",  "@Ri,A",          1, 2, "",        0),
    (0xF4, 1, op.CPL_A,       "CPL",   "A",              1, 1, "",        0),
    (0xF5, 1, op.MOV_DIR_A,   "MOV",   "dir,A",          2, 1, "",        _W),
    (0xF6, 2, op.MOV_RI_A,    "MOV",   "@Ri,A",          1, 1, "",        0),
    (0xF8, 8, op.MOV_RN_A,    "MOV",   "Rn,A",           1, 1, "",        0),
    # AJMP and ACALL carry the top three bits of their target in the opcode.
    *((page << 5 | 0x01, 1, op.AJMP,  "AJMP",  "addr11", 2, 2, "", 0) for page in range(8)),
    *((page << 5 | 0x11, 1, op.ACALL, "ACALL", "addr11", 2, 2, "", 0) for page in range(8)),
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
