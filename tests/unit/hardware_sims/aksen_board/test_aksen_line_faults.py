"""Faults of the serial line, and the words that a person types."""

from pathlib import Path

import pytest

from hardware_sims.aksen_board.board import FRAME_BITS, Board
from hardware_sims.aksen_board.facts import board_facts
from hardware_sims.aksen_board.operator_commands import parse_command
from hardware_sims.aksen_board.serial_line import (
    MOST_ON_THE_LINE,
    Direction,
    FaultyLine,
    SerialFaults,
    load_serial_faults,
    received,
)
from hardware_sims.errors import InvalidScenarioError

DATA = bytes(range(256)) * 8


def carry(faults: SerialFaults, direction: Direction = Direction.TO_BOARD) -> bytes:
    line = FaultyLine(faults, direction)
    line.put(DATA, 0)
    return line.take(10**9)


def test_a_line_without_faults_carries_everything() -> None:
    assert carry(SerialFaults()) == DATA


def test_lost_doubled_and_flipped_bytes() -> None:
    assert len(carry(SerialFaults(lose=0.1))) < len(DATA) < len(carry(SerialFaults(double=0.1)))
    flipped = [a ^ b for a, b in zip(DATA, carry(SerialFaults(flip=0.1)), strict=True) if a != b]
    assert flipped
    assert all(difference.bit_count() == 1 for difference in flipped)


def test_faults_can_be_had_again_and_kept_to_one_direction() -> None:
    faults = SerialFaults(seed=3, flip=0.2, direction=Direction.TO_BOARD)
    assert carry(faults) == carry(faults) != DATA
    assert carry(faults, Direction.TO_HOST) == DATA


def test_a_late_byte_holds_up_those_behind_it() -> None:
    line = FaultyLine(SerialFaults(late=1.0, late_ms=50), Direction.TO_BOARD)
    line.put(b"a", 0)
    assert line.take(49_999) == b""
    assert line.take(50_000) == b"a"


def test_garbage_is_lost_instead_of_making_the_board_deaf() -> None:
    board = Board(is_paced=True)
    late = FaultyLine(SerialFaults(late=1.0), Direction.TO_BOARD)
    for _ in range(100):
        board.send(bytes(4096))
        late.put(bytes(4096), 0)
    began_us = board.now_us
    board.let_arrive()
    seconds = (board.now_us - began_us) / 1e6
    assert seconds == pytest.approx(MOST_ON_THE_LINE * FRAME_BITS / board.line_baud, rel=0.01)
    assert len(late.take(10**12)) == MOST_ON_THE_LINE


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("lose = 2", "lose must be at most 1, not 2"),
        ("late_ms = -1", "late_ms must be at least 0, not -1"),
        ('direction = "up"', "direction must be one of both, to_board, to_host, not 'up'"),
        ("loss = 0.1", "unknown key 'loss'. The keys are seed"),
        ("lose = ", "is not TOML"),
    ],
)
def test_a_faults_file_is_checked(text: str, complaint: str, tmp_path: Path) -> None:
    path = tmp_path / "faults.toml"
    path.write_text(text)
    with pytest.raises(InvalidScenarioError, match=complaint):
        load_serial_faults(path)


def test_a_faults_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "faults.toml"
    path.write_text("seed = 4\nlose = 0.01\nreset_after_bytes = 900\n")
    assert load_serial_faults(path) == SerialFaults(seed=4, lose=0.01, reset_after_bytes=900)


@pytest.mark.parametrize("value", range(0, 256, 17))
def test_equal_speeds_hear_what_was_sent(value: int) -> None:
    assert received(value, 624, 625) == (value, True)


def test_double_speed_hears_something_else() -> None:
    assert received(0x55, 624, 312) != (0x55, True)


def test_typed_commands_change_the_board() -> None:
    board = Board()
    for line in (
        "dip 5",
        "in 3 0",
        "ir 1 1",
        "ir 3 125Hz",
        "ir 2 5Hz",
        "ir 2 0",
        "analog 2 5",
        "green",
        "red",
    ):
        parse_command(line, board.facts)(board)
    assert board.devices.dip == 5
    assert board.devices.digital_inputs[3] is False
    rates = [light and light.rate_hz for light in board.devices.infrared]
    assert rates == [None, 0, None, 125]
    assert board.mcu.state.analog[2] == 1023
    assert board.mode == "red"


@pytest.mark.parametrize(
    "line",
    ["dip", "dip 16", "dip ²", "in 16 0", "ir 0 2", "ir 0 0Hz", "ir 4 1", "analog 0 6", "jump"],
)
def test_nonsense_is_refused_with_a_sentence(line: str) -> None:
    with pytest.raises(InvalidScenarioError, match=r"\.$"):
        parse_command(line, board_facts())
