"""How the menu starts, shows and ends programs."""

import struct

import pytest

from hardware_sims.nxt_brick.machine import Peripherals
from hardware_sims.nxt_firmware.io_maps import BUTTONS
from hardware_sims.nxt_firmware.statuses import CommandError
from tests.unit.hardware_sims.nxt_brick.host import Host

NO_PROGRAM, OUT_OF_RANGE, FILE_BUSY, ALREADY_CLOSED = 0xEC, 0xC0, 0x8B, 0x88
RUNNING_NAME = "00 11"
STOP = "00 01"
START_S = 0.1  # more than the menu needs
END_SHOWN_S = 0.76  # DISPLAY_SHOW_TIME is 1500, counted by two


def is_running(host: Host) -> bool:
    return host.status(RUNNING_NAME) == 0


def is_silent(host: Host) -> bool:
    return host.machine.sound.is_silent


def count_a(host: Host) -> int:
    return int.from_bytes(host.ask("00 06 00")[13:17], "little", signed=True)


def test_a_program_runs_some_time_after_it_was_asked_for(host: Host) -> None:
    start = host.install("host_errors")
    assert host.status(start) == 0
    assert not is_running(host)
    host.wait(START_S)
    assert host.ask(RUNNING_NAME)[3:].rstrip(b"\0") == b"host_errors.rxe"


def test_a_missing_program_is_out_of_range_and_a_wildcard_finds_one(host: Host) -> None:
    assert host.status("00 00" + b"missing.rxe".ljust(20, b"\0").hex()) == OUT_OF_RANGE
    host.install("host_errors")
    assert host.status("00 00" + b"*.rxe".ljust(20, b"\0").hex()) == 0
    host.wait(START_S)
    assert is_running(host)


@pytest.mark.parametrize("name", [b"broken.rxe", b"broken.RTM"])
def test_what_is_no_program_ends_at_once_with_an_error(host: Host, name: bytes) -> None:
    host.machine.files.store(name, b"no program at all")
    assert host.status("00 00" + name.ljust(20, b"\0").hex()) == 0
    host.wait(START_S)
    assert not is_running(host)
    assert host.machine.command_map["program_status"][0] == 3


def test_what_has_no_programs_name_is_not_started(host: Host) -> None:
    host.machine.files.store(b"text.txt", b"no program at all")
    assert host.status("00 00" + b"text.txt".ljust(20, b"\0").hex()) == 0
    host.wait(START_S)
    assert host.machine.command_map["program_status"][0] == 0
    assert host.status(host.install("host_errors")) == 0
    host.wait(START_S)
    assert is_running(host)


def test_a_sound_that_is_started_is_played_and_resets_nothing(host: Host) -> None:
    host.machine.files.store(b"beep.rso", struct.pack(">4H", 0x100, 4000, 8000, 0) + bytes(4000))
    host.ask("00 04 00 64 01 00 00 20 00 00 00 00")
    host.ask("00 00" + b"beep.rso".ljust(20, b"\0").hex())
    host.wait(START_S)
    assert not is_silent(host)
    host.wait(0.5)
    assert is_silent(host)
    host.ask(host.install("host_errors"))  # lost: the sound's end is shown
    host.wait(END_SHOWN_S)
    assert not is_running(host)
    assert count_a(host) > 500


def test_a_start_during_a_run_is_answered_and_lost(host: Host) -> None:
    host.ask(host.install("host_errors"))
    host.wait(START_S)
    assert host.status(host.install("mbx_echo")) == 0
    host.ask(STOP)
    host.wait(END_SHOWN_S + START_S)
    assert not is_running(host)


def test_a_start_while_the_end_is_shown_is_lost_and_one_later_is_not(host: Host) -> None:
    start = host.install("host_errors")
    host.ask(start)
    host.wait(START_S)
    host.ask(STOP)
    host.wait(0.7)
    assert host.status(start) == 0
    host.wait(END_SHOWN_S)
    assert not is_running(host)
    host.ask(start)
    host.wait(START_S)
    assert is_running(host)


def test_motors_go_on_while_the_end_is_shown_after_a_normal_end(host: Host) -> None:
    host.ask(host.install("end_normal"))
    host.wait(START_S)
    host.ask("00 04 00 32 01 00 00 20 00 00 00 00")
    while is_running(host):
        host.wait(0.01)
    before = count_a(host)
    host.wait(0.7)
    moving = count_a(host)
    assert moving > before + 100
    host.wait(0.2)
    assert abs(count_a(host)) < 100  # coasting since the count was reset


def test_an_abort_releases_motors_and_resets_counts_at_once(host: Host) -> None:
    host.ask(host.install("host_errors"))
    host.wait(START_S)
    host.ask("00 04 00 32 01 00 00 20 00 00 00 00")
    host.wait(1.0)
    assert count_a(host) > 200
    host.ask(STOP)
    host.wait(0.01)
    assert count_a(host) < 50
    assert host.machine.outputs.io_map["mode"][0] == 0


def test_a_running_programs_file_cannot_be_deleted(host: Host) -> None:
    host.ask(host.install("host_errors"))
    host.wait(START_S)
    delete = "01 85" + b"host_errors.rxe".ljust(20, b"\0").hex()
    assert host.status(delete) == FILE_BUSY
    host.ask(STOP)
    host.wait(0.01)
    assert host.status(delete) == 0


def test_a_low_battery_keeps_programs_from_starting(host: Host) -> None:
    host.machine.ui.io_map["battery_voltage"] = 6000
    assert host.status(host.install("host_errors")) == 0
    host.wait(5.0)
    assert not is_running(host)


