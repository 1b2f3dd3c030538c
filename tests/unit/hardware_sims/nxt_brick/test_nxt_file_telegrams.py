"""File, module and name telegrams as the communication module answers them."""

import struct

import pytest

from hardware_sims.errors import SimulatorError
from hardware_sims.nxt_brick.commands import Link
from hardware_sims.nxt_firmware.statuses import (
    END_OF_FILE,
    END_OF_FILE_EXPECTED,
    FILE_BUSY,
    FILE_NOT_FOUND,
    HANDLE_ALREADY_CLOSED,
    ILLEGAL_HANDLE,
    MODULE_NOT_FOUND,
    NO_MORE_HANDLES,
    OUT_OF_BOUNDS,
    UNDEFINED_ERROR,
)
from tests.unit.hardware_sims.nxt_brick.host import Host

OUTPUT, COMMAND, LOADER, DISPLAY, COMM = 0x20001, 0x10001, 0x90001, 0xA0001, 0x50001


def named(opcode: int, name: bytes, rest: bytes = b"") -> bytes:
    return bytes((1, opcode)) + name.ljust(20, b"\0") + rest


def write_file(host: Host, name: bytes, data: bytes) -> None:
    handle = host.ask(named(0x81, name, struct.pack("<I", len(data))))[3]
    assert host.ask(bytes((1, 0x83, handle)) + data)[2] == 0
    assert host.ask(bytes((1, 0x84, handle)))[2] == 0


def io_map(host: Host, module: int, offset: int, size: int) -> bytes:
    return host.ask(struct.pack("<BBIHH", 1, 0x94, module, offset, size))


def test_names_need_no_padding(host: Host) -> None:
    """zuk/ruby-nxt ends them with a zero byte and sends no more."""
    write_file(host, b"a.txt", b"text")
    assert host.ask(b"\x01\x80a.txt\0")[2:] == bytes((0, 0, 4, 0, 0, 0))
    assert host.ask(b"\x01\x86*.txt\0")[4:9] == b"a.txt"
    assert host.ask(b"\x01\x85a.txt\0")[2] == FILE_BUSY  # it is open
    assert host.ask(b"\x01\x98Short\0")[2] == 0
    assert host.ask(b"\x01\x9b")[3:9] == b"Short\0"


def test_a_short_telegram_goes_on_with_the_one_before(host: Host) -> None:
    host.ask("00 05 02 05 80")
    assert host.ask("00 05 03")[2] == 0
    ports = host.machine.inputs.io_map
    assert (ports["sensor_type"][3], ports["sensor_mode"][3]) == (5, 0x80)


def test_reading_past_the_end_fills_up_with_zeros(host: Host) -> None:
    write_file(host, b"a.txt", b"text")
    handle = host.ask(named(0x80, b"a.txt"))[3]
    assert host.ask(struct.pack("<BBBH", 1, 0x82, handle, 3))[2:] == b"\0\0\x03\0tex"
    reply = host.ask(struct.pack("<BBBH", 1, 0x82, handle, 3))
    assert reply[2:] == bytes((END_OF_FILE, handle, 3, 0)) + b"t\0\0"


def test_usb_carries_58_bytes_a_reply_and_bluetooth_any(host: Host) -> None:
    write_file(host, b"a.txt", bytes(range(50)) + bytes(50))
    handle = host.ask(named(0x80, b"a.txt"))[3]
    request = struct.pack("<BBBH", 1, 0x82, handle, 100)
    reply = host.ask(request)
    assert len(reply) == 6 + 58
    assert reply[4:6] == b"\x64\0"
    host.ask(bytes((1, 0x84, handle)))
    handle = host.ask(named(0x80, b"a.txt"))[3]
    over_bluetooth = host.brick.handle(struct.pack("<BBBH", 1, 0x82, handle, 100), Link.BLUETOOTH)
    assert len(over_bluetooth or b"") == 6 + 100


def test_writing_too_much_is_cut(host: Host) -> None:
    handle = host.ask(named(0x81, b"a.txt", struct.pack("<I", 2)))[3]
    assert host.ask(bytes((1, 0x83, handle)) + b"text")[2:] == bytes(
        (END_OF_FILE_EXPECTED, handle, 2, 0)
    )
    assert host.ask(bytes((1, 0x84, handle)))[2] == 0
    assert host.status(named(0x80, b"a.txt")) == FILE_NOT_FOUND


