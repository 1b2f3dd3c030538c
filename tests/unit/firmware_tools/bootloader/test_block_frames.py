"""Blocks against the bytes in docs/bootloader.md."""

import pytest

from firmware_tools.bootloader.block_frames import (
    Mode,
    crc_header,
    data_block,
    header,
    info_block,
    last_block,
    program_header,
    read_header,
)


@pytest.mark.parametrize(
    ("frame", "expected"),
    [
        (header(Mode.CHIP_ID), "00 0A 00 00 00 00 00 0A"),
        (header(Mode.ERASE), "00 04 00 00 00 00 00 04"),
        (program_header(0x0000, 126), "00 02 00 00 7E 00 00 7C"),
        (program_header(0x1234, 126), "00 02 12 34 7E 00 00 5A"),
        (header(Mode.SEAL, bytes([0, 0, 14])), "00 05 00 00 0E 00 00 0B"),
        (header(Mode.RUN), "00 03 00 00 00 00 00 03"),
        (crc_header(0x0100, 0x8000), "00 C1 01 00 80 00 00 40"),
        (read_header(0x0100, 128), "00 C2 01 00 80 00 00 43"),
        (data_block(b"\x02\x00\x06"), "01 02 00 06 05"),
        (last_block(b"\x22\x80\xfe", 8), "02 03 22 80 FE 00 00 5D"),
        (info_block(127, 0xC3C2C1C0), "41 4B 53 4E 00 00 00 7F C3 C2 C1 C0"),
    ],
)
def test_frame(frame: bytes, expected: str) -> None:
    assert frame == bytes.fromhex(expected)
