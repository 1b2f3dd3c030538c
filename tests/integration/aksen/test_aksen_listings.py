"""Programs that do what the handbook's listings do (3.1 to 3.19), on the simulated board."""

import itertools
from collections.abc import Callable

import pytest

from firmware_tools.building.build import BuildResult
from hardware_sims.aksen_board.board import Board
from hardware_sims.aksen_board.operator_commands import parse_command

pytestmark = pytest.mark.needs_sdcc

Start = Callable[..., Board]


@pytest.fixture
def listing(built: Callable[..., BuildResult]) -> Start:
    """Start the behaviour of a listing, by its place in `listings.c`."""

    def start(number: int) -> Board:
        board = Board(built("listings").image)
        board.devices.dip = number
        return board

    return start


def run_ms(board: Board, milliseconds: int) -> None:
    board.run_us(1000 * milliseconds)


def do(board: Board, *commands: str) -> None:
    for command in commands:
        parse_command(command, board.facts)(board)


def text(board: Board) -> list[str]:
    return [line.rstrip() for line in board.lcd.lines]


def test_3_1_one_text_on_an_empty_display(listing: Start) -> None:
    board = listing(0)
    run_ms(board, 100)
    assert text(board) == ["Hello", ""]


def test_3_2_an_input_is_shown_for_ever(listing: Start) -> None:
    board = listing(1)
    for level in (1, 0, 1):
        do(board, f"in 0 {level}")
        run_ms(board, 50)
        assert text(board)[0] == str(level)


def test_3_3_an_output_toggles_as_fast_as_the_loop(listing: Start) -> None:
    board = listing(2)
    run_ms(board, 50)
    levels = []
    for _ in range(200):
        board.run_us(7)
        levels.append(board.devices.digital_outputs[0])
    assert 10 < levels.count(True) < 190


def test_3_4_old_digits_stay(listing: Start) -> None:
    board = listing(3)
    do(board, "analog 0 5")
    run_ms(board, 50)
    assert text(board)[0] == "255"
    do(board, "analog 0 0.14")
    run_ms(board, 50)
    assert text(board)[0] == "755"


def test_3_5_a_light_runs_to_and_fro(listing: Start) -> None:
    board = listing(4)
    run_ms(board, 100)
    lit = []
    for _ in range(8):
        lit.append([n for n, is_lit in enumerate(board.devices.leds) if is_lit])
        run_ms(board, 200)
    assert lit == [[0], [1], [2], [3], [2], [1], [0], [1]]


def test_3_6_the_carrier_for_two_seconds(listing: Start) -> None:
    board = listing(5)
    seen = []
    for _ in range(4):
        run_ms(board, 1000)
        seen.append((board.devices.is_sending_infrared, text(board)))
        run_ms(board, 1000)
    on, off = (True, ["on", "on"]), (False, ["off", "off"])
    assert seen == [on, off, on, off]


def test_3_7_sending_goes_on_beside_the_program(listing: Start) -> None:
    board = listing(6)
    run_ms(board, 100)
    sending = []
    for _ in range(400):
        run_ms(board, 1)
        sending.append(board.devices.is_sending_infrared)
    assert sum(a != b for a, b in itertools.pairwise(sending)) in (99, 100, 101)
    assert int(text(board)[0]) > 100


def test_3_8_light_is_counted_up_to_255(listing: Start) -> None:
    board = listing(7)
    run_ms(board, 300)
    assert text(board)[0] == "0"
    do(board, "ir 0 125Hz")
    run_ms(board, 2500)
    assert text(board)[0] == "255"
    do(board, "ir 0 0")
    run_ms(board, 500)
    assert text(board)[0] == "0"


@pytest.mark.parametrize("rate", ["100Hz", "166.7Hz", "83.3Hz", "250Hz", "62.5Hz"])
def test_3_8_light_of_another_rate_does_not_count(rate: str, listing: Start) -> None:
    board = listing(7)
    do(board, f"ir 0 {rate}")
    for _ in range(10):
        run_ms(board, 200)
        assert int(text(board)[0] or 0) <= 1


