"""The loader's hex-ack protocol."""

import zlib

import pytest

from hardware_sims.aksen_board.facts import board_facts
from hardware_sims.aksen_board.loader.boot_loader import BootLoader
from hardware_sims.aksen_board.loader.flash import VALID, Flash

FLASH_BYTES = board_facts().code_bytes

SILENCE_US = 100_000


def talk(loader: BootLoader, line: bytes, now_us: int = 0) -> bytes:
    """Send a line; return what comes back, errors included, which take a silence."""
    loader.receive(line, now_us)
    return loader.take_output(now_us + SILENCE_US)


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        (b":0300000002000CEF\n", b"0"),
        (b":0300000002000cef\r\n", b"0"),
        (b":0300000002000CEE\n", b"2"),
        (b":0300000002000\n", b"1"),
        (b":03zz000002000CEF\n", b"1"),
        (b":0100000F00F0\n", b"4"),
        (b":01800000007F\n", b"3"),
        (b":2100000000" + b"00" * 32 + b"DF\n", b"5"),
        (b":00000001FF\n", b"7"),
        (b":00000023DD\n", b"0"),
        (b":00000027D9\n", b"0:04000027C5150C01EE\n"),
        (b":00000028D8\n", b"0:09000028000000000000000000CF\n"),
        (b":020000250002D7\n", b"0:02000000FFFF00\n:00000001FF\n"),
    ],
)
def test_one_line_one_answer(line: bytes, answer: bytes) -> None:
    assert talk(BootLoader(Flash(FLASH_BYTES)), line) == answer


def test_a_line_that_stops_is_given_up() -> None:
    assert talk(BootLoader(Flash(FLASH_BYTES)), b":0300") == b"1"


def test_an_image_goes_in_and_is_sealed() -> None:
    loader = BootLoader(Flash(FLASH_BYTES))
    assert talk(loader, b":0300000002000CEF\n") == b"0"
    crc = zlib.crc32(b"\x02\x00\x0c")
    body = bytes([6, 0, 0, 0x26, 0, 3]) + crc.to_bytes(4)
    line = b":" + (body + bytes([-sum(body) & 0xFF])).hex().upper().encode() + b"\n"
    assert talk(loader, line, 200_000) == b"0"
    assert loader.flash.status == VALID
    assert talk(loader, b":00000001FF\n", 400_000) == b"0"
    assert loader.started(600_000)