def test_messages_need_a_program(host: Host) -> None:
    assert host.status("00 09 00 02 41 00") == NO_PROGRAM
    assert host.ask("00 13 00 05 01") == bytes((2, 0x13, NO_PROGRAM, 5, *bytes(60)))
    assert host.status(STOP) == NO_PROGRAM


def test_a_start_puts_sensors_and_counts_back(host: Host) -> None:
    host.ask("00 05 03 01 20")
    host.ask("00 04 00 32 01 00 00 20 00 00 00 00")
    host.wait(1.0)
    host.ask(host.install("host_errors"))
    host.wait(0.04)
    assert host.machine.inputs.io_map["sensor_type"][3] == 0
    assert abs(count_a(host)) < 40


def test_the_io_map_of_the_menu_starts_programs_as_well(host: Host) -> None:
    host.install("host_errors")
    name = b"host_errors.rxe".ljust(20, b"\0")
    host.ask(bytes.fromhex("01 95 01 00 0c 00 06 00 14 00") + name)
    host.ask("01 95 01 00 0c 00 1a 00 01 00 20")
    host.wait(START_S)
    assert is_running(host)


def test_a_dead_programs_variables_can_still_be_read(host: Host) -> None:
    host.ask(host.install("host_errors"))
    host.wait(START_S)
    host.ask(STOP)
    host.wait(0.1)
    reply = host.ask("01 94 01 00 01 00 18 00 02 00")
    offset = int.from_bytes(reply[9:11], "little")
    assert 52 <= offset < 32820
    assert any(host.machine.map_bytes(0x00010001)[offset : offset + 64])


@pytest.mark.parametrize(("state", "pressed"), [(0x80, b"1"), (0x20, b"0"), (0x01, b"0")])
def test_a_button_is_pressed_while_the_highest_bit_of_its_state_is_set(
    host: Host, state: int, pressed: bytes
) -> None:
    """c_button.iom; a program that opens a missing file for appending is told room 0."""
    host.machine.map_of(BUTTONS)["states"][0][3] = state
    host.ask(host.install("button_append"))
    host.wait(START_S)
    messages = [host.ask("00 13 0a 00 01")[5:] for _ in range(2)]
    assert [message.rstrip(b"\0") for message in messages] == [pressed, b"0"]


def test_the_sleep_timeout_can_be_set_in_the_menus_io_map(host: Host) -> None:
    host.ask("01 95 01 00 0c 00 21 00 01 00 02")
    assert host.ask("00 0d")[3:] == (120_000).to_bytes(4, "little")
    host.wait(119.0)
    assert not host.brick.is_off
    host.wait(2.0)
    assert host.brick.is_off


def test_a_brick_is_forced_off_by_the_menus_io_map(host: Host) -> None:
    host.ask("01 95 01 00 0c 00 27 00 01 00 01")
    host.wait(0.01)
    assert host.brick.is_off


def test_what_a_brick_does_not_tell_is_reported(host: Host) -> None:
    told: list[str] = []
    host.machine.programs.on_end = lambda report: told.append(str(report))
    host.machine.files.store(b"broken.rxe", b"no program at all")
    host.ask("00 00" + b"broken.rxe".ljust(20, b"\0").hex())
    host.wait(START_S + END_SHOWN_S)
    host.ask(host.install("fault_index"))
    host.wait(5 + END_SHOWN_S)
    host.ask(host.install("mbx_echo"))
    host.wait(START_S)
    for _ in range(6):
        host.ask("00 09 09 02 61 00")
    host.ask(STOP)
    host.wait(START_S)
    assert told == [str(report) for report in host.machine.programs.reports]
    broken, fault, echo = told
    assert broken.startswith("broken.rxe is no program: the file has 17 bytes")
    assert "fault_index.rxe ended by error -1 (bad argument" in fault
    assert "task" in fault
    assert "word" in fault
    assert "mbx_echo.rxe aborted after" in echo
    assert "a sixth message pushed the oldest out of mailbox 9 (task" in echo


def test_a_start_waits_for_the_end_of_a_tone(host: Host) -> None:
    host.ask("00 03 b8 01 e8 03")  # a second
    host.wait(0.01)
    host.ask(host.install("host_errors"))
    host.wait(0.9)
    assert not is_running(host)
    host.wait(0.09 + START_S)
    assert is_running(host)


def test_a_program_ends_well_whose_file_somebody_has_closed(host: Host) -> None:
    host.ask(host.install("host_errors"))
    host.wait(START_S)
    assert host.ask("01 84 00") == bytes((2, 0x84, 0, 0))
    host.ask(STOP)
    host.wait(END_SHOWN_S + START_S)
    assert not is_running(host)
    assert host.status("01 84 00") == ALREADY_CLOSED


def test_a_program_reads_and_writes_an_io_map_to_its_last_byte_and_not_beyond(host: Host) -> None:
    peripherals = Peripherals(host.machine)
    size = peripherals.display.nbytes
    peripherals.write_io_map(b"Display.mod", size - 2, b"ab")
    assert peripherals.read_io_map(b"Display.mod", size - 2, 2) == b"ab"
    assert len(peripherals.read_io_map(b"Display.mod", 0, size)) == size
    for offset, count in ((size - 1, 2), (size, 1), (0, size + 1)):
        with pytest.raises(CommandError):
            peripherals.read_io_map(b"Display.mod", offset, count)
        with pytest.raises(CommandError):
            peripherals.write_io_map(b"Display.mod", offset, bytes(count))
