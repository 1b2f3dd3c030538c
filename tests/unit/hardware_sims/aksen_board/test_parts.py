"""The CAN controller, wheels and the servo bank's pulses, each alone."""

import pytest

from hardware_sims.aksen_board.board import Board
from hardware_sims.aksen_board.can_controller import CanController, CanMessage
from hardware_sims.aksen_board.devices import Encoder, ServoBank
from hardware_sims.aksen_board.facts import board_facts
from hardware_sims.aksen_board.operator_commands import parse_command
from hardware_sims.errors import InvalidScenarioError
from tests.oracles.assembler import assemble

MODE, COMMAND, STATUS, FRAME, COUNT = 0, 1, 2, 16, 29
RECEIVED, OVERRUN = 1, 2
MESSAGE = CanMessage(bytes.fromhex("1A2B3C48"), b"12345678")


def operating() -> CanController:
    can = CanController()
    can.write(MODE, 0)
    return can


def test_a_controller_in_reset_hears_nothing() -> None:
    can = CanController()
    can.receive(MESSAGE)
    can.write(MODE, 0)
    assert can.read(STATUS) & RECEIVED == 0


def test_the_fifo_holds_four_long_messages_and_tells_of_an_overrun() -> None:
    can = operating()
    for _ in range(5):
        can.receive(MESSAGE)
    assert (can.read(COUNT), can.read(STATUS) & OVERRUN) == (4, OVERRUN)
    frame = bytes(can.read(FRAME + place) for place in range(13))
    assert frame == b"\x88" + MESSAGE.identifier + MESSAGE.data
    for left in (3, 2, 1, 0):
        can.write(COMMAND, 0x04)
        assert can.read(COUNT) == left
    assert can.read(STATUS) & RECEIVED == 0


def test_a_standard_frame_has_two_bytes_of_identifier() -> None:
    can = operating()
    for place, value in enumerate((0x01, 0xAB, 0xC0, 0x55)):
        can.write(FRAME + place, value)
    can.write(COMMAND, 0x01)
    assert can.sent == [CanMessage(b"\xab\xc0", b"\x55")]


def test_a_wheel_makes_its_ticks_and_stands() -> None:
    wheel = Encoder(rate_hz=500, since_us=100, ticks=2)
    levels = []
    while (due_us := wheel.due_us) is not None:
        wheel.change()
        levels.append((due_us, wheel.is_high))
    assert levels == [(1100, False), (2100, True), (3100, False), (4100, True)]


def test_pulses_are_measured_and_forgotten() -> None:
    bank = ServoBank()
    for levels, at_us in ((0x00, 0), (0x02, 1000), (0x00, 2500)):
        bank.set_levels(levels, at_us)
    assert bank.pulses_us(3000) == [0, 1500, 0, 0, 0, 0, 0, 0]
    assert bank.pulses_us(100_000) == [0] * 8


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("encoder 3 5", "'3' must be a whole number from 0 to 2"),
        ("encoder 0 9000Hz", "a rate up to 5000Hz or a number of ticks"),
        ("encoder 0 xHz", "a rate up to 5000Hz"),
        ("can 1A2B 11", "'1A2B' must be 4 bytes"),
        ("can 1A2B3C48 112233445566778899", "must be up to 8 bytes"),
        ("switch blue", "is no command"),
    ],
)
def test_commands_that_make_no_sense(line: str, complaint: str) -> None:
    with pytest.raises(InvalidScenarioError, match=complaint):
        parse_command(line, board_facts())


def test_the_board_greets_and_blinks_before_a_program() -> None:
    board = Board(assemble("MOV R2,#7\nstop:\nSJMP stop"), is_paced=True)
    assert board.lcd.lines[0].rstrip() == "AKSEN-Board"
    lit = []
    for _ in range(7):
        board.run_us(250_000)
        lit.append(board.devices.leds[0])
    assert lit == [True, False, True, False, True, False, True]
    assert board.mcu.idata[2] == 0
    board.run_us(300_000)
    assert (board.lcd.lines[0].strip(), board.devices.leds[0], board.mcu.idata[2]) == ("", False, 7)


def test_flash_mode_says_that_it_waits_for_a_program() -> None:
    board = Board()
    assert [line.rstrip() for line in board.lcd.lines] == ["Nutzerprogramm", "flashen"]


def test_the_switch_counts_at_the_next_reset() -> None:
    board = Board(assemble("stop:\nSJMP stop"))
    parse_command("switch red", board.facts)(board)
    board.run_us(1000)
    assert board.is_running
    parse_command("reset", board.facts)(board)
    assert not board.is_running