def test_3_9_motors_one_after_another_in_both_directions(listing: Start) -> None:
    board = listing(8)
    run_ms(board, 100)
    for direction in range(2):
        for motor in range(4):
            powers = []
            for _ in range(21):
                powers.append(board.devices.motors[motor].power)
                run_ms(board, 200)
            assert powers == [*range(11), *range(9, -1, -1)]
            assert board.devices.motors[motor].direction == direction


def test_3_10_a_stepper_takes_four_states(listing: Start) -> None:
    board = listing(9)
    run_ms(board, 50)
    states: list[tuple[int, int]] = []
    for _ in range(200):
        board.run_us(500)
        first_motor, second_motor = board.devices.motors[:2]
        now = (first_motor.direction, second_motor.direction)
        if first_motor.power == 10 and (not states or states[-1] != now):
            states.append(now)
    cycle = [(1, 1), (0, 1), (0, 0), (1, 0)]
    first = cycle.index(states[0])
    assert len(states) > 20
    assert states == [cycle[(first + n) % 4] for n in range(len(states))]


def test_3_11_servos_sweep_up_and_down(listing: Start) -> None:
    board = listing(10)
    widths = []
    for _ in range(220):
        run_ms(board, 5)
        widths.append(board.devices.servos_us[2])
    assert (max(widths), min(widths[20:])) == (1500, 600)
    peak = widths.index(1500)
    assert widths[:peak] == sorted(widths[:peak])
    assert widths[peak + 3 : 180] == sorted(widths[peak + 3 : 180], reverse=True)
    assert board.devices.servos_us[0] == board.devices.servos_us[1]


def test_3_12_edges_of_an_encoder_a_second(listing: Start) -> None:
    board = listing(11)
    do(board, "encoder 0 440Hz")
    run_ms(board, 2500)
    assert abs(int(text(board)[0]) - 440) <= 1


def test_3_13_can_messages_are_shown_in_hexadecimal(listing: Start) -> None:
    board = listing(12)
    run_ms(board, 50)
    do(board, "can 12345678 AB 01")
    run_ms(board, 20)
    assert text(board) == ["AB", "12345678"]
    do(board, "can 00000008 07")
    run_ms(board, 20)
    assert text(board) == ["07", "00000008"]


def test_3_14_two_texts_take_turns_below_a_title(listing: Start) -> None:
    board = listing(13)
    run_ms(board, 500)
    seen = []
    for _ in range(4):
        seen.append(text(board))
        run_ms(board, 1000)
    first, second = ["Title", "first"], ["Title", "second"]
    assert seen == [first, second, first, second]


def test_3_15_a_character_is_waited_for(listing: Start) -> None:
    board = listing(14)
    run_ms(board, 100)
    assert board.take_serial() == b"Press a key\n"
    run_ms(board, 3000)
    assert text(board)[0] == ""
    board.send(b"k")
    run_ms(board, 50)
    assert text(board)[0] == "k"


def test_3_16_the_program_goes_and_its_processes_stay(listing: Start) -> None:
    board = listing(15)
    run_ms(board, 400)
    assert text(board)[0].split()[:2] == ["1", "2"]
    assert text(board)[1] == "2"
    blinked, counts, sent = set(), set(), set()
    for _ in range(700):
        run_ms(board, 5)
        blinked.add(board.devices.leds[0])
        sent.add(board.devices.is_sending_infrared)
        counts.add(text(board)[1])
    assert blinked == sent == {True, False}
    assert counts == {"2", "3"}
    assert board.mcu.watch_events() == []


@pytest.mark.parametrize(("switches", "is_clean"), [(0, False), (1, True)])
def test_3_17_to_3_19_many_blinkers_and_a_cursor(
    switches: int, is_clean: bool, built: Callable[..., BuildResult]
) -> None:
    board = Board(built("blinkers").image)
    board.devices.dip = switches
    places = {(n & 1, n >> 1): chr(ord("a") + n) for n in [*range(13)]}
    strange, seen = 0, set()
    for _ in range(400):
        run_ms(board, 5)
        for row, line in enumerate(board.lcd.lines):
            for column, letter in enumerate(line):
                if letter not in " .":
                    seen.add(letter)
                    strange += places.get((row, column)) != letter
    assert (strange == 0) == is_clean
    if is_clean:
        assert seen == set("bcdefghijklm")
