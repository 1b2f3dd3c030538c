"""Turns a code image into one 64-bit word per address, so that execution never parses bytes.

    bits  0-6   operation number         (hardware_sims.mcs51.instructions.opcodes)
    bit   7     needs care: see below
    bits  8-11  machine cycles
    bits 12-15  size in bytes
    bits 16-31  first operand: index into internal memory, or a register number
    bits 32-47  second operand: constant, bit mask, index, or register number next to an address
    bits 48-63  branch target, or the constant of MOV DPTR

"Needs care" marks an instruction that touches a register with a life of its own (timers, ports,
PSW), that is outside the image, or on which a breakpoint sits: the kernel brings peripherals
up to date before it and services them after it. All other instructions pay nothing for that.
"""

import numpy as np

from hardware_sims.mcs51.chip_state import INTERNAL_BYTES, LIVE_READS, LIVE_WRITES
from hardware_sims.mcs51.instructions.opcodes import (
    INSTRUCTIONS,
    READS_FIRST,
    READS_SECOND,
    WRITES_FIRST,
    Instruction,
)
from solvers.foundation.arrays import BoolArray, Int64Array, UInt8Array

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
