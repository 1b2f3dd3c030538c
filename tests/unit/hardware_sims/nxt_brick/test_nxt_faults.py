"""Faults: read from TOML, and done by the brick."""

from pathlib import Path
from typing import Any

import pytest

from hardware_sims.clock import VirtualClock
from hardware_sims.errors import InvalidScenarioError
from hardware_sims.nxt_brick.brick import NO_LATENCY, LineCutError, SimulatedBrick
from hardware_sims.nxt_brick.faults import Faults, SensorChange, Stall
from hardware_sims.nxt_brick.in_process import InProcessConnection
from hardware_sims.robot_faults import NOTHING_WRONG, RobotFaults, load_faults

BATTERY = b"\x00\x0b"
KEEP_ALIVE = b"\x00\x0d"
RUN_A = bytes.fromhex("80 04 00 4b 03 00 00 20 00 00 00 00")
COUNT_A = b"\x00\x06\x00"

EVERYTHING = """
seed = 4
drop = [{ telegram = 120 }, { telegram = 300 }]
silence = { telegram = 500 }
delay = { seconds = 0.06, jitter = 0.02 }
slip = [{ tilt = 3 }]
rig = { play_deg = 24 }
battery = { millivolts = 6200 }
sleep = { after = 30 }

[[sensor]]
plug = "1:touch"

[[sensor]]
plug = "1:touch=1"
time = 2.5

[[stall]]
motor = "A"
time = 3.0
seconds = 2

[[stall]]
motor = "C"
telegram = 50
seconds = 0.5
"""


def brick_with(**faults: Any) -> SimulatedBrick:
    return SimulatedBrick(VirtualClock(), faults=Faults(**faults), latency=NO_LATENCY)


def test_a_file_with_every_fault_is_read(tmp_path: Path) -> None:
    path = tmp_path / "faults.toml"
    path.write_text(EVERYTHING)
    assert load_faults(path) == RobotFaults(
        brick=Faults(
            seed=4,
            drop_at=(120, 300),
            silent_from=500,
            delay_s=0.06,
            jitter_s=0.02,
            stalls=(Stall(0, 2.0, time_s=3.0), Stall(2, 0.5, telegram=50)),
            battery_mv=6200,
            sleep_timeout_s=30.0,
            sensors=(SensorChange("1:touch"), SensorChange("1:touch=1", 2.5)),
        ),
        slips=(3,),
        play_deg=24.0,
    )


def test_an_empty_file_is_no_fault(tmp_path: Path) -> None:
    (tmp_path / "none.toml").write_text("")
    assert load_faults(tmp_path / "none.toml") == NOTHING_WRONG


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("not toml", "no TOML"),
        ("dorp = 3", "dorp"),
        ("drop = 3", "drop"),
        ("drop = [{ telegram = 0 }]", "telegram"),
        ("drop = [{}]", "telegram"),
        ("silence = { telegram = 'x' }", "telegram"),
        ("delay = { seconds = -1 }", "seconds"),
        ("delay = { seconds = nan }", "seconds"),
        ("delay = 3", "delay"),
        ("slip = [{ tilt = true }]", "tilt"),
        ("battery = { volts = 7 }", "volts"),
        ("rig = { play_deg = 0 }", "play_deg"),
        ("rig = { play_deg = true }", "play_deg"),
        ("rig = { play_deg = nan }", "play_deg"),
        ("rig = { play = 12 }", "play"),
        ("[[sensor]]\nplug = 3", "plug"),
        ("[[stall]]\nmotor = 'D'\nseconds = 1\ntime = 1", "motor"),
        ("[[stall]]\nmotor = 'A'\nseconds = 1", "telegram"),
        ("[[stall]]\nmotor = 'A'\ntime = 1", "seconds"),
    ],
)
def test_nonsense_is_named(tmp_path: Path, text: str, named: str) -> None:
    path = tmp_path / "faults.toml"
    path.write_text(text)
    with pytest.raises(InvalidScenarioError, match=named) as caught:
        load_faults(path)
    assert "faults.toml" in str(caught.value)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(InvalidScenarioError, match=r"missing\.toml"):
        load_faults(tmp_path / "missing.toml")


