"""Two processes in the library at once, changed after each instruction of a call."""

import copy
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from firmware_tools.building.build import BuildResult
from hardware_sims.aksen_board.board import Board
from hardware_sims.aksen_board.can_controller import CanMessage
from hardware_sims.mcs51.chip_state import IRCON
from hardware_sims.mcs51.peripherals import TF2

pytestmark = pytest.mark.needs_sdcc

Interleave = Callable[[int, str], Iterator[Board]]


class Symbols:
    """Addresses of a program's names, from its map."""

    def __init__(self, image: Path) -> None:
        self._words = [
            line.split()
            for line in image.with_suffix(".map").read_text(encoding="latin-1").splitlines()
        ]

    def __getitem__(self, name: str) -> int:
        for words in self._words:
            if f"_{name}" in words:
                return int(words[words.index(f"_{name}") - 1], 16)
        raise AssertionError(f"no {name}")


@pytest.fixture
def symbols(built: Callable[..., BuildResult]) -> Symbols:
    image = built("interleaved").image
    assert image is not None
    return Symbols(image)


@pytest.fixture
def interleave(built: Callable[..., BuildResult], symbols: Symbols) -> Interleave:
    """Call a function in the program, and yield a board for each place at which it is interrupted.

    There the slice ends: the other process runs, and both have made their calls 80 ms later.
    """
    image = built("interleaved").image

    def change_process(board: Board) -> None:
        """Let the tick come now, and be the last of the slice."""
        board.mcu.state.internal[symbols["aksen_slice"]] = 1
        board.mcu.state.internal[IRCON] |= TF2

    def boards(mode: int, function: str) -> Iterator[Board]:
        board = Board(image)
        board.devices.dip = mode
        board.run_us(100_000)
        yield board  # to be prepared
        assert board.run_until(pc=symbols["act"], limit_us=2_000_000)
        assert board.run_until(pc=symbols[function], limit_us=10_000)
        stack = board.mcu.register("SP")
        shared = {id(each): each for each in (board.facts, board.facts.rom)}
        places = 0
        while board.mcu.register("SP") >= stack:
            interrupted = copy.deepcopy(board, dict(shared))
            change_process(interrupted)
            interrupted.run_us(80_000)
            yield interrupted
            board.mcu.step()
            places += 1
        assert places > 10

    return boards


def number(board: Board, address: int, size: int = 1) -> int:
    return int.from_bytes(board.mcu.xdata[address : address + size].tobytes(), "little")


def test_of_two_that_kill_a_process_one_does_and_the_others_stay(
    interleave: Interleave, symbols: Symbols
) -> None:
    table, answers, counted = (symbols[name] for name in ("aksen_processes", "answers", "counted"))
    boards = interleave(0, "process_kill")
    next(boards)
    for board in boards:
        ids, running = board.mcu.xdata[table + 40 :], number(board, table + 62)
        assert list(ids[:running]) == [0, 1, 3]
        assert sorted(board.mcu.xdata[answers : answers + 2]) == [0, 255]
        before = number(board, counted)
        board.run_us(20_000)
        assert number(board, counted) != before


def test_a_character_is_not_sent_to_a_busy_display(interleave: Interleave) -> None:
    boards = interleave(1, "lcd_putchar")
    next(boards)
    for board in boards:
        assert board.devices.leds[:2] == (True, True)
        assert board.lcd.ignored_writes == 0


@pytest.mark.parametrize(("mode", "function"), [(2, "akt_time"), (3, "clear_time")])
def test_the_time_is_the_one_before_or_after_it_was_cleared(
    mode: int, function: str, interleave: Interleave, symbols: Symbols
) -> None:
    boards = interleave(mode, function)
    next(boards)
    for board in boards:
        time_ms = number(board, symbols["times"] + 4 * (mode == 3), 4)
        assert time_ms < 100 or 600 <= time_ms < 700


def test_each_byte_is_read_once(interleave: Interleave, symbols: Symbols) -> None:
    boards = interleave(4, "serielle_getchar")
    next(boards).send(b"a")
    for board in boards:
        board.send(b"b")
        board.run_us(20_000)
        answers = symbols["answers"]
        assert sorted(board.mcu.xdata[answers : answers + 2]) == [*b"ab"]


def test_an_output_keeps_its_level_when_the_servo_bank_stops(interleave: Interleave) -> None:
    boards = interleave(5, "servobank_stop")
    next(boards)
    for board in boards:
        assert board.devices.digital_outputs[8:] == (False, *[True] * 7)


def test_the_sender_is_off_or_flashes_at_once(interleave: Interleave) -> None:
    boards = interleave(6, "setze_ir_senden")
    next(boards)
    for board in boards:
        sending = []
        for _ in range(100):
            board.run_us(3000)
            sending.append(board.devices.is_sending_infrared)
        assert sum(sending) == 0 or 45 <= sum(sending) <= 55


def test_a_message_for_each(interleave: Interleave, symbols: Symbols) -> None:
    first, second = (CanMessage(bytes([8 * n] * 4), bytes([n] * 8)) for n in (1, 2))
    boards = interleave(7, "CanEmpfang")
    can = next(boards).devices.can
    can.receive(first)
    can.receive(second)
    size, messages = 13, symbols["messages"]
    for board in boards:
        got = {
            board.mcu.xdata[place : place + size].tobytes() for place in (messages, messages + size)
        }
        assert got == {each.data + b"\x08" + each.identifier for each in (first, second)}


def test_messages_are_sent_whole(interleave: Interleave) -> None:
    boards = interleave(8, "CanSenden")
    next(boards)
    for board in boards:
        sent = {(message.identifier, message.data) for message in board.devices.can.sent}
        assert sent == {(bytes([8 * n & 255] * 4), bytes([n] * 8)) for n in b"ab"}
