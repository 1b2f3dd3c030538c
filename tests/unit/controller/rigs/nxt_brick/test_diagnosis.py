"""What `doctor` says of a brick."""

import gc
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from controller.rigs.nxt_brick.rig import examine_brick
from hardware_sims.nxt_brick.faults import Faults
from hardware_sims.nxt_brick.server import BrickServer
from tests.virtual_robot import VirtualRobot


@pytest.mark.parametrize(
    ("millivolts", "remedy"), [(6900, "The battery is low: charge it before a run."), (7100, "")]
)
def test_a_low_battery_is_told(
    new_robot: Callable[..., VirtualRobot], millivolts: int, remedy: str
) -> None:
    robot = new_robot(faults=Faults(battery_mv=millivolts))
    with BrickServer(robot.brick) as server:
        finding = examine_brick(server.address)
    assert finding.ok
    assert f"{millivolts / 1000:.1f} V" in finding.detail
    assert finding.remedy == remedy


def test_a_brick_that_does_not_answer_is_no_error() -> None:
    finding = examine_brick("devfile:/nowhere")
    assert not finding.ok
    assert "rfcomm bind" in finding.detail


@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")
def test_a_file_that_is_no_terminal_does_not_stay_open() -> None:
    def open_files() -> list[str]:
        return [str(each.resolve()) for each in Path("/proc/self/fd").iterdir()]

    before = open_files().count("/dev/null")
    gc.disable()  # it would close the file at some later moment, in another test
    try:
        assert "rfcomm bind" in examine_brick("devfile:/dev/null").detail
        assert open_files().count("/dev/null") == before
    finally:
        gc.enable()
