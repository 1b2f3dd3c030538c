"""The four buttons: their bits and counts, and what the grey and the orange one do besides."""

import pytest

from hardware_sims.errors import InvalidScenarioError
from hardware_sims.nxt_brick.brick import SimulatedBrick
from hardware_sims.nxt_brick.buttons import (
    LONG_PRESSED_EVENT,
    LONG_RELEASED_EVENT,
    NAMES,
    PRESSED_EVENT,
    PRESSED_STATE,
    SHORT_RELEASED_EVENT,
)
from hardware_sims.nxt_brick.faults import Faults
from hardware_sims.nxt_brick.operator_commands import parse_command
from hardware_sims.nxt_firmware import io_maps
from tests.unit.hardware_sims.nxt_brick.host import Host


def type_line(brick: SimulatedBrick, line: str) -> None:
    brick.operate(parse_command(line))


def states(host: Host, button: str, seconds: float) -> list[int]:
    """Return the states that a button goes through, millisecond by millisecond."""
    seen: list[int] = []
    for _ in range(round(seconds * 1000)):
        host.wait(0.001)
        state = int(host.machine.map_of(io_maps.BUTTONS)["states"][0][NAMES.index(button)])
        if not seen or seen[-1] != state:
            seen.append(state)
    return seen


def counts(host: Host, button: str) -> dict[str, int]:
    record = host.machine.map_of(io_maps.BUTTONS)["buttons"][0][NAMES.index(button)]
    return {name: int(record[name]) for name in record.dtype.names if name != "spare"}


@pytest.mark.parametrize("button", NAMES)
def test_a_short_press_shows_as_in_the_firmware(button: str) -> None:
    host = Host()
    type_line(host.brick, f"press {button}")
    assert states(host, button, 0.5) == [
        0,
        PRESSED_STATE | PRESSED_EVENT,
        PRESSED_STATE,
        SHORT_RELEASED_EVENT,
        0,
    ]
    assert counts(host, button) == {
        "pressed_count": 1,
        "long_press_count": 0,
        "short_release_count": 1,
        "long_release_count": 0,
        "release_count": 1,
    }


def test_a_press_of_two_seconds_is_long() -> None:
    host = Host()
    type_line(host.brick, "press left 2.5")
    assert states(host, "left", 3.0) == [
        0,
        PRESSED_STATE | PRESSED_EVENT,
        PRESSED_STATE,
        PRESSED_STATE | LONG_PRESSED_EVENT,
        PRESSED_STATE,
        LONG_RELEASED_EVENT,
        0,
    ]
    assert counts(host, "left")["long_release_count"] == 1
    assert counts(host, "left")["release_count"] == 1


def test_two_presses_typed_at_once_come_one_after_the_other() -> None:
    host = Host()
    type_line(host.brick, "press right")
    type_line(host.brick, "press right")
    host.wait(1.0)
    assert counts(host, "right")["release_count"] == 2


def test_the_grey_button_ends_a_program() -> None:
    host = Host()
    host.ask(host.install("mbx_echo"))
    host.wait(0.1)
    assert host.machine.programs.is_active
    type_line(host.brick, "press left")
    host.wait(0.3)
    assert host.machine.programs.is_active
    type_line(host.brick, "press grey")
    host.wait(0.3)
    assert not host.machine.programs.is_active


def test_the_orange_button_switches_a_brick_on_and_the_others_do_not() -> None:
    host = Host(faults=Faults(sleep_timeout_s=1.0))
    host.wait(2.0)
    type_line(host.brick, "press left")
    assert host.brick.is_off
    type_line(host.brick, "press orange")
    assert not host.brick.is_off


def test_a_button_keeps_the_brick_awake() -> None:
    host = Host(faults=Faults(sleep_timeout_s=1.0))
    host.wait(0.8)
    type_line(host.brick, "press left")
    host.wait(0.8)
    assert not host.brick.is_off


@pytest.mark.parametrize(
    "line", ["press", "press blue", "press left 0", "press left long", "press left 100"]
)
def test_a_press_that_makes_no_sense_is_refused(line: str) -> None:
    with pytest.raises(InvalidScenarioError):
        parse_command(line)


def test_a_rig_without_hands_refuses_cubes() -> None:
    host = Host()
    with pytest.raises(InvalidScenarioError, match="cannot be put in"):
        type_line(host.brick, "cube out")
