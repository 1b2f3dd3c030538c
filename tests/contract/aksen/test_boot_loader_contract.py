"""What docs/bootloader.md promises, asked of a board byte by byte and through both protocols."""

import random
import zlib

import pytest

from firmware_tools.boards.facts import Board
from firmware_tools.bootloader import PROTOCOLS
from firmware_tools.bootloader.loader import FlashStatus, ImageStatus, Loader, LoaderProtocol
from firmware_tools.errors import (
    ImageChecksumError,
    NoValidImageError,
    TransferError,
    VerifyMismatchError,
)
from firmware_tools.flashing import Flasher, Image, plan_flash
from firmware_tools.line.byte_link import ByteLink
from solvers.foundation.progress import run_job

DATA = random.Random(51).randbytes(300)
SILENCE_S = 0.2  # twice the time after which the loader gives up a frame


@pytest.fixture(params=PROTOCOLS)
def protocol(request: pytest.FixtureRequest) -> LoaderProtocol:
    return PROTOCOLS[request.param]


@pytest.fixture
def loader(protocol: LoaderProtocol, line: ByteLink, aksen: Board) -> Loader:
    """A session with an erased board."""
    opened = protocol.open(line, aksen)
    opened.connect()
    opened.erase()
    return opened


def image(data: bytes) -> Image:
    return Image("contract.ihx", data, len(data))


def program(loader: Loader, protocol: LoaderProtocol, aksen: Board, data: bytes) -> None:
    for _ in loader.program(list(plan_flash(image(data), aksen, protocol).blocks)):
        pass


def test_it_says_which_chip_it_is(protocol: LoaderProtocol, line: ByteLink, aksen: Board) -> None:
    assert protocol.open(line, aksen).connect() == aksen.loader.chip


def test_an_erased_board_is_empty(loader: Loader) -> None:
    assert loader.status() == FlashStatus(ImageStatus.EMPTY)
    assert loader.read(0x7FF0, 16) == b"\xff" * 16
    assert loader.crc32(0, 0x8000) == zlib.crc32(b"\xff" * 0x8000)


def test_a_sealed_image_is_valid(loader: Loader, protocol: LoaderProtocol, aksen: Board) -> None:
    program(loader, protocol, aksen, DATA)
    loader.seal(len(DATA), zlib.crc32(DATA))
    assert loader.status() == FlashStatus(ImageStatus.VALID, len(DATA), zlib.crc32(DATA))
    assert loader.read(100, 128) == DATA[100:228]
    assert loader.crc32(7, 200) == zlib.crc32(DATA[7:207])
    assert loader.counters.repeated == 0


def test_an_unsealed_image_is_incomplete_and_does_not_run(
    loader: Loader, protocol: LoaderProtocol, aksen: Board
) -> None:
    program(loader, protocol, aksen, DATA)
    assert loader.status() == FlashStatus(ImageStatus.INCOMPLETE)
    with pytest.raises(NoValidImageError):
        loader.run()


def test_a_wrong_seal_is_refused(loader: Loader, protocol: LoaderProtocol, aksen: Board) -> None:
    program(loader, protocol, aksen, DATA)
    with pytest.raises(ImageChecksumError):
        loader.seal(len(DATA), zlib.crc32(DATA) ^ 1)
    assert loader.status().image is ImageStatus.INCOMPLETE


def test_programming_takes_the_mark_off_a_valid_image(
    loader: Loader, protocol: LoaderProtocol, aksen: Board
) -> None:
    program(loader, protocol, aksen, DATA)
    loader.seal(len(DATA), zlib.crc32(DATA))
    program(loader, protocol, aksen, DATA)  # the same bytes: allowed
    assert loader.status().image is ImageStatus.INCOMPLETE
    assert loader.crc32(0, len(DATA)) == zlib.crc32(DATA)


def test_bits_cannot_be_set_without_erasing(
    loader: Loader, protocol: LoaderProtocol, aksen: Board
) -> None:
    program(loader, protocol, aksen, b"\x00")
    with pytest.raises(TransferError, match="did not take the bytes"):
        program(loader, protocol, aksen, b"\x01")


