"""The library in ROM: images of the original kind run on it, and ours are built for it."""

from pathlib import Path

import pytest
from intelhex import IntelHex

from firmware_tools.boards.facts import Board as AksenBoard
from firmware_tools.building.build import build
from firmware_tools.building.library import build_rom
from firmware_tools.building.program import find_program
from firmware_tools.building.toolchain import find_toolchain
from firmware_tools.errors import OverBudgetError
from hardware_sims.aksen_board.board import Board
from hardware_sims.aksen_board.operator_commands import parse_command
from hardware_sims.aksen_board.rom import read_rom
from hardware_sims.mcs51.image import ImageError
from tests.oracles.assembler import assemble

PROGRAMS = Path(__file__).parents[2] / "data" / "aksen_programs"

# An image as the original tools made them: vectors and calls lead to the table at 8000h + 3n, SP is
# 20h, and arguments are in DPL, DPTR + B, or on the stack, which the caller clears.
ORIGINAL = """
LJMP start
LJMP 0x804B
.org 0x0B
LJMP 0x807B
.org 0x13
LJMP 0x804E
.org 0x1B
LJMP 0x803C
.org 0x2B
LJMP 0x807E
.org 0x4B
LJMP 0x8051
.org 0x100
start:
CLR A
MOV R0,#0xFF
clear:
MOV @R0,A
DJNZ R0,clear
MOV SP,#0x20
LCALL 0x8024
MOV DPTR,#0x300
MOV B,#0x80
LCALL 0x8084
MOV DPTR,#0x310
MOV B,#0x80
LCALL 0x8009
CLR A
PUSH ACC
MOV DPL,#1
LCALL 0x8003
DEC SP
MOV DPL,#3
LCALL 0x8021
LCALL 0x800F
MOV A,#7
PUSH ACC
MOV DPL,#2
LCALL 0x8036
DEC SP
MOV A,#1
PUSH ACC
MOV DPL,#2
LCALL 0x8039
DEC SP
wait:
MOV DPL,#5
LCALL 0x8033
MOV A,DPL
JNZ wait
MOV DPTR,#200
CLR A
MOV B,A
LCALL 0x8054
LCALL 0x8012
LCALL 0x8060
MOV R6,DPL
MOV R7,DPH
stop:
SJMP stop
.org 0x300
"""


def original(version: bytes) -> bytes:
    return (assemble(ORIGINAL) + version + b"\0").ljust(0x310, b"\0") + b"Seite\0"


def test_an_original_image_finds_its_library() -> None:
    board = Board(original(b"00.970"))
    board.devices.set_analog(3, 2.0)
    board.run_us(100_000)
    assert board.lcd.lines == ("Seite           ", "102             ")
    assert (board.devices.motors[2].power, board.devices.motors[2].direction) == (7, 1)
    parse_command("in 5 0", board.facts)(board)
    board.run_us(199_000)
    assert board.lcd.lines[0].strip() == "Seite"
    board.run_us(10_000)
    assert board.lcd.lines == (" " * 16, " " * 16)
    ms = int(board.mcu.idata[6]) | int(board.mcu.idata[7]) << 8
    assert 295 <= ms <= 305
    assert board.mcu.watch_events() == []


def test_an_image_of_another_version_is_not_started() -> None:
    board = Board(original(b"00.965"))
    board.run_us(300_000)
    assert board.lcd.lines == (" " * 16, " " * 16)


def test_another_rom_stands_in_its_place(tmp_path: Path) -> None:
    dump = tmp_path / "dump.bin"
    init = assemble("\n".join(["NOP"] * 0x24 + ["MOV R4,#77", "stop:", "SJMP stop"]))
    dump.write_bytes(init)
    board = Board(original(b""), rom=read_rom(dump))
    board.run_us(1000)
    assert board.mcu.idata[4] == 77
    written = IntelHex()
    written.puts(0x7000, init)
    written.write_hex_file(str(tmp_path / "low.ihx"))
    with pytest.raises(ImageError, match="must fill addresses from 8000h"):
        read_rom(tmp_path / "low.ihx")
    with pytest.raises(ImageError, match="cannot be read"):
        read_rom(tmp_path / "none.ihx")


@pytest.mark.needs_sdcc
def test_the_rom_is_what_its_sources_make(aksen: AksenBoard, tmp_path: Path) -> None:
    assert aksen.rom is not None
    made = IntelHex(str(build_rom(aksen, find_toolchain(), tmp_path))).todict()
    assert made == IntelHex(str(aksen.rom)).todict()


@pytest.mark.needs_sdcc
def test_our_programs_run_on_it_as_with_a_library_of_their_own(
    aksen: AksenBoard, tmp_path: Path
) -> None:
    result = build(
        find_program([str(PROGRAMS / "crowd.c")]), aksen, tmp_path / "out", with_rom=True
    )
    assert result.image is not None
    assert result.unproved == (
        "lcd_putchar", "led", "process_hog", "process_kill", "process_start",
    )  # fmt: skip
    board = Board(result.image)
    board.run_us(1_300_000)
    assert board.lcd.lines[0].split() == ["18", "19", "255"]
    assert board.mcu.watch_events() == []
    limits = {row.name: row.limit for row in result.report.rows}
    assert limits["xdata"] == 7408
    assert limits["stack, worst case"] == 223


@pytest.mark.needs_sdcc
def test_variables_beyond_the_eight_bytes_are_refused(aksen: AksenBoard, tmp_path: Path) -> None:
    source = tmp_path / "wide.c"
    source.write_text(
        "#include <stub.h>\n__data char a[12];\n"
        "void AksenMain(void) { a[dip_pin(0)] = 1; lcd_ubyte(a[3]); }\n",
        encoding="ascii",
    )
    with pytest.raises(OverBudgetError, match="than the eight bytes"):
        build(find_program([str(source)]), aksen, tmp_path, with_rom=True)


@pytest.mark.needs_sdcc
def test_conditions_kept_as_bits_need_no_further_byte(aksen: AksenBoard, tmp_path: Path) -> None:
    source = tmp_path / "bits.c"
    source.write_text(
        "#include <stub.h>\nunsigned char s[3] = {0, 1, 1};\n"
        "unsigned char pair(unsigned char *p)\n"
        "{ return (p[0] == 1 && p[1] == 1) || (p[2] == 1 && p[1] == 1); }\n"
        "void AksenMain(void) { lcd_ubyte(pair(s)); s[1] = 0; lcd_ubyte(pair(s)); while (1); }\n",
        encoding="ascii",
    )
    result = build(find_program([str(source)]), aksen, tmp_path, with_rom=True)
    board = Board(result.image)
    board.run_us(100_000)
    assert board.lcd.lines[0].rstrip() == "10"
