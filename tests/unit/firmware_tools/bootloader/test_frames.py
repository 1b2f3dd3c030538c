"""Frames of both boot-loader protocols, byte by byte, as docs/bootloader.md has them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_tools.bootloader.block import (
    Mode,
    crc_header,
    data_block,
    header,
    info_block,
    last_block,
    program_header,
    read_header,
)
from firmware_tools.bootloader.hex_ack import Record, RecordType, decode


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


@pytest.mark.parametrize(
    ("record", "line"),
    [
        (Record(RecordType.RUN), b":00000001FF\n"),
        (Record(RecordType.ERASE), b":00000023DD\n"),
        (Record(RecordType.CHIP_ID), b":00000027D9\n"),
        (Record(RecordType.STATUS), b":00000028D8\n"),
        (Record(RecordType.DATA, 0x0100, b"\x01\x02"), b":020100000102FA\n"),
    ],
)
def test_encoding(record: Record, line: bytes) -> None:
    assert record.encode() == line


@given(st.sampled_from(RecordType), st.integers(0, 0xFFFF), st.binary(max_size=32))
def test_decoding_reverses_encoding(kind: RecordType, address: int, data: bytes) -> None:
    record = Record(kind, address, data)
    assert decode(record.encode()) == record
    assert decode(record.encode().lower()) == record


@given(st.binary(max_size=80))
def test_noise_is_no_record_and_no_crash(noise: bytes) -> None:
    record = decode(noise)
    assert record is None or record.encode().strip().upper() == noise.strip().upper()


@pytest.mark.parametrize("position", range(1, 15))
def test_every_flipped_digit_is_noticed(position: int) -> None:
    line = bytearray(Record(RecordType.DATA, 0x0100, b"\x01\x02").encode())
    line[position] = ord("7") if line[position] != ord("7") else ord("8")
    assert decode(bytes(line)) is None
