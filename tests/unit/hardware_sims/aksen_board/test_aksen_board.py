"""The board as a whole, driven by small programs."""

import pytest

from hardware_sims.aksen_board import Mode
from hardware_sims.aksen_board.board import Board
from hardware_sims.aksen_board.devices import CONTINUOUS_HZ, InfraredLight
from hardware_sims.aksen_board.facts import board_facts
from hardware_sims.aksen_board.loader.boot_loader import BootLoader
from hardware_sims.aksen_board.loader.flash import Flash, LoaderTiming, install
from hardware_sims.mcs51.image import ImageError
from tests.oracles.assembler import assemble

FLASH_BYTES = board_facts().code_bytes

UART = "MOV SCON,#0x50\nMOV SRELH,#3\nMOV SRELL,#0xD9\nSETB ADCON0.7\nORL PCON,#0x80\n"
ECHO = UART + (
    "loop:\nJNB SCON.0,loop\nCLR SCON.0\nMOV A,SBUF\nMOV SBUF,A\nwait:\nJNB SCON.1,wait\n"
    "CLR SCON.1\nSJMP loop"
)
FRAME_US = 1042


def write(name: str, value: int) -> str:
    return f"MOV DPTR,#{board_facts().registers[name]}\nMOV A,#{value}\nMOVX @DPTR,A\n"


def read(name: str) -> str:
    return f"MOV DPTR,#{board_facts().registers[name]}\nMOVX A,@DPTR\n"


def board_with(source: str) -> Board:
    return Board(assemble(source + "\nstop:\nSJMP stop"))


def test_outputs_follow_their_registers() -> None:
    board = board_with(
        write("LEDS", 0b0101)
        + write("MOTOR_2", 0x87)
        + write("MOTOR_3", 0x0F)
        + write("SERVO_1_HIGH", 0x05)
        + write("SERVO_1_LOW", 0xDC)
    )
    board.run_us(200)
    devices = board.devices
    assert devices.leds == (True, False, True, False)
    assert (devices.motors[2].power, devices.motors[2].direction) == (7, 1)
    assert devices.motors[3].power == 10
    assert devices.servos_us == [0, 1500, 0]
    board.reset(Mode.RED)
    assert not any(board.devices.leds)


def test_a_servo_waits_for_its_low_byte() -> None:
    board = board_with(write("SERVO_0_HIGH", 0x05))
    board.run_us(100)
    assert board.devices.servos_us[0] == 0


def test_inputs_reach_the_program() -> None:
    source = "".join(
        read(name) + f"MOV R{place},A\n"
        for place, name in enumerate(("DIP", "DIGITAL_IN_LOW", "DIGITAL_IN_HIGH", "LEDS"))
    )
    board = board_with(source)
    board.devices.dip = 0b1010
    board.devices.digital_inputs[1] = False
    board.devices.digital_inputs[15] = False
    board.devices.infrared[2] = InfraredLight(CONTINUOUS_HZ, board.now_us)
    board.run_us(200)
    assert list(board.mcu.idata[:4]) == [0b1010, 0b10111101, 0x7F, 0xFF]


def test_a_receiver_follows_flashes_and_gets_used_to_steady_light() -> None:
    flashes = InfraredLight(125, since_us=1000)
    seen = [flashes.is_seen(1000 + 500 * step) for step in range(32)]
    assert seen == ([True] * 8 + [False] * 8) * 2
    steady = InfraredLight(CONTINUOUS_HZ, since_us=0)
    assert [steady.is_seen(us) for us in (0, 29_999, 30_000)] == [True, True, False]


def test_an_open_analogue_input_reads_255() -> None:
    board = board_with("MOV ADCON0,#3\nMOV ADDATL,#0\nwait:\nJB ADCON0.4,wait\nMOV R2,ADDATH")
    board.run_us(200)
    assert board.mcu.idata[2] == 255


@pytest.mark.parametrize(
    ("number", "select", "channel"), [(0, 0, 0), (7, 7, 0), (8, 5, 1), (14, 0, 7)]
)
def test_fifteen_analogue_inputs_share_eight_channels(
    number: int, select: int, channel: int
) -> None:
    board = board_with(
        write("ANALOG_SELECT", select)
        + f"MOV ADCON0,#{channel}\nMOV ADDATL,#0\nwait:\nJB ADCON0.4,wait\nMOV R2,ADDATH"
    )
    board.devices.set_analog(number, volts=2.0)
    board.run_us(200)
    assert board.mcu.idata[2] == 102  # 51 per volt


def test_the_serial_line_belongs_to_the_program() -> None:
    board = Board(assemble(ECHO))
    board.send(b"AKSEN")
    board.run_us(4 * FRAME_US)
    assert board.take_serial() == b"AK"  # the third is on its way back
    board.run_us(5 * FRAME_US)
    assert board.take_serial() == b"SEN"


