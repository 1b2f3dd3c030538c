"""Sessions against a boot loader that follows a script: every answer, right and wrong."""

from typing import Any

import pytest

from firmware_tools.boards.facts import Board
from firmware_tools.bootloader.block import BlockLoader, data_block, info_block, last_block
from firmware_tools.bootloader.hex_ack import HexAckLoader
from firmware_tools.bootloader.loader import Block, FlashStatus, ImageStatus
from firmware_tools.errors import (
    ImageChecksumError,
    NoAnswerError,
    NoValidImageError,
    TransferError,
)

CHIP_ID = "00 0A 00 00 00 00 00 0A"
ERASE = "00 04 00 00 00 00 00 04"
RUN = "00 03 00 00 00 00 00 03"
OPEN = "00 02 00 00 7E 00 00 7C"
TRIES = 6


def test_connect_repeats_the_test_byte_until_the_loader_answers(script: Any, aksen: Board) -> None:
    script.host("00").host("00").board("55").host(CHIP_ID).board("55 C5 15 0C 01 DD")
    assert BlockLoader(script.link(), aksen).connect() == aksen.loader.chip


def test_connect_gives_up_with_what_to_do(script: Any, aksen: Board) -> None:
    for _ in range(aksen.loader.sync_attempts):
        script.host("00")
    with pytest.raises(NoAnswerError, match="Press reset"):
        BlockLoader(script.link(), aksen).connect()


def test_a_damaged_answer_is_asked_for_again(script: Any, aksen: Board) -> None:
    script.host("00").board("55")
    script.host(CHIP_ID).board("55 C5 15 0C 01 00")  # wrong XOR
    script.host(CHIP_ID).board("55 C5 15")  # cut off
    script.host(CHIP_ID).board("55 C5 15 0C 01 DD")
    loader = BlockLoader(script.link(), aksen)
    assert loader.connect() == aksen.loader.chip
    assert (loader.counters.refused, loader.counters.silent) == (2, 0)


def test_a_repeated_block_goes_out_behind_a_header_with_its_own_address(
    script: Any, aksen: Board
) -> None:
    first, second = Block(0, bytes(124), opens=True), Block(124, b"\x01\x02")
    script.host(OPEN).board("55").host(data_block(first.data)).board("55")
    script.host(last_block(second.data, 126))  # no answer
    script.host("00 02 00 7C 7E 00 00 00").board("55")
    script.host(last_block(second.data, 126)).board("FE")
    script.host("00 02 00 7C 7E 00 00 00").board("55")
    script.host(last_block(second.data, 126)).board("55")
    loader = BlockLoader(script.link(), aksen)
    assert list(loader.program([first, second])) == [first, second]
    assert (loader.counters.silent, loader.counters.refused) == (1, 1)


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ("FF", "did not understand"),
        ("FE", "checksum was wrong"),
        ("FD", "outside the flash"),
        ("FC", "did not take the bytes"),
        ("77", "77h has no meaning"),
    ],
)
def test_a_block_refused_too_often_ends_the_job(
    script: Any, aksen: Board, answer: str, message: str
) -> None:
    for _ in range(TRIES):
        script.host(OPEN).board(answer)
    loader = BlockLoader(script.link(), aksen)
    with pytest.raises(TransferError, match=rf"The block for 0000h failed 6 times: .*{message}"):
        list(loader.program([Block(0, b"\x01", opens=True)]))
    assert loader.counters.repeated == TRIES


def test_silence_in_the_middle_ends_in_no_answer(script: Any, aksen: Board) -> None:
    for _ in range(TRIES):
        script.host(ERASE)
    with pytest.raises(NoAnswerError, match="erasing in 6 attempts"):
        BlockLoader(script.link(), aksen).erase()


def test_the_seal_carries_length_and_checksum(script: Any, aksen: Board) -> None:
    script.host("00 05 00 00 0E 00 00 0B").board("55")
    script.host(data_block(info_block(127, 0xC3C2C1C0))).board("55")
    BlockLoader(script.link(), aksen).seal(127, 0xC3C2C1C0)


def test_a_seal_that_the_loader_refuses(script: Any, aksen: Board) -> None:
    for _ in range(TRIES):
        script.host("00 05 00 00 0E 00 00 0B").board("55")
        script.host(data_block(info_block(127, 1))).board("FB")
    with pytest.raises(ImageChecksumError):
        BlockLoader(script.link(), aksen).seal(127, 1)


def test_running_nothing(script: Any, aksen: Board) -> None:
    for _ in range(TRIES):
        script.host(RUN).board("FB")
    with pytest.raises(NoValidImageError):
        BlockLoader(script.link(), aksen).run()


def test_status(script: Any, aksen: Board) -> None:
    script.host("00 C0 00 00 00 00 00 C0").board("55 02 00 00 7F FF 01 02 03 04 86")
    status = BlockLoader(script.link(), aksen).status()
    assert status == FlashStatus(ImageStatus.VALID, 0x7FFF, 0x01020304)


def test_a_status_without_meaning(script: Any, aksen: Board) -> None:
    script.host("00 C0 00 00 00 00 00 C0").board("55 09 00 00 00 00 00 00 00 00 09")
    with pytest.raises(TransferError, match="09h has no meaning"):
        BlockLoader(script.link(), aksen).status()


def test_hex_ack_session(script: Any, aksen: Board) -> None:
    script.host(b":00000027D9\n").board(b"0:04000027C5150C01EE\n")
    script.host(b":00000023DD\n").board(b"0")
    script.host(b":020000000102FB\n").board(b"2").host(b":020000000102FB\n").board(b"0")
    script.host(b":060000260002DEADBEEF9A\n").board(b"0")
    script.host(b":00000001FF\n").board(b"0")
    loader = HexAckLoader(script.link(), aksen)
    assert loader.connect() == aksen.loader.chip
    loader.erase()
    assert len(list(loader.program([Block(0, b"\x01\x02", opens=True)]))) == 1
    loader.seal(2, 0xDEADBEEF)
    loader.run()
    assert loader.counters.refused == 1


def test_hex_ack_reads_back_over_several_records(script: Any, aksen: Board) -> None:
    script.host(b":020010250022A7\n").board(b"0")
    script.board(b":20001000" + b"AA" * 32 + b"90\n").board(b":02003000BBBB58\n")
    script.board(b":00000001FF\n")
    data = HexAckLoader(script.link(), aksen).read(0x10, 0x22)
    assert data == b"\xaa" * 32 + b"\xbb" * 2


@pytest.mark.parametrize(
    "answer", [b"0:04000027C5150C01EF\n", b"0:04000027", b"0" + b"A" * 90, b"4"]
)
def test_hex_ack_damaged_answers_end_in_an_error(script: Any, aksen: Board, answer: bytes) -> None:
    for _ in range(TRIES):
        script.host(b":00000027D9\n").board(answer)
    with pytest.raises(TransferError):
        HexAckLoader(script.link(), aksen).connect()
