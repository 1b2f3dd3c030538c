"""Sensors with values that an operator sets, read by telegrams as a client reads them."""

import struct
from typing import NamedTuple

import pytest

from hardware_sims.errors import InvalidScenarioError
from hardware_sims.nxt_brick.operator_commands import parse_command
from hardware_sims.nxt_brick.sensors.plugged_in import KINDS, parse_sensor
from tests.unit.hardware_sims.nxt_brick.host import Host

SWITCH, TEMPERATURE, ANGLE, LIGHT, SOUND, ULTRASONIC = 1, 2, 4, 5, 8, 11
LIGHT_INACTIVE, CUSTOM = 6, 9
RAW, BOOLEAN, TRANSITIONS, PERIODS, PERCENT = 0x00, 0x20, 0x40, 0x60, 0x80
CELSIUS, FAHRENHEIT, ANGLE_STEPS = 0xA0, 0xC0, 0xE0
NOT_READY, BUS_ERROR, PENDING = 0xE0, 0xDD, 0x20


class Values(NamedTuple):
    valid: bool
    raw: int
    normalized: int
    scaled: int


def set_mode(host: Host, sensor_type: int, mode: int, port: int = 0) -> None:
    host.ask(bytes((0, 5, port, sensor_type, mode)))


def values(host: Host, port: int = 0) -> Values:
    reply = host.ask(bytes((0, 7, port)))
    _, valid, _, _, _, raw, normalized, scaled, _ = struct.unpack("<B??BBHHhH", reply[3:])
    return Values(valid, raw, normalized, scaled)


def test_values_are_not_valid_before_the_first_look(host: Host) -> None:
    assert values(host) == (False, 0, 0, 0)
    host.wait(0.1)
    assert values(host) == (True, 0, 0, 0)  # without a type nothing is read
    set_mode(host, SWITCH, RAW)
    assert not values(host).valid
    host.wait(0.018)
    assert not values(host).valid
    host.wait(0.003)
    assert values(host) == (True, 1023, 1023, 1023)


def test_a_new_mode_of_the_same_sensor_is_valid_at_the_next_look(host: Host) -> None:
    set_mode(host, SWITCH, RAW)
    host.wait(0.1)
    set_mode(host, SWITCH, PERCENT)
    host.wait(0.001)
    assert values(host) == (True, 1023, 1023, 100)


def test_a_touch_sensor_is_pressed(host: Host) -> None:
    host.plug_in("1:touch")
    set_mode(host, SWITCH, BOOLEAN)
    host.wait(0.1)
    assert values(host).scaled == 0
    host.brick.operate(parse_command("set 1 1"))
    host.wait(0.002)
    assert values(host)[2:] == (183, 1)


@pytest.mark.parametrize(("mode", "counted"), [(TRANSITIONS, 6), (PERIODS, 3)])
def test_presses_are_counted(host: Host, mode: int, counted: int) -> None:
    host.plug_in("1:touch")
    set_mode(host, SWITCH, mode)
    host.wait(0.3)
    host.ask("00 08 00")
    for pressed in (1, 0, 1, 0, 1, 0):
        host.brick.operate(parse_command(f"set 1 {pressed}"))
        host.wait(0.2)
    assert values(host).scaled == counted
    host.ask("00 08 00")
    assert values(host).scaled == 0


@pytest.mark.parametrize(
    ("raw", "celsius", "fahrenheit"),
    [(183, 695, 1571), (290, 695, 1571), (515, 303, 865), (928, -200, 23552), (1023, -200, 23552)],
)
def test_a_temperature_is_told_in_tenths_of_a_degree(
    host: Host, raw: int, celsius: int, fahrenheit: int
) -> None:
    host.machine.inputs.ports["raw"] = raw
    set_mode(host, TEMPERATURE, CELSIUS)
    host.wait(0.1)
    assert values(host)[1] == raw
    assert values(host).scaled == celsius
    set_mode(host, TEMPERATURE, FAHRENHEIT)
    host.wait(0.1)
    assert values(host).scaled == fahrenheit