@pytest.mark.parametrize("baud", [4800, 19200])
def test_a_wrong_baud_rate_garbles_both_ways(baud: int) -> None:
    board = Board(assemble(ECHO))
    board.line_baud = baud
    board.send(b"AKSEN")
    board.run_us(50_000)
    assert board.take_serial() != b"AKSEN"


def test_red_loads_and_green_runs() -> None:
    board = Board(assemble(ECHO))
    assert (board.is_running, board.mode_led) == (True, "green")
    board.reset("red")
    assert (board.is_running, board.mode_led) == (False, "red")
    board.send(b"\0")
    board.run_us(100_001)
    assert board.take_serial() == b"\x55"
    board.flash.erase()
    board.reset("green")
    assert (board.is_running, board.mode_led) == (False, "red flashing")


def test_run_hands_the_line_over_to_the_program() -> None:
    flash = Flash(FLASH_BYTES)
    install(flash, assemble(ECHO))
    board = Board(flash=flash)
    board.send(bytes([0, 3, 0, 0, 0, 0, 0, 3]))
    board.run_us(1000)
    assert board.take_serial() == b"\x55"
    modes = [board.mode_led]
    board.run_us(10_000)
    modes.append(board.mode_led)
    assert modes == ["red", "green"]
    board.send(b"x")
    board.run_us(5000)
    assert board.take_serial() == b"x"


def test_a_paced_loader_takes_the_time_of_the_line() -> None:
    board = Board(is_paced=True)
    board.send(bytes([0, 0x0A, 0, 0, 0, 0, 0, 0x0A]))
    board.run_us(8 * FRAME_US)
    assert board.take_serial() == b""
    board.run_us(FRAME_US * 3 // 2)
    assert board.take_serial() == b"\x55"
    board.run_us(5 * FRAME_US)
    assert board.take_serial().hex() == "c5150c01dd"


def test_the_loader_does_not_hear_another_baud_rate() -> None:
    board = Board()
    board.line_baud = 19200
    board.send(b"\0")
    board.run_us(500_000)
    assert board.take_serial() == b""


def test_what_arrives_while_the_loader_works_is_kept() -> None:
    erase, who = bytes([0, 4, 0, 0, 0, 0, 0, 4]), bytes([0, 0x0A, 0, 0, 0, 0, 0, 0x0A])
    board = Board(is_paced=True)
    board.send(erase + who)
    board.run_us(16 * FRAME_US + FRAME_US)
    assert board.take_serial() == b""  # still erasing; the question has arrived
    board.run_us(1_600_000)
    assert board.take_serial() == b"\x55\x55" + bytes.fromhex("C5150C01DD")


def test_the_loader_keeps_no_more_than_its_buffer_while_it_works() -> None:
    loader = BootLoader(Flash(FLASH_BYTES), timing=LoaderTiming())
    loader.receive(bytes([0, 4, 0, 0, 0, 0, 0, 4]), 0)
    loader.receive(b"\n" * 256 + bytes([0, 0x0A, 0, 0, 0, 0, 0, 0x0A]), 1)
    assert loader.take_output(3_000_000) == b"\x55"  # the question came too late


def test_the_display_shows_what_a_program_writes() -> None:
    commands = "".join(f"{write('LCD_COMMAND', c)}LCALL pause\n" for c in (0x38, 0x0C, 0x01))
    text = "".join(f"{write('LCD_DATA', ord(c))}LCALL pause\n" for c in "Hi")
    pause = "pause:\nMOV R7,#8\nouter:\nMOV R6,#100\ninner:\nDJNZ R6,inner\nDJNZ R7,outer\nRET\n"
    board = Board(assemble(commands + text + "stop:\nSJMP stop\n" + pause))
    board.run_us(20_000)
    assert board.lcd.lines == ("Hi              ", " " * 16)
    assert board.lcd.ignored_writes == 0


def test_run_until_stops_at_an_instruction() -> None:
    board = board_with("MOV R2,#1\nMOV R3,#2")
    assert board.run_until(pc=4)
    assert board.mcu.pc == 4
    assert not board.run_until(pc=0x100, limit_us=1000)


def test_writes_outside_the_boards_ram_are_told() -> None:
    board = board_with("MOV DPTR,#0x2000\nMOVX @DPTR,A")
    board.run_us(100)
    assert [event.address for event in board.mcu.watch_events()] == [0x2000]


def test_an_image_that_is_too_large_is_refused() -> None:
    with pytest.raises(ImageError, match="beyond the board"):
        Board(bytes(0x8001))
