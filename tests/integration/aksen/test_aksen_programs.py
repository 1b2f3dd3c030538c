"""Programs of the published kind on the simulated board: they show what they should."""

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest

from firmware_tools.boards.facts import Board as AksenBoard
from firmware_tools.building.build import BuildResult, build
from firmware_tools.building.program import find_program
from hardware_sims.aksen_board.board import Board
from hardware_sims.aksen_board.operator_commands import parse_command

pytestmark = pytest.mark.needs_sdcc

Start = Callable[..., Board]


@pytest.fixture
def start(built: Callable[..., BuildResult]) -> Start:
    """Put a program into a simulated board's flash and start it."""

    def on_board(*names: str) -> Board:
        image = built(*names).image
        assert image is not None
        return Board(image=image)

    return on_board


def run_ms(board: Board, duration_ms: int) -> None:
    board.run_us(duration_ms * 1000)


def set_level(board: Board, number: int, level: int) -> None:
    """Put on an input the voltage that analog() reads as `level`: the middle of its four steps."""
    board.devices.set_analog(number, 5.0 * (4 * level + 1.5) / 1023)


def type_command(board: Board, line: str) -> None:
    parse_command(line, board.facts)(board)


def is_sending(board: Board) -> bool:
    return board.devices.is_sending_infrared


def lines(board: Board) -> list[str]:
    return [line.rstrip() for line in board.lcd.lines]


def test_sliding_tiles_are_solved_in_big_arrays(start: Start) -> None:
    board = start("slider")
    run_ms(board, 1000)
    assert lines(board) == ["Found: 4 steps", "uldr"]
    assert board.take_serial() == b"uldr\r\n"
    assert board.devices.leds == (True, False, False, False)


def test_processes_share_the_processor(start: Start) -> None:
    board = start("tasks")
    run_ms(board, 1500)
    assert lines(board) == ["tasks 1", "killed 50 deep"]


@pytest.mark.parametrize(
    ("left", "right", "word", "powers"),
    [
        (200, 200, "straight", (10, 10)),
        (200, 50, "left", (3, 9)),
        (50, 200, "right", (9, 3)),
        (50, 50, "lost", (0, 0)),
    ],
)
def test_line_follower(
    start: Start, left: int, right: int, word: str, powers: tuple[int, int]
) -> None:
    board = start("line_follower")
    set_level(board, 0, left)
    set_level(board, 8, right)
    run_ms(board, 1000)
    assert lines(board) == ["Line follower", word]
    assert tuple(motor.power for motor in board.devices.motors[:2]) == powers
    assert all(motor.direction for motor in board.devices.motors[:2])
    run_ms(board, 1100)
    assert [motor.power for motor in board.devices.motors] == [0, 0, 0, 0]
    assert lines(board)[1].endswith(("95", "96", "97", "98"))


def test_a_beacon_is_seen_and_lost(start: Start) -> None:
    board = start("beacon")
    run_ms(board, 200)
    assert lines(board)[0] == "wait"
    type_command(board, "ir 0 125Hz")
    run_ms(board, 100)
    assert lines(board)[0] == "beacon 10"
    assert board.devices.leds[2]
    type_command(board, "ir 0 0")
    run_ms(board, 50)
    assert lines(board)[1] == "lost 0"


@pytest.mark.parametrize(
    ("light", "is_seen"),
    [
        ("125Hz", True),
        ("100Hz", False),
        ("166Hz", False),
        ("62.5Hz", False),
        ("250Hz", False),
        ("1", False),
    ],
)
def test_half_a_period_of_4_ms_is_125_hz_and_no_other(
    start: Start, light: str, is_seen: bool
) -> None:
    board = start("beacon")
    type_command(board, f"ir 0 {light}")
    run_ms(board, 1000)
    assert (lines(board)[0] == "beacon 10") == is_seen


def test_a_program_that_ends_says_so(tmp_path: Path, aksen: AksenBoard) -> None:
    source = tmp_path / "short.c"
    source.write_text('#include <stub.h>\nvoid AksenMain(void) { lcd_puts("done"); }\n', "ascii")
    image = build(find_program([str(source)]), aksen, tmp_path).image
    board = Board(image)
    run_ms(board, 100)
    assert board.lcd.lines == ("-  AkSenMain  - ", "wurde verlassen ")


def test_twenty_processes_sleep_side_by_side_and_the_first_may_go(start: Start) -> None:
    board = start("crowd")
    run_ms(board, 1300)
    assert lines(board)[0] == "18 19 255"
    assert 5 <= int(lines(board)[1]) <= 10
    assert board.devices.leds == (True, False, False, True)
    assert board.mcu.watch_events() == []


def test_a_stack_that_overflows_is_told_with_the_process(start: Start) -> None:
    board = start("deep")
    run_ms(board, 3000)
    assert lines(board) == ["Stack-Ueberlauf", "in Prozess 2"]


def test_a_process_has_221_bytes_of_stack_and_not_three_more(start: Start) -> None:
    board = start("brim")
    run_ms(board, 400)
    rounds, processes = map(int, lines(board)[0].split())
    assert rounds > 1
    assert processes == 3
    board.devices.dip = 3  # 224
    run_ms(board, 200)
    assert lines(board) == ["Stack-Ueberlauf", "in Prozess 2"]


def test_pins_numbers_switches_and_the_display(start: Start) -> None:
    board = start("pins")
    board.devices.dip = 0b1011
    board.devices.digital_inputs[8] = False
    run_ms(board, 90)
    assert board.lcd.lines == ("F7FC9ABC -5 11  ", "1234ABCD-700001 ")
    low = [number for number, level in enumerate(board.devices.digital_outputs) if not level]
    assert low == [5, 7]
    run_ms(board, 30)
    assert lines(board)[0] == "770C9ABC -5 11"