@pytest.mark.parametrize(("address", "length"), [(0x7FFF, 2), (0x8000, 1)])
def test_outside_the_flash_there_is_nothing(loader: Loader, address: int, length: int) -> None:
    with pytest.raises(TransferError, match="outside the flash"):
        loader.read(address, length)
    with pytest.raises(TransferError, match="outside the flash"):
        loader.crc32(address, length)


def test_verification_names_the_first_difference(
    line: ByteLink, protocol: LoaderProtocol, aksen: Board
) -> None:
    flasher = Flasher(line, aksen, protocol)
    run_job(flasher.flash(plan_flash(image(DATA), aksen, protocol)))
    other = bytearray(DATA)
    other[217] ^= 0x10
    other[299] ^= 0x01
    with pytest.raises(VerifyMismatchError) as caught:
        run_job(flasher.verify(image(bytes(other))))
    assert caught.value.address == 217


@pytest.mark.parametrize(
    ("frame", "answer"),
    [
        ("00", "55"),  # the test byte
        ("00 0A 00 00 00 00 00 0B", "FE"),  # wrong checksum
        ("00 0B 00 00 00 00 00 0B", "FF"),  # no such mode
        ("00 02 80 00 7E 00 00 FC", "FD"),  # outside the flash
        ("00 02 00 00 04 00 00 06", "FF"),  # BlockLength too small
        ("00 02 00 00 7F 00 00 7D", "FF"),  # and too big
        ("00 0A 00", "FF"),  # given up
        ("00 00", "FF"),  # two bytes are no test byte
        ("01 41 40", "FF"),  # DATA without a transfer
        ("02 00 02", "FF"),
        ("7F 00 01 02 03", "FF"),
        ("0D 0A 0A", ""),  # ends of lines are ignored
    ],
)
def test_frames_by_the_byte(line: ByteLink, frame: str, answer: str) -> None:
    line.discard_input()
    line.write(bytes.fromhex(frame))
    assert line.read(3, SILENCE_S + 0.2) == bytes.fromhex(answer)


@pytest.mark.parametrize(
    ("record", "answer"),
    [
        (b":00000027D8\n", b"2"),
        (b":0000002", b"1"),
        (b":hello\n", b"1"),
        (b":00000099", b"1"),
        (b":0000009967\n", b"4"),
        (b":0180000000" + b"7F\n", b"3"),
        (b":21000000" + b"00" * 33 + b"DF\n", b"5"),
        (b":00000027d9\r\n", b"0:04000027C5150C01EE\n"),
    ],
)
def test_records_by_the_byte(line: ByteLink, record: bytes, answer: bytes) -> None:
    line.discard_input()
    line.write(record)
    assert line.read(len(answer) + 2, SILENCE_S + 0.3) == answer


def test_a_late_block_starts_where_the_header_says(line: ByteLink, loader: Loader) -> None:
    """After a lost answer the host starts again at the block's own address."""
    del loader
    header, block = "00 02 01 00 05 00 00 06", "02 02 AA BB 11"
    for frame in (header, header, block):
        line.write(bytes.fromhex(frame))
        assert line.read(1, 1.0) == b"\x55"
    line.write(bytes.fromhex("00 C2 01 00 02 00 00 C1"))
    assert line.read(4, 1.0) == bytes.fromhex("55 AA BB 11")


@pytest.mark.parametrize("seed", range(20))
def test_noise_neither_stops_the_loader_nor_makes_an_image_valid(
    line: ByteLink, aksen: Board, seed: int
) -> None:
    noise = random.Random(seed)
    for _ in range(10):
        first = noise.choice([b"\0", b"\x01", b"\x02", b":", b""])
        line.write(first + noise.randbytes(noise.randrange(1, 140)))
        line.read(200, SILENCE_S + 0.2)
    for protocol in PROTOCOLS.values():
        assert protocol.open(line, aksen).connect() == aksen.loader.chip
