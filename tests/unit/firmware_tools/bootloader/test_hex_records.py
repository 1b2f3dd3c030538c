"""Records of the hex-ack protocol against the bytes in docs/bootloader.md."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_tools.bootloader.hex_records import Record, RecordType, decode


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