@pytest.mark.parametrize(("raw", "pressed"), [(459, 1), (460, 1), (461, 0), (520, 0), (562, 0)])
def test_what_lies_between_the_thresholds_is_false(host: Host, raw: int, pressed: int) -> None:
    """In c_input.h false begins at 45 percent, and true would end at 55: no hysteresis."""
    set_mode(host, SWITCH, BOOLEAN)
    for first in (0, 1023):
        host.machine.inputs.ports["raw"] = first
        host.wait(0.1)
        host.machine.inputs.ports["raw"] = raw
        host.wait(0.1)
        assert values(host).scaled == pressed


def test_nothing_turns_where_there_is_no_rotation_sensor(host: Host) -> None:
    set_mode(host, ANGLE, RAW)
    host.wait(0.1)
    assert values(host) == (True, 1023, 1023, 1023)
    set_mode(host, ANGLE, ANGLE_STEPS)
    host.ask("00 08 00")
    host.wait(0.1)
    assert values(host) == (True, 1023, 1023, 0)


def test_a_rotation_sensor_counts_sixteenths_of_a_turn_forth_and_back(host: Host) -> None:
    host.plug_in("1:rotation")
    set_mode(host, ANGLE, ANGLE_STEPS)
    host.wait(0.2)
    host.ask("00 08 00")
    for place in (1, 16, 13, 3, 2):
        host.brick.operate(parse_command(f"set 1 {place}"))
        host.wait(0.4)
        assert values(host).scaled == place


NOTHING, BLACK, BLUE, GREEN, YELLOW, RED, WHITE = range(7)
COLOR_FULL, COLOR_RED, COLOR_NONE, COLOR_EXIT = 13, 14, 17, 18
INPUT_MODULE = 0x00030001


def stored_type(host: Host) -> int:
    """Return a port's type as the module has it, which is not always what was set."""
    return host.ask(struct.pack("<BBIHH", 1, 0x94, INPUT_MODULE, 8, 1))[9]


@pytest.mark.parametrize("color", [BLACK, BLUE, GREEN, YELLOW, RED, WHITE])
def test_a_color_sensor_tells_the_number_of_a_color(host: Host, color: int) -> None:
    host.plug_in(f"1:color={color}")
    set_mode(host, COLOR_FULL, RAW)
    host.wait(0.3)
    assert values(host)[::3] == (True, color)
    host.brick.operate(parse_command("set 1 0"))
    host.wait(0.01)
    assert values(host).scaled == BLACK


def test_a_color_sensor_is_valid_when_its_calibration_was_read(host: Host) -> None:
    """Four steps, 100 ms, the type, 52 bytes and their sum, and ten for the first samples."""
    host.plug_in("1:color=5")
    set_mode(host, COLOR_FULL, RAW)
    host.wait(0.164)
    assert not values(host).valid
    host.wait(0.010)
    assert values(host)[::3] == (True, RED)


@pytest.mark.parametrize("sensor_type", range(COLOR_FULL, COLOR_NONE + 1))
def test_a_color_sensor_that_is_not_there_sees_black_in_the_end(
    host: Host, sensor_type: int
) -> None:
    """The wait of 400 ms ends, whoever answers (cInputCtrl)."""
    set_mode(host, sensor_type, RAW)
    host.wait(0.395)
    assert not values(host).valid
    host.wait(0.010)
    assert values(host)[::3] == (True, BLACK)
    set_mode(host, SWITCH, RAW)
    host.wait(0.1)
    assert values(host) == (True, 1023, 1023, 1023)


def test_a_color_sensor_that_is_plugged_in_late_is_found(host: Host) -> None:
    set_mode(host, COLOR_FULL, RAW)
    host.wait(1)
    host.plug_in("1:color=2")
    host.wait(0.2)
    assert values(host).scaled == BLUE


