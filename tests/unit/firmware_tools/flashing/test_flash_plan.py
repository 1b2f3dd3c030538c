"""What a plan promises: blocks that cover the image, gaps left out, time on the line."""

from dataclasses import replace

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from firmware_tools.boards.facts import Board
from firmware_tools.bootloader import PROTOCOLS, protocol_for
from firmware_tools.errors import InvalidBoardFactsError, InvalidImageError
from firmware_tools.flashing import Image, plan_flash, runs

pieces = st.one_of(st.binary(min_size=1, max_size=200), st.just(b"\xff" * 300))


def image(data: bytes) -> Image:
    return Image("test.ihx", data, len(data))


@pytest.mark.parametrize("name", PROTOCOLS)
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.lists(pieces, min_size=1, max_size=8).map(b"".join))
def test_programming_the_blocks_onto_erased_flash_gives_the_image(
    aksen: Board, name: str, data: bytes
) -> None:
    plan = plan_flash(image(data), aksen, PROTOCOLS[name])
    flash = bytearray(b"\xff" * len(data))
    expected_next = None
    for block in plan.blocks:
        assert block.opens == (block.address != expected_next)
        flash[block.address : block.address + len(block.data)] = block.data
        expected_next = block.address + len(block.data)
    assert bytes(flash) == data
    assert plan.programmed_bytes <= len(data)


def test_a_long_gap_is_left_out_and_a_short_one_is_sent() -> None:
    assert runs(b"\x01" + b"\xff" * 15 + b"\x02" + b"\xff" * 16 + b"\x03") == [(0, 17), (33, 34)]


def test_a_full_image_takes_about_thirty_five_seconds(aksen: Board) -> None:
    plan = plan_flash(image(bytes(32768)), aksen, PROTOCOLS["block"])
    assert len(plan.blocks) == 265
    assert plan.estimated_s == pytest.approx((265 * 127 + 9) * 10 / 9600)


def test_hex_records_take_more_than_twice_as_long(aksen: Board) -> None:
    block, hex_ack = (
        plan_flash(image(bytes(32768)), aksen, PROTOCOLS[name]).estimated_s
        for name in ("block", "hex-ack")
    )
    assert 2 < hex_ack / block < 2.5


def test_unknown_protocol(aksen: Board) -> None:
    with pytest.raises(InvalidBoardFactsError, match="Known: block, hex-ack"):
        protocol_for(aksen, "native")


def test_a_board_whose_loader_nobody_speaks(aksen: Board) -> None:
    strange = replace(aksen, loader=msgspec.structs.replace(aksen.loader, protocol="smoke"))
    with pytest.raises(InvalidBoardFactsError, match=r"AKSEN board names .* no protocol 'smoke'"):
        protocol_for(strange)
    assert protocol_for(strange, "block") is PROTOCOLS["block"]
    assert protocol_for(aksen).name == "block"


def test_an_image_longer_than_the_protocols_can_carry(aksen: Board) -> None:
    plan_flash(image(bytes(0xFFFF)), aksen, PROTOCOLS["block"])
    with pytest.raises(InvalidImageError, match="takes at most 65535"):
        plan_flash(image(bytes(0x10000)), aksen, PROTOCOLS["block"])
