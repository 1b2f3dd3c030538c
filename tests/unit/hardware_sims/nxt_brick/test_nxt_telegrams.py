"""Telegrams as bytes, and a brick that survives whatever it is sent."""

import struct

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardware_sims.clock import VirtualClock
from hardware_sims.nxt_brick.brick import LineCutError, SimulatedBrick
from hardware_sims.nxt_brick.commands import DirectCommands, SystemCommands
from hardware_sims.nxt_brick.server import BareStream, LengthPrefix
from hardware_sims.nxt_brick.telegrams import (
    COMMANDS,
    DIRECT_COMMANDS,
    SYSTEM_COMMANDS,
    split_stream,
)
from hardware_sims.nxt_firmware.io_maps import MODULES, Module
from hardware_sims.rigs.cradle.rig import CubeRig

TONE = bytes.fromhex("80 03 b8 01 0a 00")
RUN_A = bytes.fromhex("80 04 00 4b 05 01 00 20 00 00 00 00")
BATTERY = bytes.fromhex("00 0b")


@pytest.fixture
def brick() -> SimulatedBrick:
    return SimulatedBrick(VirtualClock())


def test_every_command_in_the_table_has_its_method() -> None:
    assert all(hasattr(DirectCommands, command.name) for command in DIRECT_COMMANDS)
    assert all(hasattr(SystemCommands, command.name) for command in SYSTEM_COMMANDS)
    assert len(COMMANDS) == len(DIRECT_COMMANDS) + len(SYSTEM_COMMANDS)


@pytest.mark.parametrize(
    ("request_hex", "reply_hex"),
    [
        ("00 0b", "02 0b 00 40 1f"),
        ("00 0d", "02 0d 00 c0 27 09 00"),
        ("01 88", "02 88 00 7c 01 1f 01"),
        ("00 06 00", "02 06 00" + " 00" * 22),
        ("00 06 03", "02 06 c0" + " 00" * 22),
        ("00 06", "02 06 00" + " 00" * 22),
        ("00 0e 00", "02 0e e0 00"),
        ("00 0e 04", "02 0e c0"),
        ("00 10 00", "02 10 e0" + " 00" * 17),
        ("00 11", "02 11 ec" + " 00" * 20),
        ("00 ff", "02 ff be"),
        ("01 84 05", "02 84 88 05"),
        ("00 00 61 2e 72 78 65" + " 00" * 15, "02 00 c0"),
    ],
)
def test_replies_byte_for_byte(brick: SimulatedBrick, request_hex: str, reply_hex: str) -> None:
    assert brick.handle(bytes.fromhex(request_hex)) == bytes.fromhex(reply_hex)


def test_device_info_is_as_long_as_a_real_ones(brick: SimulatedBrick) -> None:
    reply = brick.handle(b"\x01\x9b")
    assert reply is not None
    assert len(reply) == 33
    assert reply[3:7] == b"NXT\0"


@pytest.mark.parametrize("telegram", ["", "00", "02 06 00", "05 0b", "98", "80 03 b8 01 0a 00"])
def test_some_telegrams_have_no_reply(brick: SimulatedBrick, telegram: str) -> None:
    assert brick.handle(bytes.fromhex(telegram)) is None


def test_a_reply_takes_longer_than_none(brick: SimulatedBrick) -> None:
    brick.handle(TONE)
    assert brick.clock.now() == pytest.approx(0.001)
    brick.handle(BATTERY)
    assert brick.clock.now() == pytest.approx(0.004)


@given(
    st.lists(st.sampled_from([TONE, RUN_A]), max_size=20),
    st.integers(1, 40),
)
def test_a_stream_is_cut_where_the_telegrams_end(sent: list[bytes], chunk: int) -> None:
    stream = b"".join([*sent, BATTERY])
    framing = BareStream()
    received = []
    for start in range(0, len(stream), chunk):
        received += framing.feed(stream[start : start + chunk])
    assert received == [*sent, BATTERY]


