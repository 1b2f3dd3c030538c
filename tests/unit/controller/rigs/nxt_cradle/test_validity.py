"""What is planned comes true for one drive and one voltage; for others that is said."""

import logging
import re
from collections.abc import Callable

import msgspec
import pytest

from controller.rigs.nxt_brick import calibration
from controller.rigs.nxt_brick.calibration import doubts
from controller.rigs.nxt_cradle.calibration.values import FILES, assumed_seconds
from controller.rigs.nxt_cradle.rig import RIG
from hardware_sims.nxt_brick.faults import Faults
from solvers.foundation.progress import run_job
from tests.virtual_robot import VirtualRobot

MEASURED = msgspec.structs.replace(FILES.default.seconds, drive="program", volts=8.0)


def test_where_they_were_measured_nothing_is_doubted() -> None:
    assert not list(doubts(MEASURED, "program", 8.1))
    assert not list(doubts(assumed_seconds(), "direct", 6.8))


@pytest.mark.parametrize(("volts", "told"), [(6.8, "6.8 V.*18% more"), (9.0, "9.0 V.*11% less")])
def test_another_voltage_is_told_with_what_it_changes(volts: float, told: str) -> None:
    (sentence,) = doubts(MEASURED, "program", volts)
    assert re.search(told, sentence)


def test_a_battery_of_0_v_is_doubted() -> None:
    (sentence,) = doubts(MEASURED, "program", 0.0)
    assert "0 V" in sentence


def test_another_drive_is_told() -> None:
    (sentence,) = doubts(MEASURED, "direct", 8.0)
    assert "calibrate --drive direct" in sentence


@pytest.mark.parametrize("drive", ["program", "direct"])
def test_who_connects_hears_of_it(
    new_robot: Callable[..., VirtualRobot], caplog: pytest.LogCaptureFixture, drive: str
) -> None:
    robot = new_robot(drive=drive, faults=Faults(battery_mv=7000))
    with caplog.at_level(logging.WARNING), robot.mechanism():
        pass
    assert "7.0 V" in caplog.text
    assert ("calibrate --drive direct" in caplog.text) == (drive == "direct")


@pytest.mark.parametrize("drive", ["program", "direct"])
def test_what_is_measured_says_how(
    new_robot: Callable[..., VirtualRobot], monkeypatch: pytest.MonkeyPatch, drive: str
) -> None:
    monkeypatch.setattr(calibration, "RUNS", calibration.RUNS[:1])  # all take minutes
    robot = new_robot(drive=drive, faults=Faults(battery_mv=8400))
    with robot.mechanism() as mechanism:
        mechanism.set_home()
        setup = RIG.setup_of(robot.calibration)
        seconds = run_job(setup.measure(mechanism, robot.controls, rounds=1))
        mechanism.release()
    assert (seconds.drive, seconds.volts) == (drive, 8.4)