SENDER = """
#include <stub.h>
void AksenMain(void)
{{
    {first}
    {second}
    mod_ir1_maxfehler(2);
    sleep(300);
    lcd_ubyte(mod_ir1_status());
    setze_ir_senden(0);
    sleep(20);
    led(0, 1);
    mod_ir_an();
    sleep(20);
    led(0, 0);
    mod_ir_aus();
    for (;;);
}}
"""


@pytest.mark.parametrize("takt_is_first", [False, True])
def test_the_sender_flashes_while_a_receiver_listens(
    takt_is_first: bool, tmp_path: Path, aksen: AksenBoard
) -> None:
    calls = ["setze_ir_senden(4);", "mod_ir1_takt(5);"]
    first, second = reversed(calls) if takt_is_first else calls
    source = tmp_path / "sender.c"
    source.write_text(SENDER.format(first=first, second=second), "ascii")
    board = Board(build(find_program([str(source)]), aksen, tmp_path).image)
    type_command(board, "ir 1 100Hz")
    seen = []
    for _ in range(200):
        run_ms(board, 1)
        seen.append(board.devices.is_sending_infrared)
    rises = sum(1 for a, b in pairwise(seen) if b and not a)
    assert rises in (24, 25)  # 125 a second
    assert 95 <= sum(seen) <= 105
    run_ms(board, 115)
    assert 25 <= int(lines(board)[0]) <= 30
    assert not is_sending(board)
    run_ms(board, 20)
    assert board.devices.leds[0]
    assert is_sending(board)
    run_ms(board, 20)
    assert not is_sending(board)


def test_menu_pages_follow_the_switches(start: Start) -> None:
    board = start("menu")
    run_ms(board, 100)
    assert board.take_serial() == b"menu 4 of pages\r\npage 0\n"
    assert lines(board) == ["Banner", "*"]
    board.devices.digital_inputs[0] = False
    board.devices.dip = 0b1001
    run_ms(board, 100)
    assert lines(board) == ["Inputs", "011"]
    for number in range(15):
        set_level(board, number, 10 * number)
    board.devices.dip = 0b0010
    run_ms(board, 100)
    assert lines(board) == ["Average", "700"]
    board.devices.dip = 0b0011
    run_ms(board, 100)
    assert lines(board) == ["Numbers", "-32768 429496729"]
    assert board.take_serial() == b"page 1\npage 2\npage 3\n"


def test_a_sailboat_with_its_own_serial_code(start: Start) -> None:
    board = start("sailboat", "sailboat_serial")
    run_ms(board, 50)
    assert board.take_serial() == b"ready\r\n"
    for command, answer in ((b"R90\r", b"ok >\r\n"), (b"R5\r", b"ok <\r\n"), (b"X\r", b"?\r\n")):
        board.send(command)
        run_ms(board, 100)
        assert board.take_serial() == answer
    board.send(b"S1750\r")
    run_ms(board, 100)
    assert board.devices.servos_us == [600 + 310, 1750, 0]
    assert lines(board) == ["rudder  31", "errors 1"]


@pytest.mark.parametrize(
    ("names", "duration_ms"),
    [
        (("slider",), 1000),
        (("menu",), 300),
        (("line_follower",), 500),
        (("beacon",), 300),
        (("pins",), 300),
    ],
    ids=lambda value: value[0] if isinstance(value, tuple) else str(value),
)
def test_the_stack_stays_below_the_reported_worst_case(
    start: Start, built: Callable[..., BuildResult], names: tuple[str, ...], duration_ms: int
) -> None:
    report = built(*names).report
    assert report.stack is not None
    assert report.stack.bounded
    board = start(*names)
    run_ms(board, duration_ms)
    first = next(row.used for row in report.rows if row.name == "internal RAM")
    used = board.mcu.stack_high_water - (first - 1)
    assert 0 < used <= report.stack.total_bytes


def test_no_program_reads_memory_it_never_wrote(start: Start) -> None:
    for names in (("slider",), ("tasks",), ("menu",), ("line_follower",), ("pins",)):
        board = start(*names)
        run_ms(board, 500)
        assert board.mcu.watch_events() == [], names


def test_processes_do_not_disturb_each_others_inputs_and_outputs(start: Start) -> None:
    board = start("shared")
    for number in range(15):
        set_level(board, number, 10 * number or 10)
    run_ms(board, 3000)
    assert lines(board)[0] == "wrong 0"
    assert board.devices.leds == (True, True, True, True)
    assert [motor.power for motor in board.devices.motors] == [3, 4, 5, 6]
    assert [motor.direction for motor in board.devices.motors] == [1, 1, 1, 1]
    sent = board.take_serial()
    assert {letter: sent.count(letter) for letter in b"abcd"} == dict.fromkeys(b"abcd", 25)


def test_a_programs_own_interrupt_runs_beside_the_librarys(start: Start) -> None:
    board = start("own_interrupt")
    run_ms(board, 800)
    words = lines(board)[0].split()
    assert words[:2] == ["10", "in"]
    assert abs(int(words[2]) - 655) <= 3


def test_time_is_kept_while_processes_change(start: Start) -> None:
    board = start("timekeeper")
    run_ms(board, 2999)
    assert board.devices.leds == (False, False, False, False)
    run_ms(board, 30)  # the program may have to wait for its turn
    assert board.devices.leds == (True, False, False, False)
    assert lines(board)[0] == "all ran"
