"""Encoders, servo bank, CAN, version and the process table, on the simulated board."""

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest

from firmware_tools.building.build import BuildResult
from hardware_sims.aksen_board.board import Board
from hardware_sims.aksen_board.can_controller import CanMessage
from hardware_sims.aksen_board.operator_commands import parse_command

pytestmark = pytest.mark.needs_sdcc

START_MS = 50


def do(board: Board, *commands: str) -> None:
    for command in commands:
        parse_command(command, board.facts)(board)


@pytest.fixture
def board(built: Callable[..., BuildResult]) -> Board:
    board = Board(built("extras").image)
    board.run_us(START_MS * 1000)
    return board


def test_the_version_is_the_one_that_the_original_stub_names(board: Board) -> None:
    assert board.lcd.lines[0].rstrip() == "00.970"


def test_encoders_count_falling_edges_since_the_last_call(board: Board) -> None:
    do(board, "dip 8")
    board.run_us(200_000)
    assert board.lcd.lines[1].split() == ["0", "0", "0"]
    do(board, "dip 0", "encoder 0 1000Hz", "encoder 1 37", "encoder 2 25Hz")
    board.run_us(1_000_000)
    do(board, "encoder 0 0", "encoder 2 0", "dip 8")
    board.run_us(110_000)
    first, second, third = map(int, board.lcd.lines[1].split())
    assert (second, third) == (37, 25)
    assert first in (1000, 1001)
    board.run_us(110_000)
    assert board.lcd.lines[1].split()[:3] == ["0", "0", "0"]


def test_the_servo_bank_pulses_while_processes_change(
    board: Board, built: Callable[..., BuildResult]
) -> None:
    image = built("extras").image
    assert image is not None
    answers = symbol(image.with_suffix(".map"), "_bank_answers")
    assert list(board.mcu.xdata[answers : answers + 4]) == [0, 7, 11, 12]
    do(board, "dip 1")
    board.run_us(150_000)
    for _ in range(20):
        board.run_us(20_000)
        pulses = board.devices.servo_bank.pulses_us(board.now_us)
        assert abs(pulses[0] - 1500) <= 30
        assert abs(pulses[7] - 2100) <= 30
        assert pulses[1:7] == [0] * 6
    do(board, "dip 2")
    board.run_us(200_000)
    assert board.devices.servo_bank.pulses_us(board.now_us) == [0] * 8
    assert board.devices.digital_outputs[8:] == (True,) * 8


def test_the_frame_of_the_bank_is_20_ms(board: Board) -> None:
    do(board, "dip 1")
    board.run_us(200_000)
    rises, was_high = [], True
    for _ in range(10_000):
        board.run_us(10)
        is_high = board.devices.digital_outputs[8]
        if is_high and not was_high:
            rises.append(board.now_us)
        was_high = is_high
    frames = [b - a for a, b in pairwise(rises)]
    assert len(frames) >= 3
    assert all(abs(frame - 20_000) < 60 for frame in frames)


def test_can_messages_come_in_and_go_out(board: Board) -> None:
    do(board, "can 1A2B3C48 41 42")
    board.run_us(50_000)
    assert board.lcd.lines[0][8:14] == "411A48"
    (sent,) = board.devices.can.sent
    assert (sent.identifier.hex(), sent.data.hex()) == ("1a2b3c48", "414299")
    assert board.devices.leds[3]


def test_a_frame_that_claims_more_than_eight_bytes_has_eight(board: Board) -> None:
    board.devices.can.receive(CanMessage(bytes.fromhex("1A2B3C48"), bytes(range(0x41, 0x50))))
    board.run_us(50_000)
    assert board.lcd.lines[0][8:14] == "411A48"
    (sent,) = board.devices.can.sent
    assert (sent.identifier.hex(), sent.data) == ("1a2b3c48", b"ABCDEFGH")


def test_programs_see_ticks_and_may_change_them(board: Board) -> None:
    do(board, "dip 4")
    board.run_us(150_000)
    # 9 for the other process, 1: allowed; 6 (5 and the current one) after a change, 255 after hog
    assert board.lcd.lines[0].startswith("916255")


def test_nothing_is_read_that_was_not_written(board: Board) -> None:
    do(board, "dip 13", "can 00000000")
    board.run_us(300_000)
    assert board.mcu.watch_events() == []


def symbol(map_file: Path, name: str) -> int:
    for line in map_file.read_text(encoding="latin-1").splitlines():
        words = line.split()
        if name in words:
            return int(words[words.index(name) - 1], 16)
    raise AssertionError(f"no {name}")