def test_message_and_bus_telegrams_tell_their_own_length() -> None:
    message = bytes.fromhex("80 09 01 03 61 62 00")
    bus = bytes.fromhex("80 0f 00 02 08 02 00")
    write = bytes.fromhex("01 83 00") + b"data of any length"
    assert split_stream(message + bus + write) == ([message, bus, write], b"")


def test_a_short_telegram_that_waits_for_its_reply_is_complete() -> None:
    unpadded = b"\x01\x80a.txt\0"
    assert BareStream().feed(TONE + unpadded) == [TONE, unpadded]
    assert BareStream().feed(TONE[:4]) == []


def test_greetings_stand_between_telegrams() -> None:
    framing = BareStream()
    assert framing.feed(b"\x98" + BATTERY) == [b"\x98", BATTERY]
    assert framing.feed(TONE + b"\x99") == [TONE, b"\x99"]


@given(st.lists(st.binary(min_size=1, max_size=64), max_size=10), st.integers(1, 30))
def test_length_prefixes_are_undone(sent: list[bytes], chunk: int) -> None:
    framing = LengthPrefix()
    stream = b"".join(struct.pack("<H", len(telegram)) + telegram for telegram in sent)
    received = []
    for start in range(0, len(stream), chunk):
        received += framing.feed(stream[start : start + chunk])
    assert received == sent


def telegrams() -> st.SearchStrategy[bytes]:
    """Anything, and things that begin like something known."""
    known = st.builds(
        lambda key, flag, rest: bytes((key[0] | flag, key[1])) + rest,
        st.sampled_from(sorted(COMMANDS)),
        st.sampled_from([0x00, 0x80]),
        st.binary(max_size=62),
    )
    return known | st.binary(max_size=64)


@settings(deadline=None, max_examples=150)
@given(st.lists(st.tuples(telegrams(), st.floats(0, 0.3)), max_size=20))
def test_no_stream_of_telegrams_breaks_the_brick(
    stream: list[tuple[bytes, float]],
) -> None:
    clock = VirtualClock()
    brick = SimulatedBrick(clock, CubeRig())
    for telegram, pause_s in stream:
        clock.sleep(pause_s)
        try:
            reply = brick.handle(telegram)
        except LineCutError:
            assert brick.is_off
            continue
        if reply is not None:
            assert reply[:2] == bytes((0x02, telegram[1]))
            assert len(reply) <= 64 or telegram[1] == 0x82
    clock.sleep(3.0)  # a program that was started may end by now
    for port in range(3):
        if not brick.is_off:
            assert len(brick.handle(bytes((0, 6, port))) or b"") == 25


@settings(deadline=None, max_examples=100)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(MODULES), st.integers(0, 2000), st.binary(min_size=1, max_size=40)
        ),
        min_size=1,
        max_size=15,
    )
)
def test_no_bytes_in_the_io_maps_break_the_brick(
    writes: list[tuple[Module, int, bytes]],
) -> None:
    clock = VirtualClock()
    brick = SimulatedBrick(clock)
    for module, place, data in writes:
        offset = place % module.map_type.itemsize
        request = struct.pack("<BBIHH", 1, 0x95, module.identifier, offset, len(data)) + data
        try:
            assert brick.handle(request) is not None
        except LineCutError:
            assert brick.is_off
        clock.sleep(0.05)
        brick.advance()
    for telegram in ("00 06 00", "00 07 00", "00 0e 00", "00 10 00", "01 a1 00", "00 11"):
        if not brick.is_off:
            assert brick.handle(bytes.fromhex(telegram)) is not None


@given(st.binary(max_size=300))
def test_no_bytes_break_the_framing(data: bytes) -> None:
    for framing in (BareStream(), LengthPrefix()):
        assert len(b"".join(framing.feed(data))) <= len(data)
