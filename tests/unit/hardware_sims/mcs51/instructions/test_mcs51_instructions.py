"""Instructions one by one: results and flags worked out by hand from the programmer's guide."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware_sims.mcs51.kernel import add, decimal_adjust, subtract
from hardware_sims.mcs51.microcontroller import Microcontroller
from tests.oracles.assembler import assemble

CY, AC, OV, P = 0x80, 0x40, 0x04, 0x01


def run(source: str) -> Microcontroller:
    """Execute the program up to its label `end`, which is put behind it."""
    code = assemble(source)
    chip = Microcontroller()
    chip.load(code + b"\x80\xfe")
    assert chip.run_until(pc=len(code), limit_cycles=10_000)
    return chip


@pytest.mark.parametrize(
    ("instructions", "accumulator", "flags"),
    [
        ("MOV A,#0xC3\nADD A,#0xAA", 0x6D, CY | OV | P),  # the guide's example for ADD
        ("MOV A,#0x0F\nADD A,#1", 0x10, AC | P),
        ("MOV A,#0x7F\nADD A,#1", 0x80, AC | OV | P),
        ("MOV A,#0xFF\nADD A,#1", 0x00, CY | AC),
        ("SETB C\nMOV A,#0xC3\nADDC A,#0xAA", 0x6E, CY | OV | P),  # the guide's for ADDC
        ("SETB C\nMOV A,#0xC9\nSUBB A,#0x54", 0x74, OV),  # the guide's for SUBB
        ("CLR C\nMOV A,#0\nSUBB A,#1", 0xFF, CY | AC),
        ("CLR C\nMOV A,#0x80\nSUBB A,#1", 0x7F, AC | OV | P),
        ("MOV A,#0x50\nMOV B,#0xA0\nMUL AB", 0x00, OV),  # the guide's for MUL: 3200h
        ("SETB C\nMOV A,#3\nMOV B,#5\nMUL AB", 0x0F, 0),
        ("SETB C\nMOV A,#0xFB\nMOV B,#0x12\nDIV AB", 0x0D, P),  # the guide's for DIV: 0Dh rest 11h
        ("SETB C\nMOV A,#7\nMOV B,#0\nDIV AB", 0x07, OV | P),
        ("MOV A,#0x56\nADD A,#0x67\nDA A", 0x23, CY | OV | P),  # 56 + 67 = 123
        ("MOV A,#0x30\nADD A,#0x99\nDA A", 0x29, CY | P),  # the guide's decrement by adding 99
        ("MOV A,#0x9A\nDA A", 0x00, CY),
        ("SETB C\nMOV A,#0xC5\nRRC A", 0xE2, CY),
        ("CLR C\nMOV A,#0xC5\nRLC A", 0x8A, CY | P),
        ("MOV A,#0xC5\nRR A", 0xE2, 0),
        ("MOV A,#0xC5\nRL A", 0x8B, 0),
        ("MOV A,#0xC5\nSWAP A", 0x5C, 0),
        ("MOV A,#0x5C\nCPL A", 0xA3, 0),
        ("MOV A,#0xC3\nXRL A,#0xAA", 0x69, 0),
        ("MOV A,#0xC3\nORL A,#0x55", 0xD7, 0),
        ("MOV A,#0xC3\nANL A,#0x55", 0x41, 0),
        ("MOV A,#0xFF\nINC A", 0x00, 0),
        ("MOV A,#0\nDEC A", 0xFF, 0),
        ("MOV R0,#0x20\nMOV 0x20,#0x75\nMOV A,#0x3F\nXCH A,@R0", 0x75, P),
        ("MOV R0,#0x20\nMOV 0x20,#0x75\nMOV A,#0x36\nXCHD A,@R0", 0x35, 0),
    ],
)
def test_result_and_flags(instructions: str, accumulator: int, flags: int) -> None:
    chip = run(instructions)
    assert chip.register("ACC") == accumulator
    assert chip.register("PSW") & (CY | AC | OV | P) == flags


def test_division_and_product_leave_their_other_half_in_b() -> None:
    assert run("MOV A,#0xFB\nMOV B,#0x12\nDIV AB").register("B") == 0x11
    assert run("MOV A,#0x50\nMOV B,#0xA0\nMUL AB").register("B") == 0x32


@pytest.mark.parametrize(
    ("left", "right", "carry", "taken"), [(5, 5, 0, False), (4, 5, 1, True), (6, 5, 0, True)]
)
def test_cjne_compares_unsigned(left: int, right: int, carry: int, taken: bool) -> None:
    chip = run(f"MOV R3,#{left}\nCJNE R3,#{right},there\nMOV R7,#1\nthere:\nNOP")
    assert chip.register("PSW") >> 7 == carry
    assert chip.idata[7] == (0 if taken else 1)


def test_register_banks_are_four_windows_on_internal_ram() -> None:
    chip = run("MOV R2,#0x11\nMOV PSW,#0x08\nMOV R2,#0x22\nSETB PSW.4\nMOV R2,#0x44\nMOV A,R2")
    assert [chip.idata[2 + 8 * bank] for bank in range(4)] == [0x11, 0x22, 0, 0x44]


def test_indirect_addresses_above_7f_are_ram_and_direct_ones_are_registers() -> None:
    chip = run("MOV R0,#0xE0\nMOV @R0,#0x12\nMOV ACC,#0x34")
    assert (chip.idata[0xE0], chip.register("ACC")) == (0x12, 0x34)


def test_calls_and_pushes_use_the_stack_upwards() -> None:
    chip = run("MOV SP,#0x30\nLCALL there\nthere:\nMOV A,#0x5A\nPUSH ACC\nPUSH SP\nPOP B")
    assert bytes(chip.idata[0x31:0x35]) == bytes([0x06, 0x00, 0x5A, 0x34])
    assert chip.register("SP") == 0x33
    assert chip.register("B") == 0x34  # PUSH SP stores the pointer it has already raised


def test_bits_live_in_20h_to_2fh_and_in_registers() -> None:
    chip = run("MOV 0x20,#0\nSETB 0x20.3\nMOV C,0x20.3\nMOV ACC.7,C\nCPL C\nANL C,/0x20.3")
    assert (chip.idata[0x20], chip.register("ACC"), chip.register("PSW") >> 7) == (0x08, 0x80, 0)


def test_jbc_clears_the_bit_only_when_it_jumps() -> None:
    chip = run("MOV 0x21,#0x03\nJBC 0x21.1,there\nthere:\nJBC 0x21.7,more\nmore:\nNOP")
    assert chip.idata[0x21] == 0x01


def test_movc_reads_code_beside_pc_and_dptr() -> None:
    chip = run("MOV A,#1\nMOVC A,@A+PC\nMOV R2,A\nMOV DPTR,#0\nMOV A,#1\nMOVC A,@A+DPTR")
    assert chip.idata[2] == 0x90  # one byte behind MOV R2,A, which follows MOVC
    assert chip.register("ACC") == 0x01


def test_cycles_are_those_of_the_table() -> None:
    assert run("NOP").cycles == 1
    assert run("MUL AB\nMOV DPTR,#1\nMOVX A,@DPTR\nDJNZ R2,there\nthere:\nNOP").cycles == 4 + 6 + 1


BYTE = st.integers(0, 255)
BIT = st.integers(0, 1)


@given(BYTE, BYTE, BIT)
def test_addition_and_subtraction_agree_with_arithmetic(left: int, right: int, carry: int) -> None:
    def signed(value: int) -> int:
        return value - 256 if value & 0x80 else value

    total, difference = left + right + carry, left - right - carry
    assert tuple(add(left, right, carry)) == (
        total % 256,
        int(total > 255),
        int((left & 15) + (right & 15) + carry > 15),
        int(not -128 <= signed(left) + signed(right) + carry <= 127),
    )
    assert tuple(subtract(left, right, carry)) == (
        difference % 256,
        int(difference < 0),
        int((left & 15) - (right & 15) - carry < 0),
        int(not -128 <= signed(left) - signed(right) - carry <= 127),
    )


@given(st.integers(0, 99), st.integers(0, 99), BIT)
def test_decimal_adjust_makes_sums_decimal(left: int, right: int, carry: int) -> None:
    def bcd(value: int) -> int:
        return value // 10 << 4 | value % 10

    value, flag, half, _ = add(bcd(left), bcd(right), carry)
    total = left + right + carry
    assert tuple(decimal_adjust(value, flag, half)) == (bcd(total % 100), total // 100)
