"""Motors come to their angles over direct commands, or it is said which does not."""

from collections.abc import Callable

import pytest

from controller.errors import MotorStalledError
from controller.rigs.nxt_cradle.drives.direct_drive import DirectDrive
from controller.rigs.nxt_cradle.drives.drive import Tolerance
from controller.rigs.nxt_cradle.motors import Motor
from hardware_sims.nxt_brick.brick import SimulatedBrick
from hardware_sims.nxt_brick.faults import Faults, Stall
from hardware_sims.nxt_brick.latency import BLUETOOTH_LATENCY, USB_LATENCY, Latency
from hardware_sims.nxt_brick.warming_up import warm_up
from tests.virtual_robot import VirtualRobot

STALL_S = 0.6
TOLERANCE = Tolerance(3, 3)


@pytest.mark.parametrize("latency", [USB_LATENCY, BLUETOOTH_LATENCY])
def test_it_ends_within_the_tolerance_and_tells_where_it_stood(
    new_robot: Callable[..., VirtualRobot], latency: Latency
) -> None:
    warm_up()  # compiled while the driver waits, free motors would take longer than its patience
    robot = new_robot(latency=latency)
    robot.brick = SimulatedBrick(robot.clock, latency=latency)  # its motors turn freely
    with robot.link() as link:
        drive = DirectDrive(link, robot.clock, STALL_S)
        for target in (315, 0, 630, 600, 602, -315):
            stood_at = drive.go(Motor.CRADLE, target, 100, TOLERANCE)
            assert TOLERANCE.allows(stood_at[-1] - target)
            robot.clock.sleep(0.3)
            assert abs(link.tacho(Motor.CRADLE) - stood_at[-1]) <= 1


def test_a_motor_that_stands_still_is_stalled(new_robot: Callable[..., VirtualRobot]) -> None:
    robot = new_robot()
    stall = Stall(port=0, seconds=100.0, time_s=0.2)
    robot.brick = SimulatedBrick(robot.clock, faults=Faults(stalls=(stall,)))
    with robot.link() as link:
        drive = DirectDrive(link, robot.clock, STALL_S)
        with pytest.raises(MotorStalledError, match=r"Motor A \(cradle\) has not moved for"):
            drive.go(Motor.CRADLE, 900, 100, TOLERANCE)


def test_a_tolerance_has_two_sides() -> None:
    tolerance = Tolerance(below_deg=1, above_deg=5)
    assert [error for error in range(-8, 8) if tolerance.allows(error)] == list(range(-1, 6))