def test_the_line_is_cut_at_one_telegram_only() -> None:
    brick = brick_with(drop_at=(2,))
    brick.handle(RUN_A)
    with pytest.raises(LineCutError, match="telegram 2"):
        brick.handle(BATTERY)
    assert brick.handle(BATTERY) is not None


def test_a_silent_brick_still_does_what_it_is_told() -> None:
    brick = brick_with(silent_from=2)
    assert brick.handle(BATTERY) is not None
    assert brick.handle(BATTERY) is None
    brick.handle(RUN_A)
    brick.clock.sleep(1.0)
    brick.advance()
    assert brick.machine.outputs.io_map["tacho_count"][0] > 100


def test_delays_pass_on_the_clock_and_repeat_with_the_seed() -> None:
    def times(seed: int) -> list[float]:
        brick = brick_with(delay_s=0.06, jitter_s=0.02, seed=seed)
        found = []
        for _ in range(5):
            before = brick.clock.now()
            brick.handle(BATTERY)
            found.append(brick.clock.now() - before)
        return found

    assert all(0.06 <= seconds <= 0.08 for seconds in times(1))
    assert times(1) == times(1)
    assert times(1) != times(2)


def test_a_motor_stalls_from_a_telegram_on() -> None:
    brick = brick_with(stalls=(Stall(0, 2.0, telegram=1),))
    brick.handle(RUN_A)
    for seconds, moves in ((1.9, False), (1.0, True)):
        brick.clock.sleep(seconds)
        reply = brick.handle(COUNT_A)
        assert reply is not None
        assert (int.from_bytes(reply[13:17], "little") > 0) == moves


def test_stalls_follow_each_other_however_seldom_somebody_looks() -> None:
    def count(*stalls: Stall) -> int:
        brick = brick_with(stalls=stalls)
        brick.handle(RUN_A)
        brick.clock.sleep(10.0)
        brick.advance()
        return int(brick.machine.outputs.io_map["tacho_count"][0])

    first, second = Stall(0, 2.0, time_s=1.0), Stall(0, 3.0, time_s=5.0)
    assert count() > count(first) > count(first, second) > 0
    assert count(second, first) == count(first, second)


def test_only_keep_alive_puts_sleep_off() -> None:
    brick = brick_with(sleep_timeout_s=10.0)
    for _ in range(3):
        brick.clock.sleep(8.0)
        brick.handle(KEEP_ALIVE)
    for _ in range(3):
        brick.clock.sleep(3.0)
        brick.handle(BATTERY)
    brick.clock.sleep(3.0)
    with pytest.raises(LineCutError, match="off"):
        brick.handle(BATTERY)


def test_the_battery_is_as_low_as_told() -> None:
    assert brick_with(battery_mv=6200).handle(BATTERY) == b"\x02\x0b\x00" + (6200).to_bytes(
        2, "little"
    )


def test_in_process_a_cut_line_is_an_os_error_and_silence_a_timeout() -> None:
    cut = InProcessConnection(brick_with(drop_at=(1,)))
    with pytest.raises(OSError, match="cut"):
        cut.send(BATTERY)
    with pytest.raises(OSError, match="closed"):
        cut.send(BATTERY)
    silent = InProcessConnection(brick_with(silent_from=1))
    silent.send(BATTERY)
    with pytest.raises(TimeoutError, match="answer"):
        silent.recv()


def test_a_sensor_changes_at_its_time() -> None:
    brick = brick_with(sensors=(SensorChange("1:touch"), SensorChange("1:touch=1", 2.0)))
    brick.handle(bytes.fromhex("00 05 00 01 20"))

    def is_pressed() -> bool:
        reply = brick.handle(bytes.fromhex("00 07 00"))
        assert reply is not None
        return reply[12] == 1

    brick.clock.sleep(1.9)
    assert not is_pressed()
    brick.clock.sleep(0.2)
    assert is_pressed()
