"""The board's TOML: what is read from it, and what is refused."""

from importlib.resources import files
from pathlib import Path

import pytest

from firmware_tools.boards.facts import Board, board_names, load_board
from firmware_tools.building.library import port_map_header
from firmware_tools.errors import InvalidBoardFactsError

TEXT = (files("firmware_tools") / "boards" / "aksen.toml").read_text(encoding="utf-8")


def board_from(text: str, folder: Path) -> Board:
    path = folder / "test.toml"
    path.write_text(text, encoding="utf-8")
    return load_board(str(path))


def test_the_board_is_the_one_of_the_facts(aksen: Board) -> None:
    assert aksen.mcu.name == "SAB 80C515A"
    assert aksen.mcu.cycles_per_second == 1_000_000
    assert aksen.memory.code_bytes == 32768
    assert aksen.memory.xdata_bytes == 8192
    assert aksen.loader.chip == bytes.fromhex("C5150C01")


def test_timer_reload_gives_one_millisecond_at_six_megahertz(aksen: Board) -> None:
    assert 0x10000 - aksen.constants["TIMER_RELOAD"] == 1000


def test_the_baud_generators_value_is_that_of_published_programs(aksen: Board) -> None:
    assert aksen.constants["SERIAL_SREL"] == 0x3D9


def test_another_oscillator_changes_what_hangs_on_it(tmp_path: Path) -> None:
    board = board_from(TEXT.replace("12_000_000", "22_118_400"), tmp_path)
    assert board.constants["SERIAL_SREL"] == 1024 - 72  # 2 * 11.0592 MHz / (32 * 72) = 9600
    assert board.constants["TIMER_RELOAD"] == 0x10000 - 1843
    assert board.constants["MULTIPLEXER_SETTLING_LOOPS"] == 10  # 10 us at 1.085 us a DJNZ


def test_header_names_every_register_once(aksen: Board) -> None:
    header = port_map_header(aksen)
    assert "#define LCD_COMMAND_ADDRESS 0x8000\n" in header
    assert "#define SERVO_2_LOW_ADDRESS 0x8035\n" in header
    names = [line.split()[1] for line in header.splitlines() if line.startswith("#define ")]
    assert len(names) == len(set(names))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("baud = 9600", "", r"serial: 'baud' is missing"),
        ("baud = 9600", "baud = -1", r"serial.baud must be at least 1, not -1"),
        ("baud = 9600", "baud =", "is not TOML"),
        ("baud = 9600", "baud = 9600.5", "serial.baud must be a whole number, not 9600.5"),
        ("baud = 9600", "baud = 56000", "56000 cannot be made from an oscillator of 12000000 Hz"),
        ("baud = 9600", "speed = 9600", "serial: unknown key 'speed'. The keys are baud"),
        ("chip_id = [0xC5, 0x15, 0x0C, 0x01]", "chip_id = 300", "chip_id must be a list"),
        ("chip_id = [0xC5,", "chip_id = [300,", r"chip_id\[0\] must be at most 255, not 300"),
        ("0x0C, 0x01]", "0x0C]", "chip_id must be a list of 4"),
        ("oscillator_hz = 12_000_000", "oscillator_hz = 0", "oscillator_hz must be at least 1"),
        ("tick_us = 1000", "tick_us = 90000", "does not fit into a 16-bit timer"),
        ("code_bytes = 32768", "code_bytes = 65537", "code_bytes must be at most 65536"),
        ("data_start = 0x18", "data_start = 200", "data_start must be at most 127"),
        ("address = 0x8001", "address = 0x8000", "share 8000h"),
        ("address = 0x8001", "address = 0x9000", "outside the I/O window"),
        ("block_data_bytes = 124", "block_data_bytes = 254", "at most 253"),
        ('image = "aksen_rom.ihx"', 'image = "../rom.ihx"', "rom.image"),
        ("tick_us = 1000", "tick_us = 0", "tick_us must be at least 1"),
        ("baud = 9600", f"baud = {'9' * 5000}", "a number of more than 1000 characters"),
    ],
)
def test_wrong_facts_are_refused(old: str, new: str, message: str, tmp_path: Path) -> None:
    assert old in TEXT
    with pytest.raises(InvalidBoardFactsError, match=message) as caught:
        board_from(TEXT.replace(old, new), tmp_path)
    assert str(caught.value).startswith(f"The board {tmp_path / 'test.toml'}")


def test_the_boards_of_the_package_are_known_by_name() -> None:
    assert "aksen" in board_names()
    with pytest.raises(InvalidBoardFactsError, match=r"no board 'uno'. Known: aksen"):
        load_board("uno")
    with pytest.raises(InvalidBoardFactsError, match=r"uno\.toml cannot be read"):
        load_board("uno.toml")
