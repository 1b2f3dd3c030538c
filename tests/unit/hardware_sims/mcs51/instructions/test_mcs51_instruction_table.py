"""The opcode table, and what is made from it."""

import numpy as np
import pytest

from hardware_sims.mcs51.instructions import (
    CYCLES_SHIFT,
    INSTRUCTIONS,
    OPERATION_MASK,
    SIZE_SHIFT,
    decode,
)
from tests.oracles.assembler import assemble
from tests.oracles.disassembler import disassemble

OPERAND_BYTES = {
    "dir": 1, "bit": 1, "/bit": 1, "#imm": 1, "#imm16": 2, "rel": 1, "addr11": 1, "addr16": 2,
}  # fmt: skip


def test_there_is_one_entry_for_each_opcode() -> None:
    assert [entry.opcode for entry in INSTRUCTIONS] == list(range(256))


def test_size_is_the_opcode_and_its_operand_bytes() -> None:
    for entry in INSTRUCTIONS:
        operands = sum(OPERAND_BYTES.get(operand, 0) for operand in entry.operands)
        assert entry.size == 1 + operands, entry


def test_cycles_add_up_to_the_data_sheet() -> None:
    # Programmer's guide: only MUL and DIV take four cycles; 140 opcodes take two or more.
    assert {entry.mnemonic for entry in INSTRUCTIONS if entry.cycles == 4} == {"MUL", "DIV"}
    two = {entry.mnemonic for entry in INSTRUCTIONS if entry.cycles == 2}
    assert {"SJMP", "MOVX", "MOVC", "PUSH", "POP", "RET", "RETI", "CJNE", "DJNZ", "JBC"} <= two
    assert {entry.cycles for entry in INSTRUCTIONS} == {1, 2, 4}


def test_the_decoder_takes_size_and_cycles_from_the_table() -> None:
    code = np.zeros(0x10000, dtype=np.uint8)
    code[:1024:4] = range(256)
    words = decode(code, np.zeros(0x10000, dtype=bool))
    for entry in INSTRUCTIONS:
        word = int(words[4 * entry.opcode])
        assert word & OPERATION_MASK == entry.operation
        assert word >> CYCLES_SHIFT & 0xF == entry.cycles
        assert word >> SIZE_SHIFT & 0xF == entry.size


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("00", "NOP"),
        ("85E0D0", "MOV PSW, ACC"),
        ("A2D7", "MOV C, PSW.7"),
        ("B020", "ANL C, /24h.0"),
        ("9012FF", "MOV DPTR, #12FFh"),
        ("80FE", "SJMP 0000h"),
        ("74C5", "MOV A, #0C5h"),
        ("E310", "MOVX A, @R1"),
        ("B8050A", "CJNE R0, #05h, 000Dh"),
        ("F122", "ACALL 0722h"),
        ("02", "LJMP 0FFFFh"),
    ],
)
def test_the_disassembler_writes_assembler_text(code: str, text: str) -> None:
    assert disassemble(bytes.fromhex(code), 0)[0] == text


def test_every_instruction_survives_disassembling_and_assembling() -> None:
    for entry in INSTRUCTIONS:
        if "addr11" in entry.operands or entry.mnemonic == "DB":
            continue
        code = bytes([entry.opcode, 0x24, 0x16])[: entry.size]
        text, size = disassemble(code, 0)
        assert size == entry.size
        if "rel" in entry.operands or "addr16" in entry.operands:
            continue  # the test's assembler wants labels there
        words = [_as_number(word) for word in text.replace(", ", " , ").split()]
        assert assemble(" ".join(words)) == code, text


def _as_number(word: str) -> str:
    sign = word[0] if word[0] in "#/" else ""
    digits, dot, bit = word.removeprefix(sign).partition(".")
    return f"{sign}0x{digits[:-1]}{dot}{bit}" if digits.endswith("h") else word