def test_one_lamp_measures_what_comes_back(host: Host) -> None:
    host.plug_in("1:color=5")
    told = {}
    for sensor_type in range(COLOR_RED, COLOR_NONE + 1):
        set_mode(host, sensor_type, PERCENT)
        host.wait(0.3)
        told[sensor_type] = values(host).scaled
    assert told == {14: 53, 15: 24, 16: 21, 17: 11}


def test_the_lamp_is_put_out_before_there_is_no_sensor(host: Host) -> None:
    host.plug_in("1:color=5")
    set_mode(host, COLOR_FULL, RAW)
    host.wait(0.3)
    set_mode(host, 0, RAW)
    host.wait(0.1)
    assert stored_type(host) == COLOR_EXIT
    host.wait(0.2)
    assert stored_type(host) == 0


@pytest.mark.parametrize(("kind", "sensor_type"), [("light", LIGHT), ("sound", SOUND)])
@pytest.mark.parametrize("percent", [0, 30, 77, 100])
def test_light_and_sound_are_inverted_and_stretched(
    host: Host, kind: str, sensor_type: int, percent: int
) -> None:
    host.plug_in(f"1:{kind}={percent}")
    set_mode(host, sensor_type, PERCENT)
    host.wait(0.4)
    assert values(host).scaled == pytest.approx(percent, abs=1)
    set_mode(host, sensor_type, RAW)
    host.wait(0.4)
    assert values(host).scaled == pytest.approx(percent * 10.23, abs=6)


@pytest.mark.parametrize(("typed", "lit", "unlit"), [("60", 60, 20), ("60/5", 60, 5)])
def test_a_light_sensor_reads_less_with_its_lamp_off(
    host: Host, typed: str, lit: int, unlit: int
) -> None:
    host.plug_in("1:light=0")
    host.brick.operate(parse_command(f"set 1 {typed}"))
    for sensor_type, percent in ((LIGHT, lit), (LIGHT_INACTIVE, unlit)):
        set_mode(host, sensor_type, PERCENT)
        host.wait(0.1)
        assert values(host).scaled == pytest.approx(percent, abs=1)
    host.ask("01 95 01 00 03 00 00 00 02 00 00 00")  # a custom sensor's zero offset
    set_mode(host, CUSTOM, RAW)
    host.wait(0.1)
    dark = values(host).raw
    host.ask("01 95 01 00 03 00 0b 00 03 00 01 00 01")  # its first pin as an output, high
    host.wait(0.1)
    assert values(host).raw < dark  # more light


def test_a_sound_sensor_takes_300_ms_to_be_valid(host: Host) -> None:
    host.plug_in("2:sound=50")
    set_mode(host, SOUND, RAW, port=1)
    host.wait(0.29)
    assert not values(host, 1).valid
    host.wait(0.03)
    assert values(host, 1).valid


def test_an_empty_bus_is_told_by_the_status(host: Host) -> None:
    assert host.ask("00 0e 03") == bytes((2, 0x0E, NOT_READY, 0))
    set_mode(host, ULTRASONIC, RAW, port=3)
    host.wait(0.1)
    assert host.ask("00 0e 03") == bytes((2, 0x0E, 0, 0))
    assert host.status("00 0f 03 02 08 02 00") == 0
    assert host.status("00 0e 03") == PENDING
    host.wait(0.05)
    assert host.ask("00 0e 03") == bytes((2, 0x0E, BUS_ERROR, 0))
    assert host.status("00 0f 03 11 00" + " 00" * 17) == 0xED


def test_an_ultrasonic_sensor_measures(host: Host) -> None:
    host.plug_in("4:ultrasonic=42")
    set_mode(host, ULTRASONIC, RAW, port=3)
    host.wait(0.1)
    assert host.status("00 0f 03 02 01 02 42") == 0
    host.wait(0.05)
    assert host.ask("00 0e 03") == bytes((2, 0x0E, 0, 1))
    assert host.ask("00 10 03") == bytes((2, 0x10, 0, 1, 42, *bytes(15)))
    assert host.ask("00 0e 03") == bytes((2, 0x0E, 0, 0))
    host.ask("00 0f 03 02 08 02 08")
    host.wait(0.05)
    assert host.ask("00 10 03")[4:8] == b"LEGO"