def test_append_and_crop(host: Host) -> None:
    handle = host.ask(named(0x8B, b"log.txt", struct.pack("<I", 100)))[3]
    host.ask(bytes((1, 0x83, handle)) + b"one ")
    host.ask(bytes((1, 0x84, handle)))
    reply = host.ask(named(0x8C, b"log.txt"))
    assert reply[2:] == bytes((0, handle, 96, 0, 0, 0))
    host.ask(bytes((1, 0x83, handle)) + b"two")
    assert host.ask(bytes((1, 0x8D, handle)))[2:] == bytes((0, handle))
    assert host.ask(named(0x86, b"log.txt"))[24:28] == b"\x07\0\0\0"


def test_a_search_goes_on_after_close(host: Host) -> None:
    for name in (b"a.txt", b"b.txt"):
        write_file(host, name, b"x")
    first = host.ask(named(0x86, b"*.*"))
    assert first[4:9] == b"b.txt"
    assert host.ask(bytes((1, 0x84, first[3])))[2] == 0
    assert host.ask(bytes((1, 0x84, first[3])))[2] == HANDLE_ALREADY_CLOSED
    assert host.ask(bytes((1, 0x87, first[3])))[4:9] == b"a.txt"
    assert host.ask(bytes((1, 0x87, first[3])))[2:] == bytes((FILE_NOT_FOUND, first[3], *bytes(24)))


def test_a_wrong_handle_is_named_in_the_reply(host: Host) -> None:
    assert host.ask("01 83 09 61")[2:] == bytes((ILLEGAL_HANDLE, 9, 0, 0))
    assert host.ask("01 82 09 02 00")[2:] == bytes((ILLEGAL_HANDLE, 9, 2, 0, 0, 0))


def test_handles_of_a_client_that_has_gone_are_closed(host: Host) -> None:
    write_file(host, b"a.txt", b"x")
    for _ in range(16):
        host.ask(named(0x80, b"a.txt"))
    assert host.status(named(0x80, b"a.txt")) == NO_MORE_HANDLES
    host.brick.disconnect()
    assert host.status(named(0x80, b"a.txt")) == 0


def test_handles_opened_over_bluetooth_stay_open(host: Host) -> None:
    write_file(host, b"a.txt", b"x")
    for _ in range(16):
        host.brick.handle(named(0x80, b"a.txt"), Link.BLUETOOTH)
    host.brick.disconnect()
    assert host.status(named(0x80, b"a.txt")) == NO_MORE_HANDLES


def test_there_is_one_search_for_modules(host: Host) -> None:
    first = host.ask(named(0x90, b"*.*"))
    assert first[3:15] == b"\0Command.mod"
    assert struct.unpack_from("<IIH", first, 24) == (COMMAND, 0, 32828)
    assert host.status(named(0x90, b"*.*")) == NO_MORE_HANDLES
    assert host.ask("01 91 00")[4:14] == b"Output.mod"
    assert host.ask("01 92 00")[2:] == b"\0\0"
    assert host.ask(named(0x90, b"Low Speed.mod"))[4:17] == b"Low Speed.mod"
    assert host.status("01 91 77") == MODULE_NOT_FOUND


def test_io_maps_are_the_modules_own_bytes(host: Host) -> None:
    host.ask("00 04 01 9c 07 01 00 20 68 01 00 00")
    reply = io_map(host, OUTPUT, 32, 32)
    assert reply[2:9] == struct.pack("<BIH", 0, OUTPUT, 32)
    assert reply[9 + 20] == 0x9C  # speed of motor B
    assert int.from_bytes(reply[9 + 12 : 9 + 16], "little") == 360
    assert io_map(host, LOADER, 4, 4)[9:] == struct.pack("<I", host.machine.files.free)
    assert io_map(host, COMMAND, 0, 13)[9:] == b"MindstormsNXT"
    assert io_map(host, COMM, 1126, 4)[9:] == b"NXT\0"


def test_a_motor_runs_by_its_io_map_alone(host: Host) -> None:
    data = bytes((0x03, 0x01, 60))  # flags, mode, speed of motor A
    host.ask(struct.pack("<BBIHH", 1, 0x95, OUTPUT, 25, 1) + b"\x20")
    reply = host.ask(struct.pack("<BBIHH", 1, 0x95, OUTPUT, 18, 3) + data)
    assert reply[2:] == struct.pack("<BIH", 0, OUTPUT, 3)
    host.wait(1.0)
    assert host.machine.outputs.io_map["tacho_count"][0] == 0  # the run state was idle again
    host.ask(struct.pack("<BBIHH", 1, 0x95, OUTPUT, 18, 8) + data + b"\0\x60\x20\x20\x20")
    host.wait(1.0)
    assert host.machine.outputs.io_map["tacho_count"][0] > 100


