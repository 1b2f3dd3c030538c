"""Faults: read from TOML, and done by the brick."""

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from hardware_sims import robot_faults
from hardware_sims.clock import VirtualClock
from hardware_sims.errors import InvalidScenarioError
from hardware_sims.nxt_brick.brick import InProcessConnection, LineCutError, SimulatedBrick
from hardware_sims.nxt_brick.faults import NO_LATENCY, Faults, Restart, SensorChange, Stall
from hardware_sims.nxt_brick.sensors.plugged_in import parse_sensor
from hardware_sims.rigs.cradle.faults import Build, RigFaults, Stuck
from hardware_sims.rigs.faults import Double, Short, Skip, Slip, Throw, Yaw
from hardware_sims.robot_faults import RobotFaults, load_faults

ROOT = Path(__file__).resolve().parents[4]
BATTERY = b"\x00\x0b"
KEEP_ALIVE = b"\x00\x0d"
RUN_A = bytes.fromhex("80 04 00 4b 03 00 00 20 00 00 00 00")
COUNT_A = b"\x00\x06\x00"

EVERYTHING = """
seed = 4
drop = [{ telegram = 120 }, { telegram = 300 }, { chance = 0.001 }]
lose = [{ telegram = 130 }, { chance = 0.002 }]
hiccup = { chance = 0.01, seconds = 2.5 }
die = { telegram = 900 }
restart = [{ telegram = 400, seconds = 3 }, { time = 60, seconds = 0.5 }]
silence = { telegram = 500 }
delay = { seconds = 0.06, jitter = 0.02 }
slip = [{ tilt = 3 }, { chance = 0.01, askew_deg = [5, 20] }]
double = [{ tilt = 4 }]
throw = [{ tilt = 5, quarters = -1 }]
yaw = [{ spin = 6 }]
short = [{ turn = 7 }]
skip = [{ turn = 8, motor_deg = 45 }]
stuck = [{ leaving = 9, seconds = 4 }]
rig = { play_deg = 24, stiffness = 3, wear_deg = 0.1 }
battery = { millivolts = 6200, ohms = 1.2, drain_mv_per_minute = 10 }
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
    assert load_faults(path, RigFaults) == RobotFaults(
        brick=Faults(
            seed=4,
            drop_at=(120, 300),
            drop_chance=0.001,
            lose_at=(130,),
            lose_chance=0.002,
            hiccup_chance=0.01,
            hiccup_s=2.5,
            die_at=900,
            restarts=(Restart(3.0, telegram=400), Restart(0.5, time_s=60.0)),
            silent_from=500,
            delay_s=0.06,
            jitter_s=0.02,
            stalls=(Stall(0, 2.0, time_s=3.0), Stall(2, 0.5, telegram=50)),
            battery_mv=6200,
            battery_ohm=1.2,
            drain_mv_per_minute=10.0,
            sleep_timeout_s=30.0,
            sensors=(SensorChange("1:touch"), SensorChange("1:touch=1", 2.5)),
        ),
        rig=RigFaults(
            seed=4,
            slip=(Slip(tilt=3), Slip(chance=0.01, askew_deg=(5.0, 20.0))),
            double=(Double(tilt=4),),
            throw=(Throw(tilt=5, quarters=-1),),
            yaw=(Yaw(spin=6),),
            short=(Short(turn=7),),
            skip=(Skip(turn=8, motor_deg=45.0),),
            stuck=(Stuck(leaving=9, seconds=4.0),),
            rig=Build(24.0, 3.0, 0.1),
        ),
    )


def test_the_guide_shows_every_fault_with_an_example_that_is_read(tmp_path: Path) -> None:
    guide = (ROOT / "docs" / "nxt-simulator.md").read_text(encoding="utf-8")
    _, _, section = guide.partition("\n## Faults\n")
    examples = re.findall(r"```toml\n(.*?)```", section, re.DOTALL)
    path = tmp_path / "faults.toml"
    path.write_text("".join(examples), encoding="utf-8")
    loaded = load_faults(path, RigFaults)
    written = set(tomllib.loads("".join(examples)))
    assert written == set(robot_faults.file_type(RigFaults).__struct_fields__) - {
        "camera"
    }  # docs/vision.md
    assert loaded.rig.throw[1] == Throw(chance=0.01, askew_deg=(-20.0, 20.0))


def test_an_empty_file_is_no_fault(tmp_path: Path) -> None:
    (tmp_path / "none.toml").write_text("")
    assert load_faults(tmp_path / "none.toml", RigFaults) == RobotFaults(rig=RigFaults())


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("not toml", "not TOML"),
        ("dorp = 3", "dorp"),
        ("drop = 3", "drop"),
        ("drop = [{ telegram = 0 }]", "telegram"),
        ("drop = [{}]", "telegram"),
        ("silence = { telegram = 'x' }", "telegram"),
        ("delay = { seconds = -1 }", "seconds"),
        ("delay = { seconds = nan }", "seconds"),
        ("delay = 3", "delay"),
        ("slip = [{ tilt = true }]", "tilt"),
        ("slip = [{}]", "give either tilt or chance"),
        ("slip = [{ tilt = 1, chance = 0.5 }]", "give either tilt or chance"),
        ("slip = [{ tilt = 1, askew_deg = [1, 2, 3] }]", "askew_deg"),
        ("slip = [{ tilt = 1, askew_deg = 50 }]", "askew_deg must be at most 44"),
        ("yaw = [{ chance = 1.5 }]", "chance must be at most 1"),
        ("throw = [{ tilt = 1 }]", "give quarters, askew_deg or both"),
        ("throw = [{ tilt = 1, quarters = 3 }]", "quarters must be one of"),
        ("skip = [{ turn = 1, motor_deg = -1 }]", "motor_deg must be at least 0"),
        ("lose = [{}]", "give either telegram or chance"),
        ("restart = [{ seconds = 1 }]", "give either time or telegram"),
        ("battery = { volts = 7 }", "volts"),
        ("battery = { millivolts = 70000 }", "millivolts must be at most 12000"),
        ("battery = { ohms = -1 }", "ohms must be at least 0"),
        ("sensor = [{ plug = '9:touch' }]", "9:touch"),
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
        load_faults(path, RigFaults)
    assert "faults.toml" in str(caught.value)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(InvalidScenarioError, match=r"missing\.toml"):
        load_faults(tmp_path / "missing.toml", RigFaults)


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


def test_one_reply_is_lost_and_its_command_is_done() -> None:
    brick = brick_with(lose_at=(1,))
    assert brick.handle(b"\x00" + RUN_A[1:]) is None
    assert brick.handle(BATTERY) is not None
    brick.clock.sleep(1.0)
    brick.advance()
    assert brick.machine.outputs.io_map["tacho_count"][0] > 100


def test_replies_are_lost_and_lines_cut_by_chance_from_the_seed() -> None:
    def lost(seed: int) -> list[bool]:
        brick = brick_with(lose_chance=0.3, seed=seed)
        return [brick.handle(BATTERY) is None for _ in range(40)]

    assert lost(1) == lost(1) != lost(2)
    assert 4 < sum(lost(1)) < 24
    brick = brick_with(drop_chance=1.0)
    with pytest.raises(LineCutError, match="was cut"):
        brick.handle(BATTERY)


def test_a_reply_hiccups_now_and_then() -> None:
    brick = brick_with(hiccup_chance=0.1, hiccup_s=2.0, seed=3)
    for _ in range(100):
        brick.handle(BATTERY)
    seconds = brick.clock.now()
    assert 2 * 3 < seconds < 2 * 25
    assert seconds % 2 < 0.2


def test_a_brick_dies_in_the_middle_of_a_reply() -> None:
    brick = brick_with(die_at=2)
    whole = brick.handle(BATTERY)
    assert whole is not None
    torn = brick.handle(BATTERY)
    assert torn == whole[:2]
    with pytest.raises(LineCutError, match="off"):
        brick.handle(BATTERY)


def test_a_brick_restarts_and_has_forgotten_all_but_its_flash() -> None:
    brick = brick_with(restarts=(Restart(2.0, telegram=3),))
    brick.machine.plug_in(*parse_sensor("1:touch=1"))
    brick.machine.files.store(b"kept.rxe", b"data")
    brick.handle(RUN_A)
    brick.clock.sleep(1.0)
    brick.handle(BATTERY)
    assert brick.machine.outputs.io_map["tacho_count"][0] > 100
    with pytest.raises(LineCutError, match="off"):
        brick.handle(BATTERY)
    brick.clock.sleep(1.9)
    with pytest.raises(LineCutError, match="off"):
        brick.handle(BATTERY)
    brick.clock.sleep(0.2)
    assert brick.handle(BATTERY) is not None
    assert brick.machine.outputs.io_map["tacho_count"][0] == 0
    assert brick.machine.inputs.ports["raw"][0] < 1023
    file = brick.machine.files.lookup(b"kept.rxe")
    assert file is not None
    assert bytes(file.data) == b"data"


def test_a_brick_restarts_at_its_time_and_what_comes_later_comes_in_time() -> None:
    brick = brick_with(
        restarts=(Restart(1.0, time_s=2.0),), sensors=(SensorChange("1:touch=1", 5.0),)
    )
    for time_s, pressed in ((1.0, False), (2.5, False), (4.9, False), (5.2, True)):
        brick.clock.sleep(time_s - brick.clock.now())
        brick.advance()
        assert brick.is_off == (time_s == 2.5)
        assert (brick.machine.inputs.ports["raw"][0] < 1023) == pressed


def millivolts(brick: SimulatedBrick) -> int:
    reply = brick.handle(BATTERY)
    assert reply is not None
    return int.from_bytes(reply[3:5], "little")


def test_the_battery_sags_under_load_and_recovers() -> None:
    brick = brick_with(battery_mv=8000, battery_ohm=1.5, stalls=(Stall(0, 1.0, time_s=0.0),))
    assert millivolts(brick) == 8000
    brick.handle(bytes.fromhex("80 04 00 64 03 00 00 20 00 00 00 00"))
    brick.clock.sleep(0.5)
    # Held at full power: 8 V over armature and battery.
    assert millivolts(brick) == pytest.approx(8000 * 6.69 / (6.69 + 1.5), abs=20)
    brick.clock.sleep(2.0)
    assert 7500 < millivolts(brick) < 8000  # it turns, and draws less
    brick.handle(bytes.fromhex("80 04 00 00 00 00 00 00 00 00 00 00"))
    brick.clock.sleep(1.0)
    assert millivolts(brick) == 8000


def test_six_aa_cells_sag_unless_told_otherwise() -> None:
    """At a stall of 8 V over armature and six cells of 0.2 ohm each."""
    brick = brick_with(stalls=(Stall(0, 1.0, time_s=0.0),))
    brick.handle(bytes.fromhex("80 04 00 64 03 00 00 20 00 00 00 00"))
    brick.clock.sleep(0.5)
    assert millivolts(brick) == pytest.approx(8000 * 6.69 / (6.69 + 6 * 0.2), abs=20)


def test_a_motor_is_slower_with_a_battery_that_sags() -> None:
    def turned(ohms: float) -> int:
        brick = brick_with(battery_ohm=ohms)
        brick.handle(RUN_A)
        brick.clock.sleep(1.0)
        brick.advance()
        return int(brick.machine.outputs.io_map["tacho_count"][0])

    assert turned(0.0) > turned(2.0) + 5


def test_the_battery_drains_also_over_a_restart() -> None:
    brick = brick_with(
        battery_mv=8000, drain_mv_per_minute=100.0, restarts=(Restart(1.0, time_s=90.0),)
    )
    for minute in range(4):
        assert millivolts(brick) == pytest.approx(8000 - 100 * minute, abs=3)
        brick.clock.sleep(60.0 * (minute + 1) - brick.clock.now())
        brick.handle(KEEP_ALIVE)
