"""Intel HEX: merged, sorted, checked; damaged files end in a sentence."""

import zlib
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from firmware_tools.boards.facts import Board
from firmware_tools.errors import InvalidImageError
from firmware_tools.flashing import load_image, parse_image

END = b":00000001FF\n"


def record(address: int, data: bytes, kind: int = 0) -> bytes:
    body = bytes([len(data), address >> 8, address & 0xFF, kind]) + data
    return b":" + (body + bytes([-sum(body) & 0xFF])).hex().upper().encode() + b"\n"


GOOD = record(0x0006, b"\x03\x04") + record(0x0000, b"\x01\x02") + END


def test_records_out_of_order_are_merged_and_gaps_read_as_erased(aksen: Board) -> None:
    image = parse_image(GOOD, "a.ihx", aksen)
    assert image.data == bytes.fromhex("0102FFFFFFFF0304")
    assert image.used_bytes == 4
    assert image.crc32 == zlib.crc32(image.data)


def test_an_image_may_fill_the_flash_to_the_last_byte(aksen: Board) -> None:
    text = record(0, b"\x02") + record(0x7FFF, b"\x01") + END
    assert len(parse_image(text, "a.ihx", aksen).data) == 32768


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"", "no end record"),
        (END, "empty"),
        (record(0, b"\x01"), "cut off"),
        (record(0x10, b"\x01") + END, "starts at 0010h"),
        (record(0, b"\x01") + record(0x8000, b"\x01") + END, "too big: it reaches address 8000h"),
        (record(0, b"\0\1", kind=4) + record(0, b"\x01") + END, "too big"),
        (GOOD.replace(b"0102", b"0103"), "not an Intel-HEX image"),
        (record(0, b"\x01") * 2 + END, "not an Intel-HEX image"),
        (b"\x7fELF\xff" + END, "not a text file"),
        (b"int main;\n", "not an Intel-HEX image"),
    ],
)
def test_bad_files_are_named(aksen: Board, text: bytes, message: str) -> None:
    with pytest.raises(InvalidImageError, match=message):
        parse_image(text, "a.ihx", aksen)


def test_a_missing_file_and_an_endless_one(aksen: Board, tmp_path: Path) -> None:
    with pytest.raises(InvalidImageError, match="cannot be read"):
        load_image(tmp_path / "none.ihx", aksen)
    huge = tmp_path / "huge.ihx"
    huge.write_bytes(b"0" * (1 << 20) + b"0")
    with pytest.raises(InvalidImageError, match="more than 1 MB"):
        load_image(huge, aksen)


@settings(max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    cut=st.integers(0, len(GOOD)),
    flips=st.lists(st.tuples(st.integers(0, len(GOOD) - 1), st.integers(0, 255)), max_size=4),
    junk=st.binary(max_size=20),
)
def test_fuzzed_files_load_or_end_in_a_sentence(
    aksen: Board, cut: int, flips: list[tuple[int, int]], junk: bytes
) -> None:
    text = bytearray(GOOD)
    for position, value in flips:
        text[position] = value
    try:
        image = parse_image(bytes(text[:cut]) + junk + bytes(text[cut:]), "f.ihx", aksen)
    except InvalidImageError as error:
        assert str(error).startswith("f.ihx")  # noqa: PT017
    else:
        assert 0 < image.used_bytes <= len(image.data) <= 32768