def test_an_ultrasonic_sensor_that_is_off_keeps_its_last_measurement(host: Host) -> None:
    host.plug_in("4:ultrasonic=42")
    set_mode(host, ULTRASONIC, RAW, port=3)
    host.wait(0.1)

    def measured() -> int:
        host.ask("00 0f 03 02 01 02 42")
        host.wait(0.05)
        return host.ask("00 10 03")[4]

    assert measured() == 42
    host.ask("00 0f 03 03 00 02 41 00")
    host.wait(0.05)
    host.brick.operate(parse_command("set 4 60"))
    assert measured() == 42
    host.ask("00 0f 03 03 00 02 41 01")  # a single shot
    host.wait(0.05)
    assert measured() == 60


def test_an_ultrasonic_sensor_keeps_its_calibration_until_a_warm_reset(host: Host) -> None:
    host.plug_in("4:ultrasonic=42")
    set_mode(host, ULTRASONIC, RAW, port=3)
    host.wait(0.1)

    def registers() -> bytes:
        host.ask("00 0f 03 02 03 02 50")  # zero, scale and divisor
        host.wait(0.05)
        return host.ask("00 10 03")[4:7]

    factory = registers()
    host.ask("00 0f 03 05 00 02 50 03 04 05")
    host.wait(0.05)
    assert registers() == bytes((3, 4, 5))
    host.ask("00 0f 03 03 00 02 41 04")
    host.wait(0.05)
    assert registers() == factory


def test_a_transfer_takes_the_time_of_its_bytes(host: Host) -> None:
    """Two milliseconds to begin, two bytes out, the address again, one byte in, one to end."""
    host.plug_in("4:ultrasonic=42")
    set_mode(host, ULTRASONIC, RAW, port=3)
    host.wait(0.1)
    host.brick.handle(bytes.fromhex("80 0f 03 02 01 02 42"))
    taken = 0
    while host.status("00 0e 03") == PENDING:
        taken += 1
    assert taken == 2 + 2 + 1 + 1


def test_sensors_are_unplugged(host: Host) -> None:
    host.plug_in("1:touch=1")
    set_mode(host, SWITCH, BOOLEAN)
    host.wait(0.1)
    assert values(host).scaled == 1
    host.brick.operate(parse_command("unplug 1"))
    host.wait(0.002)
    assert values(host).scaled == 0


@pytest.mark.parametrize(
    "text",
    [
        "",
        "touch",
        "5:touch",
        "1:gyro",
        "1:touch=2",
        "1:light=101",
        "1:light=10/101",
        "1:light=10/",
        "1:sound=loud",
        "11:touch",
    ],
)
def test_nonsense_is_no_sensor(text: str) -> None:
    with pytest.raises(InvalidScenarioError):
        parse_sensor(text)


@pytest.mark.parametrize("line", ["plug", "set 1", "set 9 1", "set 1 x", "jump", "unplug 0"])
def test_nonsense_is_no_command(line: str) -> None:
    with pytest.raises(InvalidScenarioError):
        parse_command(line)


def test_commands_that_find_nothing_say_so(host: Host) -> None:
    with pytest.raises(InvalidScenarioError, match="Port 2 has no sensor"):
        host.brick.operate(parse_command("set 2 1"))
    with pytest.raises(InvalidScenarioError, match="No program"):
        host.brick.operate(parse_command("stop"))


def test_every_kind_of_sensor_can_be_plugged_in(host: Host) -> None:
    for kind in KINDS:
        host.brick.operate(parse_command(f"plug 3:{kind}"))
