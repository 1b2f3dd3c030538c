"""Scripts and orders to the program on the brick, and its register."""

import struct

import pytest

from controller.errors import BrickRefusedError
from controller.rigs.nxt_brick.calibration import Pace
from controller.rigs.nxt_brick.motion import Done, Go, Motion, Motor, Phase, Push, Reach, Rest
from controller.rigs.nxt_brick.player import (
    BRAKE,
    COMMANDS_PER_SCRIPT,
    DROP,
    Fault,
    Status,
    encode_script,
    hello,
    next_sequence,
    scripts_of,
)

LONGEST_MESSAGE = 58  # and a final zero byte


@pytest.mark.parametrize(
    ("motion", "command"),
    [
        (Go(Motor.CRADLE, 0x0102), b"\x00\x02\x01"),
        (Go(Motor.PUSHER, -2), b"\x02\xfe\xff"),
        (Push(Motor.ARM, 60), b"\x04\x3c\x00"),
        (Reach(Motor.CRADLE, 5, upwards=True), b"\x06\x05\x00"),
        (Reach(Motor.PUSHER, 5, upwards=False), b"\x0b\x05\x00"),
        (
            Reach(Motor.ARM, 39, upwards=True, stands_from=31),
            b"\x07\x1f\x00\x16\x27\x00",
        ),
        (Rest(Motor.ARM, 2), b"\x0d\x02\x00"),
        (Go(Motor.ARM, -40, Pace(200, 1875)), b"\x11\x40\x0c\x13\xd8\xff"),
        (Go(Motor.ARM, 0, Pace(800, 19_000)), b"\x11\xff\x7a\x13\x00\x00"),
        (Phase(1), b"\x0f\x01\x00"),
        (Done(), b"\x0f\x00\x00"),
    ],
)
def test_each_command_is_three_bytes(motion: Motion, command: bytes) -> None:
    assert encode_script(7, [motion], (0, 0, 0)) == b"\x07" + command


def test_angles_count_from_home_but_powers_and_tolerances_do_not() -> None:
    home = (1000, -20, 300)
    motions: list[Motion] = [
        Go(Motor.CRADLE, 5),
        Reach(Motor.PUSHER, -1, upwards=True),
        Rest(Motor.CRADLE, 2),
    ]
    commands = struct.pack("<BhBhBh", 0, 1005, 8, 299, 12, 2)
    assert encode_script(1, motions, home) == b"\x01" + commands
    assert encode_script(1, [Push(Motor.ARM, 60)], home) == b"\x01\x04\x3c\x00"


def test_long_choreographies_are_cut_into_messages_that_fit() -> None:
    motions = [Go(Motor.CRADLE, angle) for angle in range(COMMANDS_PER_SCRIPT + 1)]
    parts = scripts_of(motions)
    assert [motion for part in parts for motion in part] == motions
    assert [len(part) for part in parts] == [COMMANDS_PER_SCRIPT, 1]
    assert all(len(encode_script(255, part, (0, 0, 0))) <= LONGEST_MESSAGE for part in parts)


def test_a_pace_and_its_motion_stay_in_one_message() -> None:
    steps = [Go(Motor.CRADLE, angle) for angle in range(COMMANDS_PER_SCRIPT - 1)]
    paced = Go(Motor.ARM, 40, Pace(200, 2000))
    assert scripts_of([*steps, paced]) == [tuple(steps), (paced,)]
    with pytest.raises(ValueError, match="script"):
        encode_script(1, [*steps, paced], (0, 0, 0))


@pytest.mark.parametrize(
    ("sequence", "motion"),
    [(0, Done()), (256, Done()), (1, Go(Motor.CRADLE, 32768)), (1, Go(Motor.CRADLE, -32769))],
)
def test_what_does_not_fit_is_refused(sequence: int, motion: Motion) -> None:
    with pytest.raises(ValueError, match=r"script|fit"):
        encode_script(sequence, [motion], (0, 0, 0))


def test_sequence_numbers_go_round_without_zero() -> None:
    assert [next_sequence(number) for number in (0, 1, 254, 255)] == [1, 2, 255, 1]


def test_orders() -> None:
    assert hello(0x1234, (100, 80, 60)) == b"H\x34\x12\x64\x50\x3c"
    assert (DROP, BRAKE) == (b"D", b"B")


REGISTER = struct.pack("<HBBBBBBBBiiiII", 77, 3, 5, 4, 13, 0, 1, 2, 3, -630, 0, 204, 9000, 9105)


def test_register_is_read_with_the_padding_of_the_telegram() -> None:
    status = Status.decode(REGISTER.ljust(59, b"\0"))
    assert (status.session, status.started, status.finished, status.phase) == (77, 5, 4, 13)
    assert (status.is_idle, status.fault, status.culprit) == (False, Fault.STALLED, 2)
    assert status.orders == 3
    assert (status.counts, status.finished_at, status.tick) == ((-630, 0, 204), 9000, 9105)


@pytest.mark.parametrize("message", [b"", REGISTER[:-1], REGISTER[:2] + b"\x09" + REGISTER[3:]])
def test_register_of_another_program_is_refused(message: bytes) -> None:
    with pytest.raises(BrickRefusedError, match="grey button"):
        Status.decode(message)