def test_io_maps_have_ends(host: Host) -> None:
    assert io_map(host, OUTPUT, 98, 2)[2] == 0
    assert io_map(host, OUTPUT, 99, 2)[2:] == struct.pack("<BIHH", OUT_OF_BOUNDS, OUTPUT, 0, 0)
    assert io_map(host, 0x123, 0, 1)[2] == MODULE_NOT_FOUND
    assert len(io_map(host, DISPLAY, 119, 200)) == 9 + 55
    write = struct.pack("<BBIHH", 1, 0x95, OUTPUT, 99, 2) + b"xx"
    assert host.ask(write)[2:] == struct.pack("<BIH", OUT_OF_BOUNDS, OUTPUT, 0)


def test_the_poll_buffer_is_read_as_a_ring(host: Host) -> None:
    poll = host.machine.comm_map["usb_poll"][0]
    poll["bytes"][62:] = [1, 2]
    poll["bytes"][:2] = [3, 4]
    poll["out_pointer"], poll["in_pointer"] = 62, 2
    assert host.ask("01 a1 00")[2:] == bytes((0, 0, 4))
    assert host.ask("01 a2 00 03")[2:] == bytes((0, 0, 3, 1, 2, 3))
    assert host.ask("01 a2 00 03")[2:] == bytes((0, 0, 1, 4, 0, 0))
    assert host.ask("01 a2 00 40")[2:] == bytes((UNDEFINED_ERROR, 0, 0))


def test_what_an_unknown_system_command_is_answered(host: Host) -> None:
    """The reply before, cut to the request's length: the brick fills nothing in."""
    host.ask("01 88")
    assert host.ask("01 a3 00") == bytes.fromhex("02 a3 00 7c 01")
    assert host.ask("00 12") == bytes.fromhex("02 12 be")


def test_bluetooths_address_and_reset(host: Host) -> None:
    assert host.ask("01 9a")[2:] == bytes.fromhex("00 00 16 53 01 02 03 00")
    assert host.status("01 a4") == 0
    assert host.brick.handle(b"\x01\xa4", Link.BLUETOOTH) == bytes((2, 0xA4, UNDEFINED_ERROR))


@pytest.mark.parametrize(
    ("telegram", "link", "status"),
    [
        (b"\x01\x97Let's dance: SAMBA\0", Link.USB, 0),
        (b"\x01\x97Let's dance: TANGO\0", Link.USB, UNDEFINED_ERROR),
        (b"\x01\x97Let's dance: SAMBA\0", Link.BLUETOOTH, UNDEFINED_ERROR),
    ],
)
def test_boot_needs_its_words_and_usb(host: Host, telegram: bytes, link: Link, status: int) -> None:
    reply = host.brick.handle(telegram, link)
    assert reply is not None
    assert reply[2] == status
    assert host.brick.is_off == (status == 0)
    if host.brick.is_off:
        with pytest.raises(SimulatorError, match="no firmware"):
            host.brick.press_orange_button()


def test_properties(host: Host) -> None:
    assert host.ask("00 20 01")[2:] == bytes((0, 4))
    assert host.status("00 1f 01 09 00 00 00") == 0
    assert host.ask("00 20 01")[2:] == bytes((0, 4))
    assert host.status("00 1f 01 02 00 00 00") == 0
    assert host.ask("00 20 01")[2:] == bytes((0, 2))
    assert host.status(b"\x00\x1f\x02" + struct.pack("<I", 120_000)) == 0
    assert host.ask("00 0d")[3:] == struct.pack("<I", 120_000)
    assert host.ask("00 20 02")[3:] == struct.pack("<I", 120_000)
    assert host.status("00 20 09") == 0xBE


def test_nobody_is_known_over_bluetooth(host: Host) -> None:
    assert host.ask("00 1b")[2:] == bytes((0, 30))
    assert host.ask("00 1d")[2:] == bytes((0, 4))
    assert host.ask("00 1c 00")[2:] == bytes(19)


def test_a_tone_runs_its_time(host: Host) -> None:
    host.ask("00 03 b8 01 64 00")
    host.wait(0.05)
    assert host.machine.sound.io_map["state"][0] == 3
    host.wait(0.06)
    assert host.machine.sound.io_map["state"][0] == 0
    host.ask("00 03 b8 01 64 00")
    host.wait(0.01)
    host.ask("00 0c")
    host.wait(0.002)
    assert host.machine.sound.io_map["state"][0] == 0
    assert list(host.machine.sound.tones) == [(440, 100)] * 2
