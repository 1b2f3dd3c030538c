"""The loader's block protocol, byte for byte as docs/bootloader.md has it."""

import zlib

import pytest

from hardware_sims.aksen_board.facts import board_facts
from hardware_sims.aksen_board.loader.boot_loader import BootLoader
from hardware_sims.aksen_board.loader.flash import EMPTY, INCOMPLETE, VALID, Flash

FLASH_BYTES = board_facts().code_bytes

SILENCE_US = 100_000


class Line:
    """A loader with a host's clock."""

    def __init__(self) -> None:
        self.loader = BootLoader(Flash(FLASH_BYTES))
        self.now_us = 0

    def send(self, *values: int) -> bytes:
        """Send bytes; return what comes back at once."""
        self.loader.receive(bytes(values), self.now_us)
        return self.loader.take_output(self.now_us)

    def send_block(self, *values: int) -> bytes:
        """Send bytes and their XOR."""
        checksum = 0
        for value in values:
            checksum ^= value
        return self.send(*values, checksum)

    def wait(self, duration_us: int = SILENCE_US) -> bytes:
        self.now_us += duration_us
        return self.loader.take_output(self.now_us)

    def program(self, image: bytes, block_bytes: int = 126) -> None:
        """Flash an image as the host does, and seal it."""
        assert self.send_block(0, 2, 0, 0, block_bytes, 0, 0) == b"\x55"
        step = block_bytes - 2
        for start in range(0, len(image) - step + 1, step):
            assert self.send_block(1, *image[start : start + step]) == b"\x55"
        rest = image[len(image) // step * step :]
        padding = bytes(block_bytes - 3 - len(rest))
        assert self.send_block(2, len(rest), *rest, *padding) == b"\x55"

    def seal(self, length: int, crc32: int) -> bytes:
        assert self.send_block(0, 5, 0, 0, 0x0E, 0, 0) == b"\x55"
        info = b"AKSN\0\0" + length.to_bytes(2) + crc32.to_bytes(4)
        return self.send_block(1, *info)


@pytest.fixture
def line() -> Line:
    return Line()


def test_the_test_byte_is_a_00_and_silence(line: Line) -> None:
    assert line.send(0x00) == b""
    assert line.wait(SILENCE_US - 1) == b""
    assert line.wait(1) == b"\x55"


def test_the_chip_tells_its_identifier(line: Line) -> None:
    assert line.send(0, 0x0A, 0, 0, 0, 0, 0, 0x0A).hex() == "55c5150c01dd"


def test_an_image_is_valid_only_after_its_checksum(line: Line) -> None:
    image = bytes(range(200)) * 3
    assert line.loader.flash.status == EMPTY
    line.program(image)
    assert line.loader.flash.status == INCOMPLETE
    assert line.seal(len(image), zlib.crc32(image)) == b"\x55"
    assert line.loader.flash.status == VALID
    assert bytes(line.loader.flash.data[: len(image)]) == image
    status = line.send_block(0, 0xC0, 0, 0, 0, 0, 0)
    assert status[:6] == bytes([0x55, VALID, 0, 0, *len(image).to_bytes(2)])
    assert status[6:10] == zlib.crc32(image).to_bytes(4)


def test_a_wrong_checksum_leaves_it_invalid_and_unrunnable(line: Line) -> None:
    line.program(b"\x80\xfe" * 40)
    assert line.seal(80, 0x12345678) == b""
    assert line.wait() == b"\xfb"
    assert line.loader.flash.status == INCOMPLETE
    line.send_block(0, 3, 0, 0, 0, 0, 0)
    assert line.wait() == b"\xfb"
    assert not line.loader.started(line.now_us + 1_000_000)


def test_programming_takes_the_old_mark_away_first(line: Line) -> None:
    line.program(b"\xff" * 200)
    line.seal(200, zlib.crc32(b"\xff" * 200))
    line.send_block(0, 2, 0, 0, 126, 0, 0)
    assert line.loader.flash.info is None


def test_a_valid_image_starts_10_ms_after_its_acknowledgement(line: Line) -> None:
    line.program(b"\x80\xfe" * 100)
    line.seal(200, zlib.crc32(b"\x80\xfe" * 100))
    assert line.send_block(0, 3, 0, 0, 0, 0, 0) == b"\x55"
    assert not line.loader.started(line.now_us + 9_999)
    assert line.loader.started(line.now_us + 10_000)


@pytest.mark.parametrize(
    ("block", "answer"),
    [
        ((0, 0x77, 0, 0, 0, 0, 0), 0xFF),  # unknown mode
        ((0, 2, 0, 0, 4, 0, 0), 0xFF),  # block too short
        ((0, 2, 0, 0, 127, 0, 0), 0xFF),  # block too long
        ((0, 2, 0x80, 0, 126, 0, 0), 0xFD),  # beyond the flash
        ((0, 5, 0, 0, 0x0F, 0, 0), 0xFF),
        ((0, 0xC1, 0x7F, 0xFF, 0, 2, 0), 0xFD),
        ((0, 0xC1, 0, 0, 0, 0, 0), 0xFD),
        ((0, 0xC2, 0, 0, 129, 0, 0), 0xFD),
        ((0, 3, 0, 0, 0, 0, 0), 0xFB),  # nothing valid to run
    ],
)
def test_errors_come_after_the_line_is_silent(
    line: Line, block: tuple[int, ...], answer: int
) -> None:
    assert line.send_block(*block) == b""
    assert line.wait(SILENCE_US // 2) == b""
    line.send(0xAA)  # thrown away, and the silence starts again
    assert line.wait(SILENCE_US // 2) == b""
    assert line.wait() == bytes([answer])
    assert line.send_block(0, 0x0A, 0, 0, 0, 0, 0)[:1] == b"\x55"


def test_a_wrong_block_checksum_does_nothing_and_may_be_sent_again(line: Line) -> None:
    line.send_block(0, 2, 0, 0, 5, 0, 0)
    assert line.send(1, 2, 3, 4, 0x55) == b""
    assert line.wait() == b"\xfe"
    assert line.loader.flash.status == EMPTY
    assert line.send_block(1, 2, 3, 4) == b"\x55"
    assert bytes(line.loader.flash.data[:3]) == b"\x02\x03\x04"


def test_a_data_block_without_a_transfer_is_out_of_sequence(line: Line) -> None:
    line.send(1)
    assert line.wait() == b"\xff"


def test_a_frame_that_stops_is_given_up_and_answered_at_once(line: Line) -> None:
    line.send(0, 2, 0)
    assert line.wait(SILENCE_US) == b"\xff"


def test_an_open_transfer_survives_a_broken_frame(line: Line) -> None:
    line.send_block(0, 2, 0, 0, 5, 0, 0)
    line.send(1, 2)
    assert line.wait() == b"\xff"
    assert line.send_block(1, 7, 8, 9) == b"\x55"


def test_bits_can_only_be_cleared(line: Line) -> None:
    line.send_block(0, 2, 0, 0, 5, 0, 0)
    line.send_block(1, 0x0F, 0, 0)
    line.send_block(0, 2, 0, 0, 5, 0, 0)
    assert line.send_block(1, 0x0F, 0, 0) == b"\x55"
    line.send_block(0, 2, 0, 0, 5, 0, 0)
    line.send_block(1, 0xF0, 0, 0)
    assert line.wait() == b"\xfc"


def test_read_back_and_checksum_of_a_range(line: Line) -> None:
    line.program(b"AKSEN board " * 20)
    answer = line.send_block(0, 0xC2, 0, 6, 5, 0, 0)
    assert answer[:-1] == b"\x55board"
    assert answer[-1] == ord("b") ^ ord("o") ^ ord("a") ^ ord("r") ^ ord("d")
    crc = zlib.crc32(b"AKSEN").to_bytes(4)
    assert line.send_block(0, 0xC1, 0, 0, 0, 5, 0)[1:5] == crc
