"""The board's TOML: what is read from it, and what is refused."""

from importlib.resources import files

import pytest

from firmware_tools.boards.facts import Board, load_board, parse_board
from firmware_tools.building.port_map import port_map_header
from firmware_tools.errors import InvalidBoardFactsError

TEXT = (files("firmware_tools") / "boards" / "aksen.toml").read_text(encoding="utf-8")


def test_the_board_is_the_one_of_the_facts(aksen: Board) -> None:
    assert aksen.mcu == "C515C"
    assert aksen.memory.code_bytes == 32768
    assert aksen.memory.xdata_bytes == 8192
    assert aksen.memory.xdata_program_bytes == 7116
    assert aksen.memory.stack_bytes == 221
    assert aksen.loader.chip_id == bytes.fromhex("C5150C01")


def test_timer_reload_gives_one_millisecond_at_six_megahertz(aksen: Board) -> None:
    assert 0x10000 - aksen.constants["TIMER_RELOAD"] == 1000


def test_baud_generator_value_gives_the_baud_rate(aksen: Board) -> None:
    rate = 2 * 6_000_000 / (32 * (1024 - aksen.constants["SERIAL_SREL"]))
    assert abs(rate / aksen.baud - 1) < 0.002


def test_header_names_every_register_once(aksen: Board) -> None:
    header = port_map_header(aksen)
    assert "#define LCD_COMMAND_ADDRESS 0x8000\n" in header
    assert "#define SERVO_2_LOW_ADDRESS 0x8035\n" in header
    names = [line.split()[1] for line in header.splitlines() if line.startswith("#define ")]
    assert len(names) == len(set(names))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("baud = 9600", "", "lacks the entry 'baud'"),
        ("baud = 9600", "baud = -1", "baud must be a positive"),
        ("baud = 9600", "baud =", "not valid TOML"),
        ("address = 0x8001", "address = 0x8000", "share 8000h"),
        ("address = 0x8001", "address = 0x9000", "outside the I/O window"),
        ("stack_bytes = 221", "stack_bytes = 300", "does not fit into internal RAM"),
        ("xdata_program_bytes = 7116", "xdata_program_bytes = 9000", "larger than"),
        ('protocol = "block"', 'protocol = "smoke"', "unknown boot-loader protocol"),
    ],
)
def test_wrong_facts_are_refused(old: str, new: str, message: str) -> None:
    assert old in TEXT
    with pytest.raises(InvalidBoardFactsError, match=message):
        parse_board(TEXT.replace(old, new), "test.toml")


def test_unknown_board() -> None:
    with pytest.raises(InvalidBoardFactsError, match="no board called 'uno'"):
        load_board("uno")
